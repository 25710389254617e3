// Answers to what the console asks, as the shell gives them.

import type { Session } from "#src/state/session.ts";

/** Enter in the open prompt, by default on what it holds at first. Resolves after the turn in which it is taken. */
export async function submit(session: Session, text?: string): Promise<void> {
  const { prompt } = session.store.getState();
  session.answer(() => prompt!.onSubmit(text ?? prompt!.initial ?? ""));
  await new Promise(setImmediate);
}

/** Esc in the open prompt. Resolves after the turn in which it is taken. */
export async function leave(session: Session): Promise<void> {
  const { prompt } = session.store.getState();
  session.answer(() => prompt!.onCancel?.());
  await new Promise(setImmediate);
}

/** Yes to the open question, or No. Resolves after the turn in which it is taken. */
export async function agree(session: Session, isYes: boolean = true): Promise<void> {
  const { dialog } = session.store.getState();
  session.answer(() => (isYes ? dialog!.onYes() : dialog!.onNo?.()));
  await new Promise(setImmediate);
}
