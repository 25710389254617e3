// The shape of a rule file, by which it is read and its JSON Schema is written.

import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { currencyByAlpha } from "#src/contract/lists/currency.ts";
import { parseInstant } from "#src/contract/text/instant.ts";
import {
  becomes,
  checked,
  choice,
  digits,
  formed,
  list,
  map,
  named,
  number,
  oneOf,
  optional,
  or,
  placed,
  text,
  whole,
  Wrong,
  type MapShape,
  type Of,
  type Optional,
  type Shape,
  type Shapes,
} from "#src/contract/text/shape.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { NamedLists } from "#src/rules/decision/situation.ts";
import type { EurRates } from "./eur-rates.ts";
import { createList, LIST_FORMS, LIST_TYPES, normalEntry, type ListEntry, type ListType } from "./lists.ts";

function perRiskLevel<S extends Shape>(shape: S, description: string): MapShape<Record<RiskLevel, S>> {
  return map({ low: shape, medium: shape, high: shape }, description);
}

const NAME = formed(/^[a-z][a-z0-9_]{0,39}$/, "small letters, digits and _");

/** Becomes ms since the epoch. */
function time(
  form: string,
  description: string,
  parse: (text: string) => number | null,
): Shape<Milliseconds> {
  return becomes(text(description), (written) => parse(written) ?? new Wrong(`must be ${form}`));
}

const TEST_TIME = "a time such as 2026-01-31T12:00:00Z";
const TIME = time(TEST_TIME, TEST_TIME, (written) => {
  const at = Date.parse(written);
  return Number.isNaN(at) ? null : at;
});

const SCALAR = { type: ["string", "number", "boolean"] };
const ITEMS = oneOf(
  [SCALAR, list({ type: "string" }, "Texts."), list({ type: "integer" }, "Integers.")],
  "A number, a text, true, false, or a list of texts or of integers.",
);

const ENTRY_TIME =
  "a day such as 2026-06-01, which begins at midnight UTC, or a time such as 2026-06-01T12:00:00Z";
const entryTime = (description: string) =>
  optional(time(ENTRY_TIME, `${description}: ${ENTRY_TIME}.`, parseInstant));

/** Types of entries that may be written in plain digits without quotes. */
const DIGIT_TYPES: readonly ListType[] = ["bin", "phone"];

const LIST_ENTRY = becomes(
  {
    ...map(
      {
        ...(Object.fromEntries(
          LIST_TYPES.map((type) => [
            type,
            optional((DIGIT_TYPES.includes(type) ? digits : text)(`${LIST_FORMS[type]}.`)),
          ]),
        ) as Record<ListType, Shape<string> & Optional>),
        from: entryTime("Payments from then on"),
        until: entryTime("Payments before then, without that moment itself"),
        note: optional(text("Why it is in the list.")),
      },
      "One entry: a value by its type, and perhaps from when and until when it holds, and a note.",
    ),
    oneOf: LIST_TYPES.map((type) => ({ required: [type] })),
  },
  (read): ListEntry | Wrong => {
    const { from, until } = read;
    const type = LIST_TYPES.find((each) => read[each] !== undefined)!;
    if (from !== undefined && until !== undefined && from >= until)
      return new Wrong("must be later than from; the entry would never hold", "until");
    const entry: ListEntry = {
      type,
      text: read[type]!,
      ...(from !== undefined && { from }),
      ...(until !== undefined && { until }),
    };
    return normalEntry(entry) === null ? new Wrong(`must be ${LIST_FORMS[type]}`, type) : entry;
  },
);
const LISTS = becomes(
  named(NAME, list(LIST_ENTRY, "Its entries."), "Lists of values, by a name of your own."),
  (lists): NamedLists => new Map(Object.entries(lists).map(([name, entries]) => [name, createList(entries)])),
);

const COUNTS = becomes(
  named(
    formed(
      /^(?:velocity|spent|valued|micro)\/\w+\/\w+$|^distinct\/\w+\/\w+\/\w+$|^run\/\w+$/,
      "a count such as velocity/card/1h or distinct/card/payer/24h",
    ),
    number(0, 1e9, "What was counted before."),
    "Counts before the attempt, such as velocity/card/1h or distinct/card/payer/24h.",
  ),
  (counts): ReadonlyMap<string, number> => new Map(Object.entries(counts)),
);

const TEXT_OR_NOTHING = { type: ["string", "null"] };
/** Texts of a check by path, the fields of payer and card among them. */
const TEXT_PATHS = CHECK_FIELDS.filter(({ type }) => type === "string").map(({ path }) => path);

/** The texts among the properties of a check (prefix ""), or of an object in it (prefix "payer."). */
function texts(prefix: string): Shapes {
  const own = TEXT_PATHS.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  return Object.fromEntries(own.filter((key) => !key.includes(".")).map((key) => [key, TEXT_OR_NOTHING]));
}

