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
  // Others may be open in this process.
  const listening = (): NodeJS.ExitListener[] =>
    process.listeners("exit").filter(({ name }) => name.endsWith("flushAll"));
  const before = listening().length;
  const [lines, ...others] = Array.from({ length: 20 }, () => gatherLines((text) => puts.push(text)));
  expect(listening().length - before).toBeLessThanOrEqual(1);
  lines!.write({ said: "last words" });
  others[0]!.write({ said: "and these" });
  for (const listener of listening()) listener.call(process, 0);
  expect(puts).toEqual([`{"said":"last words"}\n`, `{"said":"and these"}\n`]);
  for (const each of [lines!, ...others]) each.close();
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
