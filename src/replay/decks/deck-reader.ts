// Reads a deck from strict YAML: every error has line and column, every payload is validated against the field table.

import type { Node } from "yaml";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { bodyProblem, readField } from "#src/contract/fields/validate.ts";
import { projectKey } from "#src/contract/records/project.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { parseInstant } from "#src/contract/text/instant.ts";
import { YamlSource, type KnownKeys, type YamlFault } from "#src/contract/text/yaml-source.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { nameOrders, type UnnamedStep } from "./deck-orders.ts";
import { createPayloads, type DeckBody, type DeckPayloads } from "./deck-payload.ts";
import { DECK, EXPECTED, PROJECT, STEP } from "./deck-shape.ts";
import type { Deck, DeckProject, DeckStep } from "./deck.ts";

/**
 * Reads a deck.
 * @param place.file file name for messages
 * @param place.name name of the deck
 * @throws YamlFault with line and column for anything that is not a deck, card data included
 */
export function readDeck(text: string, place: { readonly file: string; readonly name: string }): Deck {
  return new DeckReader(new YamlSource(text, place.file)).read(place.name);
}

type StepKeys = KnownKeys<(typeof STEP)["properties"]>;

class DeckReader {
  readonly #source: YamlSource;
  readonly #payloads: DeckPayloads;
  readonly #projects = new Map<string, DeckProject>();

  constructor(source: YamlSource) {
    this.#source = source;
    this.#payloads = createPayloads(source);
  }

  read(name: string): Deck {
    const source = this.#source;
    const { root } = source;
    if (root === null) throw source.fault(null, "the deck is empty; it needs a title and steps");
    // Refuses circular aliases, which the functions below would follow for ever.
    source.plain(root);
    this.#refuseCardData("", root);

    const keys = source.map(root, "a deck", DECK);
    const missing = DECK.required.filter((key) => (keys.get(key) ?? null) === null);
    if (missing.length > 0) this.#lacks(root, "a deck", missing.join(", "));
    const { title: titleShape, summary: summaryShape, steps: stepsShape } = DECK.properties;
    const title = this.#text(keys.at("title"), "title", titleShape);
    const summary = this.#text(keys.at("summary"), "summary", summaryShape);
    const startAt = this.#time(keys);
    const seed = keys.number("seed");
    const project = this.#project(keys.get("project")!, null);

    const nodes = source.list(keys.at("steps"), "steps");
    const { maxItems: most } = stepsShape;
    if (nodes.length === 0) throw source.fault(keys.at("steps"), "a deck needs at least one step");
    if (nodes.length > most) throw source.fault(nodes[most]!, `a deck has at most ${most} steps`);
    const steps: UnnamedStep[] = [];
    for (const [index, node] of nodes.entries()) {
      source.subject = `step ${index + 1}`;
      steps.push(this.#step(node, project, steps.at(-1)?.body ?? null));
    }
    return {
      name,
      title,
      summary,
      startAt,
      seed,
      projects: [...this.#projects.values()],
      steps: nameOrders(steps),
      words: new Map(),
    };
  }

  #step(node: Node, deckProject: RegistrationRequest, before: DeckBody | null): UnnamedStep {
    const source = this.#source;
    const keys = source.map(node, "a step", STEP);
    if ((keys.get("say") ?? null) === null) this.#lacks(node, "a step", "say");
    const say = this.#text(keys.at("say"), "say", STEP.properties.say);
    const note = keys.has("note") ? this.#text(keys.at("note"), "note", STEP.properties.note) : null;
    const { key, riskLevel } = this.#projectOf(keys, node, deckProject);
    const body = this.#payloads.read(node, keys, before);
    const repeat = keys.has("repeat") ? keys.number("repeat") : 1;
    const clock = keys.has("clock") ? this.#move(keys, "clock") : 0;
    if (keys.has("every") && repeat === 1) {
      throw source.fault(keys.at("every"), "every is the time between the checks of a step with repeat");
    }
    const every = keys.has("every") ? this.#move(keys, "every") : 0;
    const expected = this.#expected(keys, repeat);
    return {
      say,
      note,
      projectKey: key,
      riskLevel,
      canForce3ds: keys.has("can_force_3ds") ? keys.choice("can_force_3ds") === "yes" : null,
      seconds: null,
      rules: null,
      watch: null,
      fault: null,
      sides: [],
      stream: null,
      body,
      sameOrder: this.#sameOrder(keys, before === null && repeat === 1),
      checks: Array.from({ length: repeat }, (_, attempt) => ({
        expected: expected[attempt] ?? null,
        advanceMs: attempt === 0 ? clock : every,
      })),
    };
  }

  #projectOf(
    keys: StepKeys,
    node: Node,
    deckProject: RegistrationRequest,
  ): Pick<DeckStep, "riskLevel"> & { key: string } {
    const source = this.#source;
    if (keys.has("project") && keys.has("risk_level")) {
      throw source.fault(
        keys.get("risk_level") ?? node,
        "write risk_level inside of project, or leave project out",
      );
    }
    const registration = keys.has("project")
      ? this.#project(keys.get("project") ?? node, deckProject)
      : {
          ...deckProject,
          ...(keys.has("risk_level") ? { risk_level: keys.choice("risk_level") } : {}),
        };
    const key = projectKey(registration.merchant_id, registration.risk_level);
    const known = this.#projects.get(key);
    if (known !== undefined && JSON.stringify(known.registration) !== JSON.stringify(registration)) {
      throw source.fault(
        keys.get("project") ?? node,
        `another step uses a project ${key} with another name, description or currency; a project is registered once`,
      );
    }
    this.#projects.set(key, { key, registration });
    return { key, riskLevel: registration.risk_level };
  }

