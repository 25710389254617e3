// Counts the warnings of many payloads: payloads with warnings, and the frequency of each sentence.

export interface Warnings {
  readonly payloads: number;
  /** The most frequent first; at most 100. */
  readonly sentences: readonly { readonly message: string; readonly count: number }[];
}

const MOST_SENTENCES = 100;

export class WarningTally {
  readonly #counts = new Map<string, number>();
  #payloads = 0;

  take(warnings: readonly string[]): void {
    if (warnings.length > 0) this.#payloads += 1;
    for (const message of warnings) {
      const count = this.#counts.get(message);
      if (count !== undefined) this.#counts.set(message, count + 1);
      else if (this.#counts.size < MOST_SENTENCES) this.#counts.set(message, 1);
    }
  }

  sum(): Warnings {
    const sentences = [...this.#counts]
      .map(([message, count]) => ({ message, count }))
      .toSorted((one, other) => other.count - one.count);
    return { payloads: this.#payloads, sentences };
  }
}
