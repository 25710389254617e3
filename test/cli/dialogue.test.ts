// Questions on a terminal: what is typed reaches the service, and a slip is asked again without losing what was typed before.

import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { answer, PASS, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { inProcessHome, pointAt, type InProcessHome, type Printed } from "./in-process.ts";

const SECRET = "9f".repeat(32);

let service: HostileService;
let home: InProcessHome;
beforeAll(async () => void (service = await startHostileService([])));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (home = inProcessHome()));
afterEach(() => home.remove());

/** Runs a command on a terminal. @param typed what standard error asks or says, in order, and the answer to it */
async function runTyping(words: string, typed: readonly (readonly [string, string])[]): Promise<Printed> {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const waiting = [...typed];
  let seen = 0;
  const ran = await home.runFrom(terminal, words, ({ stderr }, stop) => {
    const [asked, text] = waiting[0] ?? ["", ""];
    const at = waiting.length === 0 ? -1 : stderr.indexOf(asked, seen);
    if (at >= 0) {
      waiting.shift();
      seen = at + asked.length;
      terminal.write(`${text}\n`);
    } else if (stderr.includes("is required", seen)) stop();
  });
  expect(waiting).toEqual([]);
  return ran;
}

test("project register asks for what is missing, and again for what cannot be", async () => {
  service.play(answer(200, '{"status":"success","message":"OK"}'));
  await pointAt(home, service.url);
  const ran = await runTyping("project register --name Shop", [
    ["Merchant identifier", ""],
    ["Merchant id is required.", "shop-7"],
    ["ISO 4217", "NOPE"],
    ["Currency must be", "EUR"],
    ["One of low, medium, high.", "none"],
    ["Risk level must be one of low, medium, high.", "low"],
  ]);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Registered shop-7/low") });
  expect(JSON.parse(service.requests[0]!.body)).toEqual({
    merchant_id: "shop-7",
    name: "Shop",
    currency: 978,
    risk_level: "low",
  });
});

test.each(["--no-input", "--help"])("project register asks nothing with %s", async (option) => {
  const ran = await runTyping(`project register --name Shop ${option}`, []);
  if (option === "--help") expect(ran.stdout).toMatch(/--merchant-id <id> .*\(required\)/);
  else
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("and --risk-level <level> are missing"),
    });
});

test("init asks again after a wrong word and a file that is not there, and keeps the other answers", async () => {
  service.play(answer(200, PASS));
  const ran = await runTyping(`init --base-url ${service.url} --environment test --no-check`, [
    ["A name for the profile", "shop"],
    ["project: you hold", "proj"],
    ["Answer project or company.", "project"],
    ["The id of the key", "k-1"],
    ["The id of the project", "p-1"],
    ["Secret (not shown): ", SECRET],
    ["A request that the service accepts", "nofile.http"],
    ["nofile.http cannot be read: there is no such file.", ""],
    ["How requests are signed", "kong"],
  ]);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Profile shop is in use") });
  expect(await home.json("vault list --json")).toMatchObject([{ key_id: "k-1", project_id: "p-1" }]);
});
