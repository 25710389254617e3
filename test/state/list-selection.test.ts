// Laws of the selected row: a move stays inside the list, and a changed list keeps the row or its place.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keptRow, movedIndex, movedRow, nextAround } from "#src/state/list-selection.ts";

const lists = fc.uniqueArray(fc.nat(30), { maxLength: 12 });
const filledLists = fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 12 });
const moves = fc.oneof(fc.integer({ min: -40, max: 40 }), fc.constantFrom("first" as const, "last" as const));

describe("a move", () => {
  it("selects a row of the list, and none of an empty one", () => {
    fc.assert(
      fc.property(lists, fc.nat(30), moves, (rows, selected, move) => {
        const row = movedRow(rows, (each) => each === selected, move);
        if (rows.length === 0) expect(row).toBeNull();
        else expect(rows).toContain(row);
      }),
    );
  });

  it("goes as many rows as it says, as far as there are any", () => {
    fc.assert(
      fc.property(filledLists, fc.nat(), fc.integer({ min: -40, max: 40 }), (rows, any, by) => {
        const at = any % rows.length;
        const index = movedIndex(at, by, rows.length);
        const isClamped = index === 0 || index === rows.length - 1;
        expect(index === at + by || isClamped).toBe(true);
        expect(Math.sign(index - at) * Math.sign(by)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("reaches both ends, from wherever and from no row", () => {
    fc.assert(
      fc.property(filledLists, fc.nat(30), (rows, selected) => {
        const isSelected = (each: number): boolean => each === selected;
        expect(movedRow(rows, isSelected, "first")).toBe(rows[0]);
        expect(movedRow(rows, isSelected, "last")).toBe(rows.at(-1));
        expect(movedRow(rows, isSelected, -rows.length)).toBe(rows[0]);
        expect(movedRow(rows, isSelected, rows.length)).toBe(rows.at(-1));
      }),
    );
  });
});

describe("a list that has changed", () => {
  it("keeps the selected row wherever it stands now", () => {
    fc.assert(
      fc.property(filledLists, filledLists, fc.nat(), (rows, before, any) => {
        const selected = rows[any % rows.length]!;
        expect(keptRow(rows, before, (each) => each === selected)).toBe(selected);
      }),
    );
  });

  it("selects the row that took the place of one that is gone, or the last", () => {
    fc.assert(
      fc.property(filledLists, fc.nat(), (before, any) => {
        const at = any % before.length;
        const rows = before.toSpliced(at, 1);
        const row = keptRow(rows, before, (each) => each === before[at]);
        expect(row).toBe(rows[at] ?? rows.at(-1) ?? null);
      }),
    );
  });

  it("selects the first row where none was selected", () => {
    fc.assert(
      fc.property(lists, lists, (rows, before) => {
        expect(keptRow(rows, before, () => false)).toBe(rows[0] ?? null);
      }),
    );
  });
});

describe("around the ends", () => {
  it("comes to every entry once, and a step back undoes a step", () => {
    fc.assert(
      fc.property(filledLists, fc.nat(), fc.constantFrom(1 as const, -1 as const), (all, any, step) => {
        let at = all[any % all.length]!;
        const seen = new Set<number>();
        for (const _ of all) {
          const next = nextAround(all, at, step)!;
          expect(nextAround(all, next, step === 1 ? -1 : 1)).toBe(at);
          seen.add(next);
          at = next;
        }
        expect(seen.size).toBe(all.length);
      }),
    );
  });

  it("has nowhere to go in an empty list", () => {
    expect(nextAround([], 1, 1)).toBeNull();
  });
});
