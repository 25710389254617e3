// Damage that a store found, and its repair, to be reported to the user.

export interface StoreProblem {
  /** The file concerned. */
  readonly path: string;
  /** One sentence: the damage, the repair, and where the damaged bytes are kept. */
  readonly message: string;
  /** False when the same damage was reported before. */
  readonly isNew: boolean;
}

/** Reports a problem to the user: standard error, a notice of the console, the log of the sandbox. */
export type OnProblem = (problem: StoreProblem) => void;
