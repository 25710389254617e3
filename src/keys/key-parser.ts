// Parses terminal input into keys, text and pastes. Over SSH one chunk often holds several keys, or a part of one.

/** Text is printable; line breaks of a paste are line feeds. */
export type InputEvent =
  | { readonly type: "key"; readonly name: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | MouseEvent;

/** A press of the main button, or a step of the wheel: -1 for up; columns and rows count from 0. */
export interface MouseEvent {
  readonly type: "mouse";
  readonly x: number;
  readonly y: number;
  readonly wheel: -1 | 0 | 1;
}

/** All events of one piece of input: whether one is a key or part of a paste depends on the others. */
export type Chunk = readonly InputEvent[];

/** Runs a function later; returns a function that cancels it. */
export type Schedule = (run: () => void, ms: number) => () => void;

export interface KeyParser {
  /** Takes the next piece of decoded input and emits every event that is complete. */
  feed(chunk: string): void;
  /** Emits what an unfinished escape sequence holds as Esc and text, as the timer does. */
  flush(): void;
  /** Cancels the timer; an unfinished sequence is dropped. */
  dispose(): void;
}

/** An Esc that nothing has followed after this time is the Esc key. */
export const ESCAPE_WAIT_MS = 20;

const PASTE_END = "\x1b[201~";

const afterTimeout: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Creates a parser. The events do not depend on how the input was cut into chunks, as long as the rest of an escape
 * sequence comes within `ESCAPE_WAIT_MS`; adjacent text may come as several events. A late or invalid sequence arrives
 * as Esc and text, so nothing is lost. Complete sequences that are no keys (a terminal's reports) are dropped.
 * Only the chunk that is passed with each event depends on the cutting: by it the dispatcher detects an unmarked paste.
 */
export function createKeyParser(
  emit: (event: InputEvent, chunk: Chunk) => void,
  schedule: Schedule = afterTimeout,
  mouse = false,
): KeyParser {
  let pending = "";
  /** The last input was an Esc of which it is not known whether it began a report of the mouse. */
  let wasEsc = false;
  let paste: string | null = null;
  let cancel: (() => void) | null = null;

  /** Consumes complete pieces, up to the mark that opens a paste; `final` when no more input will come. */
  function take(final: boolean, events: InputEvent[]): void {
    let text = "";
    const endText = (): void => {
      if (text !== "") events.push({ type: "text", text: text.toWellFormed() });
      text = "";
    };
    let at = 0;
    while (at < pending.length && paste === null) {
      // The rest of a report may be late, and must not be taken for text.
      const rest = pending.slice(at);
      if (mouse && final && rest.startsWith("\x1b[") && /^(?:<[\d;]*)?$/.test(rest.slice(2))) break;
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
        at = pending.length;
      }
    }
    endText();
    pending = pending.slice(at);
  }

  /** Takes the pasted text once its end mark has come; the rest becomes pending. */
  function takePaste(from: number, events: InputEvent[]): void {
    if (paste === null) return;
    const end = paste.indexOf(PASTE_END, from);
    if (end < 0) return;
    events.push({ type: "paste", text: paste.slice(0, end).replaceAll(/\r\n?/g, "\n").toWellFormed() });
    pending = paste.slice(end + PASTE_END.length);
    paste = null;
  }

  function feed(chunk: string): void {
    cancel?.();
    cancel = null;
    const events: InputEvent[] = [];
    if (paste === null) pending += mouse && wasEsc && chunk.startsWith("[<") ? `\x1b${chunk}` : chunk;
    else {
      const from = Math.max(0, paste.length - PASTE_END.length);
      paste += chunk;
      takePaste(from, events);
    }
    wasEsc = false;
    while (pending !== "") {
      take(false, events);
      if (paste === null) break;
      takePaste(0, events);
    }
    if (pending !== "") cancel = schedule(flush, ESCAPE_WAIT_MS);
    for (const event of events) emit(event, events);
  }

  function flush(): void {
    cancel?.();
    cancel = null;
    const events: InputEvent[] = [];
    wasEsc = pending === "\x1b";
    take(true, events);
    for (const event of events) emit(event, events);
  }

  return {
    feed,
    flush,
    dispose() {
      cancel?.();
      cancel = null;
      pending = "";
      paste = null;
    },
  };
}

/** One consumed piece of input: text, keys (none for a report), or the mark that opens a paste. */
interface Step {
  readonly length: number;
  readonly text?: string;
  readonly keys: readonly string[];
  readonly paste?: true;
  readonly mouse?: MouseEvent;
}

const key = (length: number, ...keys: string[]): Step => ({ length, keys });

/** The piece at `at`, or null while it is incomplete; with `final` no more input will come. */
function nextStep(input: string, at: number, final: boolean): Step | null {
  const code = input.charCodeAt(at);
  if (code === 0x1b) return escapeStep(input, at, final);
  if (code < 0x20 || code === 0x7f) return key(1, controlName(code));
  if (code >= 0x80 && code < 0xa0) return key(1);
  let end = at + 1;
  while (end < input.length && isText(input.charCodeAt(end))) end += 1;
  // The other half of a character beyond the basic plane may still come.
  if (!final && end === input.length && isHighSurrogate(input.charCodeAt(end - 1))) {
    if (end - 1 === at) return null;
    end -= 1;
  }
  return { length: end - at, text: input.slice(at, end), keys: [] };
}

const isText = (code: number): boolean => code >= 0x20 && !(code >= 0x7f && code < 0xa0);
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

function controlName(code: number): string {
  switch (code) {
    case 0x00:
      return "ctrl+space";
    case 0x08:
    case 0x7f:
      return "backspace";
    case 0x09:
      return "tab";
    case 0x0a:
    case 0x0d:
      return "enter";
    default:
      return `ctrl+${String.fromCharCode(code + 0x40).toLowerCase()}`;
  }
}

/**
 * Letters that editing keys use with Alt. Others are read as Esc and the letter: pressed one after the other they may
 * come in one chunk, and neither may be lost.
 */
const ALT_LETTERS = "bdfru";

function escapeStep(input: string, at: number, final: boolean): Step | null {
  const next = input[at + 1];
  if (next === undefined) return final ? key(1, "esc") : null;
  if (next === "[") return csiStep(input, at) ?? (final ? key(1, "esc") : null);
  if (next === "O") return ss3Step(input, at) ?? (final ? key(1, "esc") : null);
  if (next === "\x7f" || next === "\b") return key(2, "alt+backspace");
  if (ALT_LETTERS.includes(next)) return key(2, `alt+${next}`);
  return key(1, "esc");
}

/** ESC O and a letter: function keys, and cursor keys in application mode (ECMA-48 SS3). */
function ss3Step(input: string, at: number): Step | null {
  const letter = input[at + 2];
  if (letter === undefined) return null;
  const name = LETTER_KEYS.get(letter) ?? (letter === "M" ? "enter" : undefined);
  if (name !== undefined) return key(3, name);
  // rxvt: Ctrl with a cursor key.
  if ("abcd".includes(letter)) return key(3, `ctrl+${LETTER_KEYS.get(letter.toUpperCase())!}`);
  return key(1, "esc");
}

/** ESC [, parameters, intermediates and a final character (ECMA-48 5.4). */
function csiStep(input: string, at: number): Step | null {
  // The Linux console: ESC [ [ A to E.
  if (input[at + 2] === "[") {
    const letter = input[at + 3];
    if (letter === undefined) return null;
    return letter >= "A" && letter <= "E" ? key(4, `f${letter.charCodeAt(0) - 64}`) : key(1, "esc");
  }
  for (let end = at + 2; end < input.length; end += 1) {
    const code = input.charCodeAt(end);
    // rxvt: Shift with a key ends in $, elsewhere an intermediate.
    const rxvtShift = code === 0x24 && end === at + 3 && "235678".includes(input[at + 2]!);
    if ((code >= 0x40 && code <= 0x7e) || rxvtShift) {
      const length = end + 1 - at;
      const parameters = input.slice(at + 2, end);
      const final = input[end]!;
      if (final === "~" && parameters === "200") return { length, keys: [], paste: true };
      const event = mouseEvent(parameters, final);
      if (event !== null) return { length, keys: [], mouse: event };
      const name = csiName(parameters, final);
      return name === null ? key(length) : key(length, name);
    }
    if (code < 0x20 || code > 0x3f) return key(1, "esc");
  }
  return null;
}

/** SGR 1006: ESC [ < button ; column ; row, and M for a press; null for what nothing is done with. */
function mouseEvent(parameters: string, final: string): MouseEvent | null {
  const [, button, column, row] = /^<(\d+);(\d+);(\d+)$/.exec(parameters) ?? [];
  const wheel = button === "64" ? -1 : button === "65" ? 1 : 0;
  if (final !== "M" || (button !== "0" && wheel === 0)) return null;
  return { type: "mouse", x: Number(column) - 1, y: Number(row) - 1, wheel };
}

const LETTER_KEYS: ReadonlyMap<string, string> = new Map([
  ["A", "up"],
  ["B", "down"],
  ["C", "right"],
  ["D", "left"],
  ["H", "home"],
  ["F", "end"],
  ["P", "f1"],
  ["Q", "f2"],
  ["R", "f3"],
  ["S", "f4"],
]);

const NUMBER_KEYS: ReadonlyMap<string, string> = new Map([
  ["1", "home"],
  ["2", "insert"],
  ["3", "delete"],
  ["4", "end"],
  ["5", "pageup"],
  ["6", "pagedown"],
  ["7", "home"],
  ["8", "end"],
  ["11", "f1"],
  ["12", "f2"],
  ["13", "f3"],
  ["14", "f4"],
  ["15", "f5"],
  ["17", "f6"],
  ["18", "f7"],
  ["19", "f8"],
  ["20", "f9"],
  ["21", "f10"],
  ["23", "f11"],
  ["24", "f12"],
]);

/** rxvt encodes the modifier in the final character. */
const RXVT_MODIFIERS: ReadonlyMap<string, string> = new Map([
  ["$", "shift+"],
  ["^", "ctrl+"],
  ["@", "ctrl+shift+"],
]);

function csiName(parameters: string, final: string): string | null {
  if (!/^[\d;]*$/.test(parameters)) return null;
  const [first = "", modifier = ""] = parameters.split(";");
  if (final === "Z") return "shift+tab";
  if (final === "~") return named(NUMBER_KEYS.get(first), modifiers(modifier));
  const rxvt = RXVT_MODIFIERS.get(final);
  if (rxvt !== undefined) return named(NUMBER_KEYS.get(first), rxvt);
  if ("abcd".includes(final)) return `shift+${LETTER_KEYS.get(final.toUpperCase())!}`;
  return named(LETTER_KEYS.get(final), modifiers(modifier));
}

const named = (name: string | undefined, prefix: string): string | null =>
  name === undefined ? null : `${prefix}${name}`;

/** xterm: one more than a sum of 1 Shift, 2 Alt, 4 Ctrl, 8 Meta. */
function modifiers(parameter: string): string {
  const sum = Math.max(0, Number(parameter === "" ? 1 : parameter) - 1);
  return `${sum & 4 ? "ctrl+" : ""}${sum & 10 ? "alt+" : ""}${sum & 1 ? "shift+" : ""}`;
}
