// The shape of a rule file, by which it is read and its JSON Schema is written.

import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import {
  choice,
  formed,
  list,
  mapRequiring,
  named,
  number,
  oneOf,
  text,
  whole,
  type MapShape,
  type Shape,
  type Shapes,
} from "#src/contract/text/shape.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import { LIST_FORMS, LIST_TYPES, type ListType } from "./lists.ts";

function perRiskLevel<S extends Shape>(shape: S, description: string): MapShape<Record<RiskLevel, S>> {
  return mapRequiring({ low: shape, medium: shape, high: shape }, RISK_LEVELS, description);
}

const OWN_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const NAME = formed(OWN_NAME, "small letters, digits and _");
export const TIME = "a time such as 2026-01-31T12:00:00Z";

/** Whether a parameter or a list may be called so. */
export function isOwnName(name: string): boolean {
  return OWN_NAME.test(name);
}

const SCALAR = { type: ["string", "number", "boolean"] };
const ITEMS = oneOf(
  [SCALAR, list({ type: "string" }, "Texts."), list({ type: "integer" }, "Integers.")],
  "A number, a text, true, false, or a list of texts or of integers.",
);

export const ENTRY_TIME =
  "a day such as 2026-06-01, which begins at midnight UTC, or a time such as 2026-06-01T12:00:00Z";

/** Types of entries that may be written in plain digits without quotes. */
export const DIGIT_TYPES: readonly ListType[] = ["bin", "phone"];

export const LIST_ENTRY = {
  ...mapRequiring(
    {
      ...(Object.fromEntries(
        LIST_TYPES.map((type) => [
          type,
          text(`${LIST_FORMS[type]}.`, DIGIT_TYPES.includes(type) ? { type: ["string", "integer"] } : {}),
        ]),
      ) as Shapes as Record<ListType, Shape>),
      from: text(`Payments from then on: ${ENTRY_TIME}.`),
      until: text(`Payments before then, without that moment itself: ${ENTRY_TIME}.`),
      note: text("Why it is in the list."),
    },
    [],
    "One entry: a value by its type, and perhaps from when and until when it holds, and a note.",
  ),
  oneOf: LIST_TYPES.map((type) => ({ required: [type] })),
};
const LISTS = named(NAME, list(LIST_ENTRY, "Its entries."), "Lists of values, by a name of your own.");

export const COUNT_NAME = /^(?:velocity|spent|valued|micro)\/\w+\/\w+$|^distinct\/\w+\/\w+\/\w+$|^run\/\w+$/;
export const COUNT = number(0, 1e9, "What was counted before.");

const COUNTS = named(
  formed(COUNT_NAME, "a count such as velocity/card/1h"),
  COUNT,
  "Counts before the attempt, such as velocity/card/1h or distinct/card/payer/24h.",
);

/** Whether a field of a check, by its path, is a text. */
export function isTextField(path: string): boolean {
  return CHECK_FIELDS.some((field) => field.path === path && field.type === "string");
}

/** Keys of the objects in a request. */
export const REQUEST_GROUPS: readonly string[] = ["payer", "card"];

const TEXT_OR_NOTHING = { type: ["string", "null"] };
/** Texts of a check by path, the fields of payer and card among them. */
const TEXT_PATHS = CHECK_FIELDS.map(({ path }) => path).filter(isTextField);

/** The texts among the properties of a check (prefix ""), or of an object in it (prefix "payer."). */
function texts(prefix: string): Shapes {
  const own = TEXT_PATHS.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  return Object.fromEntries(own.filter((key) => !key.includes(".")).map((key) => [key, TEXT_OR_NOTHING]));
}

/** Of a request, or of changes of one. */
function request(description: string): Shape {
  const groups = REQUEST_GROUPS.map(
    (key) => [key, { type: ["object", "null"], properties: texts(`${key}.`) }] as const,
  );
  return { type: "object", properties: { ...texts(""), ...Object.fromEntries(groups) }, description };
}

export const RULE_TEST = mapRequiring(
  {
    name: text("What it tests."),
    given: request("Changes of the sample's request; null removes a field."),
    counts: COUNTS,
    lists: LISTS,
    level: choice(RISK_LEVELS, "Risk level of the project; medium unless told."),
    at: text(TIME),
    expect: choice(["hit", "no_hit", "not_evaluated"], "What the rule does."),
  },
  ["expect"],
  "A test of the rule, which runs whenever the file is loaded.",
);

export const WEIGHT = number(1, 1_000, "Weight of a hit.");

export const SCORE_LEVELS = perRiskLevel(WEIGHT, "Weight of a hit by risk level.");

export const PARAM_LEVELS = perRiskLevel(ITEMS, "By risk level.");

export const RULE = {
  ...mapRequiring(
    {
      code: formed(
        /^[A-Z][A-Z0-9_]{1,59}$/,
        "2 to 60 capital letters, digits and _, a letter first, such as CARD_VELOCITY_1H",
      ),
      text: text("The reason of a hit; {n} is the first count, {name} a parameter, field or function."),
      clear: text("The text where it does not hit; that of a hit unless told."),
      when: text("The condition, an expression of CEL."),
      params: named(
        NAME,
        oneOf([ITEMS, PARAM_LEVELS], "A value, or one for each risk level."),
        "Values that the condition uses by name.",
      ),
      score: oneOf([WEIGHT, SCORE_LEVELS], "Weight that a hit adds to the score."),
      effect: choice(["block", "3ds", "allow"], "What a hit does in place of a score."),
      needs: list(text("A field or a key."), "Fields and keys without which it is not evaluated."),
      mode: choice(["live", "shadow", "off"], "shadow only records; live unless told."),
      tests: list(RULE_TEST, "Its tests."),
    },
    ["code", "text", "when"],
    "A rule: a condition, and the score or the effect of a hit.",
  ),
  oneOf: [{ required: ["score"] }, { required: ["effect"] }],
};

export const THRESHOLD = mapRequiring(
  {
    three_ds: number(1, 10_000, "The score from which 3-D Secure is required; at most that of block."),
    block: number(1, 10_000, "The score from which a payment is blocked."),
  },
  ["three_ds", "block"],
  "The scores of one risk level.",
);

export const THRESHOLDS = perRiskLevel(
  THRESHOLD,
  "The scores from which payments are challenged and blocked.",
);

export const RATE = number(1e-9, 1e12, "Units of the currency for one EUR.");

export const RATES = mapRequiring(
  {
    as_of: formed(/^\d{4}-\d{2}-\d{2}$/, "a day such as 2026-01-31"),
    per_eur: named({ pattern: "^[A-Z]{3}$" }, RATE, "Rates by the letters of the currency."),
  },
  ["as_of", "per_eur"],
  "Exchange rates.",
);

export const SAMPLE = mapRequiring(
  {
    at: text(TIME),
    project_currency: whole(1, 999, "Number of the project's currency in ISO 4217."),
    request: request("A whole check request."),
  },
  ["at", "project_currency"],
  "The payment that tests change.",
);

export const RULE_FILE = mapRequiring(
  {
    name: text("Name of the rule set."),
    thresholds: THRESHOLDS,
    rates: RATES,
    lists: LISTS,
    sample: SAMPLE,
    rules: list(RULE, "The rules, in the order in which explanations name them."),
  },
  ["name", "thresholds", "sample", "rules"],
  "A rule file of verdict.",
);
