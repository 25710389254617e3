// The four attacks of slowhttptest (a Debian package) against a sandbox, while an honest client keeps calling.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { CHECK, makeProject, send, signedCall, startSandbox } from "../sandbox/sandbox-under-test.ts";

const SLOWHTTPTEST = "/usr/bin/slowhttptest";
const there = existsSync(SLOWHTTPTEST);

const CONNECTIONS = 1_000;
const SECONDS = 15;

/** Options by attack: https://github.com/shekyan/slowhttptest/wiki */
const ATTACKS: Readonly<Record<string, readonly string[]>> = {
  slowloris: ["-H", "-i", "1"],
  "slow body": ["-B", "-i", "1", "-s", "60000", "-f", "application/json"],
  "slow read": ["-X", "-w", "1", "-y", "16", "-n", "1", "-z", "8", "-k", "3"],
  "range headers": ["-R", "-a", "1", "-b", "100"],
};

function attack(options: readonly string[], url: string): ChildProcess {
  const common = ["-c", String(CONNECTIONS), "-r", "300", "-l", String(SECONDS), "-p", "2", "-u", url];
  const child = spawn(SLOWHTTPTEST, [...options, ...common], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test.skipIf(!there).each(Object.entries(ATTACKS))(
  `an honest client is answered within a second during %s${there ? "" : " (slowhttptest is not installed)"}`,
  async (name, options) => {
    const sandbox = await startSandbox();
    const project = await makeProject(sandbox, await sandbox.company());
    const path = name === "slow body" ? "/v1/check" : "/health";
    const child = attack(options, `http://127.0.0.1:${sandbox.port}${path}`);
    await expect
      .poll(async () => (await sandbox.status()).requests + (await sandbox.status()).connections.open, {
        timeout: 30_000,
      })
      .toBeGreaterThan(20);
    const waits: number[] = [];
    while (child.exitCode === null && child.signalCode === null) {
      const number = waits.length;
      const body = { ...CHECK, order_id: `o-${number}`, payer: { payer_id: `p-${number}` } };
      const request = signedCall(sandbox.port, "check", project, body);
      const began = performance.now();
      const answer = await send(sandbox.port, request);
      waits.push(performance.now() - began);
      expect(answer.status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(waits.length).toBeGreaterThan(10);
    waits.sort((a, b) => a - b);
    const at = (share: number): number => waits[Math.floor(waits.length * share)]!;
    const p99 = at(0.99);
    const figures = [at(0.5), p99, waits.at(-1)!].map((wait) => wait.toFixed(0));
    process.stdout.write(`${name}: ${waits.length} honest checks, p50/p99/max ${figures.join("/")} ms\n`);
    expect(p99).toBeLessThan(1_000);
    expect((await sandbox.status()).connections.open).toBeLessThanOrEqual(256);
  },
);
