// A finding of `verdict doctor`: one sentence, and the next step.

export type FindingArea = "program" | "terminal" | "files" | "vault" | "clock" | "secrecy";

export interface Finding {
  readonly area: FindingArea;
  /** `note`: works, but is worth knowing; `problem`: needs attention. */
  readonly state: "ok" | "note" | "problem";
  /** One sentence; untrusted text in it is escaped already. */
  readonly what: string;
  /** The next step, as a sentence; null for none. */
  readonly next: string | null;
}

/** Makes the findings of one area. */
export function findingsOf(
  area: FindingArea,
): (state: Finding["state"], what: string, next?: string | null) => Finding {
  return (state, what, next = null) => ({ area, state, what, next });
}
