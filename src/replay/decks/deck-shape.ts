// The shape of a deck, by which it is read and its JSON Schema is written; payloads have that of the field table.

import { REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { bodySchema } from "#src/contract/openapi/openapi-schema.ts";
import {
  choice,
  flag,
  formed,
  list,
  mapRequiring,
  number,
  oneOf,
  text,
  whole,
  type Shape,
} from "#src/contract/text/shape.ts";
import { FAULT_KINDS } from "#src/contract/wire/sandbox-fault.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { RISK_LEVELS, type RegistrationRequest } from "#src/contract/wire/wire.ts";
import { AUDIENCE_WORDS, type AudienceWord } from "#src/display/audience-words.ts";

/** A text that fits on a small terminal. @param maxLength in characters */
function line(maxLength: number, description: string): Shape & { readonly maxLength: number } {
  return { ...text(description), maxLength };
}

const LEVEL = choice(RISK_LEVELS, "Risk level of the project.");
const MOVE = formed(/^\+/, "a duration such as +24h, +90m or +1d12h");
/** More counters have no room on a small terminal. */
const WATCH = list(
  formed(/^[a-z][a-z_ ]*\/\d+[a-z]+$/, "a counter such as card/1h or card per payer/30d"),
  "The counters that are shown, in this order.",
  { minItems: 1, maxItems: 8 },
);
const RULES = text("Rules: starter, or a rule file beside the deck.");
export const EXPECTED = choice(RECOMMENDATIONS, "The verdict that is expected.");

const { properties: REGISTRATION } = bodySchema(REGISTRATION_FIELDS, []) as {
  properties: Record<keyof RegistrationRequest, Shape>;
};
const PROJECT_KEYS = {
  merchant: REGISTRATION.merchant_id,
  name: REGISTRATION.name,
  description: { ...REGISTRATION.description, minLength: 1 },
  currency: { type: ["string", "integer"], description: "Letters or number in ISO 4217, such as UAH." },
  risk_level: LEVEL,
};

/** The project of a step, which varies that of the deck. */
export const PROJECT = mapRequiring(PROJECT_KEYS, [], "The project of the checks.");

/** Keys of a step with checks, which a day that runs past does not have. */
export const NOT_OF_A_DAY = [
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

export const STEP = {
  ...mapRequiring(
    {
      say: line(240, "What the audience reads."),
      note: line(600, "What the presenter reads."),
      payload: { type: "object", description: "A whole check request." },
      change: { type: "object", description: "Changes of the step before, by path; null removes." },
      repeat: whole(1, 50, "How many checks the step has."),
      every: MOVE,
      clock: MOVE,
      project: PROJECT,
      risk_level: LEVEL,
      same_order: flag("Sends the order id of the step before once more."),
      expect: oneOf(
        [EXPECTED, list(EXPECTED, "One for each check, or each side.")],
        "The verdict, or one for each check or each side.",
      ),
      can_force_3ds: choice(["yes", "no"], "Whether the shop can force 3-D Secure."),
      rules: oneOf(
        [RULES, list(RULES, "Rules of today, and proposed ones.", { minItems: 1, maxItems: 2 })],
        "The rules from this step on; those of today and proposed ones for a day that runs past.",
      ),
      side_by_side: list(text("A risk level, starter, or a rule file."), "Answers to the same payment.", {
        minItems: 2,
        maxItems: 3,
        uniqueItems: true,
      }),
      watch: WATCH,
      fault: oneOf(
        [whole(400, 599, "A status."), text(`A status, or one of ${FAULT_KINDS.join(", ")}.`)],
        "What goes wrong with each check of this step.",
      ),
      seconds: number(1, 3_600, "How long it is shown when the deck advances by itself."),
      stream: text("A day of payments that runs past: a file beside the deck."),
      over: formed(/^\d/, "a duration from 1s to 10m, such as 20s"),
      stop_at: list(text("An order id, or the key of a payment."), "Payments at which the day stops.", {
        minItems: 1,
        maxItems: 50,
      }),
    },
    ["say"],
    "A step: one check, several, or a day of payments that runs past.",
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

/** In characters: they stand where the English ones do. */
const WORD = line(80, "Takes the place of the program's word.");
export const WORDS = mapRequiring(
  Object.fromEntries(
    Object.entries(AUDIENCE_WORDS).map(([name, english]) => [name, { ...WORD, description: english }]),
  ) as Record<AudienceWord, typeof WORD>,
  [],
  "What the audience reads in place of the program's English words.",
);

export const DECK = mapRequiring(
  {
    title: line(80, "The title."),
    summary: line(300, "What it shows, in a sentence or two."),
    start: formed(/^\d{4}-\d{2}-\d{2}/, "a time with its zone, such as 2026-01-15T10:00:00Z"),
    seed: whole(0, Number.MAX_SAFE_INTEGER, "Any number: the same one gives the same ids."),
    project: mapRequiring(PROJECT_KEYS, ["merchant", "currency", "risk_level"], "The project of the deck."),
    words: WORDS,
    watch: WATCH,
    steps: list(STEP, "The steps.", { minItems: 1, maxItems: 200 }),
  },
  ["title", "summary", "start", "seed", "project", "steps"],
  "A deck of verdict: a story in real checks, for verdict demo.",
);
