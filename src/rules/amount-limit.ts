// Limits of one transaction by project and currency, as lines of a rule's parameter.

import { currencyByAlpha, currencyByNumeric } from "#src/contract/currency.ts";
import type { EurRates } from "./eur-rates.ts";
import type { Situation } from "./situation.ts";

interface Limit {
  /** Null: any project. */
  readonly projectId: string | null;
  /** Alphabetic code. */
  readonly currency: string;
  /** Major units. */
  readonly limit: number;
}

const LINE = /^(\S+) ([A-Z]{3}) (\d{1,15}(?:\.\d{1,4})?)$/;

/** Lists are parameters of rules, which stay the same arrays: each is read once. */
const read = new WeakMap<readonly string[], readonly Limit[]>();

/**
 * The limit for the attempt's project and currency, in major units: a line `PROJECT CURRENCY LIMIT` of this project before
 * one of any (`*`), one of this currency before the one of EUR, which is converted.
 * @param situation with a currency that has an EUR rate
 * @throws Error when a line cannot be read, or no line applies
 */
export function amountLimit({ facts, data }: Situation, lines: readonly string[]): number {
  const { request, project } = facts;
  const currency = currencyByNumeric(request.currency!)?.alpha;
  const limits = limitsOf(lines);
  for (const own of [currency, "EUR"]) {
    for (const projectId of [project.projectId, null]) {
      const found = limits.find((limit) => limit.projectId === projectId && limit.currency === own);
      if (found !== undefined)
        return own === currency ? found.limit : converted(found.limit, request.currency!, data.rates);
    }
  }
  throw new Error(`no limit for ${currency}`);
}

function converted(eur: number, currency: number, rates: EurRates | null): number {
  return eur * (rates?.byCurrency.get(currency)?.unitsPerEur ?? NaN);
}

function limitsOf(lines: readonly string[]): readonly Limit[] {
  let limits = read.get(lines);
  if (limits === undefined) {
    limits = lines.map((line) => {
      const [, project = "", currency = "", limit = ""] = LINE.exec(line) ?? [];
      if (!currencyByAlpha(currency)) throw new Error(`"${line}" is not a limit such as "* UAH 490000"`);
      return { projectId: project === "*" ? null : project, currency, limit: Number(limit) };
    });
    read.set(lines, limits);
  }
  return limits;
}
