// Two versions of the program, with different rules, share one state while one replaces the other: no caller notices.

import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import packageFacts from "../../../package.json" with { type: "json" };
import { NOT_STORED } from "#src/sandbox/http/http-server.ts";
import { UNKNOWN_DECISION } from "#src/sandbox/service/call-route.ts";
import { starterText } from "../../rules/sample.ts";
import { temporaryFolder } from "../../sandbox/sandbox-under-test.ts";
import { nothingMet, oneCard, untilAnswered, type Answered } from "./callers.ts";
import { isWithoutServer } from "./server.ts";
import { startTeam } from "./team.ts";
import { BUILT } from "./worker-processes.ts";

const CLIENTS = 8;
/** Said where the server of the state does not answer in time. */
const UNANSWERED = [NOT_STORED, UNKNOWN_DECISION];
const VERSION = packageFacts.version;
const NEXT_VERSION = "99.0.0";

/** The built program, under another version and with other rules. */
async function nextVersion(): Promise<{ readonly program: string; readonly options: readonly string[] }> {
  const folder = await temporaryFolder();
  await cp(dirname(BUILT), join(folder, "dist"), { recursive: true });
  for (const file of await readdir(join(folder, "dist"), { recursive: true })) {
    if (!/\.[cm]js$/.test(file)) continue;
    const path = join(folder, "dist", file);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll(`"${VERSION}"`, `"${NEXT_VERSION}"`));
  }
  const rules = join(folder, "rules.yaml");
  await writeFile(rules, `# Of the next version.\n${starterText}`);
  return { program: join(folder, "dist", "verdict.mjs"), options: ["--rules", rules] };
}

describe.skipIf(isWithoutServer())("a rolling restart", () => {
  it("from one version to another, and back, without an error", async () => {
    const team = await startTeam({ workers: 2 });
    const next = await nextVersion();
    /** Places whose worker gets requests: an orchestrator takes one out before it ends it. */
    const inTurn = new Set([0, 1]);
    const met = nothingMet();
    const answered: Answered[] = [];
    const underWay = [0, 0];
    const state = { over: false };
    const client = async (number: number): Promise<void> => {
      for (let turn = 0; !state.over; turn += 1) {
        const places = [...inTurn];
        const place = places[(turn + number) % places.length]!;
        const { port } = team.workers[place]!;
        underWay[place]! += 1;
        const check = oneCard(`order-${number}-${turn}`);
        answered.push((await untilAnswered(() => [port], team.project, check, met))!);
        underWay[place]! -= 1;
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
    const more = async (): Promise<void> => {
      const before = answered.length;
      await expect.poll(() => answered.length, { interval: 1 }).toBeGreaterThan(before + 200);
    };
    const versions = new Set<string>();
    for (const change of [next, {}]) {
      for (const place of [0, 1]) {
        await more();
        inTurn.delete(place);
        await expect.poll(() => underWay[place]).toBe(0);
        expect(await team.workers[place]!.stop()).toBe(0);
        await more();
        const worker = await team.replace(place, change);
        versions.add((await worker.status()).version);
        inTurn.add(place);
      }
      await more();
    }
    state.over = true;
    await Promise.all(clients);
    expect([...versions].toSorted()).toEqual([VERSION, NEXT_VERSION].toSorted());
    // A busy machine may keep the server silent for longer than a call waits, which has nothing to do with a restart.
    expect([[...met.refusals].filter((said) => !UNANSWERED.includes(said)), met.cut]).toEqual([[], 0]);
    expect(new Set(answered.map(({ decisionId }) => decisionId)).size).toBe(answered.length);
    expect((await team.workers[0]!.status()).decisions).toBe(answered.length);

    // Each decision is explained by the rules that decided it, at a worker with others.
    const hashes = new Set<string>();
    for (const { reply } of answered.filter((_, place) => place % 50 === 0)) {
      hashes.add((await team.workers[0]!.explanation(reply)).ruleSetHash);
    }
    expect(hashes.size).toBe(2);
  });
});
