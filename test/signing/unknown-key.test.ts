// An unknown key costs what a wrong one costs: the same hashing, over as many bytes. Counted, not timed.

import { expect, test, vi } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import * as hashing from "#src/signing/hmac.ts";
import { judge, KEY, signedCheck } from "./request.ts";

vi.mock("#src/signing/hmac.ts", { spy: true });

/** What was computed: each call with the lengths of what went in, keys included. */
function work(): string[] {
  const length = (value: unknown): string =>
    typeof value === "string" || value instanceof Uint8Array ? String(value.length) : typeof value;
  return (["hmac", "signingKey", "sameSignature", "decodeSignature", "bodyDigest"] as const).flatMap((name) =>
    vi
      .mocked(hashing[name] as (...args: unknown[]) => unknown)
      .mock.calls.map((args) => `${name} ${args.map(length).join(" ")}`),
  );
}

test("for the default recipe, down to the search for the nearest miss", () => {
  const received = signedCheck();
  vi.clearAllMocks();
  expect(judge(received, { ...KEY, secret: new Secret("8e".repeat(32)) })).toMatch(/the signature differs/);
  const wrong = work();
  vi.clearAllMocks();
  expect(judge(received, null)).toBe("the key is unknown");
  expect(work()).toEqual(wrong);
  expect(wrong.filter((call) => call.startsWith("hmac ")).length).toBeGreaterThan(0);
});
