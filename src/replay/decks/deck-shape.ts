// The shape of a deck, by which it is read and its JSON Schema is written; payloads have that of the field table.

import { REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { bodySchema } from "#src/contract/openapi/openapi-schema.ts";
import { choice, flag, formed, list, map, oneOf, text, whole, type Shape } from "#src/contract/text/shape.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { RISK_LEVELS, type RegistrationRequest } from "#src/contract/wire/wire.ts";

/** A text that fits on a small terminal. @param maxLength in characters */
function line(maxLength: number, description: string): Shape & { readonly maxLength: number } {
  return { ...text(description), maxLength };
}

const LEVEL = choice(RISK_LEVELS, "Risk level of the project.");
const MOVE = formed(/^\+/, "a duration such as +24h, +90m or +1d12h");
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
export const PROJECT = map(PROJECT_KEYS, [], "The project of the checks.");

export const STEP = {
  ...map(
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
      expect: oneOf([EXPECTED, list(EXPECTED, "One for each check.")], "The verdict, or one for each check."),
      can_force_3ds: choice(["yes", "no"], "Whether the shop can force 3-D Secure."),
    },
    ["say"],
    "A step: one check, or several.",
  ),
  not: { anyOf: [{ required: ["payload", "change"] }, { required: ["project", "risk_level"] }] },
  dependentRequired: { every: ["repeat"] },
};

export const DECK = map(
  {
    title: line(80, "The title."),
    summary: line(300, "What it shows, in a sentence or two."),
    start: formed(/^\d{4}-\d{2}-\d{2}/, "a time with its zone, such as 2026-01-15T10:00:00Z"),
    seed: whole(0, Number.MAX_SAFE_INTEGER, "Any number: the same one gives the same ids."),
    project: map(PROJECT_KEYS, ["merchant", "currency", "risk_level"], "The project of the deck."),
    steps: list(STEP, "The steps.", { minItems: 1, maxItems: 200 }),
  },
  ["title", "summary", "start", "seed", "project", "steps"],
  "A deck of verdict: a story in real checks, for verdict demo.",
);
