// Reads a deck from strict YAML: every error has line and column, every payload is validated against the field table.

import type { Node } from "yaml";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { readField, validateBody } from "#src/contract/fields/validate.ts";
import { projectKey } from "#src/contract/records/project.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { parseInstant } from "#src/contract/text/instant.ts";
import { YamlSource, type YamlFault } from "#src/contract/text/yaml-source.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RECOMMENDATIONS, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { RISK_LEVELS, type RegistrationRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import { nameOrders, type UnnamedStep } from "./deck-orders.ts";
import { createPayloads, type DeckBody, type DeckPayloads } from "./deck-payload.ts";
import type { Deck, DeckProject, DeckStep } from "./deck.ts";

const DECK_KEYS = ["title", "summary", "start", "seed", "project", "steps"];
const PROJECT_KEYS = ["merchant", "name", "description", "currency", "risk_level"];
const STEP_KEYS = [
  "say",
  "note",
  "payload",
  "change",
  "repeat",
  "every",
  "clock",
  "project",
  "risk_level",
  "same_order",
  "expect",
  "can_force_3ds",
];

const MOST_STEPS = 200;
const MOST_REPEATS = 50;
/** Longest texts in characters, which fit on a small terminal. */
const LONGEST = { title: 80, summary: 300, say: 240, note: 600 } as const;

/**
 * Reads a deck.
 * @param place.file file name for messages
 * @param place.name name of the deck
 * @throws YamlFault with line and column for anything that is not a deck, card data included
 */
export function readDeck(text: string, place: { readonly file: string; readonly name: string }): Deck {
  return new DeckReader(new YamlSource(text, place.file)).read(place.name);
}

