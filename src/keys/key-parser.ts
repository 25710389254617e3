// Parses terminal input into keys, text and pastes. Over SSH one chunk often holds several keys, or a part of one.

import { afterTimeout, type After } from "#src/contract/timer.ts";
import { BEGINNING_MOST, nextStep, STRINGS, type MouseEvent } from "./key-steps.ts";

/** Text is printable; line breaks of a paste are line feeds. */
export type InputEvent =
  | { readonly type: "key"; readonly name: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  /** A paste of more than `PASTE_MOST` characters, none of which is kept. */
  | { readonly type: "overlong"; readonly characters: number }
  | MouseEvent;

/** All events of one piece of input: whether one is a key or part of a paste depends on the others. */
export type Chunk = readonly InputEvent[];

export interface KeyParser {
  /** Takes the next piece of decoded input and emits every event that is complete. */
  feed(chunk: string): void;
  /** Takes what has come so far for whole, as the timer does: an Esc is the Esc key. */
  flush(): void;
  /** Cancels the timers; an unfinished sequence is dropped. */
  dispose(): void;
}

/**
 * An Esc that nothing has followed after this time is the Esc key. Measured with an arrow key in two pieces, 5 to 100 ms
 * apart: 20 ms took each gap from 30 ms on for Esc, and over SSH gaps of 30 to 100 ms are usual.
 */
export const ESCAPE_WAIT_MS = 120;

/** After this time a character is no more one with Alt, whose two bytes are sent at once: hands are slower than this. */
export const ALT_WAIT_MS = 40;

/** A sequence whose end has not come in this time is dropped, so that it does not take the keys that follow. */
export const SEQUENCE_LIMIT_MS = 2_000;

/** A paste of which nothing more has come in this time is over: its end mark is lost. */
export const PASTE_IDLE_MS = 2_000;

/** Most characters of a paste, as many as a payload has bytes. */
export const PASTE_MOST = 64 * 1024;

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** Keys that end a paste, alone in their chunk. */
// oxlint-disable-next-line no-control-regex
const LONE = /^(?:\x1b+|\x03+)$/;

/** The first two characters of a sequence, or an Esc. */
// oxlint-disable-next-line no-control-regex
const OPENING = /\x1b[[O\]P_^X]?$/;
/** How a chunk begins that goes on with a sequence of which there is an Esc; an Enter, because Alt+Enter must never send. */
// oxlint-disable-next-line no-control-regex
const GOES_ON = /^[\x1b[O\]P_^X\r\n]/;

/** How a string of a terminal ends: BEL, or ST in one character or two. */
const STRING_ENDS = ["\x07", "\x9c", "\x1b\\"] as const;

/**
 * Creates a parser. The events do not depend on how the input was cut into chunks, as long as the rest of an escape
 * sequence comes within `ESCAPE_WAIT_MS`; adjacent text may come as several events. A sequence is its key or nothing, and
 * so is a key with Alt: neither is ever taken for Enter, or for text that it holds. Reports of the terminal are dropped.
 * Neither a paste nor a sequence without its end keeps the keyboard: time ends both, and so do Ctrl-C and Esc; a paste they
 * end where they are alone in their chunk.
 * Only the chunk that is passed with each event depends on the cutting: by it the dispatcher detects an unmarked paste.
 */
export function createKeyParser(
  emit: (event: InputEvent, chunk: Chunk) => void,
  after: After = afterTimeout,
  mouse = false,
): KeyParser {
  let pending = "";
  /** What was taken for Alt and a key, or for Esc, and may have begun a sequence whose rest is late. */
  let late = "";
  let paste: string | null = null;
  /** Characters of the paste that were dropped. */
  let excess = 0;
  /** The last paste was ended by time, and its rest may still come. */
  let cut = false;
  /** The Esc that is pending has no character with Alt any more. */
  let isAlone = false;
  let cancel: (() => void) | null = null;
  let cancelAlt: (() => void) | null = null;
  let cancelLimit: (() => void) | null = null;

  /** Consumes complete pieces, up to the mark that opens a paste; `final` when no more input will come. */
  function take(final: boolean, events: InputEvent[]): void {
    let text = "";
    const endText = (): void => {
      if (text !== "") events.push({ type: "text", text: text.toWellFormed() });
      text = "";
    };
    let at = 0;
    while (at < pending.length && paste === null) {
      const step = nextStep(pending, at, final);
      if (step === null) break;
      at += step.length;
      if (step.text !== undefined) text += step.text;
      else if (step.keys.length > 0) {
        endText();
        events.push(...step.keys.map((name) => ({ type: "key", name }) as const));
      } else if (mouse && step.mouse !== undefined) {
        endText();
        events.push(step.mouse);
      } else if (step.paste === true) {
        endText();
        paste = pending.slice(at);
        excess = 0;
        cut = false;
        at = pending.length;
      }
    }
    endText();
    if (at > 0) endLimit();
    pending = shortened(pending.slice(at));
  }

  /** Takes the pasted text once its end mark has come; the rest becomes pending. */
  function takePaste(from: number, events: InputEvent[]): void {
    if (paste === null) return;
    const end = paste.indexOf(PASTE_END, from);
    if (end >= 0) {
      pending = paste.slice(end + PASTE_END.length);
      endPaste(paste.slice(0, end), events);
    } else if (paste.length > PASTE_MOST + PASTE_END.length) {
      excess += paste.length - PASTE_END.length;
      paste = paste.slice(-PASTE_END.length);
    }
  }

  function endPaste(text: string, events: InputEvent[]): void {
    const characters = excess + text.length;
    paste = null;
    if (characters > PASTE_MOST) events.push({ type: "overlong", characters });
    else events.push({ type: "paste", text: text.replaceAll(/\r\n?/g, "\n").toWellFormed() });
  }

  /** Ends a paste whose end mark has not come. @param key the key that ends it */
  function breakPaste(key: "esc" | "ctrl+c" | null): void {
    cancel = null;
    if (paste === null) return;
    const events: InputEvent[] = [];
    // oxlint-disable-next-line no-control-regex
    endPaste(key === null ? paste : paste.replace(/[\x03\x1b]+$/, ""), events);
    cut = key === null;
    late = key === "esc" ? "\x1b" : "";
    // Ctrl-C always leaves; Esc has done its work.
    if (key === "ctrl+c") events.push({ type: "key", name: key });
    emitAll(events);
  }

  function emitAll(events: readonly InputEvent[]): void {
    for (const event of events) emit(event, events);
  }

  function endWait(): void {
    cancel?.();
    cancelAlt?.();
    [cancel, cancelAlt, isAlone] = [null, null, false];
  }

  function endLimit(): void {
    cancelLimit?.();
    cancelLimit = null;
  }

  function feed(chunk: string): void {
    if (isAlone && !GOES_ON.test(chunk)) flush();
    endWait();
    const events: InputEvent[] = [];
    // What comes before the end mark was pasted, too.
    if (paste === null && cut && startsWithRest(chunk)) {
      [paste, excess, cut] = ["", 0, false];
    }
    if (paste === null) pending += isLate(late + chunk, late) ? late + chunk : chunk;
    else {
      const from = Math.max(0, paste.length - PASTE_END.length);
      paste += chunk;
      takePaste(from, events);
    }
    late = "";
    while (pending !== "") {
      take(false, events);
      if (paste === null) break;
      takePaste(0, events);
    }
    if (paste !== null) {
      const key = LONE.test(chunk) ? (chunk.startsWith("\x1b") ? "esc" : "ctrl+c") : null;
      cancel = after(key === null ? PASTE_IDLE_MS : ESCAPE_WAIT_MS, () => breakPaste(key));
    } else if (pending !== "") {
      cancel = after(ESCAPE_WAIT_MS, flush);
      if (pending === "\x1b") cancelAlt = after(ALT_WAIT_MS, () => void (isAlone = pending === "\x1b"));
      limit();
    }
    emitAll(events);
  }

  /** From the beginning of a sequence: what is typed on does not put it off. */
  function limit(): void {
    if (pending.length <= 2) return;
    cancelLimit ??= after(SEQUENCE_LIMIT_MS, () => {
      cancelLimit = null;
      pending = "";
    });
  }

  function flush(): void {
    if (paste !== null) return;
    endWait();
    const events: InputEvent[] = [];
    const opening = OPENING.exec(pending)?.[0] ?? "";
    take(true, events);
    late = pending === "" ? opening : "";
    limit();
    emitAll(events);
  }

  return {
    feed,
    flush,
    dispose() {
      endWait();
      endLimit();
      pending = "";
      paste = null;
    },
  };
}

/** Whether a chunk begins with the last part of a paste, and its end mark. */
function startsWithRest(chunk: string): boolean {
  const end = chunk.indexOf(PASTE_END);
  return end > 0 && !chunk.slice(0, end).includes(PASTE_START);
}

/** Whether a chunk is the rest of a sequence that began with `late`. */
function isLate(joined: string, late: string): boolean {
  if (late === "" || joined.length < 3 || OPENING.exec(joined.slice(0, 2))?.[0].length !== 2) return false;
  const step = nextStep(joined, 0, false);
  if (step === null || step.text !== undefined) return false;
  const read = joined.slice(0, step.length);
  const isReport = STRING_ENDS.some((end) => read.endsWith(end)) || joined.startsWith("\x1b[<");
  return isReport || joined.startsWith(PASTE_END) || step.keys.length > 0 || step.paste === true;
}

/** What a string of the terminal holds is not needed: nothing but its beginning, and an Esc that may begin its end. */
function shortened(rest: string): string {
  if (rest.length <= BEGINNING_MOST || rest[0] !== "\x1b" || !STRINGS.includes(rest[1]!)) return rest;
  return rest.slice(0, BEGINNING_MOST) + (rest.endsWith("\x1b") ? "\x1b" : "");
}
