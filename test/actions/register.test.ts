// A registration beside a disk that fails: what is said must tell whether it left.

import { expect, it } from "vitest";
import type { ActionContext, Service } from "#src/actions/action-context.ts";
import { check } from "#src/actions/check/check.ts";
import { register } from "#src/actions/register/register.ts";
import { Fault, storage } from "#src/contract/fault.ts";
import { SANDBOX_PROFILE } from "#src/contract/records/profile.ts";
import { Secret } from "#src/contract/secret.ts";
import { NO_FACTS, type RegisterResult } from "#src/contract/wire/outcome.ts";

const REGISTERED: RegisterResult = {
  ...NO_FACTS,
  outcome: "answered",
  reason: null,
  explanation: "The project is registered: fetch its credential next.",
  latencyMs: 1,
  attempts: 1,
  registered: true,
  message: null,
};
const UNKNOWN: RegisterResult = {
  ...REGISTERED,
  outcome: "unknown",
  reason: "cut",
  explanation: "The registration left, and no answer came.",
  registered: false,
};

/** @param failing which write of the projects fails, from 1 */
function world(answer: RegisterResult, failing: number, probe = Promise.resolve()) {
  let writes = 0;
  let sent = 0;
  const key = { keyId: "k", companyId: "c", algorithm: "hmac-sha256", secret: new Secret("s") };
  const service = {
    client: { register: () => ((sent += 1), Promise.resolve(answer)) },
    now: () => 0,
    follow: () => undefined,
    offsetMs: () => 0,
    offeredKeys: () => Promise.resolve([]),
  } as unknown as Service;
  const put = (): Promise<void> => {
    writes += 1;
    return writes === failing ? Promise.reject(storage`The disk is full.`) : Promise.resolve();
  };
  const context = {
    profile: SANDBOX_PROFILE,
    addresses: () => ({ baseUrl: "", projectsUrl: "" }),
    now: () => 0,
    service: () => Promise.resolve(service),
    vault: () =>
      Promise.resolve({
        integrationKeys: () => [key],
        ensureOpen: () => Promise.resolve(),
        probe: () => probe,
      }),
    projects: () => Promise.resolve({ list: () => Promise.resolve([]), put, remove: put }),
  } as unknown as ActionContext;
  const run = () =>
    register(
      context,
      { request: { merchant_id: "m", name: "M", currency: 980, risk_level: "low" } },
      new AbortController().signal,
      () => undefined,
    );
  return { run, sent: () => sent };
}

it("says that nothing was sent when its start cannot be written", async () => {
  const { run, sent } = world(REGISTERED, 1);
  await expect(run()).rejects.toMatchObject({
    code: "storage",
    message: "Nothing was sent: The disk is full.",
  });
  expect(sent()).toBe(0);
});

it("says that the service has registered it when only the answer cannot be written, and what is next", async () => {
  const { run, sent } = world(REGISTERED, 2);
  const fault = await run().catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "storage" });
  const { message } = fault as Fault;
  expect(message).toContain("m/low is registered at the service.");
  expect(message).toContain(
    "within 24 hours: verdict project credential --merchant-id m --risk-level low --wait",
  );
  expect(message).toContain("could not be saved: The disk is full.");
  expect(message).not.toContain("Nothing was sent");
  expect(sent()).toBe(1);
});

it("says that the outcome is unknown when that cannot be written", async () => {
  const { run } = world(UNKNOWN, 2);
  await expect(run()).rejects.toThrow(
    /no answer came\. Fetch its credential.*could not be saved: The disk is full/,
  );
});

it("a check whose intent cannot be written says that nothing was sent", async () => {
  const credential = { keyId: "k", projectId: "p", algorithm: "hmac-sha256", secret: new Secret("s") };
  const context = {
    profile: SANDBOX_PROFILE,
    addresses: () => ({ baseUrl: "", projectsUrl: "" }),
    now: () => 0,
    newId: () => "id",
    service: () => Promise.resolve({}),
    vault: () =>
      Promise.resolve({
        ensureOpen: () => Promise.resolve(),
        refresh: () => Promise.resolve(),
        lockState: () => "open",
        list: () => [{ kind: "project_credential", profile: "sandbox", projectKey: "m/low", projectId: "p" }],
        credential: () => credential,
      }),
    projects: () => Promise.resolve({ list: () => Promise.resolve([]), get: () => Promise.resolve(null) }),
    history: () => Promise.resolve({ intend: () => Promise.reject(storage`The disk is full.`) }),
  } as unknown as ActionContext;
  const input = {
    request: { amount: 1 },
    project: undefined,
    canForce3ds: null,
    warnings: [],
    repeats: null,
    record: true,
  };
  await expect(check(context, input, new AbortController().signal, () => undefined)).rejects.toMatchObject({
    code: "storage",
    message: "Nothing was sent: The disk is full.",
  });
});
