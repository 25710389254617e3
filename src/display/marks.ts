// What a row of the history tells besides its verdict, in letters: further attempts, a note, 3-D Secure open or decided. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";

/** What the letters mean; where there is room it stands below a list that has some. */
export const MARKS_LEGEND = "2x attempts  n note  ? 3-D Secure open  = decided";

/** `2xn?`: empty where there is nothing to tell. @param attempt which attempt of its payment the entry is, from 1 */
export function marksOf(entry: HistoryEntry, attempt: number): string {
  const { result, note, finalAction } = entry;
  // Requests of one call, or calls for one payment: the larger number is what must not be missed.
  const attempts = Math.max(attempt, result?.attempts ?? 1);
  const secure = result?.recommendation === "3ds_or_block" ? (finalAction === null ? "?" : "=") : "";
  return `${plainMarks(attempts, note)}${secure}`;
}

/** Without what is said of 3-D Secure: `2xn`. */
export function plainMarks(attempts: number, note: string | null): string {
  return `${attempts > 1 ? `${Math.min(attempts, 9)}x` : ""}${note === null ? "" : "n"}`;
}

/** Which attempt of its payment each entry is, as far as those that it repeats are among them; 2 at least for one that repeats. */
export function attemptsAmong(
  entries: readonly Pick<HistoryEntry, "id" | "repeats">[],
): ReadonlyMap<string, number> {
  const before = new Map<string, string>();
  for (const { id, repeats } of entries) if (repeats !== null) before.set(id, repeats);
  const numbers = new Map<string, number>();
  for (const id of before.keys()) {
    let number = 1;
    // A chain that bites its own tail, in a file that was tampered with, must not be followed for ever.
    for (let at = before.get(id); at !== undefined && number <= before.size; at = before.get(at)) number += 1;
    numbers.set(id, number);
  }
  return numbers;
}