/** Of a request, or of changes of one. */
function request(description: string): Shape<Readonly<Record<string, unknown>>> {
  const groups = ["payer", "card"].map(
    (key) => [key, { type: ["object", "null"], properties: texts(`${key}.`) }] as const,
  );
  return { type: "object", properties: { ...texts(""), ...Object.fromEntries(groups) }, description };
}

const RULE_TEST = becomes(
  map(
    {
      name: optional(text("What it tests.")),
      given: or(request("Changes of the sample's request; null removes a field."), {}),
      counts: or(COUNTS, {}),
      lists: or(LISTS, {}),
      level: or(choice(RISK_LEVELS, "Risk level of the project."), "medium"),
      at: optional(TIME),
      expect: choice(["hit", "no_hit", "not_evaluated"], "What the rule does."),
    },
    "A test of the rule, which runs whenever the file is loaded.",
  ),
  (test, { line }) => ({ ...test, name: test.name ?? `test on line ${line}`, line }),
);
export type RuleTest = Of<typeof RULE_TEST>;

const WEIGHT = number(1, 1_000, "Weight of a hit.");

/** Their type is that of the written number, which its place knows. */
export const PARAM_LEVELS = perRiskLevel(placed(ITEMS), "By risk level.");

export const RULE = {
  ...map(
    {
      code: formed(
        /^[A-Z][A-Z0-9_]{1,59}$/,
        "2 to 60 capital letters, digits and _, a letter first, such as CARD_VELOCITY_1H",
      ),
      text: text("The reason of a hit; {n} is the first count, {name} a parameter, field or function."),
      clear: optional(text("The text where it does not hit; without it, the reason of a hit.")),
      when: text("The condition, an expression of CEL."),
      params: or(
        named(
          checked(NAME, (name) => (name === "n" ? "has a meaning already: the first count" : null)),
          placed(oneOf([ITEMS, PARAM_LEVELS], "A value, or one for each risk level.")),
          "Values that the condition uses by name.",
        ),
        {},
      ),
      score: optional(
        oneOf(
          [WEIGHT, perRiskLevel(WEIGHT, "Weight of a hit by risk level.")],
          "Weight that a hit adds to the score.",
        ),
      ),
      effect: optional(choice(["block", "3ds", "allow"], "What a hit does in place of a score.")),
      needs: or(list(text("A field or a key."), "Fields and keys without which it is not evaluated."), []),
      mode: or(choice(["live", "shadow", "off"], "shadow only records."), "live"),
      tests: or(list(RULE_TEST, "Its tests."), []),
    },
    "A rule: a condition, and the score or the effect of a hit.",
  ),
  oneOf: [{ required: ["score"] }, { required: ["effect"] }],
};

const THRESHOLD = becomes(
  map(
    {
      three_ds: number(1, 10_000, "The score from which 3-D Secure is required; at most the score of block."),
      block: number(1, 10_000, "The score from which a payment is blocked."),
    },
    "The scores of one risk level.",
  ),
  ({ three_ds: threeDs, block }) =>
    threeDs > block ? new Wrong("must not exceed block", "three_ds") : { threeDs, block },
);

const CURRENCY = "a currency of ISO 4217 with a minor unit";

export const RATES = becomes(
  map(
    {
      as_of: checked(formed(/^\d{4}-\d{2}-\d{2}$/, "a day such as 2026-01-31"), (day) =>
        Number.isNaN(Date.parse(day)) ? "is no day of the calendar" : null,
      ),
      per_eur: named(
        checked(formed(/^[A-Z]{3}$/, CURRENCY), (alpha) =>
          currencyByAlpha(alpha)?.minorUnits == null ? `must be ${CURRENCY}` : null,
        ),
        number(1e-9, 1e12, "Units of the currency for one EUR."),
        "Rates by the letters of the currency.",
      ),
    },
    "Exchange rates.",
  ),
  ({ as_of: asOf, per_eur: rates }): EurRates => ({
    asOf,
    byCurrency: new Map(
      Object.entries(rates).map(([alpha, unitsPerEur]) => {
        const { numeric, minorUnits } = currencyByAlpha(alpha)!;
        return [numeric, { minorUnit: 10 ** minorUnits!, unitsPerEur }];
      }),
    ),
  }),
);

const SAMPLE = map(
  {
    at: TIME,
    project_currency: whole(1, 999, "Number of the project's currency in ISO 4217."),
    request: request("A whole check request."),
  },
  "The payment that tests change.",
);
/** The payment on which embedded tests build. */
export type SamplePayment = Of<typeof SAMPLE>;

export const RULE_FILE = map(
  {
    name: text("Name of the rule set."),
    thresholds: perRiskLevel(THRESHOLD, "The scores from which payments are challenged and blocked."),
    rates: optional(RATES),
    lists: or(LISTS, {}),
    sample: SAMPLE,
    rules: list(placed(RULE), "The rules, in the order in which explanations name them."),
  },
  "A rule file of verdict.",
);
