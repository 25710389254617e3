// Sorting by time beyond memory: the order, and what can be seen of it on the disk.

import { fstatSync, readdirSync, readlinkSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { TimeSorter } from "#src/storage/database/time-sorter.ts";

function sorted<T>(values: readonly (readonly [at: number, value: T])[]): {
  values: T[];
  outOfOrder: number;
} {
  const sorter = new TimeSorter<T>();
  try {
    for (const [at, value] of values) sorter.add(at, value);
    expect(sorter.count).toBe(values.length);
    return { values: [...sorter.sorted()], outOfOrder: sorter.outOfOrder };
  } finally {
    sorter.close();
  }
}

it("sorts as a list does, and leaves the order of equal times", () => {
  const at = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -8.64e15, max: 8.64e15 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(at, fc.jsonValue())), (values) => {
      const wanted = values.toSorted(([a], [b]) => a - b).map(([, value]) => value);
      const found = sorted(values);
      expect(JSON.stringify(found.values)).toBe(JSON.stringify(wanted));
      expect(found.outOfOrder).toBe(values.filter(([time], i) => i > 0 && time < values[i - 1]![0]).length);
    }),
  );
});

it.skipIf(process.platform !== "linux")(
  "keeps what does not fit into memory in a private file without a name",
  () => {
    const nameless = (): number[] =>
      readdirSync("/proc/self/fd").flatMap((fd) => {
        try {
          return /etilqs_.*\(deleted\)$/.test(readlinkSync(`/proc/self/fd/${fd}`)) ? [Number(fd)] : [];
        } catch {
          return [];
        }
      });
    const sorter = new TimeSorter<string>();
    expect(nameless()).toEqual([]);
    for (let n = 0; n < 12_000; n += 1) sorter.add(-n, `${n}`.padStart(1_000));
    const files = nameless();
    expect(files).toHaveLength(1);
    expect(fstatSync(files[0]!).mode & 0o777).toBe(0o600);
    expect(sorter.sorted().next().value).toBe("11999".padStart(1_000));
    sorter.close();
    expect(nameless()).toEqual([]);
  },
);
