import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { ArraySplitter } from "#src/replay/sources/source-array.ts";
import { complaints, orders, payload, readFile, readStdin } from "./reading.ts";

interface Split {
  readonly elements: readonly string[];
  readonly problem: string | null;
}

function split(text: string, chunkBytes: number): Split {
  const elements: string[] = [];
  const splitter = new ArraySplitter((_index, _line, bytes) => elements.push(Buffer.from(bytes!).toString()));
  const bytes = Buffer.from(text);
  // One piece of memory for every chunk, as a file is read.
  const memory = Buffer.alloc(chunkBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const length = bytes.copy(memory, 0, at, at + chunkBytes);
    const problem = splitter.push(memory.subarray(0, length));
    if (problem !== null) return { elements, problem };
  }
  return { elements, problem: splitter.end() };
}

describe("a list cut into elements", () => {
  test("is what the whole parse gives, at every size of chunk", () => {
    fc.assert(
      fc.property(
        fc.array(fc.json({ maxDepth: 3 })),
        fc.constantFrom("", " ", "\r\n\t"),
        (elements, blank) => {
          const text = `${blank}[${elements.map((element) => blank + element + blank).join(",")}]${blank}`;
          const expected: unknown[] = JSON.parse(text);
          for (let size = 1; size <= Buffer.byteLength(text) + 1; size++) {
            const { elements: found, problem } = split(text, size);
            expect(problem).toBeNull();
            expect(found.map((element) => JSON.parse(element) as unknown)).toEqual(expected);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test("accepts no text that JSON refuses, once its elements are read", () => {
    const piece = fc.constantFrom(...Array.from('[]{},:"\\ \n1a'), "{}", '"a":');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = `[${pieces.join("")}`;
        const parses = (json: string): boolean => {
          try {
            JSON.parse(json);
            return true;
          } catch {
            return false;
          }
        };
        const { elements, problem } = split(text, 3);
        expect(problem === null && elements.every(parses)).toBe(parses(text));
        for (const size of [1, 2, 5, 1000]) expect(split(text, size)).toEqual({ elements, problem });
      }),
      { numRuns: 600 },
    );
  });
});

describe("a list of payloads", () => {
  test("one bad element is told by its place, and the rest goes on", async () => {
    const elements = [
      payload(),
      '{"amount":1,\n"amount":2}',
      payload({ order_id: "a-2" }),
      "7",
      '{"amount":1e3}',
    ];
    const read = await readFile(
      "all.json",
      `\ufeff[\n${elements.join(",\n")},\n${payload({ order_id: "a-3" })}]\n`,
    );
    expect(orders(read)).toEqual(["a-1", "a-2", "a-3"]);
    expect(read.items.map((item) => item.origin)).toEqual(["all.json[0]", "all.json[2]", "all.json[5]"]);
    expect(complaints(read)).toEqual([
      'all.json[1]: Line 4: the key "amount" occurs twice.',
      "all.json[3]: A check request is a JSON object, not a number.",
      expect.stringMatching(/^all\.json\[4\]: amount must be a whole number/),
    ]);
  });

  test.each([
    [
      "cut off between elements",
      `[${payload()},`,
      "The text ends inside the list, in line 1; it may be cut off.",
    ],
    [
      "cut off in an element",
      `[${payload()},{"a"`,
      "The text ends inside the list, in line 1; it may be cut off.",
    ],
    ["followed by more", `[${payload()}]\n[]`, "Nothing may follow the end of the list, and line 2 does."],
    ["without a comma", `[${payload()},{}{}]`, "the end of the text is expected"],
    ["with a comma too many", `[${payload()},]`, "the text ends where a value is expected"],
  ])("%s", async (_name, text, message) => {
    const read = await readFile("cut.json", text);
    expect(orders(read)).toEqual(["a-1"]);
    expect(complaints(read)).toEqual([expect.stringContaining(message)]);
  });

  test("may be larger than any document, and its elements may not", async () => {
    const large = payload({ description: "x".repeat(1000) });
    const count = 6000;
    const read = await readStdin(
      `[${Array.from({ length: count }, () => large).join(",")},{"a":"${"x".repeat(2 << 20)}"}]`,
    );
    expect(read.items).toHaveLength(count);
    expect(complaints(read)).toEqual([`stdin[${count}]: The element in line 1 is larger than 1 MiB.`]);
  });
});
