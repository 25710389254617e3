// The editing state of text fields, fed by the real parser where input of a terminal is meant.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EDITING_KEYS } from "#src/keys/key-names.ts";
import { createKeyParser } from "#src/keys/key-parser.ts";
import { applyKey, editText, insertText, type TextEdit } from "#src/display/text-edit.ts";

/** What a field holds after this terminal input, `|` where the cursor is. */
function typed(input: string, initial = ""): string {
  let edit = editText(initial);
  const parser = createKeyParser((event) => {
    if (event.type === "mouse" || event.type === "overlong") return;
    edit = event.type === "key" ? (applyKey(edit, event.name) ?? edit) : insertText(edit, event.text);
  });
  parser.feed(input);
  parser.flush();
  return show(edit);
}

const show = ({ text, cursor }: TextEdit): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

const keys = (edit: TextEdit, ...names: string[]): TextEdit =>
  names.reduce((now, name) => applyKey(now, name)!, edit);

const FAMILY = "👨‍👩‍👧‍👦";
const FLAG = "🇺🇦";

describe("what ink-text-input loses", () => {
  it.each([
    ["three backspaces in one chunk", "abcdef\x7f\x7f\x7f", "abc|"],
    ["text, a backspace and text in one chunk", "ab\x7fcd", "acd|"],
    ["Enter behind text in one chunk", "abc\r", "abc|"],
    ["Ctrl letters insert nothing", "ab\x07\x0e\x10\x12\x18c", "abc|"],
    ["Home and End", "bc\x1b[Ha\x1b[Fd", "abcd|"],
    ["Del deletes behind the cursor", "abc\x1b[H\x1b[3~", "|bc"],
    ["emoji are deleted whole", `a${FAMILY}${FLAG}é😀\x7f\x7f\x7f`, `a${FAMILY}|`],
    ["the cursor passes emoji whole", `a${FAMILY}b\x1b[D\x1b[Dx`, `ax|${FAMILY}b`],
  ])("%s", (_, input, expected) => {
    expect(typed(input)).toBe(expected);
  });
});

describe("moves and deletions", () => {
  const words = "pay  o-1041 now";
  it.each([
    ["alt+b", "pay  o-1041 now|", "pay  o-1041 |now"],
    ["ctrl+left", "pay  o-10|41 now", "pay  o-|1041 now"],
    ["alt+left", "pay  |o-1041 now", "|pay  o-1041 now"],
    ["alt+f", "|pay  o-1041 now", "pay|  o-1041 now"],
    ["ctrl+right", "pay|  o-1041 now", "pay  o|-1041 now"],
    ["alt+right", "pay  o-1041 now|", "pay  o-1041 now|"],
    ["ctrl+w", "pay  o-1041| now", "pay  | now"],
    ["ctrl+w", "pay  |o-1041 now", "|o-1041 now"],
    ["alt+backspace", "pay  o-1041| now", "pay  o-| now"],
    ["alt+d", "pay|  o-1041 now", "pay|-1041 now"],
    ["ctrl+delete", "pay  o-1041 |now", "pay  o-1041 |"],
    ["ctrl+u", "pay  |o-1041 now", "|o-1041 now"],
    ["ctrl+k", "pay  |o-1041 now", "pay  |"],
    ["ctrl+a", "pay  |o-1041 now", "|pay  o-1041 now"],
    ["ctrl+e", "pay  |o-1041 now", "pay  o-1041 now|"],
    ["ctrl+d", "pay  o-1041 now|", "pay  o-1041 now|"],
    ["backspace", "|pay  o-1041 now", "|pay  o-1041 now"],
    ["left", "|pay  o-1041 now", "|pay  o-1041 now"],
  ])("%s at %s", (name, from, to) => {
    const at = from.indexOf("|");
    expect(from.replace("|", "")).toBe(words);
    expect(show(applyKey({ ...editText(words), cursor: at }, name)!)).toBe(to);
  });

  it("a key without effect changes nothing, and others are not editing keys", () => {
    const edit = editText("abc");
    for (const name of ["right", "end", "delete", "ctrl+k", "alt+u", "ctrl+y"])
      expect(applyKey(edit, name)).toBe(edit);
    for (const name of [
      "enter",
      "esc",
      "tab",
      "up",
      "pagedown",
      "ctrl+c",
      "ctrl+r",
      "ctrl+z",
      "f1",
      "constructor",
    ])
      expect(applyKey(edit, name)).toBeNull();
  });

  it("the dispatcher knows which keys those are", () => {
    for (const name of EDITING_KEYS) expect(applyKey(editText("a"), name)).not.toBeNull();
  });
});

