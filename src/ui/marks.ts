// One-letter marks of a history row: further attempts, a note, 3-D Secure open or decided. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Ascii } from "#src/display/sign.ts";

/** The legend of the marks, shown below a list that has some where there is room. */
export const MARKS_LEGEND = "2x attempts  & note  ? 3-D Secure open  = decided";

/** `2x&?`; empty without any mark; in words without 3-D Secure, which the final action tells. */
export function marksOf({ result, note, finalAction }: HistoryEntry, attempts: number, ascii: Ascii): string {
  if (ascii === "words") return plainMarks(attempts, note, ascii);
  const secure = result?.recommendation === "3ds_or_block" ? (finalAction === null ? "?" : "=") : "";
  return `${plainMarks(attempts, note, ascii)}${secure}`;
}

/** Without the mark of 3-D Secure: `2x&`. */
export function plainMarks(attempts: number, note: string | null, ascii: Ascii): string {
  const words = [...(attempts > 1 ? [`attempt ${attempts}`] : []), ...(note === null ? [] : ["has a note"])];
  if (ascii === "words") return words.join(", ");
  return `${attempts > 1 ? `${Math.min(attempts, 9)}x` : ""}${note === null ? "" : "&"}`;
}

type Attempt = Pick<HistoryEntry, "id" | "repeats" | "result">;

/** Counts the attempts of an entry along the entries given: requests of its call, or calls for its payment if they are more. */
export function attemptsAmong(entries: readonly Attempt[]): (entry: Attempt) => number {
  const before = new Map<string, string>();
  for (const { id, repeats } of entries) if (repeats !== null) before.set(id, repeats);
  return ({ id, result }) => {
    let number = 1;
    // A tampered file may hold a cycle: stop after as many steps as there are links.
    for (let at = before.get(id); at !== undefined && number <= before.size; at = before.get(at)) number += 1;
    return Math.max(number, result?.attempts ?? 1);
  };
}
