// verdict run export and import: a run travels as it is, or not at all.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunTable } from "#src/storage/database/run-table.ts";
import { intentWrite } from "#src/storage/database/run-form.ts";
import { storeRun } from "../actions/stored-runs.ts";
import { runRow } from "../replay/rows.ts";
import { runsIn } from "../storage/open-runs.ts";
import { header, item } from "../storage/run-samples.ts";
import { inProcessHome, type InProcessHome } from "./in-process.ts";

describe("verdict run export and import", () => {
  let [here, there]: InProcessHome[] = [];
  let text: string;
  const path = (name: string): string => join(here!.folder, name);
  const written = (name: string, content: string): string => {
    writeFileSync(path(name), content);
    return path(name);
  };
  /** With the closing line that fits. */
  const closed = (lines: readonly string[]): string => {
    const body = lines.map((line) => `${line}\n`).join("");
    const sha256 = createHash("sha256").update(body).digest("hex");
    return `${body}${JSON.stringify({ items: lines.length - 1, sha256 })}\n`;
  };
  const listed = async (): Promise<unknown[]> =>
    (await there!.json("runs list --json")).map(({ run }) => run);

  beforeAll(async () => {
    [here, there] = [inProcessHome(), inProcessHome()];
    const email = "анна@canary.example";
    const rows = [
      runRow(1, "pass", { request: { amount: 12_000, currency: 980, payer: { email } }, tags: ["a b"] }),
      runRow(2, "block", { expect: "pass", was: "pass", time: 1_000 }),
      runRow(3, null),
      { ...runRow(5, "pass"), result: null },
    ];
    const runs = runsIn(join(here.folder, "data"));
    await storeRun(runs, "aaa1", rows, "recorded");
    await runs.close();
    const { code } = await here.run(["runs", "export", "aaa", "--output", path("a.ndjson")]);
    expect(code).toBe(0);
    text = readFileSync(path("a.ndjson"), "utf8");
  });
  afterAll(() => {
    here!.remove();
    there!.remove();
  });

  it("moves a run with all it has, and leaves it as it is the second time", async () => {
    expect(statSync(path("a.ndjson")).mode & 0o777).toBe(0o600);
    expect(text.split("\n")).toHaveLength(7);
    const first = await there!.run(["runs", "import", path("a.ndjson")]);
    expect(first).toEqual({ code: 0, stdout: "Run aaa1 imported: 4 items.\n", stderr: "" });
    expect((await there!.run(["runs", "import", path("a.ndjson")])).stdout).toContain("was here already");
    expect((await there!.run("runs export aaa1")).stdout).toBe(text);
    expect((await there!.run("runs show aaa1")).stdout).toContain("In recorded time.");
    const [shown] = await there!.json("runs show aaa1 --json");
    expect(shown!.summary).toMatchObject({ total: 4, pass: 1, block: 1, unknown: 2, expectations_failed: 1 });
    expect((await there!.run("compare aaa1 aaa1 --max-flips 0")).stdout).toContain(
      "2 compared: no verdict changed",
    );
    const again = await there!.run("replay --continue aaa1");
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain("cannot be continued");
    await there!.run("runs remove aaa1 --yes");
  });

  it("refuses a file with any byte cut off or changed, and keeps nothing of it", async () => {
    const bytes = Buffer.from(text);
    // The last line feed is no content.
    const places = fc.tuple(fc.nat(bytes.length - 2), fc.integer({ min: 1, max: 255 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(places, async ([place, flip, isCut]) => {
        const damaged = Buffer.from(isCut ? bytes.subarray(0, place) : bytes);
        if (!isCut) damaged[place]! ^= flip;
        writeFileSync(path("damaged"), damaged);
        const { code, stderr } = await there!.run(["runs", "import", path("damaged")]);
        expect([code, stderr.split("\n").length]).toEqual([2, 2]);
        expect(await listed()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["another run of its id", (lines: string[]) => lines.slice(0, -1), /different runs with the id aaa1/],
    [
      "a full card number",
      (lines: string[]) => [lines[0]!, lines[1]!.replace("анна", "4111111111111111")],
      /full card number/,
    ],
    [
      "a number as a verdict",
      (lines: string[]) => [lines[0]!, lines[1]!.replace('"recommendation":"pass"', '"recommendation":1')],
      /:2 is damaged/,
    ],
    ["an unknown form", (lines: string[]) => [lines[0]!.replace(/\d/, "2")], /update verdict/],
    ["an item twice", (lines: string[]) => [lines[0]!, lines[1]!, lines[1]!], /:3 is damaged/],
    ["a payment", () => ['{"operation":"payment"}'], /is no exported run/],
  ])("refuses %s", async (what, change, reason) => {
    if (what.startsWith("another")) await there!.run(["runs", "import", path("a.ndjson")]);
    const before = await listed();
    const file = written(`wrong-${what.length}`, closed(change(text.split("\n").slice(0, -2))));
    const { code, stderr } = await there!.run(["runs", "import", file]);
    expect(stderr).toMatch(reason);
    expect(code).toBe(2);
    expect(await listed()).toEqual(before);
    await there!.run("runs remove aaa1 --yes");
  });

  it("says what is wrong with a name", async () => {
    expect((await there!.run("runs import missing.ndjson")).stderr).toContain("no file missing.ndjson");
    expect((await here!.run(["runs", "export", "aaa1", "--output", path("a.ndjson")])).stderr).toContain(
      "exists already",
    );
    expect(existsSync(path("b.ndjson"))).toBe(false);
  });

  it("shows nothing of a run whose process was lost on the way, and begins it again", async () => {
    const events = { onProblem: () => 0, onNotice: () => 0 };
    const folder = path("lost");
    const runs = runsIn(folder);
    await storeRun(runs, "bbb2", [runRow(1, "pass")]);
    const table = new RunTable(join(folder, "runs.db"), events);
    await table.commit("ccc3", [
      { type: "session", header: header("ccc3"), at: 1, incoming: true },
      intentWrite(item(1), 1),
      intentWrite(item(9), 1),
    ]);
    await table.close();
    expect((await runs.list()).map(({ id }) => id)).toEqual(["bbb2"]);
    expect(await runs.find("ccc3")).toBeNull();
    const rows = async function* (): AsyncGenerator<ReturnType<typeof runRow>> {
      yield runRow(1, "pass");
      throw new Error("no more");
    };
    const end = (): never => expect.unreachable();
    await expect(runs.add(header("ddd4"), rows(), end)).rejects.toThrow("no more");
    expect((await runs.list()).map(({ id }) => id)).toEqual(["bbb2"]);
    const summary = (await runs.find("bbb2"))!.summary!;
    const whole = async function* (): AsyncGenerator<ReturnType<typeof runRow>> {
      yield runRow(1, "pass");
    };
    await runs.add(header("ccc3"), whole(), () => ({ state: "complete", summary }));
    expect(await Array.fromAsync(runs.rows("ccc3"))).toEqual([runRow(1, "pass")]);
    await expect(runs.add(header("bbb2"), whole(), end)).rejects.toMatchObject({ code: "usage" });
    expect(await Array.fromAsync(runs.rows("bbb2"))).toHaveLength(1);
    await runs.close();
  });
});
