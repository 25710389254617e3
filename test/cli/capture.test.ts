// verdict capture as a process: what it says and writes, how it ends, and what a kill leaves.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { answer, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { PROGRAM, testHomeOfTests } from "./verdict-process.ts";

const SCHEMA = new URL("../../dist/schemas/events-capture.json", import.meta.url);
const PAYMENT = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };
const BLOCK = '{"status":"success","code":"block","message":"no"}';

const home = testHomeOfTests();
let service: HostileService;
beforeAll(async () => {
  service = await startHostileService([answer(200, BLOCK)]);
  expect(await home.run(`profile add staging --base-url ${service.url}`)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

interface Capturing {
  readonly child: ChildProcess;
  readonly url: string;
  said(): string;
  /** Posts a check with its number as order id. */
  check(n: number): Promise<string>;
}

/** @param blocks most size of a file that the process may write, in units of 512 bytes */
async function capturing(
  options: readonly string[] = [],
  out = "day.ndjson",
  blocks = "unlimited",
): Promise<Capturing> {
  const args = ["capture", "--profile", "staging", "--listen", "127.0.0.1:0", "--output", out, ...options];
  const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", limited, process.execPath, PROGRAM, ...args], {
    cwd: home.folder,
    env: home.env,
    stdio: "pipe",
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 20_000 }).toContain("Ctrl-C ends it.");
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
  return {
    child,
    url,
    said: () => said,
    async check(n) {
      const body = JSON.stringify({ ...PAYMENT, order_id: `o-${n}` });
      return (await fetch(`${url}/v1/check`, { method: "POST", body })).text();
    },
  };
}

const file = (name: string): string => join(home.folder, name);
const wholeLines = (text: string): unknown[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);

it("records what passes, says what it left out, and ends with 0", async () => {
  const { child, url, check, said } = await capturing(["--events", "events.ndjson"]);
  expect(await check(1)).toBe(BLOCK);
  const card = JSON.stringify({ ...PAYMENT, description: "4111 1111 1111 1111" });
  expect(await (await fetch(`${url}/v1/check`, { method: "POST", body: card })).text()).toBe(BLOCK);
  expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
  await expect.poll(() => readFileSync(file("events.ndjson"), "utf8").split("\n")).toHaveLength(5);
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(said()).toMatch(
    /Not forwarded \(HTTP 404\): .*\/elsewhere.*\n1 check recorded .* 1 not recorded, because of card data  1 not forwarded/s,
  );
  const events = wholeLines(readFileSync(file("events.ndjson"), "utf8"));
  expect(events).toMatchObject([
    { schema: 1, type: "ready", url, profile: "staging" },
    { type: "check", outcome: "answered", verdict: "block", http_status: 200 },
    { type: "not_recorded", reason: "card_data" },
    { type: "not_forwarded", http_status: 404 },
    { type: "ended", checks: 1, counts: { block: 1, card_data: 1, not_forwarded: 1 }, exit_code: 0 },
  ]);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  const isValid = ajv.compile(JSON.parse(readFileSync(SCHEMA, "utf8")) as object);
  for (const event of events) expect(isValid(event), ajv.errorsText(isValid.errors)).toBe(true);
  const text = readFileSync(file("day.ndjson"), "utf8");
  expect(wholeLines(text)).toMatchObject([{ answer: { verdict: "block" }, request: { ...PAYMENT } }]);
  expect(text + said() + JSON.stringify(events)).not.toContain("4111");
});

it("leaves whole lines where it is killed, and goes on behind them", async () => {
  const first = await capturing();
  const before = wholeLines(readFileSync(file("day.ndjson"), "utf8")).length;
  for (let n = 0; n < 200; n += 20)
    await Promise.all(Array.from({ length: 20 }, (_, at) => first.check(n + at)));
  const sending = Array.from({ length: 50 }, (_, n) => first.check(1_000 + n).catch(() => null));
  first.child.kill("SIGKILL");
  await once(first.child, "close");
  await Promise.all(sending);
  const kept = wholeLines(readFileSync(file("day.ndjson"), "utf8")).length;
  expect(kept).toBeGreaterThanOrEqual(before + 100);
  // Where the kill has not cut a line, this does.
  appendFileSync(file("day.ndjson"), '{"at":"2026');
  const second = await capturing();
  expect(second.said()).toContain("ended inside a line");
  await second.check(2_000);
  second.child.kill("SIGINT");
  expect(await once(second.child, "close")).toEqual([0, null]);
  expect(wholeLines(readFileSync(file("day.ndjson"), "utf8"))).toHaveLength(kept + 1);
});

it("forwards on where the file takes no more, says so once, and ends with 74", async () => {
  const { child, check, said } = await capturing([], "full.ndjson", "4");
  for (let n = 0; n < 20; n += 1) expect(await check(n)).toBe(BLOCK);
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([EXIT.notWritten, null]);
  expect(said().match(/Calls are still forwarded, and no longer recorded\./g)).toHaveLength(1);
  const kept = wholeLines(readFileSync(file("full.ndjson"), "utf8")).length;
  expect(kept).toBeGreaterThan(0);
  expect(said()).toMatch(
    new RegExp(
      `\n${kept} checks recorded .* ${20 - kept} not recorded, because the file could not be written`,
    ),
  );
});
