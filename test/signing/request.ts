// A signed check and a signed credential request to start from, and a way to change one thing about them.

import { Secret } from "#src/contract/secret.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { sign, type Identity } from "#src/signing/sign.ts";
import type { KeyRecord } from "#src/signing/usable-key.ts";
import { verify, type Sent } from "./arriving.ts";

export const NOW = Date.UTC(2026, 2, 4, 5, 6, 7);
export const SECRET = new Secret("9f".repeat(32));
export const BODY = Buffer.from('{"operation":"payment","order_id":"A-1","amount":12000,"currency":980}');
export const RECIPE = recipeById("http-signatures");

export const IDENTITY: Identity = {
  keyId: "hmac-sha256-7d41c0",
  secret: SECRET,
  algorithm: "hmac-sha256",
  projectId: "prj-1",
  companyId: "cmp-1",
};

export const KEY: KeyRecord = { keyId: IDENTITY.keyId, secret: SECRET, algorithm: "hmac-sha256" };

export function signedCheck(identity: Identity = IDENTITY, nowMs: number = NOW): Sent {
  return signed("check", "/v1/check?trace=1", identity, nowMs);
}

export function signedCredential(): Sent {
  return signed("credential", "/projects/credential", IDENTITY, NOW);
}

function signed(call: "check" | "credential", path: string, identity: Identity, nowMs: number): Sent {
  const url = new URL(`https://risk.example.com${path}`);
  const headers = { "Content-Type": "application/json" };
  const request = { method: "POST", url, headers, body: BODY };
  return {
    method: "POST",
    path,
    headers: Object.entries(sign(RECIPE, request, identity, { nowMs }, call).headers),
    body: BODY,
  };
}

/** Sets (or with null removes) one header. */
export function withHeader(received: Sent, name: string, value: string | null): Sent {
  const headers = received.headers.flatMap((header) =>
    header[0] !== name ? [header] : value === null ? [] : ([[name, value]] as const),
  );
  return { ...received, headers };
}

export function headerOf(received: Sent, name: string): string {
  return received.headers.find((header) => header[0] === name)![1];
}

/** The reason of the refusal, or `verified`. */
export function judge(received: Sent, key: KeyRecord | null = KEY, nowMs: number = NOW): string {
  const verification = verify(RECIPE, received, key, nowMs, "check");
  return verification.ok ? "verified" : verification.reason;
}
