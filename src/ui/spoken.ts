// A drawn screen as lines for a screen reader: no frames, no signs, verdicts and outcomes in words. Pure.

import { decisionOf, type Decided } from "#src/display/decision.ts";
import { SIGN } from "#src/display/sign.ts";
import { VERDICTS } from "#src/display/verdict.ts";

/** Bars, small charts and big letters. */
const DRAWING = /[\u2500-\u259f\u2800-\u28ff]+/g;

/** The lines of a frame that have letters or digits, from the top; two blanks end a column. */
export function spokenLines(frame: string): string[] {
  return frame
    .replaceAll(DRAWING, "  ")
    .replaceAll(SIGN.ellipsis.symbol, "...")
    .split("\n")
    .map(spokenLine)
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function spokenLine(drawn: string): string {
  return drawn
    .replaceAll(/ {2,}/g, ", ")
    .replaceAll(/ ?,[ ,]* /g, ", ")
    .replaceAll(/([.:;?!]), /g, "$1 ")
    .replaceAll(/^[ ,]+|[ ,:]+$/g, "");
}

/** Clocks and countdowns, which are not announced every second. */
const TICKING = /\d+(?::\d\d)+|\d+(?:\.\d+)? s\b|\d+ (?:minute|hour)s?/g;

const SELECTED = SIGN.pointer.words;

/**
 * Takes the frames one after the other, and gives the lines to say: those that are new, and were not said in the place
 * that is on the screen again; what is selected now always. Of the last line, which lists keys, those never said before.
 */
export function createListener(): (frame: string) => string[] {
  let last: readonly string[] = [];
  const places: (readonly string[])[] = [];
  const keysSaid = new Set<string>();
  return (frame) => {
    const all = spokenLines(frame);
    const lines = all.slice(0, -1);
    const keys = (all.at(-1) ?? "").split(", ").filter((key) => !keysSaid.has(key));
    for (const key of keys) keysSaid.add(key);
    const at = places.findLastIndex((place) => newLines(place, lines).length * 2 < lines.length);
    const there = new Set(newLines(places[at] ?? last, lines));
    const fresh = newLines(last, lines).filter(
      (line) => there.has(line) || line === lines[0] || line.startsWith(SELECTED),
    );
    // What lay over the selected row is closed.
    const isLost = last.some((line) => line.startsWith(SELECTED) && !lines.includes(line));
    const selected = lines.filter((line) => line.startsWith(SELECTED));
    if (isLost && !selected.some((line) => fresh.includes(line))) fresh.push(...selected.slice(-1));
    last = lines;
    places.splice(at < 0 ? places.length : at, places.length, lines);
    // More pages do not lie over each other.
    if (places.length > 12) places.shift();
    return keys.length === 0 ? fresh : [...fresh, keys.join(", ")];
  };
}

/** The lines that were not there before, ignoring clocks and countdowns, and that they are not selected any more. */
function newLines(before: readonly string[], after: readonly string[]): string[] {
  const still = (line: string): string => line.replaceAll(TICKING, "#");
  const known = new Map<string, number>();
  const unselected = before.flatMap((line) =>
    line.startsWith(SELECTED) ? [line.slice(SELECTED.length)] : [],
  );
  for (const line of [...before, ...unselected]) known.set(still(line), (known.get(still(line)) ?? 0) + 1);
  return after.filter((line) => {
    const left = known.get(still(line)) ?? 0;
    known.set(still(line), left - 1);
    return left <= 0;
  });
}

/** A verdict as a sentence: `Verdict: block. Block further processing. Reason: 6 attempts with this card in 1 h.` */
export function spokenVerdict(entry: Decided): string {
  const { kinds, reactions, reasons, silence } = decisionOf(entry);
  const name = kinds[0] === "3ds_or_block" ? "3-D Secure or block" : VERDICTS[kinds[0]].word.toLowerCase();
  const why = silence ?? reasons[0]!.text;
  return `Verdict: ${name}. ${reactions[0]} Reason: ${why.replace(/\.$/, "")}.`;
}
