import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { guard } from "#src/display/guard.ts";
import { gatherLines } from "#src/sandbox/state/line-file.ts";

test("lines are put together, in order, a moment after the first of them", () => {
  vi.useFakeTimers();
  try {
    const puts: string[] = [];
    const lines = gatherLines((text) => puts.push(text));
    lines.write({ said: "one" });
    lines.write({ said: "two", of: undefined });
    expect(puts).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(puts).toEqual([`{"said":"one"}\n{"said":"two"}\n`]);
    lines.write({ said: "three" });
    lines.close();
    expect(puts).toEqual([`{"said":"one"}\n{"said":"two"}\n`, `{"said":"three"}\n`]);
    vi.advanceTimersByTime(1_000);
    expect(puts).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test("nothing that waits is lost at the end of the process", () => {
  const puts: string[] = [];
  const before = new Set(process.listeners("exit"));
  const lines = gatherLines((text) => puts.push(text));
  const others = Array.from({ length: 20 }, () => gatherLines((text) => puts.push(text)));
  const [atExit, ...more] = process.listeners("exit").filter((listener) => !before.has(listener));
  expect(more).toEqual([]);
  lines.write({ said: "last words" });
  others[0]!.write({ said: "and these" });
  atExit!.call(process, 0);
  expect(puts).toEqual([`{"said":"last words"}\n`, `{"said":"and these"}\n`]);
  for (const each of [lines, ...others]) each.close();
  expect(process.listeners("exit")).toHaveLength(before.size);
});

test("lines that were gathered are guarded as each of them would be", () => {
  const text = fc.string({ unit: "binary" }).map((line) => line.replaceAll("\n", ""));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (lines) => {
      expect(guard(lines.join("\n"), false)).toBe(lines.map((line) => guard(line, false)).join("\n"));
    }),
    { numRuns: 50 },
  );
});
