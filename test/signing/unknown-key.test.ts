// An unknown key costs what a wrong one costs: the same hashing, over as many bytes. Counted, not timed.

import { afterAll, expect, test, vi } from "vitest";

// Files of tests share what is loaded, and what is loaded already cannot be spied upon: this one loads everything anew.
vi.mock("#src/signing/hmac.ts", { spy: true });
vi.resetModules();
const { Secret } = await import("#src/contract/secret.ts");
const hashing = await import("#src/signing/hmac.ts");
const { judge, KEY, signedCheck } = await import("./request.ts");

/** What was computed: each call with the lengths of what went in, keys included. */
function work(): string[] {
  const length = (value: unknown): string =>
    typeof value === "string" || value instanceof Uint8Array ? String(value.length) : typeof value;
  return (
    ["hmac", "signature", "signingKey", "sameSignature", "decodeSignature", "bodyDigest"] as const
  ).flatMap((name) =>
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
  expect(wrong.filter((call) => call.startsWith("signature ")).length).toBeGreaterThan(0);
});

// The next file must not find the spies.
afterAll(() => {
  vi.doUnmock("#src/signing/hmac.ts");
  vi.resetModules();
});