  /** @param base the project that a step varies; null for the deck's own, which needs every key */
  #project(node: Node, base: RegistrationRequest | null): RegistrationRequest {
    const source = this.#source;
    const keys = source.map(node, "project", PROJECT);
    const merchant = keys.has("merchant")
      ? keys.text("merchant")
      : (base?.merchant_id ?? this.#lacks(node, "project", "merchant"));
    const description = keys.has("description") ? keys.text("description") : base?.description;
    const request: RegistrationRequest = {
      merchant_id: merchant,
      name: keys.has("name") ? keys.text("name") : (base?.name ?? merchant),
      ...(description === undefined ? {} : { description }),
      currency: keys.has("currency")
        ? this.#currency(keys.at("currency"))
        : (base?.currency ?? this.#lacks(node, "project", "currency")),
      risk_level: keys.has("risk_level")
        ? keys.choice("risk_level")
        : (base?.risk_level ?? this.#lacks(node, "project", "risk_level")),
    };
    const wrong = bodyProblem(REGISTRATION_FIELDS, request);
    if (wrong !== null) throw source.fault(node, wrong);
    return request;
  }

  #currency(node: Node | null): number {
    const { value } = this.#source.scalar(node, "currency");
    const field = REGISTRATION_FIELDS.find(({ path }) => path === "currency")!;
    const read = readField(field, String(value));
    if ("error" in read) throw this.#source.fault(node, read.error);
    return Number(read.value);
  }

  /** One verdict for all checks of the step, or one each. */
  #expected(keys: StepKeys, repeat: number): readonly Recommendation[] {
    if (!keys.has("expect")) return [];
    const source = this.#source;
    const node = keys.at("expect");
    if (!source.isList(node)) {
      const all = source.choice(node, "expect", EXPECTED);
      return Array.from({ length: repeat }, () => all);
    }
    const each = source.list(node, "expect").map((item) => source.choice(item, "expect", EXPECTED));
    if (each.length === repeat) return each;
    throw source.fault(node, `expect lists ${each.length} verdicts, and the step has ${repeat} checks`);
  }

  #sameOrder(keys: StepKeys, nothingBefore: boolean): boolean {
    const value = keys.has("same_order") && keys.flag("same_order");
    if (!value || !nothingBefore) return value;
    throw this.#source.fault(
      keys.at("same_order"),
      "same_order repeats the order before, and there is none yet",
    );
  }

  #lacks(node: Node, what: string, key: string): never {
    throw this.#source.fault(node, `${what} needs ${key}`);
  }

  #text(node: Node | null, what: string, { maxLength }: { readonly maxLength: number }): string {
    const text = this.#source.text(node, what).value.trim();
    if (text === "") throw this.#source.fault(node, `${what} must be a text`);
    const length = Array.from(text).length;
    if (length <= maxLength) return text;
    throw this.#source.fault(
      node,
      `${what} has ${length} characters, and ${maxLength} have room on the screen`,
    );
  }

  #time(keys: KnownKeys<(typeof DECK)["properties"]>): Milliseconds {
    const at = parseInstant(keys.text("start"));
    if (at !== null) return at;
    throw this.#source.fault(keys.at("start"), `start must be ${DECK.properties.start.description}`);
  }

  /** An advance of the clock: `+24h`. */
  #move(keys: StepKeys, what: "clock" | "every"): Milliseconds {
    const moved = parseDuration(keys.text(what).slice(1));
    if (moved !== null) return moved;
    throw this.#source.fault(keys.at(what), `${what} must be ${STEP.properties[what].description}`);
  }

  /** Searches the whole deck, texts included; the error has the position, never the number. */
  #refuseCardData(key: string, node: Node | null): void {
    const source = this.#source;
    if (source.isMap(node)) {
      for (const [name, { keyNode, value }] of source.entries(node, "the deck")) {
        if (findCardData({ [name]: null }) !== null) throw this.#cardFault(keyNode);
        // The last part of a dotted path is the field, which distinguishes an amount from a card number.
        this.#refuseCardData(name.split(".").at(-1)!, value);
      }
    } else if (source.isList(node)) {
      for (const item of source.list(node, "the deck")) this.#refuseCardData(key, item);
    } else if (node !== null && findCardData({ [key]: source.plain(node) }) !== null) {
      throw this.#cardFault(node);
    }
  }

  #cardFault(node: Node): YamlFault {
    return this.#source.fault(
      node,
      "full card numbers and card verification data never belong in a deck; use bin_card and cin_card",
    );
  }
}
