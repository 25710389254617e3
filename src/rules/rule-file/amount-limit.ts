// Limits per transaction by project and currency, written as lines of a rule parameter.

import { currencyByAlpha } from "#src/contract/lists/currency.ts";
import type { Situation } from "#src/rules/decision/situation.ts";
import { memoize } from "#src/rules/values/memoize.ts";
import type { EurRates } from "./eur-rates.ts";

interface Limit {
  /** Null: any project. */
  readonly projectId: string | null;
  /** ISO 4217 numeric. */
  readonly currency: number;
  /** Major units. */
  readonly limit: number;
}

export const EUR = currencyByAlpha("EUR")!.numeric;
const LINE = /^(\S+) ([A-Z]{3}) (\d{1,15}(?:\.\d{1,4})?)$/;

/**
 * The limit for the attempt's project and currency, in major units: a line `PROJECT CURRENCY LIMIT` of this project before
 * one of any (`*`), one of this currency before the one of EUR, which is converted.
 * @param situation with a currency that has an EUR rate
 * @throws Error when a line cannot be read, or no line applies
 */
export function amountLimit({ input, data }: Situation, lines: readonly string[]): number {
  const { request, project } = input;
  const own = request.currency!;
  const limits = limitsOf(lines);
  let closest: Limit | null = null;
  let distance = Infinity;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const { projectId, currency } = limit;
    if (projectId !== null && projectId !== project.projectId) continue;
    if (currency !== own && currency !== EUR) continue;
    const away = (currency === own ? 0 : 2) + (projectId === null ? 1 : 0);
    if (away >= distance) continue;
    closest = limit;
    distance = away;
  }
  if (closest === null) throw new Error(`no limit for currency ${own}`);
  return closest.currency === own ? closest.limit : converted(closest.limit, own, data.rates);
}

function converted(eur: number, currency: number, rates: EurRates | null): number {
  return eur * (rates?.byCurrency.get(currency)?.unitsPerEur ?? NaN);
}

const limitsOf = memoize((lines: readonly string[]): readonly Limit[] =>
  lines.map((line) => {
    const [, project = "", currency = "", limit = ""] = LINE.exec(line) ?? [];
    const code = currencyByAlpha(currency)?.numeric;
    if (code === undefined) throw new Error(`"${line}" is not a limit such as "* UAH 490000"`);
    return { projectId: project === "*" ? null : project, currency: code, limit: Number(limit) };
  }),
);
