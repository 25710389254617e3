// Editing state of a text field. Pure: each verb takes an edit and returns the next one.

import { graphemeSegments } from "#src/display/graphemes.ts";

/** One line of text being edited. */
export interface TextEdit {
  readonly text: string;
  /** UTF-16 offset, always between two graphemes. */
  readonly cursor: number;
  /** What undo goes back to, newest last. */
  readonly past: readonly Moment[];
  /** What redo goes forward to, next last. */
  readonly future: readonly Moment[];
  /** True while single typed graphemes follow each other: they are undone together. */
  readonly typing: boolean;
}

interface Moment {
  readonly text: string;
  readonly cursor: number;
}

/** Steps that can be undone. */
const MOST_STEPS = 200;

/** Starts editing a text, the cursor behind it. */
export function editText(text: string): TextEdit {
  return { text, cursor: text.length, past: [], future: [], typing: false };
}

/**
 * Inserts at the cursor, as one step to undo; single graphemes typed one after the other are undone by words.
 * A field is one line: line breaks inside become a space, those around and control characters go.
 */
export function insertText(edit: TextEdit, text: string): TextEdit {
  const line = oneLine(text);
  if (line === "") return edit;
  const single = nextBoundary(line, 0) === line.length;
  const joins = edit.typing && single && (line !== " " || edit.text[edit.cursor - 1] === " ");
  const next = edit.text.slice(0, edit.cursor) + line + edit.text.slice(edit.cursor);
  const inserted = changed(edit, next, edit.cursor + line.length, single);
  return joins ? { ...inserted, past: edit.past } : inserted;
}

/** Applies an editing key; null when the key edits nothing in any text field, the same edit when it has no effect here. */
export function applyKey(edit: TextEdit, keyName: string): TextEdit | null {
  return KEYS.get(keyName)?.(edit) ?? null;
}

type Verb = (edit: TextEdit) => TextEdit;

const moveTo =
  (where: (edit: TextEdit) => number): Verb =>
  (edit) => {
    const cursor = where(edit);
    return cursor === edit.cursor ? edit : { ...edit, cursor, typing: false };
  };

/** Deletes from the cursor to a place before or behind it. */
const deleteTo =
  (where: (edit: TextEdit) => number): Verb =>
  (edit) => {
    const place = where(edit);
    if (place === edit.cursor) return edit;
    const from = Math.min(place, edit.cursor);
    const to = Math.max(place, edit.cursor);
    return changed(edit, edit.text.slice(0, from) + edit.text.slice(to), from, false);
  };

const start = (): number => 0;
const end = ({ text }: TextEdit): number => text.length;
const before = ({ text, cursor }: TextEdit): number => previousBoundary(text, cursor);
const after = ({ text, cursor }: TextEdit): number => nextBoundary(text, cursor);
const isWord = (grapheme: string): boolean => /^[\p{L}\p{N}_]/u.test(grapheme);
const isSolid = (grapheme: string): boolean => /^\S/u.test(grapheme);
const wordBefore = (edit: TextEdit): number => over(edit, isWord, previousBoundary);
const wordAfter = (edit: TextEdit): number => over(edit, isWord, nextBoundary);
const blankBefore = (edit: TextEdit): number => over(edit, isSolid, previousBoundary);

/** The far edge of the word beside the cursor; what lies between is passed over first. */
function over(
  { text, cursor }: TextEdit,
  belongs: (grapheme: string) => boolean,
  step: (text: string, at: number) => number,
): number {
  let place = cursor;
  let inside = false;
  for (let next = step(text, place); next !== place; next = step(text, place)) {
    const belonging = belongs(text.slice(Math.min(place, next), Math.max(place, next)));
    if (inside && !belonging) break;
    inside = belonging;
    place = next;
  }
  return place;
}

/** Takes the last moment from one side, and leaves the present one on the other. */
const travel =
  (from: "past" | "future", to: "past" | "future"): Verb =>
  (edit) => {
    const moment = edit[from].at(-1);
    if (moment === undefined) return edit;
    const { text, cursor } = edit;
    return {
      ...edit,
      ...moment,
      [from]: edit[from].slice(0, -1),
      [to]: [...edit[to], { text, cursor }],
      typing: false,
    };
  };

const undo = travel("past", "future");
const redo = travel("future", "past");

const KEYS: ReadonlyMap<string, Verb> = new Map([
  ["left", moveTo(before)],
  ["ctrl+b", moveTo(before)],
  ["right", moveTo(after)],
  ["ctrl+f", moveTo(after)],
  ["home", moveTo(start)],
  ["ctrl+a", moveTo(start)],
  ["end", moveTo(end)],
  ["ctrl+e", moveTo(end)],
  ["alt+b", moveTo(wordBefore)],
  ["ctrl+left", moveTo(wordBefore)],
  ["alt+left", moveTo(wordBefore)],
  ["alt+f", moveTo(wordAfter)],
  ["ctrl+right", moveTo(wordAfter)],
  ["alt+right", moveTo(wordAfter)],
  ["backspace", deleteTo(before)],
  ["delete", deleteTo(after)],
  ["ctrl+d", deleteTo(after)],
  ["ctrl+w", deleteTo(blankBefore)],
  ["alt+backspace", deleteTo(wordBefore)],
  ["alt+d", deleteTo(wordAfter)],
  ["ctrl+delete", deleteTo(wordAfter)],
  ["ctrl+u", deleteTo(start)],
  ["ctrl+k", deleteTo(end)],
  ["ctrl+_", undo],
  ["alt+u", undo],
  ["ctrl+y", redo],
  ["alt+r", redo],
]);

/** The edit after a change; a cursor that a change left inside a grapheme goes behind it. */
function changed(edit: TextEdit, text: string, at: number, typing: boolean): TextEdit {
  const past = [...edit.past, { text: edit.text, cursor: edit.cursor }].slice(-MOST_STEPS);
  const cursor = at === 0 ? 0 : nextBoundary(text, previousBoundary(text, at));
  return { text, cursor, past, future: [], typing };
}

function oneLine(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/^[\r\n]+|[\r\n]+$/g, "")
    .replaceAll(/[\t ]*[\r\n]+[\t ]*|\t/g, " ")
    .replaceAll(/\p{Cc}/gu, "");
}

/** Two ASCII neighbours are always apart but for CR LF. The edges of the text count as ASCII. */
function isPlain(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code < 0x80 && code !== 0x0d;
}

function previousBoundary(text: string, at: number): number {
  if (at <= 0) return 0;
  if (isPlain(text, at - 1) && isPlain(text, at - 2)) return at - 1;
  return graphemeSegments(text).containing(at - 1)!.index;
}

function nextBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (isPlain(text, at) && isPlain(text, at + 1)) return at + 1;
  const { index, segment } = graphemeSegments(text).containing(at)!;
  return index + segment.length;
}
