// Registration and credential without a terminal: what is waited for, what went wrong, and what JSON leaves out is said on stderr.

import { afterEach, beforeEach, expect, it } from "vitest";
import { answer, cut, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

let service: HostileService;
let home: InProcessHome;
beforeEach(async () => {
  service = await startHostileService([]);
  home = inProcessHome();
  await pointAt(home, service.url, ["--credential-wait", "1"]);
});
afterEach(async () => {
  home.remove();
  await service[Symbol.asyncDispose]();
});

const CREDENTIAL = {
  key_id: "k-9",
  secret: "ab".repeat(32),
  algorithm: "hmac-sha256",
  project_id: "p-9",
};
const GIVEN = answer(200, JSON.stringify({ status: "success", message: "m", credential: CREDENTIAL }));
const NOT_READY = answer(404, '{"error":"credential_not_ready"}', { "retry-after": "1" });
const BUSY = answer(503, '{"error":"unavailable"}', { "retry-after": "1" });
const SUCCESS = answer(200, '{"status":"success","message":"m"}');
const REGISTER = "register --merchant-id m --name M --currency UAH --risk-level low";
const FETCH = "credential --merchant-id m --risk-level low";

it("says at first what it waits for and until when, and nothing more while that goes on", async () => {
  service.play(SUCCESS, NOT_READY, GIVEN);
  const { code, stdout, stderr } = await home.run(`${REGISTER} --wait --json`);
  expect(code).toBe(0);
  expect(stderr.trim().split("\n")).toEqual([
    expect.stringMatching(
      /^Waiting .+ before the credential is asked for; its window closes in 23 h 59 min\.$/,
    ),
  ]);
  expect(stdout.trim().split("\n")).toHaveLength(2);
});

it("says what came instead of an answer, once, and waits on", async () => {
  service.play(BUSY, BUSY, GIVEN);
  const { code, stderr } = await home.run(`${FETCH} --wait`);
  expect(code).toBe(0);
  expect(stderr.match(/503/g)).toHaveLength(1);
});

it("says that answers were lost while it waits", async () => {
  service.play(cut, GIVEN);
  const { code, stderr } = await home.run(`${FETCH} --wait`);
  expect(code).toBe(0);
  expect(stderr).toMatch(/the connection was cut .*ask for the credential again/);
});

it.each([
  ["register", REGISTER, answer(401, '{"error":"unauthorized"}'), 5],
  ["register", REGISTER, cut, 6],
  ["register", REGISTER, answer(200, '{"status":"error"}'), 7],
  ["credential", FETCH, answer(401, '{"error":"unauthorized"}'), 5],
  ["credential", FETCH, NOT_READY, 5],
  ["credential", FETCH, cut, 6],
])("%s --json says on stderr and in its object why it failed", async (_, words, does, exit) => {
  service.play(does);
  const { code, stdout, stderr } = await home.run(`${words} --json`);
  expect(code).toBe(exit);
  const said = JSON.parse(stdout) as { explanation: string };
  expect(said.explanation).toMatch(/\w+.*\./);
  expect(stderr).not.toBe("");
});

it("a registration that may have arrived is unknown, not unsent", async () => {
  service.play(cut);
  expect((await home.run(REGISTER)).code).toBe(6);
  const { code, stdout, stderr } = await home.run(`${REGISTER} --json`);
  expect(code).toBe(6);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "unknown", reason: "unresolved" });
  expect(stderr).toContain("was not sent again, because an earlier registration may have arrived");
});