describe("insertion", () => {
  it("is one line", () => {
    expect(show(insertText(editText(""), "\no-1\n"))).toBe("o-1|");
    expect(show(insertText(editText("x"), "a\r\n  b\tc\x1b\x00"))).toBe("xa b c|");
    const edit = editText("x");
    expect(insertText(edit, "\n")).toBe(edit);
  });

  it("joins with its neighbours, and the cursor goes behind what it became", () => {
    expect(show(insertText({ ...editText("ex"), cursor: 1 }, "\u0301"))).toBe("e\u0301|x");
    expect(show(insertText({ ...editText("👩"), cursor: 0 }, "👨\u200d"))).toBe("👨\u200d👩|");
  });
});

describe("undo and redo", () => {
  const type = (edit: TextEdit, text: string): TextEdit =>
    Array.from(text).reduce((now, one) => insertText(now, one), edit);

  it("takes typing back by words, and a paste whole", () => {
    const edit = insertText(type(editText(""), "one two"), "PASTED TEXT");
    expect(show(keys(edit, "alt+u"))).toBe("one two|");
    expect(show(keys(edit, "alt+u", "ctrl+_"))).toBe("one|");
    expect(show(keys(edit, "alt+u", "alt+u", "alt+u"))).toBe("|");
    expect(show(keys(edit, "alt+u", "alt+u", "alt+r"))).toBe("one two|");
    expect(show(keys(edit, "alt+u", "alt+u", "ctrl+y", "ctrl+y"))).toBe("one twoPASTED TEXT|");
  });

  it("a move ends a word, and a change after undo ends redo", () => {
    const edit = type(keys(type(editText(""), "ab"), "left"), "x");
    expect(show(edit)).toBe("ax|b");
    expect(show(keys(edit, "alt+u"))).toBe("a|b");
    expect(show(keys(insertText(keys(edit, "alt+u"), "y"), "alt+r"))).toBe("ay|b");
  });
});

describe("laws", () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  const graphemes = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const boundaries = (text: string): Set<number> =>
    new Set([...Array.from(segmenter.segment(text), ({ index }) => index), text.length]);

  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "a",
          "B",
          "7",
          " ",
          "-",
          "é",
          "e\u0301",
          "\u0301",
          "\u200d",
          "😀",
          FAMILY,
          FLAG,
          "🇺",
          "👍🏽",
          "한",
          "\u1112",
          "\u0600",
          "क्षि",
          "\r",
          "\n",
          "\ud83d",
        ),
        fc.string({ unit: "binary", maxLength: 2 }),
      ),
      { maxLength: 6 },
    )
    .map((pieces) => pieces.join(""));
  const step = fc.oneof(fc.record({ insert: text }), fc.record({ key: fc.constantFrom(...EDITING_KEYS) }));
  const apply = (edit: TextEdit, one: { insert: string } | { key: string }): TextEdit =>
    "insert" in one ? insertText(edit, one.insert) : applyKey(edit, one.key)!;

  it("the cursor is always between graphemes, and text stays well formed", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (all) => {
        let edit = editText("");
        for (const one of all) {
          edit = apply(edit, one);
          expect(boundaries(edit.text)).toContain(edit.cursor);
          expect(edit.text.isWellFormed()).toBe(true);
          expect(edit.text).not.toMatch(/\p{Cc}/u);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("Backspace and Del take one whole grapheme", () => {
    fc.assert(
      fc.property(text, fc.nat(), (raw, seed) => {
        const whole = insertText(editText(""), raw).text;
        const places = [...boundaries(whole)];
        const cursor = places[seed % places.length]!;
        const edit = { ...editText(whole), cursor };
        const left = graphemes(whole.slice(0, cursor));
        const right = graphemes(whole.slice(cursor));
        expect(applyKey(edit, "backspace")!.text).toBe([...left.slice(0, -1), ...right].join(""));
        expect(applyKey(edit, "delete")!.text).toBe([...left, ...right.slice(1)].join(""));
      }),
      { numRuns: 500 },
    );
  });

  it("undo goes back to the start, and redo to the end", () => {
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 25 }), (raw, all) => {
        const start = editText(insertText(editText(""), raw).text);
        const changes = all.filter((one) => "insert" in one || !/^(?:ctrl\+[y_]|alt\+[ur])$/.test(one.key));
        const end = changes.reduce(apply, start);
        const times = end.past.length;
        const undone = keys(end, ...Array.from({ length: times }, () => "alt+u"));
        expect(undone.text).toBe(start.text);
        expect(keys(undone, ...Array.from({ length: times }, () => "alt+r")).text).toBe(end.text);
      }),
      { numRuns: 500 },
    );
  });
});
