// Finds what was typed in a name: in one piece, or letter by letter with gaps.

export interface FuzzyMatch {
  /** 0 where the name begins so; in one piece before letters with gaps. */
  readonly distance: number;
  /** Indices of the letters that were found. */
  readonly letters: readonly number[];
}

/** Letters with gaps come after any match in one piece. */
export const GAPS = 2_000;

/** Where the letters of a text stand in a name, in their order and in any case; blanks only separate. Null where one is missing. */
export function fuzzyMatch(name: string, typed: string): FuzzyMatch | null {
  const [inside, wanted] = [name.toLowerCase(), typed.trim().toLowerCase()];
  const at = inside.indexOf(wanted);
  if (at >= 0) return { distance: at, letters: Array.from(wanted, (_, index) => at + index) };
  const letters: number[] = [];
  for (const letter of wanted.replaceAll(" ", "")) {
    const found = inside.indexOf(letter, (letters.at(-1) ?? -1) + 1);
    if (found < 0) return null;
    letters.push(found);
  }
  return { distance: GAPS + letters.at(-1)!, letters };
}
