// Round trip of a recipe: whether a request that it signs is accepted when verified with it.

import { Fault } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { ENDPOINTS, JSON_MEDIA_TYPE, type Call } from "#src/contract/wire/wire.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import { sign } from "#src/signing/sign.ts";
import { verify } from "#src/signing/verify.ts";
import { replacesHeaders, type Recipe } from "./recipe.ts";

export interface RoundTrip {
  readonly call: Call;
  /** Why a signed request is refused; null if it is accepted. */
  readonly problem: string | null;
  /** The recipe sends this call unsigned. */
  readonly unsigned: boolean;
}

/** 64 digits are a key in every encoding. */
const KEY = { keyId: "key-1", secret: new Secret("5a".repeat(32)), algorithm: "hmac-sha256" };

/** Signs each call and verifies it a moment later. @param nowMs ms since the epoch */
export function roundTrips(recipe: Recipe, nowMs: number): RoundTrip[] {
  return (Object.keys(ENDPOINTS) as Call[]).map((call) => {
    const override = recipe.endpoints[call];
    if (override !== undefined && replacesHeaders(override)) return { call, problem: null, unsigned: true };
    return { call, problem: tripProblem(recipe, call, nowMs), unsigned: recipe.canonical === null };
  });
}

function tripProblem(recipe: Recipe, call: Call, nowMs: number): string | null {
  const { method, path } = ENDPOINTS[call];
  const url = new URL(`https://service.example${path}`);
  const body = Buffer.from('{"amount":1}');
  try {
    const headers = { "content-type": JSON_MEDIA_TYPE };
    const identity = { ...KEY, projectId: "owner-1", companyId: "owner-1" };
    const signed = sign(recipe, { method, url, headers, body }, identity, { nowMs }, call);
    const received = {
      method,
      path,
      headers: new HeaderTable(Object.entries(signed.headers).flat()),
      body,
      scheme: "https" as const,
    };
    const verified = verify(recipe, received, KEY, nowMs, call);
    return verified.ok ? null : verified.reason;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}
