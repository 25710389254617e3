import fc from "fast-check";
import { expect, test } from "vitest";
import { HeaderTable } from "#src/signing/header-table.ts";

test("a header that is there once has its value, whatever requests came before; any other has none", () => {
  const name = fc.constantFrom("host", "Host", "DATE", "date", "x-a", "X-A", "constructor", "__proto__");
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.tuple(name, fc.string()), { maxLength: 6 }), { minLength: 1, maxLength: 12 }),
      (requests) => {
        for (const lines of requests) {
          const table = new HeaderTable(lines.flat());
          const lower = lines.map(([each]) => each.toLowerCase());
          const twice = lower.filter((each) => lower.indexOf(each) !== lower.lastIndexOf(each));
          expect(table.layout.repeated).toEqual([...new Set(twice)]);
          for (const each of [...lower, "host", "x-b", "toString"]) {
            const values = lines.filter((_, at) => lower[at] === each).map(([, value]) => value);
            expect(table.get(each)).toBe(values.length === 1 ? values[0] : undefined);
          }
        }
      },
    ),
  );
});
