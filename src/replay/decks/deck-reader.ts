// Reads a deck from strict YAML: every error has line and column, every payload is validated against the field table.

import { basename } from "node:path";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { bodyProblem } from "#src/contract/fields/validate.ts";
import { projectKey } from "#src/contract/records/project.ts";
import { dataOf, placeAt, type Place } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import type { Of } from "#src/contract/text/shape.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import { RISK_LEVELS, type RegistrationRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { VerdictKind } from "#src/display/verdict.ts";
import { nameOrders, type UnnamedStep } from "./deck-orders.ts";
import { maskedDeck } from "./masked-deck.ts";
import { deckBody, repeatedBodies, type DeckBody } from "./deck-payload.ts";
import { blaming, DECK, MOST_REPEATS, STEP, type VariedProject } from "./deck-shape.ts";
import {
  STARTER_RULES,
  type Deck,
  type DeckFiles,
  type DeckProject,
  type DeckRules,
  type DeckSide,
  type DeckStep,
  type DeckStream,
} from "./deck.ts";

export interface DeckPlace {
  /** File name for messages. */
  readonly file: string;
  /** Name of the deck. */
  readonly name: string;
  readonly files: DeckFiles;
}

/**
 * Reads a deck and the files that it names; the rules in them are tested when the deck is opened.
 * @throws YamlFault with line and column for anything that is not a deck, card data and files that cannot be read included
 */
export function readDeck(text: string, { file, name, files }: DeckPlace): Deck {
  return new DeckReader(new YamlSource(text, file), files).read(name);
}

type Step = Of<typeof STEP>;
type ReadProject = Pick<DeckStep, "projectKey" | "riskLevel">;

class DeckReader {
  readonly #source: YamlSource;
  readonly #projects = new Map<string, DeckProject>();
  readonly #files: DeckFiles;
  /** Those of the last step that named some. */
  #rulesInForce = STARTER_RULES;

  constructor(source: YamlSource, files: DeckFiles) {
    this.#source = source;
    this.#files = files;
  }

