// Reads a deck from strict YAML: every error has line and column, every payload is validated against the field table.

import { basename } from "node:path";
import type { Node } from "yaml";
import { Fault } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { bodyProblem, readField } from "#src/contract/fields/validate.ts";
import { projectKey } from "#src/contract/records/project.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { parseInstant } from "#src/contract/text/instant.ts";
import { YamlSource, type KnownKeys, type YamlFault } from "#src/contract/text/yaml-source.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { readFault, type FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import { RISK_LEVELS, type RegistrationRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import { nameOrders, type UnnamedStep } from "./deck-orders.ts";
import { createPayloads, type DeckBody, type DeckPayloads } from "./deck-payload.ts";
import { DECK, EXPECTED, NOT_OF_A_DAY, PROJECT, STEP } from "./deck-shape.ts";
import { readWords } from "./deck-words.ts";
import {
  STARTER_RULES,
  type Deck,
  type DeckFiles,
  type DeckProject,
  type DeckRules,
  type DeckSide,
  type DeckStep,
  type DeckStream,
  type WatchedCounter,
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

type StepKeys = KnownKeys<(typeof STEP)["properties"]>;
type WatchKeys = KnownKeys<Pick<(typeof DECK)["properties"], "watch">>;

const DEFAULT_OVER = "20s";
const [SHORTEST_MS, LONGEST_MS] = [1_000, 600_000];

type ReadProject = Pick<DeckStep, "riskLevel"> & { readonly key: string };

class DeckReader {
  readonly #source: YamlSource;
  readonly #payloads: DeckPayloads;
  readonly #projects = new Map<string, DeckProject>();
  readonly #files: DeckFiles;
  /** Those of the last step that named some. */
  #rulesInForce = STARTER_RULES;

  constructor(source: YamlSource, files: DeckFiles) {
    this.#source = source;
    this.#payloads = createPayloads(source);
    this.#files = files;
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
    const words = keys.has("words")
      ? readWords(source, keys.get("words") ?? root)
      : new Map<string, string>();
    const watch = this.#watch(keys, null);

    const nodes = source.list(keys.at("steps"), "steps");
    const { maxItems: most } = stepsShape;
    if (nodes.length === 0) throw source.fault(keys.at("steps"), "a deck needs at least one step");
    if (nodes.length > most) throw source.fault(nodes[most]!, `a deck has at most ${most} steps`);
    const steps: UnnamedStep[] = [];
    for (const [index, node] of nodes.entries()) {
      source.subject = `step ${index + 1}`;
      steps.push(this.#step(node, { project, watch, before: steps.at(-1)?.body ?? null }));
    }
    return {
      name,
      title,
      summary,
      startAt,
      seed,
      projects: [...this.#projects.values()],
      steps: nameOrders(steps),
      words,
    };
  }

  #step(
    node: Node,
    deck: {
      readonly project: RegistrationRequest;
      readonly watch: DeckStep["watch"];
      readonly before: DeckBody | null;
    },
  ): UnnamedStep {
    const source = this.#source;
    const keys = source.map(node, "a step", STEP);
    if ((keys.get("say") ?? null) === null) this.#lacks(node, "a step", "say");
    const said = {
      say: this.#text(keys.at("say"), "say", STEP.properties.say),
      note: keys.has("note") ? this.#text(keys.at("note"), "note", STEP.properties.note) : null,
      seconds: keys.has("seconds") ? keys.number("seconds") : null,
    };
    const project = this.#projectOf(keys, node, deck.project);
    if (keys.has("stream")) return { ...said, ...this.#day(keys, project), body: deck.before };
    for (const key of ["over", "stop_at"] as const)
      if (keys.has(key)) throw source.fault(keys.at(key), `${key} belongs to a step with stream`);
    const body = this.#payloads.read(node, keys, deck.before);
    const repeat = keys.has("repeat") ? keys.number("repeat") : 1;
    const clock = keys.has("clock") ? this.#move(keys, "clock") : 0;
    if (keys.has("every") && repeat === 1) {
      throw source.fault(keys.at("every"), "every is the time between the checks of a step with repeat");
    }
    const every = keys.has("every") ? this.#move(keys, "every") : 0;
    const sides = this.#sides(keys, node, deck.project);
    const expected = sides.length > 0 ? [] : this.#expected(keys, repeat, "checks");
    const rules = keys.has("rules") ? this.#rules(keys.at("rules"), "rules") : null;
    this.#rulesInForce = rules ?? this.#rulesInForce;
    return {
      ...said,
      projectKey: sides[0]?.projectKey ?? project.key,
      riskLevel: sides[0]?.riskLevel ?? project.riskLevel,
      canForce3ds: keys.has("can_force_3ds") ? keys.choice("can_force_3ds") === "yes" : null,
      rules,
      watch: this.#watch(keys, deck.watch),
      fault: keys.has("fault") ? this.#fault(keys.at("fault")) : null,
      sides,
      stream: null,
      body,
      sameOrder: this.#sameOrder(keys, deck.before === null && repeat === 1),
      checks: Array.from({ length: repeat }, (_, attempt) => ({
        expected: expected[attempt] ?? null,
        advanceMs: attempt === 0 ? clock : every,
      })),
    };
  }

  /** A day that runs past has no checks of its own. */
  #day(
    keys: StepKeys,
    { key, riskLevel }: ReadProject,
  ): Omit<UnnamedStep, "say" | "note" | "seconds" | "body"> {
    const source = this.#source;
    const other = NOT_OF_A_DAY.find((each) => keys.has(each));
    if (other !== undefined)
      throw source.fault(keys.at(other), `a day that runs past has no ${other}; write another step for it`);
    const overMs = parseDuration(keys.has("over") ? keys.text("over") : DEFAULT_OVER);
    if (overMs === null || overMs < SHORTEST_MS || overMs > LONGEST_MS)
      throw source.fault(keys.at("over"), `over must be ${STEP.properties.over.description}`);
    const name = keys.text("stream");
    const stream: DeckStream = {
      day: this.#file(keys.at("stream"), () => this.#files.day(name)),
      overMs,
      ...this.#dayRules(keys),
      stopAt: this.#texts(keys, "stop_at"),
    };
    const nothing = { canForce3ds: null, rules: null, watch: null, fault: null, sides: [], sameOrder: false };
    return { projectKey: key, riskLevel, ...nothing, checks: [], stream };
  }

  #dayRules(keys: StepKeys): Pick<DeckStream, "today" | "proposed"> {
    const source = this.#source;
    if (!keys.has("rules")) return { today: this.#rulesInForce, proposed: null };
    const node = keys.at("rules");
    if (!source.isList(node)) return { today: this.#rules(node, "rules"), proposed: null };
    const [today, proposed, third] = this.#items(keys, "rules").map((each) => this.#rules(each, "rules"));
    if (third !== undefined)
      throw source.fault(
        node,
        "rules lists at most those of today and proposed ones for a day that runs past",
      );
    return { today: today!, proposed: proposed ?? null };
  }

  #rules(node: Node | null, what: string): DeckRules {
    if (this.#source.isList(node))
      throw this.#source.fault(
        node,
        "a list of rules belongs to a step with stream; write side_by_side for checks",
      );
    const name = this.#source.text(node, what).value;
    if (name === STARTER_RULES.name) return STARTER_RULES;
    return { name: basename(name), ...this.#file(node, () => this.#files.rules(name)) };
  }

  /** @throws YamlFault at the place where the file is named */
  #file<T>(node: Node | null, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof Fault) throw this.#source.fault(node, error.message.replace(/\.$/, ""));
      throw error;
    }
  }

  #sides(keys: StepKeys, node: Node, deckProject: RegistrationRequest): DeckSide[] {
    if (!keys.has("side_by_side")) return [];
    const source = this.#source;
    const items = this.#items(keys, "side_by_side");
    const names = items.map((item) => source.text(item, "side_by_side").value);
    if (new Set(names).size < names.length)
      throw source.fault(keys.at("side_by_side"), "side_by_side names the same side twice");
    if (keys.has("rules"))
      throw source.fault(
        keys.at("rules"),
        "a step with side_by_side shows its own rules; write rules in the step before",
      );
    const levels = names.filter((name): name is RiskLevel => RISK_LEVELS.some((level) => level === name));
    if (levels.length > 0 && levels.length < names.length)
      throw source.fault(keys.at("side_by_side"), "side_by_side lists risk levels, or rules, not both");
    if (levels.length > 0 && keys.has("risk_level"))
      throw source.fault(keys.at("risk_level"), "side_by_side has the risk levels of this step");
    const expected = this.#expected(keys, names.length, "sides");
    // Folders are shown only where nothing else tells the sides apart.
    const short = names.map((name) => basename(name));
    const titles = new Set(short).size < names.length ? names : short;
    return titles.map((title, side) => {
      const level = levels[side];
      const { key, riskLevel } = this.#projectOf(keys, node, deckProject, level);
      return {
        title,
        projectKey: key,
        riskLevel,
        rules: level === undefined ? this.#rules(items[side]!, "side_by_side") : null,
        expected: expected[side] ?? null,
      };
    });
  }

  /** @param inherited those of the deck */
  #watch(keys: WatchKeys, inherited: DeckStep["watch"]): DeckStep["watch"] {
    if (!keys.has("watch")) return inherited;
    const { items: form } = STEP.properties.watch;
    return this.#items(keys, "watch").map((item): WatchedCounter => {
      const [key, window] = this.#source.formed(item, "watch", form).split("/");
      return { key: key!, window: window! };
    });
  }

  /** As `verdict sandbox fault add check` takes it. */
  #fault(node: Node | null): FaultEffect {
    const [what, value, more] = this.#source.digits(node, "fault").trim().split(/\s+/);
    if (more !== undefined)
      throw this.#source.fault(node, 'fault is a kind and at most one value, such as "latency 400ms"');
    const words = { on: "check", what, value, rate: undefined, count: undefined, retryAfter: undefined };
    return this.#file(node, () => readFault(words)).effect;
  }

  #items(keys: StepKeys | WatchKeys, key: "rules" | "side_by_side" | "stop_at" | "watch"): Node[] {
    const source = this.#source;
    const node = (keys as StepKeys).at(key);
    const shape = STEP.properties[key] as { readonly minItems?: number; readonly maxItems?: number };
    const items = source.list(node, key);
    const { minItems = 1, maxItems = items.length } = shape;
    if (items.length >= minItems && items.length <= maxItems) return items;
    throw source.fault(node, `${key} lists ${minItems} to ${maxItems}, not ${items.length}`);
  }

  #texts(keys: StepKeys, key: "stop_at"): string[] {
    if (!keys.has(key)) return [];
    return this.#items(keys, key).map((item) => this.#source.text(item, key).value);
  }

  /** @param level of a side, in place of that of the step */
  #projectOf(keys: StepKeys, node: Node, deckProject: RegistrationRequest, level?: RiskLevel): ReadProject {
    const source = this.#source;
    if (keys.has("project") && keys.has("risk_level")) {
      throw source.fault(
        keys.get("risk_level") ?? node,
        "write risk_level inside of project, or leave project out",
      );
    }
    const own = keys.has("project")
      ? this.#project(keys.get("project") ?? node, deckProject)
      : {
          ...deckProject,
          ...(keys.has("risk_level") ? { risk_level: keys.choice("risk_level") } : {}),
        };
    const registration = { ...own, ...(level === undefined ? {} : { risk_level: level }) };
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

  /** One verdict for all checks or sides of the step, or one each. */
  #expected(keys: StepKeys, count: number, what: "checks" | "sides"): readonly Recommendation[] {
    if (!keys.has("expect")) return [];
    const source = this.#source;
    const node = keys.at("expect");
    if (!source.isList(node)) {
      const all = source.choice(node, "expect", EXPECTED);
      return Array.from({ length: count }, () => all);
    }
    const each = source.list(node, "expect").map((item) => source.choice(item, "expect", EXPECTED));
    if (each.length === count) return each;
    throw source.fault(node, `expect lists ${each.length} verdicts, and the step has ${count} ${what}`);
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
