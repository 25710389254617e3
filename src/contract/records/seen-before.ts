// How often the order, the card and the payer of a check were checked before it, as far as the history knows.

/** Earlier checks, and how many of them were blocked. */
export interface ChecksBefore {
  readonly checks: number;
  readonly blocked: number;
  /** Entries that were looked at, where there are earlier ones that could count; null where all were. */
  readonly among: number | null;
}

export interface SeenBefore {
  /** Id of the entry. */
  readonly id: string;
  /** Null where the request does not name it. */
  readonly order: ChecksBefore | null;
  /** In the 24 hours before the check, as is the payer. */
  readonly card: ChecksBefore | null;
  readonly payer: ChecksBefore | null;
}