  read(name: string): Deck {
    const root = this.#source.place();
    refuseCardData("", root);
    const { title, summary, start, seed, words, ...deck } = readShape(DECK, root, "a deck");
    const { merchant, ...own } = deck.project;
    const project = registration(
      placeAt(root, "project"),
      { merchant_id: merchant, name: merchant, ...own },
      {},
    );
    const steps: UnnamedStep[] = [];
    for (const [index, place] of deck.steps.entries()) {
      this.#source.subject = `step ${index + 1}`;
      const before = steps.at(-1)?.body ?? null;
      steps.push(this.#step(place, { project, watch: deck.watch ?? null, before }));
    }
    return maskedDeck({
      name,
      title,
      summary,
      startAt: start,
      seed,
      projects: [...this.#projects.values()],
      steps: nameOrders(steps),
      words,
    });
  }

  #step(
    place: Place,
    deck: {
      readonly project: RegistrationRequest;
      readonly watch: DeckStep["watch"];
      readonly before: DeckBody | null;
    },
  ): UnnamedStep {
    const step = readShape(STEP, place, "a step");
    const { say, note = null, seconds = null, clock = 0, every = 0 } = step;
    const said = { say, note, seconds };
    const project = this.#projectOf(step, place, deck.project);
    if (step.stream !== undefined)
      return { ...said, ...project, ...this.#day(step, step.stream, place), body: deck.before };
    const first = deckBody(place, step, deck.before);
    const bodies =
      typeof step.repeat === "number"
        ? Array.from({ length: step.repeat }, () => first)
        : repeatedBodies(step.repeat, first, MOST_REPEATS);
    const repeat = bodies.length;
    const sides = this.#sides(step, place, deck.project);
    const expected = sides.length > 0 ? [] : expectedOf(step, place, repeat, "checks");
    const rules = step.rules === undefined ? null : this.#ownRules(step.rules, placeAt(place, "rules"));
    this.#rulesInForce = rules ?? this.#rulesInForce;
    if (step.same_order && deck.before === null && repeat === 1)
      throw placeAt(place, "same_order").fault("same_order repeats the order before, and there is none yet");
    return {
      ...said,
      projectKey: sides[0]?.projectKey ?? project.projectKey,
      riskLevel: sides[0]?.riskLevel ?? project.riskLevel,
      canForce3ds: step.can_force_3ds === undefined ? null : step.can_force_3ds === "yes",
      rules,
      watch: step.watch ?? deck.watch,
      fault: step.fault ?? null,
      sides,
      stream: null,
      body: bodies.at(-1)!,
      sameOrder: step.same_order,
      checks: bodies.map((body, attempt) => ({
        body,
        expected: expected[attempt] ?? null,
        advanceMs: attempt === 0 ? clock : every,
      })),
    };
  }

  /** A streamed day has no checks of its own. */
  #day(step: Step, name: string, place: Place) {
    const at = placeAt(place, "rules");
    const [today = this.#rulesInForce, proposed = null] = Array.isArray(step.rules)
      ? step.rules.map((each, index) => this.#rules(each, placeAt(at, index)))
      : step.rules === undefined
        ? []
        : [this.#rules(step.rules as string, at)];
    const stream: DeckStream = {
      day: blaming(placeAt(place, "stream"), () => this.#files.day(name)),
      overMs: step.over,
      today,
      proposed,
      stopAt: step.stop_at ?? [],
    };
    const nothing = { canForce3ds: null, rules: null, watch: null, fault: null, sides: [], sameOrder: false };
    return { ...nothing, checks: [], stream };
  }

  #ownRules(named: NonNullable<Step["rules"]>, place: Place): DeckRules {
    if (typeof named === "string") return this.#rules(named, place);
    throw place.fault("a list of rules belongs to a step with stream; write side_by_side for checks");
  }

  /** @throws the fault of the place where the file is named */
  #rules(name: string, place: Place): DeckRules {
    if (name === STARTER_RULES.name) return STARTER_RULES;
    return { name: basename(name), ...blaming(place, () => this.#files.rules(name)) };
  }

  #sides(step: Step, place: Place, deckProject: RegistrationRequest): DeckSide[] {
    const { side_by_side: names } = step;
    if (names === undefined) return [];
    const at = placeAt(place, "side_by_side");
    const levels = names.filter((name): name is RiskLevel => RISK_LEVELS.some((level) => level === name));
    if (levels.length > 0 && levels.length < names.length)
      throw at.fault("side_by_side lists risk levels, or rules, not both");
    if (levels.length > 0 && step.risk_level !== undefined)
      throw placeAt(place, "risk_level").fault("side_by_side has the risk levels of this step");
    const expected = expectedOf(step, place, names.length, "sides");
    // Folders are shown only where nothing else tells the sides apart.
    const short = names.map((name) => basename(name));
    const titles = new Set(short).size < names.length ? names : short;
    return titles.map((title, side) => {
      const level = levels[side];
      return {
        title,
        ...this.#projectOf(step, place, deckProject, level),
        rules: level === undefined ? this.#rules(names[side]!, placeAt(at, side)) : null,
        expected: expected[side] ?? null,
      };
    });
  }

  /** @param level of a side, in place of that of the step */
  #projectOf(step: Step, place: Place, deckProject: RegistrationRequest, level?: RiskLevel): ReadProject {
    const at = placeAt(place, "project");
    const own = registration(at, deckProject, step.project ?? {});
    return this.#keep(at, { ...own, risk_level: level ?? step.risk_level ?? own.risk_level });
  }

  /** @throws the fault of the place for another project of the same key */
  #keep(place: Place, registration: RegistrationRequest): ReadProject {
    const key = projectKey(registration.merchant_id, registration.risk_level);
    const known = this.#projects.get(key);
    if (known !== undefined && JSON.stringify(known.registration) !== JSON.stringify(registration)) {
      throw place.fault(
        `another step uses a project ${key} with another name, description or currency; a project is registered once`,
      );
    }
    this.#projects.set(key, { key, registration });
    return { projectKey: key, riskLevel: registration.risk_level };
  }
}

/** @throws the fault of the place for what no project can be registered with */
function registration(place: Place, base: RegistrationRequest, own: VariedProject): RegistrationRequest {
  const description = own.description ?? base.description;
  const request: RegistrationRequest = {
    merchant_id: own.merchant ?? base.merchant_id,
    name: own.name ?? base.name,
    ...(description === undefined ? {} : { description }),
    currency: own.currency ?? base.currency,
    risk_level: own.risk_level ?? base.risk_level,
  };
  const wrong = bodyProblem(REGISTRATION_FIELDS, request);
  if (wrong !== null) throw place.fault(wrong);
  return request;
}

/** One verdict for all checks or sides of the step, or one each. */
function expectedOf(
  { expect }: Step,
  place: Place,
  count: number,
  what: "checks" | "sides",
): readonly VerdictKind[] {
  if (expect === undefined) return [];
  if (typeof expect === "string") return Array.from({ length: count }, () => expect);
  if (expect.length === count) return expect;
  throw placeAt(place, "expect").fault(
    `expect lists ${expect.length} verdicts, and the step has ${count} ${what}`,
  );
}

/** Searches the whole deck, texts included; the error has the position, never the number. */
function refuseCardData(key: string, place: Place): void {
  if (place.kind === "list") {
    for (const item of place.items("the deck")) refuseCardData(key, item);
  } else if (place.kind === "map") {
    for (const [name, { key: keyPlace, value }] of place.entries("the deck")) {
      if (findCardData({ [name]: null }) !== null) throw cardFault(keyPlace);
      // The last part of a dotted path is the field, which distinguishes an amount from a card number.
      refuseCardData(name.split(".").at(-1)!, value);
    }
  } else if (findCardData({ [key]: dataOf(place) }) !== null) throw cardFault(place);
}

function cardFault(place: Place): Error {
  return place.fault(
    "full card numbers and card verification data never belong in a deck; use bin_card and cin_card",
  );
}
