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

/** @param composed the payment that is composed now, which any sentence may be about */
export function createAudience(composed: () => CheckRequest): Audience {
  return {
    isThere: true,
    shown: <T>(value: T, about: CheckRequest = {}): T =>
      typeof value === "string"
        ? (maskedMessage(value, [composed(), about]) as T & string)
        : presentedState(value),
  };
}
