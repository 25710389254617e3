// Amounts as text: in the major unit of their currency, or as sent where the currency is not known.

import { isCredentialTest, type HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Money } from "#src/contract/records/flip.ts";
import { formatCount } from "./count.ts";
import { currencyByNumeric, likelyCurrencyForCountry, moneyText } from "#src/contract/lists/currency.ts";

/**
 * An amount with its currency: `120.00 UAH` for 12000 and 980.
 * Without a known currency the number stays as it was sent: `12000 (currency 1)`, `12000` without any.
 * @param amount in `unit`, a sum as bigint; undefined where the request has none
 * @param currency ISO 4217 number; one that is a country alone is read as its currency
 * @param unit the profile's unit: `major` amounts are whole units and have no decimals to set apart
 */
export function formatMoney(
  amount: number | bigint | null | undefined,
  currency: number | null | undefined,
  unit: "minor" | "major" = "minor",
): string {
  if (amount === null || amount === undefined) return "no amount";
  if (currency === null || currency === undefined) return String(amount);
  const known = currencyByNumeric(currency) ?? likelyCurrencyForCountry(currency);
  if (known === undefined) return `${amount} (currency ${currency})`;
  const text = unit === "minor" ? moneyText(amount, known.numeric) : null;
  return text ?? `${amount} ${known.alpha}`;
}

/** The amount of a check; the test of a credential has none, and is no payment. */
export function checkedMoney(
  { request }: Pick<HistoryEntry, "request">,
  unit: Parameters<typeof formatMoney>[2],
): string {
  return isCredentialTest({ request })
    ? "credential test"
    : formatMoney(request.amount, request.currency, unit);
}

/** A sum that was converted: `about 12,400 EUR`; null for none. */
export function eurText(eur: number | null): string | null {
  return eur === null ? null : `about ${formatCount(Math.round(eur))} EUR`;
}

/** Sums, one per currency: `120.00 UAH, 5.00 EUR and 2 more`. */
export function moneyList(
  money: readonly Money[],
  unit: "minor" | "major",
  most: number = Number.POSITIVE_INFINITY,
): string {
  const shown = money.slice(0, most).map(({ amount, currency }) => formatMoney(amount, currency, unit));
  const rest = money.length - shown.length;
  return `${shown.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}
