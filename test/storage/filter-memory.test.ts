// The last filters on disk: newest first, once each, few, private, and nothing that could be a secret.

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FILTERS_KEPT, openFilterMemory } from "#src/storage/documents/filter-memory.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { noDamage } from "./no-damage.ts";

describe("the last filters", () => {
  it("are kept newest first, once each, for the next session", async () => {
    const path = join(temporaryFolder(), "filters.json");
    const memory = openFilterMemory({ onProblem: noDamage, path });
    expect(await memory.list()).toEqual([]);
    expect(existsSync(path)).toBe(false);
    await memory.remember("verdict:block");
    await memory.remember(" amount>100000 since:2d ");
    expect(await memory.remember("verdict:block")).toEqual(["verdict:block", "amount>100000 since:2d"]);
    expect(await openFilterMemory({ onProblem: noDamage, path }).list()).toEqual([
      "verdict:block",
      "amount>100000 since:2d",
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("are not written again when the newest is used again", async () => {
    const path = join(temporaryFolder(), "filters.json");
    const memory = openFilterMemory({ onProblem: noDamage, path });
    await memory.remember("verdict:block");
    const before = statSync(path).ino;
    await memory.remember("verdict:block");
    expect(statSync(path).ino).toBe(before);
  });

  it("are only so many", async () => {
    const memory = openFilterMemory({ onProblem: noDamage, path: join(temporaryFolder(), "filters.json") });
    for (let at = 0; at < FILTERS_KEPT + 3; at += 1) await memory.remember(`amount>${at}`);
    const kept = await memory.list();
    expect(kept).toHaveLength(FILTERS_KEPT);
    expect(kept[0]).toBe(`amount>${FILTERS_KEPT + 2}`);
  });

  it.each([
    ["nothing", "   "],
    ["a card number", "4444 3333 2222 1111"],
    ["a card number within a term", "order:4444333322221111"],
    ["what looks like a key", "c2VjcmV0LW9mLXRoZS10ZXN0LW5vdC1yZWFs"],
    ["what looks like a key in hexadecimal", "id:0123456789abcdef0123456789abcdef"],
    ["what nobody types", "a b ".repeat(200)],
  ])("are without %s", async (_, filter) => {
    const path = join(temporaryFolder(), "filters.json");
    const memory = openFilterMemory({ onProblem: noDamage, path });
    await memory.remember("verdict:pass");
    expect(await memory.remember(filter)).toEqual(["verdict:pass"]);
    expect(readFileSync(path, "utf8")).not.toContain(filter.trim() || "   ");
  });

  it("never grow by what is remembered again, whatever the order", async () => {
    const words = fc.array(fc.constantFrom("a", "b", "verdict:block", "since:2d"), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(words, async (typed) => {
        const memory = openFilterMemory({
          onProblem: noDamage,
          path: join(temporaryFolder(), "filters.json"),
        });
        for (const filter of typed) await memory.remember(filter);
        expect(await memory.list()).toEqual([...new Set(typed.toReversed())]);
      }),
      { numRuns: 15 },
    );
  });

  it("are set aside when damaged, and begin anew", async () => {
    const path = join(temporaryFolder(), "filters.json");
    writeFileSync(path, "{", { mode: 0o600 });
    await expect(openFilterMemory({ onProblem: noDamage, path }).list()).rejects.toMatchObject({
      code: "corrupt",
    });
  });
});