type Keys = ReadonlyMap<string, Node | null>;

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

    const keys = source.map(root, "a deck", DECK_KEYS);
    const title = this.#text(this.#needed(keys, "title", root), "title");
    const summary = this.#text(this.#needed(keys, "summary", root), "summary");
    const startAt = this.#time(this.#needed(keys, "start", root));
    const seed = this.#whole(this.#needed(keys, "seed", root), "seed", 0, Number.MAX_SAFE_INTEGER);
    const project = this.#project(this.#needed(keys, "project", root), null);

    const nodes = source.list(this.#needed(keys, "steps", root), "steps");
    if (nodes.length === 0) throw source.fault(keys.get("steps") ?? root, "a deck needs at least one step");
    if (nodes.length > MOST_STEPS) {
      throw source.fault(nodes[MOST_STEPS]!, `a deck has at most ${MOST_STEPS} steps`);
    }
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
    };
  }

  #step(node: Node, deckProject: RegistrationRequest, before: DeckBody | null): UnnamedStep {
    const source = this.#source;
    const keys = source.map(node, "a step", STEP_KEYS);
    const say = this.#text(this.#needed(keys, "say", node), "say");
    const note = keys.has("note") ? this.#text(keys.get("note") ?? node, "note") : null;
    const { key, riskLevel } = this.#projectOf(keys, node, deckProject);
    const body = this.#payloads.read(node, keys, before);
    const repeat = keys.has("repeat")
      ? this.#whole(keys.get("repeat") ?? node, "repeat", 1, MOST_REPEATS)
      : 1;
    const clock = keys.has("clock") ? this.#move(keys.get("clock") ?? node, "clock") : 0;
    if (keys.has("every") && repeat === 1) {
      throw source.fault(
        keys.get("every") ?? node,
        "every is the time between the checks of a step with repeat",
      );
    }
    const every = keys.has("every") ? this.#move(keys.get("every") ?? node, "every") : 0;
    const expected = this.#expected(keys, node, repeat);
    return {
      say,
      note,
      projectKey: key,
      riskLevel,
      canForce3ds: this.#canForce(keys, node),
      body,
      sameOrder: this.#sameOrder(keys, node, before === null && repeat === 1),
      checks: Array.from({ length: repeat }, (_, attempt) => ({
        expected: expected[attempt] ?? null,
        advanceMs: attempt === 0 ? clock : every,
      })),
    };
  }

  #projectOf(
    keys: Keys,
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
          ...(keys.has("risk_level") ? { risk_level: this.#level(keys.get("risk_level") ?? node) } : {}),
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
    const keys = source.map(node, "project", PROJECT_KEYS);
    const merchant = keys.has("merchant")
      ? source.text(keys.get("merchant") ?? node, "merchant").value
      : (base?.merchant_id ?? this.#lacks(node, "project", "merchant"));
    const description = keys.has("description")
      ? source.text(keys.get("description") ?? node, "description").value
      : base?.description;
    const request: RegistrationRequest = {
      merchant_id: merchant,
      name: keys.has("name") ? source.text(keys.get("name") ?? node, "name").value : (base?.name ?? merchant),
      ...(description === undefined ? {} : { description }),
      currency: keys.has("currency")
        ? this.#currency(keys.get("currency") ?? node)
        : (base?.currency ?? this.#lacks(node, "project", "currency")),
      risk_level: keys.has("risk_level")
        ? this.#level(keys.get("risk_level") ?? node)
        : (base?.risk_level ?? this.#lacks(node, "project", "risk_level")),
    };
    const wrong = validateBody(REGISTRATION_FIELDS, request).find(({ severity }) => severity === "error");
    if (wrong !== undefined) throw source.fault(node, wrong.message);
    return request;
  }

  #currency(node: Node): number {
    const { value } = this.#source.scalar(node, "currency");
    const field = REGISTRATION_FIELDS.find(({ path }) => path === "currency")!;
    const read = readField(field, String(value));
    if ("error" in read) throw this.#source.fault(node, read.error);
    return Number(read.value);
  }

  #level(node: Node): RiskLevel {
    return this.#source.choice(node, "risk_level", RISK_LEVELS);
  }

  /** One verdict for all checks of the step, or one each. */
  #expected(keys: Keys, step: Node, repeat: number): readonly Recommendation[] {
    if (!keys.has("expect")) return [];
    const source = this.#source;
    const node = keys.get("expect") ?? step;
    if (!source.isList(node)) {
      const all = source.choice(node, "expect", RECOMMENDATIONS);
      return Array.from({ length: repeat }, () => all);
    }
    const each = source.list(node, "expect").map((item) => source.choice(item, "expect", RECOMMENDATIONS));
    if (each.length === repeat) return each;
    throw source.fault(node, `expect lists ${each.length} verdicts, and the step has ${repeat} checks`);
  }

  #canForce(keys: Keys, step: Node): boolean | null {
    if (!keys.has("can_force_3ds")) return null;
    return this.#source.choice(keys.get("can_force_3ds") ?? step, "can_force_3ds", ["yes", "no"]) === "yes";
  }

  #sameOrder(keys: Keys, step: Node, nothingBefore: boolean): boolean {
    if (!keys.has("same_order")) return false;
    const node = keys.get("same_order") ?? step;
    const { value } = this.#source.scalar(node, "same_order");
    if (typeof value !== "boolean") throw this.#source.fault(node, "same_order must be true or false");
    if (value && nothingBefore) {
      throw this.#source.fault(node, "same_order repeats the order before, and there is none yet");
    }
    return value;
  }

  /** The value of a required key. */
  #needed(keys: Keys, key: string, parent: Node): Node {
    const node = keys.get(key);
    if (node !== undefined && node !== null) return node;
    if (parent !== this.#source.root) return this.#lacks(parent, "a step", key);
    // Names all missing keys at once.
    const missing = DECK_KEYS.filter((name) => (keys.get(name) ?? null) === null);
    return this.#lacks(parent, "a deck", missing.join(", "));
  }

  #lacks(node: Node, what: string, key: string): never {
    throw this.#source.fault(node, `${what} needs ${key}`);
  }

  #text(node: Node, what: keyof typeof LONGEST): string {
    const text = this.#source.text(node, what).value.trim();
    if (text === "") throw this.#source.fault(node, `${what} must be a text`);
    const length = Array.from(text).length;
    if (length <= LONGEST[what]) return text;
    throw this.#source.fault(
      node,
      `${what} has ${length} characters, and ${LONGEST[what]} have room on the screen`,
    );
  }

  #whole(node: Node, what: string, min: number, max: number): number {
    const value = this.#source.number(node, what, min, max);
    if (Number.isSafeInteger(value)) return value;
    throw this.#source.fault(node, `${what} must be a whole number`);
  }

  #time(node: Node): Milliseconds {
    const at = parseInstant(this.#source.text(node, "start").value);
    if (at !== null) return at;
    throw this.#source.fault(node, "start must be a time with its zone, such as 2026-01-15T10:00:00Z");
  }

  /** An advance of the clock: `+24h`. */
  #move(node: Node, what: string): Milliseconds {
    const { value } = this.#source.text(node, what);
    const moved = value.startsWith("+") ? parseDuration(value.slice(1)) : null;
    if (moved !== null) return moved;
    throw this.#source.fault(node, `${what} moves on by a duration such as +24h, +90m or +1d12h`);
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
