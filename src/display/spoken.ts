// A drawn screen as lines for a screen reader: no frames, no signs, verdicts and outcomes in words. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { hitsOf } from "#src/contract/wire/explanation.ts";
import { safe } from "./safe.ts";
import { MARKS_LEGEND } from "./marks.ts";
import { SIGN } from "./sign.ts";
import { NO_OBJECTION, VERDICTS, verdictKind, verdictLabel, type VerdictKind } from "./verdict.ts";

/** Signs at the start of a line, and their words. */
const OPENINGS: readonly (readonly [string, string])[] = [
  [SIGN.pointer.symbol, "Selected: "],
  [SIGN.done.symbol, "Done: "],
  [SIGN.error.symbol, "Error: "],
  [SIGN.warning.symbol, "Warning: "],
  [SIGN.hidden.symbol, "Warning: "],
  [SIGN.note.symbol, "Note: "],
];

/** Signs within a line. */
const WORDS: readonly (readonly [string, string])[] = [
  [` ${SIGN.separator.symbol} `, ", "],
  [` ${SIGN.error.symbol} `, ", error: "],
  [` ${SIGN.done.symbol} `, ", done: "],
  [SIGN.ellipsis.symbol, "..."],
  [SIGN.arrow.symbol, "to"],
  [` ${SIGN.falling.symbol}`, ", sorted, falling"],
  [` ${SIGN.rising.symbol}`, ", sorted, rising"],
  [SIGN.up.symbol, "above"],
  [SIGN.down.symbol, "below"],
];

/** Marks of a history row, one or more in a word of their own: `2xn?`. */
const MARKS = /(?<= )(?=[2-9n?=])(?:([2-9])x)?(n)?([?=])?(?= |$)/g;

function spokenMarks(_: string, attempts?: string, note?: string, secure?: string): string {
  const decision = secure === "?" ? "3-D Secure open" : "3-D Secure decided";
  return [attempts && `attempt ${attempts}`, note && "has a note", secure && decision]
    .filter(Boolean)
    .join(", ");
}

/** Box drawing, bars and small charts; without the vertical line, which is also the cursor. */
const DRAWING = /[\u2500-\u2501\u2503-\u259f\u25b8\u2800-\u28ff]+/g;

const LABELS: readonly (readonly [string, string, RegExp])[] = (Object.keys(VERDICTS) as VerdictKind[]).map(
  (kind) => {
    const { symbol, word } = VERDICTS[kind];
    return [verdictLabel(kind, false), word, new RegExp(`(^| )[${symbol}] (\\d+(?= |$))`, "g")];
  },
);

/** A bar of verdict signs is left out, because the counts beside it say the same. */
const BARS = new RegExp(
  `[${Object.values(VERDICTS)
    .map(({ symbol }) => symbol)
    .join("")}]{2,}`,
  "g",
);

/** The lines of a frame that have letters or digits, from the top. */
export function spokenLines(frame: string): string[] {
  return frame
    .split("\n")
    .map(spokenLine)
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function spokenLine(drawn: string): string {
  const vertical = SIGN.vertical.symbol;
  // A legend explains signs to eyes.
  let line = drawn
    .replace(MARKS_LEGEND, "")
    .replaceAll(` ${vertical} `, "  ")
    .replaceAll(vertical, "")
    .replaceAll(DRAWING, "  ")
    .replaceAll(BARS, "  ")
    .trim();
  if (LABELS.some(([label]) => line.includes(label))) line = line.replaceAll(MARKS, spokenMarks);
  for (const [label, word, count] of LABELS)
    line = line.replaceAll(label, word).replaceAll(count, `$1${word} $2`);
  for (const [sign, says] of OPENINGS) {
    if (!line.startsWith(sign)) continue;
    line = says + line.slice(sign.length).trimStart();
    break;
  }
  for (const [sign, word] of WORDS) line = line.replaceAll(sign, word);
  return line
    .replaceAll(/\[ ([^\]]+) \]/g, "button $1")
    .trim()
    .replaceAll(/[,.]? {2,}/g, (gap) => (gap.startsWith(".") ? ". " : ", "))
    .replaceAll(/: , /g, ": ");
}

/** Clocks and countdowns, which are not announced every second. */
const TICKING = /\d+(?::\d\d)+|\d+(?:\.\d+)? s\b/g;

const SELECTED = OPENINGS[0]![1];

/**
 * The lines that were not there before, ignoring clocks and countdowns, and that they are not selected any more. Of the
 * last line, which lists keys, what is new in it.
 */
export function newLines(before: readonly string[], after: readonly string[]): string[] {
  const still = (line: string): string => line.replaceAll(TICKING, "#");
  const known = new Map<string, number>();
  const unselected = before.flatMap((line) =>
    line.startsWith(SELECTED) ? [line.slice(SELECTED.length)] : [],
  );
  for (const line of [...before, ...unselected]) known.set(still(line), (known.get(still(line)) ?? 0) + 1);
  const fresh = after.slice(0, -1).filter((line) => {
    const left = known.get(still(line)) ?? 0;
    known.set(still(line), left - 1);
    return left <= 0;
  });
  const keysBefore = new Set(still(before.at(-1) ?? "").split(", "));
  const keys = (after.at(-1) ?? "").split(", ").filter((key) => !keysBefore.has(still(key)));
  return keys.length === 0 ? fresh : [...fresh, keys.join(", ")];
}

/** A verdict as a sentence: `Verdict: block. Block further processing. Reason: 6 attempts with this card in 1 h.` */
export function spokenVerdict({ result, explanation }: Pick<HistoryEntry, "result" | "explanation">): string {
  const kind = verdictKind(result);
  const { word, reaction } = VERDICTS[kind];
  const name = kind === "3ds_or_block" ? "3-D Secure or block" : word.toLowerCase();
  const hit = explanation === null ? undefined : hitsOf(explanation)[0];
  const why =
    hit?.text ?? (explanation === null ? (result?.message ?? result?.explanation ?? null) : NO_OBJECTION);
  const reason = why === null ? "" : ` Reason: ${safe(why, { max: 400 }).replace(/\.$/, "")}.`;
  return `Verdict: ${name}. ${reaction}${reason}`;
}
