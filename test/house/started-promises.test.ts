// No test awaits something else between starting a promise and handling its rejection: that would be an unhandled rejection.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const tests = fileURLToPath(new URL("..", import.meta.url));
const REJECTS = /await expect\((\w+)\)\.rejects/;
/** Lines that one test may put between the start and the expectation. */
const REACH = 40;

/** Numbers of the lines, from 1, whose promise was started before something else was awaited. */
function startedTooEarly(text: string): number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const name = REJECTS.exec(line)?.[1];
    if (name === undefined) return [];
    const starts = new RegExp(`(?:const|let) ${name}\\b`);
    const before = lines.slice(Math.max(0, index - REACH), index);
    const start = before.findLastIndex((each) => starts.test(each));
    if (start < 0) return [];
    // A loop over promises starts all of them and listens to the first.
    if (/\bfor \(/.test(before[start]!)) return [index + 1];
    const between = before.slice(start + 1);
    if (between.some((each) => each.includes(`${name}.catch(`))) return [];
    return between.some((each) => each.includes("await ") && !each.includes(`expect(${name})`))
      ? [index + 1]
      : [];
  });
}

it("finds a loop over promises, and one that waits for something else", () => {
  const start = "const saving = vault.put(KEY);\n";
  const listen = "await expect(saving).rejects.toThrow();\n";
  expect(startedTooEarly(start + listen + listen)).toEqual([]);
  expect(startedTooEarly(`${start}await turn();\n${listen}`)).toEqual([3]);
  expect(startedTooEarly(`${start}saving.catch(() => undefined);\nawait turn();\n${listen}`)).toEqual([]);
  expect(startedTooEarly(`for (const saving of [vault.put(KEY), vault.probe()]) {\n${listen}`)).toEqual([2]);
});

it("finds none in any test", () => {
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((name) =>
    startedTooEarly(readFileSync(join(tests, name), "utf8")).map((line) => `${name}:${line}`),
  );
  expect(found).toEqual([]);
});
