// Tells when a slow line still carries earlier frames: what nobody could see in time need not be written at all.

/** Asks the terminal for its status; it answers once it has read all that was written before (DSR, ECMA-48 8.3.35). */
const QUESTION = "\x1b[5n";
const ANSWER = "\x1b[0n";

/** Characters after which it is asked: of two or three frames that follow a key. */
const ASK_AFTER = 512;
/** With more characters than this on its way the line is behind: three quarters of a second at 2 KB/s. */
const BEHIND_FROM = 1_536;
/** A terminal that answers no more is not waited for. */
const PATIENCE_MS = 3_000;
/** Longest wait for an answer before something else gets the terminal, and for the first answer of all. */
const ANSWER_MS = 1_000;
const FIRST_ANSWER_MS = 200;

export interface LinePace {
  /** True while what is drawn is skipped, which is noted; it does not change within a frame. */
  skips(): boolean;
  /** Counts what was written to the terminal. */
  written(characters: number): void;
  /** Looks for answers in the input, which stay in it. */
  heard(chunk: string): void;
  /** Runs something that takes the terminal over: nothing is skipped, and no answer of the terminal gets there. */
  pause<T>(during: () => Promise<T>): Promise<T>;
}

/**
 * A terminal that has never answered is never behind.
 * @param screen `forget` is called while frames are still skipped, then `redraw` to write the newest one
 * @param after calls back once after a delay; returns how to cancel it
 */
export function createLinePace(
  terminal: { write(text: string): unknown },
  screen: { forget(): void; redraw(): void },
  after: (delayMs: number, run: () => void) => () => void,
): LinePace {
  /** Characters that no answer has covered yet. */
  let unseen = 0;
  /** Those of them that the open question covers; null without one. */
  let asked: number | null = null;
  let answers = false;
  let isBehind = false;
  let isPaused = false;
  let hasSkipped = false;
  let last = "";
  let cancel: (() => void) | null = null;
  const waiting = new Set<() => void>();

  function look(): void {
    if (asked === null && unseen >= ASK_AFTER && !isPaused) {
      asked = unseen;
      terminal.write(QUESTION);
      cancel = after(PATIENCE_MS, () => {
        answers = false;
        cover(unseen);
      });
    }
    const isBehindNow = !isPaused && answers && asked !== null && unseen > BEHIND_FROM;
    if (isBehindNow || !hasSkipped) return void (isBehind = isBehindNow);
    screen.forget();
    [isBehind, hasSkipped] = [false, false];
    screen.redraw();
  }

  function cover(characters: number): void {
    cancel?.();
    [cancel, asked] = [null, null];
    unseen -= characters;
    for (const resolve of waiting) resolve();
    waiting.clear();
    look();
  }

  /** Resolves with the answer that is due, or soon: the terminal may give none, or be gone. */
  async function answer(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const cancelWait = after(answers ? ANSWER_MS : FIRST_ANSWER_MS, resolve);
    await promise;
    cancelWait();
  }

  return {
    skips() {
      hasSkipped ||= isBehind;
      return isBehind;
    },
    written(characters) {
      unseen += characters;
      // Behind the frame that is being written.
      if (unseen >= ASK_AFTER) queueMicrotask(look);
    },
    heard(chunk) {
      const text = last + chunk;
      last = text.slice(-(ANSWER.length - 1));
      if (asked === null || !text.includes(ANSWER)) return;
      [last, answers] = ["", true];
      cover(asked);
    },
    async pause(during) {
      isPaused = true;
      look();
      if (asked !== null) await answer();
      try {
        return await during();
      } finally {
        isPaused = false;
      }
    },
  };
}
