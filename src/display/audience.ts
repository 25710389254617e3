// Who looks at the console, and what is shown to them: everything to the user alone, and nothing personal to an audience.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { hide, MASK, wholeWord } from "./mask.ts";
import { maskedMessage } from "./masked-words.ts";
import { isProjectId, presentedState } from "./presented-state.ts";

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
  /** Keys of the projects that are known. */
  readonly projects: readonly string[];
}

export function createAudience(topics: () => Topics): Audience {
  return {
    isThere: true,
    shown<T>(value: T, about: CheckRequest = {}): T {
      if (typeof value !== "string") return presentedState(value);
      const { composed, projects } = topics();
      const ids = Array.from(new Set(projects.filter(isProjectId)), (id) => wholeWord(id, MASK));
      return maskedMessage(hide(value, ids), [composed, about]) as T & string;
    },
  };
}
