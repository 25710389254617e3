// Requests that were signed, and what is inferred from them.

import { expect } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { parseRawRequest, type RawRequest } from "#src/contract/text/raw-request.ts";
import { TRIAL_LIMITS } from "#src/signing/infer/infer-trial.ts";
import { inferRecipe, type Inference } from "#src/signing/infer/infer.ts";
import { PRESETS } from "#src/signing/recipes/presets.ts";
import { readRecipe, writeRecipe } from "#src/signing/recipes/recipe-reader.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { sign, type Identity } from "#src/signing/sign.ts";

export const SECRET: string = "9f".repeat(32);
export const BODY: string = '{"operation":"payment","order_id":"A-1","amount":12000,"currency":980}';
const NOW = Date.UTC(2026, 2, 4, 5, 6, 7);
const ADDRESS = "https://risk.example.com/v1/check?trace=1";

export const IDENTITY: Identity = {
  keyId: "hmac-sha256-7d41c0",
  secret: new Secret(SECRET),
  algorithm: "hmac-sha256",
  projectId: "prj-1",
  companyId: "cmp-1",
};

interface Sending {
  readonly method?: string;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as text. */
export function text(
  headers: Readonly<Record<string, string>>,
  { method = "POST", address = ADDRESS, body = BODY }: Sending = {},
): string {
  const { pathname, search } = new URL(address);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** The request that a text holds. */
export function parsed(raw: string): RawRequest {
  return parseRawRequest(Buffer.from(raw, "utf8"));
}

/** A request that was signed with the recipe, as a proxy saves it. */
export function capture(recipe: Recipe, identity: Identity = IDENTITY, sending: Sending = {}): RawRequest {
  const { method = "POST", address = ADDRESS, headers = {}, body = BODY } = sending;
  const unsigned = {
    method,
    url: new URL(address),
    headers: { "content-type": "application/json", ...headers },
    body: Buffer.from(body),
  };
  return parsed(text(sign(recipe, unsigned, identity, { nowMs: NOW }, "check").headers, sending));
}

/** Infers, with what holds of every inference. */
export function infer(
  request: RawRequest,
  secret: string = SECRET,
  recipes: readonly Recipe[] = PRESETS,
): Inference {
  const inference = inferRecipe(request, new Secret(secret), recipes);
  expect(inference.tried).toBeLessThanOrEqual(TRIAL_LIMITS.hmacs);
  // Shorter ones of published examples are ordinary words.
  if (secret.length > 16) expect(JSON.stringify(inference)).not.toContain(secret);
  for (const { recipe } of inference.found) {
    expect(readRecipe(writeRecipe(recipe), "inferred.yaml")).toEqual(recipe);
  }
  return inference;
}

/** What the found recipe signs, whatever it is called. */
export function signature(recipe: Recipe, header: string, identity: Identity = IDENTITY): string | undefined {
  const unsigned = {
    method: "POST",
    url: new URL(ADDRESS),
    headers: { "content-type": "application/json" },
    body: Buffer.from(BODY),
  };
  const nonce = recipe.nonce === null ? {} : { nonce: "1b4e28ba-2fa1-4d0a-883f-0016d3cca427" };
  return sign(recipe, unsigned, identity, { nowMs: NOW, ...nonce }, "check").headers[header];
}
