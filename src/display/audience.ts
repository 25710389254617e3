// Who looks at the console, and what is shown to them: everything to the user alone, and nothing personal to an audience.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { maskedMessage } from "./masked-words.ts";
import { presentedState } from "./presented-state.ts";

export interface Audience {
  /** False while the user looks alone. */
  readonly isThere: boolean;
  /**
   * A sentence, or a state, as it may be seen now. For what is drawn or said alone: what is sent, saved or loaded must come
   * from the state.
   * @param about the payment that a sentence is about
   */
  shown<T>(value: T, about?: CheckRequest): T;
}

export const NO_AUDIENCE: Audience = { isThere: false, shown: (value) => value };

/** What any sentence may be about. */
export interface Topics {
  /** The payment that is composed now. */
  readonly composed: CheckRequest;
  /** Of keys and projects, each once. */
  readonly ids: readonly string[];
}

export function createAudience(topics: () => Topics): Audience {
  let known: readonly CheckRequest[] = [];
  let before = "";
  /** The ids as parts of a request that no contract knows; the same list while they are the same. */
  const around = (ids: readonly string[]): readonly CheckRequest[] => {
    const now = ids.join(" ");
    if (now !== before) [known, before] = [[{ hidden: ids } as CheckRequest], now];
    return known;
  };
  return {
    isThere: true,
    shown<T>(value: T, about: CheckRequest = {}): T {
      const { composed, ids } = topics();
      const everywhere = around(ids);
      return typeof value === "string"
        ? (maskedMessage(value, [composed, about, ...everywhere]) as T & string)
        : presentedState(value, everywhere);
    },
  };
}
