// A disk that is full, and has room again: said in words, nothing half-written, and no restart needed.

import { execFileSync } from "node:child_process";
import { rmSync, statSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testHomeOfTests } from "../cli/verdict-process.ts";

const BODY = JSON.stringify({ operation: "payment", amount: 12_000, currency: 980 });

/** Mounting a small file system needs root. */
const canMount = process.getuid?.() === 0 && process.platform === "linux";
if (!canMount)
  process.stderr.write("The tests of a full disk are skipped: they mount a file system, which needs root.\n");

describe.runIf(canMount)("a full disk", () => {
  const home = testHomeOfTests();
  let disk: string;
  let filler: string;

  beforeAll(async () => {
    disk = join(home.folder, "verdict");
    filler = join(disk, "filler");
    execFileSync("mkdir", ["-p", disk]);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=600k,mode=700", "tmpfs", disk]);
    const registered = await home.run(
      "register --merchant-id m --name M --currency UAH --risk-level low --wait",
    );
    expect(registered).toMatchObject({ code: 0 });
    expect((await home.run("check - --set order_id=before", { input: BODY })).code).toBe(0);
  });
  afterAll(async () => {
    await home.run("sandbox stop");
    execFileSync("umount", ["--lazy", disk]);
  });

  const fill = (): void => {
    for (let size = 1 << 16; size >= 1; size >>= 1) {
      for (;;) {
        try {
          writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
        } catch {
          break;
        }
      }
    }
    expect(statfsSync(disk).bfree).toBe(0);
  };

  it("refuses the check with exit 74 and one sentence, and works again when there is room", async () => {
    // Its end, which nobody waits for, would make room again: its log and shared memory go with it.
    await home.run("sandbox stop");
    fill();
    const full = await home.run("check - --set order_id=full --json", { input: BODY });
    expect([full.code, full.stderr]).toEqual([74, expect.any(String)]);
    expect(full.stderr.trim().split("\n")).toHaveLength(1);
    expect(full.stderr).toMatch(/disk is full/);

    rmSync(filler);
    const again = await home.run("check - --set order_id=again --json", { input: BODY });
    expect(again.code).toBe(0);
    const orders = (await home.json("history --json")).map((row) => row["order_id"]);
    expect(orders).toEqual(["again", "before"]);
  });

  it("says so wherever the start of a sandbox meets it", async () => {
    const codes = new Set<number | null>();
    // Room for a folder, then for a key and a log, then for a part of the database.
    for (const kib of [0, 8, 16, 24, 32, 40, 48, 56, 64, 80]) {
      const folder = join(disk, `with-${kib}`);
      fill();
      truncateSync(filler, Math.max(0, statSync(filler).size - kib * 1024));
      const own = await home.run("sandbox clock", { env: { VERDICT_HOME: folder } });
      codes.add(own.code);
      if (own.code !== 0)
        expect([kib, own.code, own.stderr]).toEqual([kib, 74, expect.stringContaining("disk is full")]);
      rmSync(filler);
      await home.run("sandbox stop", { env: { VERDICT_HOME: folder } });
      rmSync(folder, { recursive: true, force: true });
    }
    expect(codes).toContain(74);
  });

  it("recovers even if the sandbox met the full disk, without anybody starting it anew", async () => {
    fill();
    // Not recorded here, so that it reaches the sandbox; the last block of a file there may have room for a few more.
    const codes: (number | null)[] = [];
    while (codes.length < 12 && (codes.at(-1) ?? 0) === 0) {
      const words = `check - --set order_id=lost-${codes.length} --no-history --json`;
      codes.push((await home.run(words, { input: BODY })).code);
    }
    expect(codes.at(-1)).not.toBe(0);
    rmSync(filler);
    const again = await home.run("check - --set order_id=recovered --json", { input: BODY });
    expect(again.code).toBe(0);
  });
});
