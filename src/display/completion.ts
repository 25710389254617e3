// What may be typed next in a line of text.

export interface Completion {
  /** The likeliest first. */
  readonly candidates: readonly Candidate[];
  /** What else may be typed, or what is wrong with what was; not safe. */
  readonly hint: string | null;
}

export interface Candidate {
  /** As it is offered; safe. */
  readonly label: string;
  /** The whole line with it. */
  readonly text: string;
}
