// A client without real waits, and keys to call with.

import { expect, vi } from "vitest";
import { type ClientOptions, createClient } from "#src/client/client.ts";
import { Secret } from "#src/contract/secret.ts";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import type { CredentialRequest, RegistrationRequest } from "#src/contract/wire/wire.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import type { HostileService } from "./hostile-service.ts";

export const CREDENTIAL: ProjectCredential = {
  keyId: "hmac-sha256-7d41c0",
  projectId: "prj-1",
  secret: new Secret("9f".repeat(32)),
  algorithm: "hmac-sha256",
};

export const KEY: IntegrationKey = {
  keyId: "hmac-sha256-c0ffee",
  companyId: "cmp-1",
  secret: new Secret("8e".repeat(32)),
  algorithm: "hmac-sha256",
};

export const CHECK = { operation: "payment", order_id: "A-1", amount: 12000, currency: 980 };
export const REGISTRATION: RegistrationRequest = {
  merchant_id: "m-1",
  name: "Shop",
  currency: 980,
  risk_level: "low",
};
export const CREDENTIAL_REQUEST: CredentialRequest = { merchant_id: "m-1", risk_level: "low" };

/** No call comes near it by itself, however busy the machine is: `pastDeadline` lets it pass. */
export const DEADLINE_MS = 54_321;

export function clientFor(url: string, options: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  const client = createClient({
    baseUrl: url,
    projectsUrl: url,
    recipe: recipeById("http-signatures"),
    now: () => Date.now(),
    deadlineMs: DEADLINE_MS,
    random: () => 0,
    pause: async (ms) => void waits.push(ms),
    ...options,
  });
  return { client, waits, [Symbol.asyncDispose]: () => client.close() };
}

/** Makes a call whose deadline passes as soon as its request has arrived. */
export async function pastDeadline<R>(call: () => Promise<R>, service: HostileService): Promise<R> {
  const timers = vi.spyOn(globalThis, "setTimeout");
  try {
    const calling = call();
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    for (const [pass, ms] of timers.mock.calls) if (ms === DEADLINE_MS) pass();
    return await calling;
  } finally {
    timers.mockRestore();
  }
}
