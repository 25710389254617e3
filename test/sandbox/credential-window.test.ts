// The 24 hours in which a credential can be fetched (spec 2.8, section 8), and what a clock that goes back does to them.

import { expect, test } from "vitest";
import type { Identity } from "#src/signing/sign.ts";
import {
  call,
  DAY,
  HOUR,
  registration,
  startSandbox,
  temporaryFolder,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

const WANTED = { merchant_id: "shop", risk_level: "medium" };

/** A frozen sandbox with a project registered at its present time. */
async function withProject(sandbox: SandboxUnderTest): Promise<{ company: Identity; registeredAt: number }> {
  const company = await sandbox.company();
  await sandbox.clock({ do: "freeze" });
  const registered = await call(sandbox, "register", company, registration("shop"));
  expect(registered.status).toBe(200);
  return { company, registeredAt: Date.parse(String(registered.headers["x-verdict-time"])) };
}

async function outcome(sandbox: SandboxUnderTest, company: Identity): Promise<string> {
  const answer = await call(sandbox, "credential", company, WANTED);
  return answer.status === 200 ? "ready" : `${answer.status} ${String(answer.body["error"])}`;
}

const CLOSED = "410 credential_window_closed";

test("is open until 23:59:59.999 and closed at 24:00:00 exactly", async () => {
  const sandbox = await startSandbox();
  const { company, registeredAt } = await withProject(sandbox);
  await sandbox.clock({ do: "set", at: registeredAt + 4_999 });
  expect(await outcome(sandbox, company)).toBe("404 credential_not_ready");
  await sandbox.clock({ do: "set", at: registeredAt + 5_000 });
  expect(await outcome(sandbox, company)).toBe("ready");
  await sandbox.clock({ do: "set", at: registeredAt + DAY - 1_000 });
  expect(await outcome(sandbox, company)).toBe("ready");
  await sandbox.clock({ do: "set", at: registeredAt + DAY - 1 });
  expect(await outcome(sandbox, company)).toBe("ready");
  await sandbox.clock({ do: "set", at: registeredAt + DAY });
  expect(await outcome(sandbox, company)).toBe(CLOSED);
});

test("the panel shows a credential only once the window is over", async () => {
  const sandbox = await startSandbox();
  const { company, registeredAt } = await withProject(sandbox);
  await sandbox.clock({ do: "set", at: registeredAt + DAY - 1 });
  const fetched = await call(sandbox, "credential", company, WANTED);
  const { secret, key_id } = fetched.body["credential"] as { secret: string; key_id: string };
  expect((await sandbox.panel()).companies[0]!.projects).toEqual([
    {
      merchantId: "shop",
      riskLevel: "medium",
      name: "Shop shop",
      registeredAt,
      windowClosesAt: registeredAt + DAY,
      credential: null,
    },
  ]);
  await sandbox.clock({ do: "advance", byMs: 1 });
  expect((await sandbox.panel()).companies[0]!.projects[0]!.credential).toMatchObject({
    keyId: key_id,
    secret,
  });
});

test("stays closed when the virtual clock is set back, also after a restart; reset opens it again", async () => {
  const dir = await temporaryFolder();
  const sandbox = await startSandbox({}, dir);
  const { company, registeredAt } = await withProject(sandbox);
  await sandbox.clock({ do: "set", at: registeredAt + DAY });
  // Nobody asked while it was closed: it is closed all the same.
  await sandbox.clock({ do: "set", at: registeredAt + HOUR });
  expect(await outcome(sandbox, company)).toBe(CLOSED);
  await sandbox.stop();

  const second = await startSandbox({}, dir);
  expect(await outcome(second, company)).toBe(CLOSED);
  expect((await second.status()).virtualTime).toBe(registeredAt + HOUR);
  await second.clock({ do: "reset" });
  expect(await outcome(second, company)).toBe("404 credential_not_ready");
});

test("a project registered after the clock was set back has 24 hours of its own", async () => {
  const sandbox = await startSandbox();
  const { company, registeredAt } = await withProject(sandbox);
  await sandbox.clock({ do: "advance", byMs: 3 * DAY });
  await sandbox.clock({ do: "set", at: registeredAt });
  await call(sandbox, "register", company, registration("late"));
  const late = { merchant_id: "late", risk_level: "medium" };
  await sandbox.clock({ do: "advance", byMs: DAY - 1 });
  expect((await call(sandbox, "credential", company, late)).status).toBe(200);
  await sandbox.clock({ do: "advance", byMs: 1 });
  expect((await call(sandbox, "credential", company, late)).status).toBe(410);
});

test("a real clock that goes back takes neither the virtual time nor the window with it", async () => {
  const dir = await temporaryFolder();
  let drift = 0;
  const realNow = (): number => Date.now() + drift;
  const sandbox = await startSandbox({ realNow }, dir);
  const company = await sandbox.company();
  const sent = () => ({ nowMs: realNow() });
  await call(sandbox, "register", company, registration("shop"), sent());
  drift = DAY;
  expect((await call(sandbox, "credential", company, WANTED, sent())).status).toBe(410);
  const latest = (await sandbox.status()).virtualTime;
  // Just past the minute whose signatures were forgotten meanwhile.
  drift = 120_000;
  expect((await call(sandbox, "credential", company, WANTED, sent())).status).toBe(410);
  expect((await sandbox.status()).virtualTime).toBeGreaterThanOrEqual(latest);
  await sandbox.stop();

  const second = await startSandbox({ realNow }, dir);
  expect((await second.status()).virtualTime).toBeGreaterThanOrEqual(latest);
  expect((await call(second, "credential", company, WANTED, sent())).status).toBe(410);
});

test("the clock can be frozen, advanced and resumed, and refuses what is no change", async () => {
  const sandbox = await startSandbox();
  await sandbox.clock({ do: "freeze" });
  const { virtualTime } = await sandbox.status();
  await sandbox.clock({ do: "advance", byMs: 90_000 });
  expect(await sandbox.status()).toMatchObject({ virtualTime: virtualTime + 90_000, clockFrozen: true });
  await sandbox.clock({ do: "resume" });
  expect((await sandbox.status()).clockFrozen).toBe(false);
  for (const change of [
    { do: "stop" },
    { do: "set", at: "now" },
    { do: "advance" },
    { do: "set", at: 9e15 },
    [],
  ]) {
    expect((await sandbox.admin("POST", "/_sandbox/clock", change)).status).toBe(400);
  }
});
