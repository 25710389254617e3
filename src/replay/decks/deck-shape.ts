// The shape of a deck, by which it is read and its JSON Schema is written; payloads have that of the field table.

import { Fault } from "#src/contract/fault.ts";
import { REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { readField } from "#src/contract/fields/validate.ts";
import { bodySchema } from "#src/contract/openapi/openapi-schema.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import type { Place } from "#src/contract/text/place.ts";
import {
  allOptional,
  becomes,
  choice,
  flag,
  formed,
  instant,
  list,
  map,
  number,
  oneOf,
  optional,
  or,
  placed,
  text,
  whole,
  Wrong,
  type Of,
  type Shape,
} from "#src/contract/text/shape.ts";
import { FAULT_KINDS, readFault, type FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import { RISK_LEVELS, type RegistrationRequest } from "#src/contract/wire/wire.ts";
import { VERDICT_KINDS } from "#src/display/verdict.ts";
import { line, WORDS } from "./deck-words.ts";
import type { WatchedCounter } from "./deck.ts";

/** @throws the fault of the place where `read` throws a Fault */
export function blaming<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) throw place.fault(error.message.replace(/\.$/, ""));
    throw error;
  }
}

/** Becomes ms. */
function duration(pattern: RegExp, form: string, [shortest, longest] = [0, Infinity]): Shape<number> {
  return becomes(formed(pattern, form), (written) => {
    const ms = parseDuration(written.replace("+", ""));
    return ms !== null && ms >= shortest && ms <= longest ? ms : new Wrong(`must be ${form}`);
  });
}

const LEVEL = choice(RISK_LEVELS, "Risk level of the project.");
const MOVE = duration(/^\+/, "a duration such as +24h, +90m or +1d12h");
/** More counters have no room on a small terminal. */
const WATCH = list(
  becomes(
    formed(/^[a-z][a-z_ ]*\/\d+[a-z]+$/, "a counter such as card/1h or card per payer/30d"),
    (counter): WatchedCounter => {
      const [key, window] = counter.split("/");
      return { key: key!, window: window! };
    },
  ),
  "The counters that are shown, in this order.",
  { minItems: 1, maxItems: 8 },
);
const RULES = text("Rules: starter, or a rule file beside the deck.");
/** Of a fault, that there is no verdict. */
const EXPECTED = choice(VERDICT_KINDS, "The verdict that is expected, or why there is none.");

/** As `verdict sandbox fault add check` takes it. */
const FAULT = becomes(
  oneOf(
    [whole(400, 599, "A status."), text(`A status, or one of ${FAULT_KINDS.join(", ")}.`)],
    "What goes wrong with each check of this step.",
  ),
  (written, place): FaultEffect | Wrong => {
    const [what, value, more] = String(written).trim().split(/\s+/);
    if (more !== undefined) return new Wrong('is a kind and at most one value, such as "latency 400ms"');
    const words = { on: "check", what, value, rate: undefined, count: undefined, retryAfter: undefined };
    return blaming(place, () => readFault(words)).effect;
  },
);

const { properties: REGISTRATION } = bodySchema(REGISTRATION_FIELDS, []) as {
  properties: Record<keyof RegistrationRequest, Shape<string>>;
};
const CURRENCY = REGISTRATION_FIELDS.find(({ path }) => path === "currency")!;
const PROJECT_KEYS = {
  merchant: REGISTRATION.merchant_id,
  name: optional(REGISTRATION.name),
  description: optional({ ...REGISTRATION.description, minLength: 1 }),
  currency: becomes(
    { type: ["string", "integer"], description: "Letters or number in ISO 4217, such as UAH." },
    (written, place): number => {
      const read = readField(CURRENCY, String(written));
      if ("error" in read) throw place.fault(read.error);
      return Number(read.value);
    },
  ),
  risk_level: LEVEL,
};

/** The project of a step, which varies that of the deck. */
const PROJECT = map(allOptional(PROJECT_KEYS), "The project of the checks.");
export type VariedProject = Of<typeof PROJECT>;

/** Keys of a step with checks, which a streamed day does not have. */
const NOT_OF_A_DAY = [
  "payload",
  "change",
  "repeat",
  "every",
  "clock",
  "same_order",
  "expect",
  "can_force_3ds",
  "side_by_side",
  "watch",
  "fault",
] as const;

/** Checks of a step. */
export const MOST_REPEATS = 50;

export const STEP = {
  ...map(
    {
      say: line(240, "What the audience reads."),
      note: optional(line(600, "What the presenter reads.")),
      payload: optional(placed({ type: "object", description: "A whole check request." })),
      change: optional(
        placed({ type: "object", description: "Changes of the step before, by path; null removes." }),
      ),
      repeat: or(
        oneOf(
          [
            whole(1, MOST_REPEATS, "How many checks the step has."),
            placed({ type: "object", description: "A list of values by path, one for each check." }),
          ],
          "How many checks the step has, or what each of them changes: card.cin_card: [42, 43].",
        ),
        1,
      ),
      every: optional(MOVE),
      clock: optional(MOVE),
      project: optional(PROJECT),
      risk_level: optional(LEVEL),
      same_order: or(flag("Sends the order id of the step before once more."), false),
      expect: optional(
        oneOf(
          [EXPECTED, list(EXPECTED, "One for each check, or each side.")],
          "The verdict, or one for each check or each side.",
        ),
      ),
      can_force_3ds: optional(choice(["yes", "no"], "Whether the shop can force 3-D Secure.")),
      rules: optional(
        oneOf(
          [RULES, list(RULES, "Rules of today, and proposed ones.", { minItems: 1, maxItems: 2 })],
          "The rules from this step on; for a streamed day the rules of today and proposed ones.",
        ),
      ),
      side_by_side: optional(
        list(text("A risk level, starter, or a rule file."), "Answers to the same payment.", {
          minItems: 2,
          maxItems: 3,
          uniqueItems: true,
        }),
      ),
      watch: optional(WATCH),
      fault: optional(FAULT),
      seconds: optional(number(1, 3_600, "How long it is shown when the deck advances by itself.")),
      stream: optional(text("A streamed day of payments: a file beside the deck.")),
      over: or(duration(/^\d/, "a duration from 1s to 10m, such as 20s", [1_000, 600_000]), "20s"),
      stop_at: optional(
        list(text("An order id, or the key of a payment."), "Payments at which the day stops.", {
          minItems: 1,
          maxItems: 50,
        }),
      ),
    },
    "A step: one check, several, or a streamed day of payments.",
  ),
  not: {
    anyOf: [
      { required: ["payload", "change"] },
      { required: ["project", "risk_level"] },
      { required: ["rules", "side_by_side"] },
      ...NOT_OF_A_DAY.map((key) => ({ required: ["stream", key] })),
    ],
  },
  dependentRequired: { every: ["repeat"], over: ["stream"], stop_at: ["stream"] },
};

export const DECK = map(
  {
    title: line(80, "The title."),
    summary: line(300, "What it shows, in a sentence or two."),
    start: instant("a time with its zone, such as 2026-01-15T10:00:00Z"),
    seed: whole(0, Number.MAX_SAFE_INTEGER, "Any number: the same one gives the same ids."),
    project: map(PROJECT_KEYS, "The project of the deck."),
    words: or(WORDS, {}),
    watch: optional(WATCH),
    steps: list(placed(STEP), "The steps.", { minItems: 1, maxItems: 200 }),
  },
  "A deck of verdict: a story in real checks, for verdict demo.",
);
