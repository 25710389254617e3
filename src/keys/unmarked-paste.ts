// Detects a paste on a terminal that does not mark pastes: more text in one chunk than can be typed.

import { graphemeEnd } from "./grapheme.ts";
import type { Chunk, InputEvent } from "./key-parser.ts";

/** An event, or the rest of it, and its index in the chunk that it came with. */
export interface Arrival {
  readonly event: InputEvent;
  readonly chunk: Chunk;
  readonly at: number;
}

/**
 * More printable characters than this in one chunk are a paste; fewer may be keys that a slow connection has collected. A
 * key that is held counts once.
 */
const MOST_KEYS = 8;

/**
 * The paste that begins with an event: text, line breaks and tabs up to the next other key of its chunk.
 * @returns null when these are keys; `until` is the index in the chunk behind the paste
 */
export function unmarkedPaste({ event, chunk, at }: Arrival): { text: string; until: number } | null {
  // Tab and other keys open fields: typing ahead begins with one.
  if (event.type !== "text" && !isKey(event, "enter")) return null;
  let text = "";
  let until = at;
  let next: InputEvent | undefined = event;
  while (next !== undefined && next.type !== "paste") {
    if (next.type === "text") text += next.text;
    else if (isKey(next, "enter")) text += "\n";
    else if (isKey(next, "tab")) text += "\t";
    else break;
    until += 1;
    next = chunk[until];
  }
  const printable = Array.from(text.replaceAll(/[\n\t]/g, "").replaceAll(/(.)\1+/gsu, "$1")).length;
  return printable > MOST_KEYS || /[^\n\t]\t*\n\s*[^\n\t]/.test(text) ? { text, until } : null;
}

/** True when nothing else came in the chunk. */
export function isAlone({ event, chunk }: Arrival): boolean {
  if (chunk.length > 1) return false;
  const [whole] = chunk;
  return (
    event.type !== "text" || (whole?.type === "text" && graphemeEnd(whole.text, 0) === whole.text.length)
  );
}

function isKey(event: InputEvent, name: string): boolean {
  return event.type === "key" && event.name === name;
}
