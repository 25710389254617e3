// What-if: the same decision as the check would get, and no trace of having asked.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandboxAdmin } from "#src/client/sandbox-admin.ts";
import { ADMIN, type WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Identity } from "#src/signing/sign.ts";
import { call, makeProject, send, startSandbox, type SandboxUnderTest } from "./sandbox-under-test.ts";

const PAYMENT: CheckRequest = {
  operation: "payment",
  order_id: "o-1",
  amount: 12_000,
  currency: 980,
  payer: { payer_ip: "91.198.36.14", email: "a.person@shop.example", payer_id: "p-1" },
  card: { bin_card: 444433, cin_card: 42, expiration_month: 9, expiration_year: 99 },
};

async function shop(sandbox: SandboxUnderTest): Promise<{ identity: Identity; projectId: string }> {
  const identity = await makeProject(sandbox, await sandbox.company());
  return { identity, projectId: identity.projectId! };
}

/** Everything that a question must leave alone. */
async function traces(sandbox: SandboxUnderTest): Promise<unknown> {
  const { decisions, requests, signatures, faults } = await sandbox.status();
  const journal = (await sandbox.admin("GET", `${ADMIN.journal}?limit=1000`)).text;
  const rules = (await sandbox.admin("GET", ADMIN.rules)).text;
  const files = readdirSync(sandbox.dir, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /decisions?|counters|answers/.test(`${entry.parentPath}/${entry.name}`),
    )
    .map((entry) => [entry.name, statSync(join(entry.parentPath, entry.name)).size]);
  return { decisions, requests, signatures: signatures.remembered, faults, journal, rules, files };
}

describe("what-if", () => {
  it("says what the check then gets, counted with it, whatever is asked before", async () => {
    const sandbox = await startSandbox();
    const { identity, projectId } = await shop(sandbox);
    const admin = createSandboxAdmin(sandbox);
    const verdicts: string[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const request = { ...PAYMENT, order_id: `o-${attempt}` };
      const before = await traces(sandbox);
      const asked: WhatIf[] = [];
      for (let time = 0; time < 3; time += 1)
        asked.push(await admin.whatIf(projectId, request, { flips: time === 1 }));
      expect(await traces(sandbox)).toEqual(before);
      const answer = await call(sandbox, "check", identity, request);
      const { id: _, flips: __, at: ___, ...explanation } = await sandbox.explanation(answer);
      for (const { decision } of asked) {
        const { flips: ____, at: _____, ...rest } = decision!;
        expect(rest).toEqual(explanation);
      }
      expect(asked[0]!.decision!.flips).toBeUndefined();
      expect(asked[1]!.decision!.flips).toBeDefined();
      verdicts.push(explanation.recommendation);
    }
    // Velocity: what was only asked was never counted, or it would have tipped earlier.
    expect(verdicts[0]).toBe("pass");
    expect(new Set(verdicts).size).toBeGreaterThan(1);
  });

  it("knows an identical repeat, and leaves the stored answer as it is", async () => {
    const sandbox = await startSandbox();
    const { identity, projectId } = await shop(sandbox);
    const admin = createSandboxAdmin(sandbox);
    const first = await call(sandbox, "check", identity, PAYMENT);
    const { decision } = await admin.whatIf(projectId, PAYMENT);
    expect(decision).toMatchObject({ id: first.headers["x-verdict-decision"], repeat: true });
    // That somebody asked makes no repeat of the decision itself.
    expect((await sandbox.explanation(first)).repeat).toBe(false);
    expect((await admin.whatIf(projectId, { ...PAYMENT, amount: 1 })).decision).toMatchObject({
      repeat: false,
    });
    const again = await call(sandbox, "check", identity, PAYMENT);
    expect(again.headers["x-verdict-decision"]).toBe(first.headers["x-verdict-decision"]);
    expect((await sandbox.status()).decisions).toBe(1);
  });

  it("refuses what a check is refused for, and names the field", async () => {
    const sandbox = await startSandbox();
    const { projectId } = await shop(sandbox);
    const admin = createSandboxAdmin(sandbox);
    const { currency: _, ...without } = PAYMENT;
    await expect(admin.whatIf(projectId, without)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("currency is required and missing"),
    });
    await expect(
      admin.whatIf(projectId, { ...PAYMENT, description: "4111 1111 1111 1111" }),
    ).rejects.toMatchObject({ code: "bad_input", message: expect.stringContaining("Full card data") });
    await expect(admin.whatIf("nobody", PAYMENT)).rejects.toThrow("No project has this id");
    expect((await sandbox.admin("POST", ADMIN.whatIf, PAYMENT)).status).toBe(400);
    expect((await sandbox.status()).decisions).toBe(0);
  });

  it("tells what an order id forces, and uses up no fault", async () => {
    const sandbox = await startSandbox();
    const { projectId } = await shop(sandbox);
    const admin = createSandboxAdmin(sandbox);
    await admin.addFault({
      on: "check",
      effect: { do: "status", status: 503, retryAfterS: null },
      rate: 1,
      count: 1,
    });
    expect(await admin.whatIf(projectId, { ...PAYMENT, order_id: "force-block-1" })).toMatchObject({
      decision: { recommendation: "block", decidedBy: "magic" },
      magic: { prefix: "force-block" },
    });
    expect(await admin.whatIf(projectId, { ...PAYMENT, order_id: "force-500-1" })).toMatchObject({
      decision: null,
      magic: { prefix: "force-500" },
    });
    expect((await admin.faults())[0]).toMatchObject({ made: 0 });
  });

  it("needs the token", async () => {
    const sandbox = await startSandbox();
    const path = `${ADMIN.whatIf}?project=p`;
    const answer = await send(sandbox.adminPort, { method: "POST", path, body: JSON.stringify(PAYMENT) });
    expect([answer.status, answer.body["error"]]).toEqual([401, "unauthorized"]);
  });
});
