// What a store found damaged and what it did about it: reported, never hidden.

export interface StoreProblem {
  /** The file concerned. */
  readonly path: string;
  /** One sentence: what was found, what was done, where the damaged bytes are kept. */
  readonly message: string;
  /** False when an earlier run has already found and kept the same damage. */
  readonly isNew: boolean;
}

/** Takes a problem to where the user reads it: standard error, a notice of the console, the log of the sandbox. */
export type OnProblem = (problem: StoreProblem) => void;
