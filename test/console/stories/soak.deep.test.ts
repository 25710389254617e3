// The console for an hour of its own time: what it keeps of ticks, keys and round trips through an editor.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openProjects } from "#src/storage/documents/projects.ts";
import { noDamage } from "../../storage/no-damage.ts";
import { testHome } from "../../cli/verdict-process.ts";
import { fakeService, KEY, READY, readyConsole } from "./stage.ts";

/** Times faster than the clock on the wall. */
const SPEED = 60;
const HOUR_MS = 3_600_000;
const KEYS = 2_000;
const TRIPS = 200;

/** Loaded into the console before itself: time runs faster, and a signal has its memory written to a file. */
const PROBE = `
const { writeFileSync, renameSync } = require("node:fs");
const [wall, interval, start] = [Date.now, setInterval, Date.now()];
Date.now = () => start + (wall() - start) * ${SPEED};
globalThis.setInterval = (run, ms, ...rest) => interval(run, Math.max(1, ms / ${SPEED}), ...rest);
require("node:v8").setFlagsFromString("--expose-gc");
const collect = require("node:vm").runInNewContext("gc");
process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const entries = performance.getEntries().length;
  writeFileSync(process.env.PROBED + ".part", JSON.stringify({ heapUsed, external, entries, at: Date.now() - start }));
  renameSync(process.env.PROBED + ".part", process.env.PROBED);
});
`;

interface Probed {
  /** Bytes after a collection of garbage. */
  readonly heapUsed: number;
  readonly external: number;
  /** Performance entries that are kept. */
  readonly entries: number;
  /** ms of the console's time since its start */
  readonly at: number;
}

it("takes no more memory at its end than in the middle", { timeout: 300_000 }, async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  const service = await fakeService(home);
  onTestFinished(() => service.close());
  const probe = join(home.folder, "probe.cjs");
  const probed = join(home.folder, "probed.json");
  writeFileSync(probe, PROBE);
  const projects = openProjects({
    onProblem: noDamage,
    path: join(home.folder, "verdict/data/projects.json"),
  });
  await projects.put({
    key: "waiting/medium",
    profile: "fake",
    companyId: "company",
    merchantId: "waiting",
    riskLevel: "medium",
    name: "Waiting",
    description: null,
    currency: 980,
    state: "registered",
    startedAt: Date.now(),
    provenStartAt: null,
    serviceOffsetMs: 0,
    projectId: null,
  });
  const terminal = await readyConsole(home, {
    columns: 120,
    rows: 40,
    env: {
      NODE_OPTIONS: `--require=${probe}`,
      PROBED: probed,
      EDITOR: "true",
      TMPDIR: home.folder,
    },
  });

  const look = async (): Promise<Probed> => {
    rmSync(probed, { force: true });
    terminal.kill("SIGUSR2");
    await expect.poll(() => read(probed), { timeout: 20_000 }).not.toBeNull();
    return JSON.parse(read(probed)!) as Probed;
  };
  const trips = async (count: number): Promise<void> => {
    for (let trip = 0; trip < count; trip += 1) {
      const before = terminal.written().length;
      terminal.type("e");
      await terminal.until((screen) => {
        const since = terminal.written().slice(before);
        return since.includes("?1049l") && since.includes("?1049h") && screen.includes("Compose");
      });
    }
  };
  // Into a field and through its text, over to the history, and back; five keys each.
  const keys = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += 5) {
      terminal.type(`${KEY.tab}x\u007f`);
      terminal.type(KEY.esc);
      await terminal.until(READY);
      terminal.type("j");
    }
  };
  const until = async (at: number): Promise<Probed> => {
    terminal.type("2");
    await terminal.until("waiting/medium");
    let seen = await look();
    while (seen.at < at) seen = await look();
    terminal.type("1");
    await terminal.until(READY);
    return seen;
  };

  await keys(KEYS / 4);
  await trips(TRIPS / 4);
  const start = await until(HOUR_MS / 4);
  await keys(KEYS / 4);
  await trips(TRIPS / 4);
  const middle = await until(HOUR_MS / 2);
  await keys(KEYS / 2);
  await trips(TRIPS / 2);
  const end = await until(HOUR_MS);
  expect(end.at).toBeGreaterThanOrEqual(HOUR_MS);
  for (const part of ["heapUsed", "external"] as const) {
    expect(end[part]).toBeLessThan(middle[part] * 1.05 + 256 * 1024);
  }
  expect(end.entries).toBe(start.entries);
});

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
