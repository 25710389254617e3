// --golden: the file of verdicts is a baseline, and is written anew on request.

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeRun } from "../actions/stored-runs.ts";
import { runRow } from "../replay/rows.ts";
import { runsIn } from "../storage/open-runs.ts";
import { inProcessHome, type InProcessHome } from "./in-process.ts";

describe("--golden", () => {
  let home: InProcessHome;
  const lock = (): string => join(home.folder, "verdicts.lock");
  const merge = (ids: readonly string[], ...more: string[]): ReturnType<InProcessHome["run"]> =>
    home.run(["runs", "merge", ...ids, "--golden", lock(), ...more]);

  beforeAll(async () => {
    home = inProcessHome();
    const runs = runsIn(join(home.folder, "data"));
    const email = "ann@canary.example";
    const person = { request: { amount: 12_000, currency: 980, payer: { email } } };
    await storeRun(runs, "a1", [runRow(1, "pass", person), runRow(2, "pass"), runRow(3, "block")]);
    await storeRun(runs, "a2", [runRow(4, "pass")]);
    await storeRun(runs, "b2", [runRow(4, "block"), runRow(5, "pass")]);
    await storeRun(runs, "c2", [runRow(4, null)]);
    await runs.close();
  });
  afterAll(() => home.remove());

  it("is asked for before it is there, written by --update, and then passes, differs and is taken over", async () => {
    const first = await merge(["a1", "a2"]);
    expect(first).toMatchObject({ code: 2, stdout: "" });
    expect(first.stderr).toContain("--update");
    expect(existsSync(lock())).toBe(false);

    const made = await merge(["a1", "a2"], "--update");
    expect(made).toMatchObject({ code: 0 });
    expect(made.stderr).toContain("with 4 items: 4 added, 0 changed, 0 removed.");
    // As other files under version control: others may read it.
    expect(statSync(lock()).mode & 0o777).toBe(0o666 & ~process.umask());
    const text = readFileSync(lock(), "utf8");
    expect(text.split("\n").slice(1, -1)).toEqual([
      "o-1 pass - -",
      "o-2 pass - -",
      "o-3 block - -",
      "o-4 pass - -",
    ]);
    expect(await merge(["a2", "a1"])).toMatchObject({ code: 0 });
    expect((await merge(["a1", "a2"], "--update")).stderr).toContain("up to date with 4 items");

    const page = join(home.folder, "summary.md");
    const red = await merge(["a1", "b2"], "--report", page);
    expect(red.code).toBe(8);
    expect(red.stderr).toContain(
      "verdicts.lock differs: 1 verdict changed, 1 item is new (o-5); once this is right",
    );
    expect(red.stdout).toContain("verdicts.lock");
    expect(red.stdout).toMatch(/o-4 +✔ PASS +✖ BLOCK/);
    expect(readFileSync(page, "utf8")).toContain("verdicts.lock differs");
    expect(readFileSync(lock(), "utf8")).toBe(text);
    expect((await home.run(["compare", lock(), "a1"])).stderr).toContain("1 item is missing (o-4)");

    const taken = await merge(["a1", "b2"], "--update");
    expect(taken).toMatchObject({ code: 0 });
    expect(taken.stderr).toContain("with 5 items: 1 added, 1 changed, 0 removed.");
    expect(await merge(["a1", "b2"])).toMatchObject({ code: 0 });
  });

  it("does not take over what is not trustworthy, and overwrites no other file", async () => {
    const before = readFileSync(lock(), "utf8");
    const lacking = await merge(["a1", "c2"], "--update");
    expect(lacking.code).toBe(6);
    expect(lacking.stderr).toContain("was not written");
    expect(readFileSync(lock(), "utf8")).toBe(before);
    writeFileSync(lock(), "my notes\n");
    const other = await merge(["a1", "a2"], "--update");
    expect(other.stderr).toContain("no file of verdicts");
    expect([other.code, readFileSync(lock(), "utf8")]).toEqual([2, "my notes\n"]);
  });

  it.each([
    [["replay", "x.json", "--update"], /--update needs --golden/],
    [
      ["replay", "x.json", "--golden", "x", "--baseline", "last"],
      /--golden and --baseline exclude each other/,
    ],
    [
      ["replay", "x.json", "--golden", "x", "--update", "--shard", "1/2"],
      /--update and --shard exclude each other/,
    ],
    [["compare", "missing.lock", "a1"], /missing\.lock does not exist/],
  ])("%j is refused with a reason", async (args, reason) => {
    const { code, stderr } = await home.run(args);
    expect(stderr).toMatch(reason);
    expect(code).toBe(2);
  });
});
