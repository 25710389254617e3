// Copies secrets to the clipboard of the terminal, and clears it after 30 seconds.

import { createStore } from "zustand/vanilla";
import type { Secret } from "#src/contract/secret.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, secondsLeft, type After } from "#src/state/timers.ts";

/** The clipboard of the terminal in front of the user. It is write-only: what it accepts and holds is unknown. */
export interface TerminalClipboard {
  /** False for what the terminal cannot take. */
  copy(text: string): boolean;
  /** Empties it, even where something else was copied since. */
  clear(): void;
  /** What a user should know about what stands between program and terminal; null for nothing. */
  readonly note: string | null;
}

export interface SecretCopyState {
  /** The secret that was copied last, by the id of its entry, and when the clipboard is emptied. */
  readonly held: { readonly id: string; readonly secondsLeft: number } | null;
}

export const COPY_SECONDS = 30;

const NO_CLIPBOARD: TerminalClipboard = { copy: () => false, clear: () => undefined, note: null };

export function createSecretCopy(
  session: Session,
  clipboard: TerminalClipboard = NO_CLIPBOARD,
  after: After = afterTimeout,
) {
  const store = createStore<SecretCopyState>(() => ({ held: null }));
  const { getState, setState } = store;
  /** What stands between has been named: once a session is enough. */
  let isNoted = false;

  const kept = secondsLeft(
    after,
    (left) => setState(({ held }) => ({ held: held && { ...held, secondsLeft: left } })),
    clear,
  );

  function forget(): void {
    kept.stop();
    if (getState().held !== null) setState({ held: null });
  }

  function clear(): void {
    if (getState().held === null) return;
    forget();
    clipboard.clear();
  }

  function copy(text: string): boolean {
    if (text === "" || !clipboard.copy(text)) return false;
    // The secret has been overwritten; what stands there now is not emptied.
    forget();
    return true;
  }

  /** Nothing tells whether it arrived: only that it was sent, and what may be in the way. */
  function saySent(sentence: string): void {
    const note = isNoted ? null : clipboard.note;
    isNoted = true;
    session.say(note === null ? sentence : `${sentence} ${note}`, note === null ? "done" : "note");
  }

  return {
    store,
    /** Copies what is no secret, in place of a secret that was copied. False where the clipboard does not take it. */
    copy,
    /** The same with a toast. @param what what it is, for a sentence: `order id` */
    copyText(what: string, text: string) {
      if (copy(text)) saySent(`The ${what} is sent to your terminal's clipboard.`);
      else session.say(`Your terminal cannot copy the ${what}; nothing is copied.`, "error");
    },
    /** Copies a secret for 30 seconds, with a toast. @returns false where that is not possible, with a toast */
    copySecret(id: string, secret: Secret) {
      if (session.store.getState().screen === "demo") {
        session.say("Presenter mode does not allow copying secrets.", "note");
        return false;
      }
      const text = secret.expose();
      if (text === "" || !clipboard.copy(text)) {
        session.say(
          `Your terminal's clipboard does not accept the secret; ${session.keyName("vault.reveal")} reveals the secret for 10 s.`,
          "error",
        );
        return false;
      }
      forget();
      setState({ held: { id, secondsLeft: COPY_SECONDS } });
      kept.start(COPY_SECONDS);
      saySent(`Sent to your terminal's clipboard; it is cleared in ${COPY_SECONDS} s in any case.`);
      return true;
    },
    /** Empties the clipboard now, if a secret of ours was sent there last. Synchronous, for every way out. */
    clear,
  };
}

export type SecretCopy = ReturnType<typeof createSecretCopy>;
