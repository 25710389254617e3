// The next key, text, mark or report at a place of the input. Pure: nothing is kept from one call to the next.

/** A press of the main button, or a step of the wheel: -1 for up; columns and rows count from 0. */
export interface MouseEvent {
  readonly type: "mouse";
  readonly x: number;
  readonly y: number;
  readonly wheel: -1 | 0 | 1;
}

/** One consumed piece of input: text, keys (none for a report), or the mark that opens a paste. */
export interface Step {
  readonly length: number;
  readonly text?: string;
  readonly keys: readonly string[];
  readonly paste?: true;
  readonly mouse?: MouseEvent;
}

const key = (length: number, ...keys: string[]): Step => ({ length, keys });

/** The piece at `at`, or null while it is incomplete; with `final` no more input will come. */
export function nextStep(input: string, at: number, final: boolean): Step | null {
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

/** ESC and one of these begin a string: DCS, SOS, OSC, PM, APC (ECMA-48 5.6). */
export const STRINGS = "PX]^_";

function escapeStep(input: string, at: number, final: boolean): Step | null {
  const next = input[at + 1];
  if (next === undefined) return final ? key(1, "esc") : null;
  if (next === "\x1b") return twoEscapes(input, at, final);
  if (next === "[" || next === "O" || STRINGS.includes(next)) {
    const read = next === "[" ? csiStep : next === "O" ? ss3Step : stringStep;
    // Alone it is a key with Alt; what has begun waits for its end.
    return read(input, at, final) ?? (final && at + 2 === input.length ? key(2) : null);
  }
  const code = next.charCodeAt(0);
  // Some terminals end a line with both.
  if (isEnter(next)) return key(input.startsWith("\r\n", at + 1) ? 3 : 2, "alt+enter");
  if (code < 0x20 || code === 0x7f) return key(2, withAlt(controlName(code)));
  if (!final && isHighSurrogate(code) && at + 2 === input.length) return null;
  const character = String.fromCodePoint(input.codePointAt(at + 1)!);
  return key(1 + character.length, ...(isText(code) ? [`alt+${character.toWellFormed()}`] : []));
}

const isEnter = (character: string | undefined): boolean => character === "\r" || character === "\n";

/** A sequence that `end` is no part of. An Enter behind it was pressed with Alt, or belongs to it: it is never one of its own. */
const broken = (input: string, at: number, end: number): Step =>
  key(end - at + (isEnter(input[end]) ? 1 : 0));

const withAlt = (name: string): string =>
  name.startsWith("ctrl+") ? `ctrl+alt+${name.slice(5)}` : `alt+${name}`;

/** rxvt, and others for Alt: an Esc before the sequence of the key. Before anything else it is the Esc key. */
function twoEscapes(input: string, at: number, final: boolean): Step | null {
  const third = input[at + 2];
  if (third === undefined) return final ? key(1, "esc") : null;
  if (third !== "[" && third !== "O") return key(1, "esc");
  const step = escapeStep(input, at + 1, final);
  if (step === null && !final) return null;
  const [name] = step?.keys ?? [];
  return step === null || name === undefined ? key(1, "esc") : key(step.length + 1, withAlt(name));
}

/** How the strings begin that terminals send, or a part of that; of the others, SOS and PM, they send none. */
const REPORT_BEGINNINGS: Readonly<Record<string, RegExp>> = {
  // A number: of a colour, or of the clipboard.
  "]": /^\d{1,4}(?:;|$)/,
  // The version, the unit's id, and settings that were asked for.
  P: /^(?:[>!](?:\||$)|[01](?:[$+](?:r|$)|$))/,
  // kitty's graphics.
  _: /^G/,
};
/** Characters of the longest beginning, with the two that open the string. */
export const BEGINNING_MOST = 7;

/** Up to BEL or ST, or to what belongs to no report, which is typed: no part of it is lost then but an Enter. */
function stringStep(input: string, at: number, final: boolean): Step | null {
  let end = at + 2;
  if (end === input.length) return null;
  while (end < input.length && isText(input.charCodeAt(end))) end += 1;
  if (REPORT_BEGINNINGS[input[at + 1]!]?.test(input.slice(at + 2, end)) !== true)
    return broken(input, at, at + 2);
  const character = input[end];
  if (character === undefined) return null;
  if (character === "\x07" || character === "\x9c") return key(end + 1 - at);
  if (character !== "\x1b") return broken(input, at, end);
  const next = input[end + 1];
  if (next === undefined) return final ? key(end + 1 - at) : null;
  return key((next === "\\" ? end + 2 : end) - at);
}

/** The keypad in application mode: what is printed on its keys. */
const KEYPAD: ReadonlyMap<string, string> = new Map([
  [" ", " "],
  ["X", "="],
  ...Array.from(
    "*+,-./0123456789",
    (character, index) => [String.fromCharCode(0x6a + index), character] as const,
  ),
]);

/** ESC O and a letter: function keys, cursor keys and the keypad in application mode (ECMA-48 SS3). */
function ss3Step(input: string, at: number): Step | null {
  let end = at + 2;
  // Some terminals put the modifier before the letter.
  while (/[\d;]/.test(input[end] ?? "")) end += 1;
  const letter = input[end];
  if (letter === undefined) return null;
  if (!isText(letter.charCodeAt(0))) return broken(input, at, end);
  const length = end + 1 - at;
  const modifier = input.slice(at + 2, end);
  const character = KEYPAD.get(letter);
  if (character !== undefined) return modifier === "" ? { length, text: character, keys: [] } : key(length);
  const prefix = modifiers(modifier.split(";").at(-1)!);
  // rxvt: Ctrl with a cursor key.
  if ("abcd".includes(letter)) return key(length, `ctrl+${LETTER_KEYS.get(letter.toUpperCase())!}`);
  const name = LETTER_KEYS.get(letter) ?? (letter === "M" ? "enter" : letter === "I" ? "tab" : undefined);
  return name === undefined ? key(length) : key(length, prefix + name);
}

/** ESC [, parameters, intermediates and a final character (ECMA-48 5.4). */
function csiStep(input: string, at: number): Step | null {
  const first = input[at + 2];
  // The Linux console: ESC [ [ A to E.
  if (first === "[") {
    const letter = input[at + 3];
    if (letter === undefined) return null;
    if (letter >= "A" && letter <= "E") return key(4, `f${letter.charCodeAt(0) - 64}`);
    return isText(letter.charCodeAt(0)) ? key(4) : broken(input, at, at + 3);
  }
  // The mouse of X10: three characters follow.
  if (first === "M") {
    let end = at + 3;
    while (end < Math.min(at + 6, input.length) && input.charCodeAt(end) >= 0x20) end += 1;
    return end < at + 6 && end === input.length ? null : broken(input, at, end);
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
      return { length, ...csiKey(parameters, final) };
    }
    if (code < 0x20 || code > 0x3f) return broken(input, at, end);
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

type Typed = Pick<Step, "keys" | "text">;
const NOTHING: Typed = { keys: [] };

function csiKey(parameters: string, final: string): Typed {
  if (!/^[\d;:]*$/.test(parameters)) return NOTHING;
  const [first = "", second = "", third = ""] = parameters.split(";");
  const [modifier = "", action] = second.split(":");
  if (action === RELEASE) return NOTHING;
  if (final === "u") return codedKey(first, modifier, third);
  if (final === "~" && first === "27" && third !== "") return codedKey(third, modifier, "");
  // A report of the cursor's place.
  if (final === "R" && first !== "" && (first !== "1" || Number(modifier) < 2)) return NOTHING;
  const name = csiName(first, modifier, final);
  return name === null ? NOTHING : { keys: [name] };
}

function csiName(first: string, modifier: string, final: string): string | null {
  if (final === "Z") return "shift+tab";
  if (final === "~") return named(NUMBER_KEYS.get(first), modifiers(modifier));
  const rxvt = RXVT_MODIFIERS.get(final);
  if (rxvt !== undefined) return named(NUMBER_KEYS.get(first), rxvt);
  if ("abcd".includes(final)) return `shift+${LETTER_KEYS.get(final.toUpperCase())!}`;
  return named(LETTER_KEYS.get(final), modifiers(modifier));
}

/** The key was let go (kitty's keyboard protocol). */
const RELEASE = "3";

/** Keys by the code that they have in `codedKey`; from 57414 on they are the keypad's. */
const CODED: ReadonlyMap<number, string> = new Map([
  [8, "backspace"],
  [9, "tab"],
  [13, "enter"],
  [27, "esc"],
  [127, "backspace"],
  [57_414, "enter"],
  ...["left", "right", "up", "down", "pageup", "pagedown", "home", "end", "insert", "delete"].map(
    (name, index) => [57_417 + index, name] as const,
  ),
]);

const CODED_KEYPAD: ReadonlyMap<number, string> = new Map(
  Array.from("0123456789./*-+", (character, index) => [57_399 + index, character] as const).concat([
    [57_415, "="],
    [57_416, ","],
  ]),
);

/**
 * A key that is named by its character: ESC [ code ; modifiers ; text u (kitty, fixterms), or ESC [ 27 ; modifiers ; code ~
 * (xterm's modifyOtherKeys). A terminal may have been left in such a mode.
 * @param codes the character without Shift, with Shift, and in the standard layout, with colons between them
 */
function codedKey(codes: string, modifier: string, text: string): Typed {
  const [code = 0, shifted = 0, standard = 0] = codes.split(":").map(Number);
  const sum = Math.max(0, Number(modifier === "" ? 1 : modifier) - 1);
  const [isShift, isAlt, isCtrl] = [(sum & 1) > 0, (sum & 2) > 0, (sum & 4) > 0];
  // Super, Hyper and Meta are keys of the window manager.
  if ((sum & 56) > 0) return NOTHING;
  const name = CODED.get(code);
  if (name === "backspace" && sum === 1) return { keys: [name] };
  if (name !== undefined) return { keys: [modifiers(modifier) + name] };
  const character = CODED_KEYPAD.get(code) ?? printable(code);
  if (character === null) return NOTHING;
  if (!isCtrl && !isAlt) {
    const typed =
      text !== ""
        ? text.split(":").map((part) => printable(Number(part)))
        : [isShift ? withShift(character, printable(shifted)) : character];
    return typed.includes(null) ? NOTHING : { keys: [], text: typed.join("") };
  }
  const key = (code < 0x80 ? null : printable(standard)) ?? character;
  if (isCtrl && !isAlt && !isShift && /[a-z@[\\\]^_ ]/.test(key)) {
    const control = controlName(key.charCodeAt(0) & 0x1f);
    // Ctrl-J and Ctrl-M are not pressed for Enter where the terminal can tell them apart.
    return { keys: [control === "enter" ? `ctrl+${key}` : control === "ctrl+[" ? "esc" : control] };
  }
  return { keys: [modifiers(modifier) + key] };
}

/** The character of a code; null for a control character, a half of one, and a code of private use. */
function printable(code: number): string | null {
  const isCharacter = Number.isInteger(code) && code >= 0x20 && code <= 0x10_ffff && isText(code);
  return isCharacter && !/[\p{Cs}\p{Co}]/u.test(String.fromCodePoint(code))
    ? String.fromCodePoint(code)
    : null;
}

/** With Shift: as the terminal says, else a capital letter; nothing where only the layout knows. */
function withShift(character: string, shifted: string | null): string | null {
  if (shifted !== null || character === " ") return shifted ?? character;
  return /^\p{L}$/u.test(character) ? character.toUpperCase() : null;
}

const named = (name: string | undefined, prefix: string): string | null =>
  name === undefined ? null : `${prefix}${name}`;

/** xterm: one more than a sum of 1 Shift, 2 Alt, 4 Ctrl, 8 Meta. */
function modifiers(parameter: string): string {
  const sum = Math.max(0, Number(parameter === "" ? 1 : parameter) - 1);
  return `${sum & 4 ? "ctrl+" : ""}${sum & 10 ? "alt+" : ""}${sum & 1 ? "shift+" : ""}`;
}
