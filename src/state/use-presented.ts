// Presenter mode for React components: masks state before a view-model reads it.

import { maskedMessage } from "#src/display/masked-words.ts";
import { presentedState } from "#src/state/presented-state.ts";
import { useConsole } from "./use-console.ts";
import { useStore } from "./use-store.ts";

/** True while the console is shown to an audience. */
export function useIsPresented(): boolean {
  return useStore(useConsole().session.store, ({ presenter }) => presenter !== null);
}

/**
 * A state as it may be seen now: everything personal masked in presenter mode, else the state itself. For view-models
 * alone: what is sent, saved or loaded must come from the state.
 */
export function usePresented<T>(state: T): T {
  return useIsPresented() ? presentedState(state) : state;
}

/** Masks sentences as they may be seen now, e.g. a toast: by their form, and by what is composed. */
export function usePresentedText(): (text: string) => string {
  const { composer } = useConsole();
  const isPresented = useIsPresented();
  return (text) => (isPresented ? maskedMessage(text, [composer.toRequest()]) : text);
}
