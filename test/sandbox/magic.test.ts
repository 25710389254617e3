// Order ids that force an answer: listed, marked, switchable, and never an amount.

import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { ADMIN, type MagicListing } from "#src/contract/wire/sandbox-wire.ts";
import type { Identity } from "#src/signing/sign.ts";
import {
  call,
  CHECK,
  makeProject,
  send,
  signedCall,
  startSandbox,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

const order = (id: string): object => ({ ...CHECK, order_id: id });

async function listing(sandbox: SandboxUnderTest): Promise<MagicListing> {
  return JSON.parse((await sandbox.admin("GET", ADMIN.magic)).text) as MagicListing;
}

test("forces each recommendation, says so in the explanation, and counts nothing", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  for (const [id, code] of [
    ["force-pass", "pass"],
    ["force-block-7", "block"],
    ["force-3ds-x", "3ds_or_block"],
  ] as const) {
    const answer = await call(sandbox, "check", project, order(id));
    expect(answer.body["code"]).toBe(code);
    const prefix = id.replace(/-(?:7|x)$/, "");
    expect(answer.body["message"]).toContain(prefix);
    const explanation = await sandbox.explanation(answer);
    expect(explanation).toMatchObject({ decidedBy: "magic", recommendation: code, orderId: id });
    expect(explanation.rules.map(({ code: rule }) => rule)).toContain("PAYER_1H");
  }
  // The third attempt of this payer would be one too many; the forced ones were none.
  const honest = await call(sandbox, "check", project, order("honest"));
  expect(honest.body["code"]).toBe("pass");
  expect((await sandbox.explanation(honest)).counters).toContainEqual(expect.objectContaining({ value: 1 }));
  // A forced pass beats even a hard rule.
  const blocked = { ...order("force-pass-2"), payer: { payer_id: "blocked" } };
  expect((await call(sandbox, "check", project, blocked)).body["code"]).toBe("pass");
});

/** Sends a check and tells how its answer ended, within a time. */
async function ending(
  sandbox: SandboxUnderTest,
  project: Identity,
  id: string,
  ms = 60_000,
): Promise<{ status: number | null; text: string; end: "complete" | "cut" | "none" }> {
  const { path, headers, body } = signedCall(sandbox.port, "check", project, order(id));
  return await new Promise((resolve) => {
    let status: number | null = null;
    let text = "";
    const finish = (end: "complete" | "cut" | "none"): void => {
      clearTimeout(timer);
      request.destroy();
      resolve({ status, text, end });
    };
    const request = httpRequest({
      host: "127.0.0.1",
      port: sandbox.port,
      method: "POST",
      path,
      headers: headers as Record<string, string>,
      agent: false,
    });
    const timer = setTimeout(() => finish("none"), ms);
    request.on("error", () => finish("cut"));
    request.on("response", (response) => {
      status = response.statusCode ?? null;
      response.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
      response.on("error", () => undefined);
      response.on("close", () => finish(response.complete ? "complete" : "cut"));
    });
    request.end(body);
  });
}

test("forces failures: a status, garbage, a truncated answer, none at all", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());

  const failed = await call(sandbox, "check", project, order("force-500-1"));
  expect([failed.status, failed.body["error"]]).toEqual([500, "internal_error"]);
  expect(failed.headers["x-verdict-sandbox"]).toBe("1");
  expect((await sandbox.status()).decisions).toBe(0);

  const garbage = await call(sandbox, "check", project, order("force-garbage-1"));
  expect(garbage.status).toBe(200);
  expect(garbage.headers["content-type"]).toBe("application/json");
  expect(garbage.headers["x-verdict-decision"]).toMatch(/^dec-/);
  expect(() => JSON.parse(garbage.text) as unknown).toThrow();

  const truncated = await ending(sandbox, project, "force-truncated-1");
  expect(truncated).toMatchObject({ status: 200, end: "cut" });
  expect(truncated.text.length).toBeGreaterThan(0);
  // It was decided all the same: a repeat of it gets the same decision, cut again.
  expect((await sandbox.status()).decisions).toBe(2);

  expect(await ending(sandbox, project, "force-timeout-1", 300)).toMatchObject({ status: null, end: "none" });
  await expect.poll(async () => (await sandbox.status()).decisions).toBe(3);
});

test("an amount never forces anything, and neither does a word in the middle", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  for (const [index, body] of [
    { ...CHECK, amount: 500 },
    { ...CHECK, order_id: "o-1", amount: 66_600 },
    { ...CHECK, order_id: "my-force-block", payer: { payer_id: "other" } },
    { ...CHECK, order_id: "FORCE-BLOCK", payer: { payer_id: "third" } },
  ].entries()) {
    const answer = await call(sandbox, "check", project, body);
    expect([index, answer.body["code"]]).toEqual([index, "pass"]);
    expect((await sandbox.explanation(answer)).decidedBy).toBe("pass");
  }
});

test("is listed with its switch, and does nothing where it is off", async () => {
  const on = await listing(await startSandbox());
  expect(on.enabled).toBe(true);
  expect(on.values.map(({ prefix }) => prefix)).toEqual([
    "force-pass",
    "force-block",
    "force-3ds",
    "force-500",
    "force-timeout",
    "force-garbage",
    "force-truncated",
  ]);
  expect(on.values.every(({ what }) => what.length > 10)).toBe(true);

  const off = await startSandbox({ magic: false });
  expect((await listing(off)).enabled).toBe(false);
  expect((await off.status()).switches.magic).toBe(false);
  const project = await makeProject(off, await off.company());
  for (const id of ["force-block", "force-500"]) {
    const answer = await call(off, "check", project, { ...order(id), payer: { payer_id: id } });
    expect(answer.body["code"]).toBe("pass");
  }
  // A magic id is no way around the signature.
  const stranger = signedCall(off.port, "check", { ...project, keyId: "hmac-sha256-x" }, order("force-pass"));
  expect((await send(off.port, stranger)).status).toBe(401);
});
