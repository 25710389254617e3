// Currencies that are not in ISO 4217 any more, and what took their place: payments of the past have them. Numbers and letters are
// those of its list three as published 2026-01-01; it gives the month of withdrawal, which may be years after the day below.

import former from "./former-currencies.json" with { type: "json" };

export interface FormerCurrency {
  readonly numeric: number;
  readonly alpha: string;
  /** Letters of the currency in use. */
  readonly replacedBy: string;
  /** The day on which that one was introduced. */
  readonly on: string;
}

/** Numbers that are in use again are left out. */
const FORMER: readonly FormerCurrency[] = former;

/** By its number or its letters. */
export function formerCurrency(word: number | string): FormerCurrency | undefined {
  return FORMER.find(({ numeric, alpha }) => numeric === word || alpha === word);
}
