// The console for an hour of its own time: what it keeps of ticks, keys and round trips through an editor.

import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openProjects } from "#src/storage/documents/projects.ts";
import { noDamage } from "../../storage/no-damage.ts";
import { testHome } from "../../cli/verdict-process.ts";
import { withProbe, type Probed } from "./probe.ts";
import { fakeService, KEY, READY, readyConsole } from "./stage.ts";
import { projectOf } from "../samples.ts";

const HOUR_MS = 3_600_000;
const KEYS = 2_000;
const TRIPS = 200;

it("takes no more memory at its end than in the middle", { timeout: 300_000 }, async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  const service = await fakeService(home);
  onTestFinished(() => service.close());
  const { env, probed } = withProbe(home, 60);
  const projects = openProjects({
    onProblem: noDamage,
    path: join(home.folder, "verdict/data/projects.json"),
  });
  await projects.put(
    projectOf({
      profile: "fake",
      companyId: "company",
      merchantId: "waiting",
      name: "Waiting",
      startedAt: Date.now(),
      serviceOffsetMs: 0,
    }),
  );
  const terminal = await readyConsole(home, {
    columns: 120,
    rows: 40,
    env: { ...env, EDITOR: "true", TMPDIR: home.folder },
  });

  const look = (): Promise<Probed> => probed(terminal);
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
      await terminal.type(KEY.esc).until(READY);
      terminal.type("j");
    }
  };
  const until = async (at: number): Promise<Probed> => {
    await terminal.type("2").until("waiting/medium");
    let seen = await look();
    while (seen.at < at) seen = await look();
    await terminal.type("1").until(READY);
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
