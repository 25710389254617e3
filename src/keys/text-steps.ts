// What undo and redo go through in a prompt: the words that were typed, the runs that were deleted, and each other change.

export interface TextSteps {
  /** Notes a change; `at` is the cursor behind it. One UTF-16 unit is one grapheme. */
  changed(before: string, after: string, at: number): void;
  /** The text to go to; the text itself where there is none, null for a key that neither undoes nor redoes. */
  turned(key: string, text: string): string | null;
}

const UNDO = ["ctrl+_", "alt+u"];
const REDO = ["ctrl+y", "alt+r"];

export function createTextSteps(): TextSteps {
  const past: string[] = [];
  const future: string[] = [];
  let last = { by: 0, at: 0 };
  return {
    changed(before, after, at) {
      const by = after.length - before.length;
      const goesOn = Math.abs(by) === 1 && by === last.by && at === last.at + by;
      const endsWord = after[at - 1] === " " && after[at - 2] !== " ";
      if (!goesOn || (by === 1 && endsWord)) past.push(before);
      future.length = 0;
      last = { by, at };
    },
    turned(key, text) {
      if (!UNDO.includes(key) && !REDO.includes(key)) return null;
      const [from, to] = UNDO.includes(key) ? [past, future] : [future, past];
      const next = from.pop();
      if (next !== undefined) to.push(text);
      last = { by: 0, at: 0 };
      return next ?? text;
    },
  };
}
