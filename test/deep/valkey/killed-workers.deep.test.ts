// Four shards of a replay on two workers behind a balancer, of which one is killed all the time.

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import { oneOfMany } from "./callers.ts";
import { isWithoutServer } from "./server.ts";
import { startTeam, type Team } from "./team.ts";

/** All of them, as published: VERDICT_CHAOS=full. */
const KILLS = process.env["VERDICT_CHAOS"] === "full" ? 60 : 6;
const BETWEEN_MS = 1_000;
const PAYMENTS = 250 * KILLS;
const SHARDS = 4;
/** So many a second that the killing ends before the replay does. */
const RATE = 50;

/** Gives each connection to one of the workers that are there then. @returns its address */
async function startBalancer(ports: () => readonly number[]): Promise<string> {
  let turn = 0;
  const balancer = createServer((client) => {
    const now = ports();
    const worker = connect(now[(turn += 1) % now.length]!, "127.0.0.1");
    for (const [end, other] of [
      [client, worker],
      [worker, client],
    ] as const) {
      end.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
    client.pipe(worker).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(balancer, "listening");
  onTestFinished(() => void balancer.close());
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
}

/** A machine of the pipeline, with a project of its own. */
async function startShard(team: Team, part: number, url: string): Promise<TestHome> {
  const home = testHome();
  onTestFinished(() => home.remove());
  const { keyId, companyId, secret } = await team.workers[0]!.company();
  const key = `--key-id ${keyId} --company-id ${companyId} --secret-stdin`;
  const project = `--merchant-id shop-${part} --name Shop --currency UAH --risk-level medium --wait`;
  for (const [words, input] of [
    [`profile add shared --base-url ${url} --credential-wait 5s`, ""],
    [`vault add --profile shared ${key}`, secret.expose()],
    [`project register --profile shared ${project}`, ""],
  ] as const) {
    const { code, stderr } = await home.run(words, { input });
    expect([code, stderr]).toEqual([0, expect.anything()]);
  }
  return home;
}

/** Sends what was not sent, or refused, until nothing is left. @returns how many items have no answer, and may be decided */
async function replayWhole(
  home: TestHome,
  part: number,
  file: string,
  killing: Promise<void>,
): Promise<number> {
  const replay = `replay --profile shared --stop-after 0 --rate ${RATE} --json`;
  await home.run(`${replay} ${file} --shard ${part}/${SHARDS}`);
  // Also while workers are killed; nothing is sent again that may have been decided.
  await home.run(`${replay} --continue last`);
  await killing;
  let unknown = 0;
  const leftOver = async (): Promise<unknown> => {
    // Refused where the run is complete.
    await home.run(`${replay} --continue last`);
    const [{ summary }] = (await home.json("run show last --json")) as [{ summary: Record<string, number> }];
    unknown = summary["unknown"]!;
    return summary;
  };
  // A machine under load may keep the server silent for longer than a call may wait.
  await expect.poll(leftOver, { timeout: 120_000 }).toMatchObject({ refused: 0, not_sent: 0 });
  return unknown;
}

describe.skipIf(isWithoutServer())("workers that are killed under a replay", () => {
  it(`${KILLS} times: nothing is decided twice, and nothing is lost`, async () => {
    const team = await startTeam({ workers: 2 });
    const alive = new Set([0, 1]);
    const url = await startBalancer(() => [...alive].map((place) => team.workers[place]!.port));
    const parts = Array.from({ length: SHARDS }, (_, part) => part + 1);
    const homes: TestHome[] = [];
    for (const part of parts) homes.push(await startShard(team, part, url));
    const file = join(team.folder, "payments.ndjson");
    const payments = Array.from({ length: PAYMENTS }, (_, number) =>
      JSON.stringify(oneOfMany(`order-${number}`, number)),
    );
    writeFileSync(file, `${payments.join("\n")}\n`);

    const kill = async (): Promise<void> => {
      for (let kills = 0; kills < KILLS; kills += 1) {
        const place = kills % 2;
        alive.delete(place);
        await team.workers[place]!.kill();
        const back = team.replace(place).then(() => alive.add(place));
        await Promise.all([back, pause(BETWEEN_MS)]);
      }
    };
    const killing = kill();
    const replaying = homes.map((home, at) => replayWhole(home, parts[at]!, file, killing));
    const unknown = (await Promise.all(replaying)).reduce((sum, each) => sum + each, 0);
    const { decisions } = await team.workers[0]!.status();
    expect(decisions).toBeLessThanOrEqual(PAYMENTS);
    expect(decisions).toBeGreaterThanOrEqual(PAYMENTS - unknown);
    const counted = `${decisions} decisions of ${PAYMENTS} payments, ${unknown} without an answer`;
    process.stdout.write(`${KILLS} kills under ${SHARDS} shards: ${counted}\n`);
  });
});
