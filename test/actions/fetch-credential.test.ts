// Waiting for a credential: polite whatever the service says, and over when the window is.

import { expect, it } from "vitest";
import type { ActionContext, Service } from "#src/actions/action-context.ts";
import { fetchCredential, type CredentialEvent } from "#src/actions/register/fetch-credential.ts";
import { storage } from "#src/contract/fault.ts";
import { SANDBOX_PROFILE } from "#src/contract/records/profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import { Secret } from "#src/contract/secret.ts";
import type { CredentialResult } from "#src/contract/wire/outcome.ts";
import { projectOf } from "../console/samples.ts";
import { credentialReady } from "../console/test-context.ts";

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

const PROJECT = projectOf({ companyId: "c", merchantId: "m", riskLevel: "low", startedAt: START });

const notReady = (retryAfterS: number | null): CredentialResult =>
  credentialReady({
    outcome: "refused",
    reason: "credential_not_ready",
    explanation: "Not ready.",
    httpStatus: 404,
    retryAfterS,
    state: "not_ready",
    credential: null,
  });

/**
 * A service that always answers the same, on a clock that only sleeping moves.
 * @param fillsDisk whether the disk is full after the first wait
 */
function world(answer: CredentialResult, project: Project | null, fillsDisk = false) {
  let now = START;
  const asked: number[] = [];
  const probed: number[] = [];
  const slept: number[] = [];
  let remembered = project;
  let full = false;
  const service: Pick<Service, "client" | "now" | "follow" | "offsetMs" | "assumeOffset" | "offeredKeys"> = {
    client: {
      credential: () => {
        asked.push(now);
        return Promise.resolve(answer);
      },
    } as unknown as Service["client"],
    now: () => now,
    follow: () => undefined,
    offsetMs: () => 0,
    assumeOffset: () => undefined,
    offeredKeys: () => Promise.resolve([]),
  };
  const key = { keyId: "k", companyId: "c", algorithm: "hmac-sha256", secret: new Secret("s") };
  const context = {
    profile: SANDBOX_PROFILE,
    addresses: () => ({ baseUrl: "", projectsUrl: "" }),
    now: () => now,
    sleep: (ms: number) => {
      slept.push(ms);
      now += ms;
      full = fillsDisk;
      return Promise.resolve();
    },
    service: () => Promise.resolve(service),
    vault: () =>
      Promise.resolve({
        integrationKeys: () => [key],
        probe: () => {
          probed.push(now);
          return full ? Promise.reject(storage`The disk is full.`) : Promise.resolve();
        },
        ensureOpen: () => Promise.resolve(),
        hold: () => () => undefined,
        refresh: () => Promise.resolve(),
        list: () => [],
      }),
    projects: () =>
      Promise.resolve({
        get: () => Promise.resolve(remembered),
        update: (_profile: string, _key: string, change: (project: Project) => Project) =>
          Promise.resolve((remembered = change(remembered!))),
      }),
  } as unknown as ActionContext;
  const run = (onEvent: (event: CredentialEvent) => void = () => undefined) =>
    fetchCredential(
      context,
      { request: { merchant_id: "m", risk_level: "low" }, wait: true },
      new AbortController().signal,
      onEvent,
    );
  const setBack = (ms: number): void => void (now -= ms);
  return { run, setBack, asked, probed, slept, elapsed: () => now - START };
}

it("never asks more than once a second, whatever Retry-After says", async () => {
  const { run, asked } = world(notReady(0), PROJECT);
  await run();
  const gaps = asked.slice(1).map((at, index) => at - asked[index]!);
  expect(Math.min(...gaps.slice(0, -1))).toBeGreaterThanOrEqual(1_000);
});

it("keeps to a long Retry-After, but not beyond the end of the window, and then gives up", async () => {
  const { run, asked, slept, elapsed } = world(notReady(9_999_999), PROJECT);
  const { result } = await run();
  expect(result.state).toBe("not_ready");
  expect(asked).toHaveLength(2);
  expect(elapsed()).toBe(24 * HOUR);
  expect(Math.max(...slept)).toBeLessThanOrEqual(30_000);
});

it("backs off to a minute where the service gives no Retry-After", async () => {
  const { run, asked } = world(notReady(null), PROJECT);
  await run();
  const gaps = asked.slice(1, 8).map((at, index) => at - asked[index]!);
  expect(gaps).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
});

it("gives up after 24 hours on a project that was registered elsewhere, too", async () => {
  const { run, elapsed } = world(notReady(3_600), null);
  await run();
  expect(elapsed()).toBe(24 * HOUR);
});

it("waits no longer when the clock is set back as soon as the wait is shown", async () => {
  const answer = { outcome: "indeterminate", reason: "bad_credential", state: "unusable" } as const;
  const { run, setBack, slept } = world({ ...notReady(5), ...answer }, PROJECT);
  await run(({ type }) => (type === "waiting" ? setBack(2 * HOUR) : undefined));
  expect(slept.reduce((sum, ms) => sum + ms)).toBe(SANDBOX_PROFILE.credentialWaitS * 1000);
});

it("sends no request when the vault cannot be written after the recommended wait", async () => {
  const { run, asked, elapsed } = world(notReady(null), PROJECT, true);
  await expect(run()).rejects.toMatchObject({ code: "storage" });
  expect(elapsed()).toBeGreaterThan(0);
  expect(asked).toEqual([]);
});

it("sends no second request when the vault cannot be written any more", async () => {
  const { run, asked } = world(notReady(60), null, true);
  await expect(run()).rejects.toMatchObject({ code: "storage" });
  expect(asked).toEqual([START]);
});

it("tries the vault right before every request", async () => {
  const { run, asked, probed } = world(notReady(3_600), PROJECT);
  await run();
  expect(asked.length).toBeGreaterThan(20);
  for (const at of asked) expect(probed).toContain(at);
});

it("ends at a credential that can never be used", async () => {
  const answer = { outcome: "indeterminate", reason: "bad_credential", state: "unusable" } as const;
  const { run, asked } = world({ ...notReady(5), ...answer }, PROJECT);
  const { result } = await run();
  expect(result.state).toBe("unusable");
  expect(asked).toHaveLength(1);
});
