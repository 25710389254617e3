// The word of a list that is most like another.

/** @param known at least one */
export function nearest(word: string, known: Iterable<string>): string {
  return [...known].toSorted((one, other) => edits(word, one) - edits(word, other))[0]!;
}

/** How many characters are added, removed or replaced (Levenshtein). */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1)
      next.push(Math.min(next[to]! + 1, row[to + 1]! + 1, row[to]! + Number(one[at] !== other[to])));
    row = next;
  }
  return row[other.length]!;
}
