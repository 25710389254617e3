// Answers to what the console asks, as the shell gives them.

import type { Session } from "#src/state/session.ts";

/** Enter in the open prompt, by default on what it holds at first. Resolves after the turn in which it is taken. */
export async function submit(session: Session, text?: string): Promise<void> {
  session.submit(text ?? session.store.getState().prompt!.initial ?? "");
  await new Promise(setImmediate);
}

/** Esc in the open prompt. Resolves after the turn in which it is taken. */
export async function leave(session: Session): Promise<void> {
  session.closePrompt();
  await new Promise(setImmediate);
}

/** Yes to the open question, or No. Resolves after the turn in which it is taken. */
export async function agree(session: Session, isYes: boolean = true): Promise<void> {
  session.answer(isYes);
  await new Promise(setImmediate);
}
