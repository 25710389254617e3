// What `verdict doctor` finds: one sentence about one thing, and what to do about it.

/** What a finding is about. */
export type FindingArea = "program" | "terminal" | "files" | "vault" | "clock" | "secrecy";

export interface Finding {
  readonly area: FindingArea;
  /** `note`: works, and is worth knowing; `problem`: something needs attention. */
  readonly state: "ok" | "note" | "problem";
  /** One sentence; untrusted text in it is escaped already. */
  readonly what: string;
  /** The next step, as a sentence; null where there is nothing to do. */
  readonly next: string | null;
}

/** Makes the findings of one area. */
export function findingsOf(
  area: FindingArea,
): (state: Finding["state"], what: string, next?: string | null) => Finding {
  return (state, what, next = null) => ({ area, state, what, next });
}
