// Our requests against two packages that were written independently of this one, and theirs against us.

import { createHmac } from "node:crypto";
import { cavage } from "http-message-signatures";
import httpSignature from "http-signature";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { verify } from "./arriving.ts";
import { headerOf, IDENTITY, KEY, NOW, RECIPE, SECRET, signedCheck } from "./request.ts";

beforeEach(() => vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

test.each(["hmac-sha256", "hmac-sha512"])(
  "http-signature accepts our requests signed with %s",
  (algorithm) => {
    const received = signedCheck({ ...IDENTITY, algorithm });
    const parsed = httpSignature.parseRequest(
      {
        method: received.method,
        url: received.path,
        httpVersion: "1.1",
        headers: Object.fromEntries(received.headers),
      },
      { strict: true, headers: ["(request-target)", "host", "date", "digest", "x-project-id"] },
    );
    expect(parsed.keyId).toBe(IDENTITY.keyId);
    expect(parsed.algorithm).toBe(algorithm.toUpperCase());
    expect(httpSignature.verifyHMAC(parsed, SECRET.expose())).toBe(true);
    expect(httpSignature.verifyHMAC(parsed, "8e".repeat(32))).toBe(false);
  },
);

test("http-message-signatures accepts our requests in its cavage form", async () => {
  const received = signedCheck();
  const params = headerOf(received, "authorization").slice("Signature ".length);
  const check = (secret: string) =>
    cavage.verifyMessage(
      {
        async keyLookup(parameters) {
          expect(parameters["keyid"]).toBe(IDENTITY.keyId);
          return {
            async verify(data, signature) {
              return createHmac("sha256", secret).update(data).digest().equals(signature);
            },
          };
        },
      },
      {
        method: received.method,
        url: `https://risk.example.com${received.path}`,
        headers: { ...Object.fromEntries(received.headers), Signature: params },
      },
    );
  expect(await check(SECRET.expose())).toBe(true);
  expect(await check("8e".repeat(32))).toBe(false);
});

test("we accept what http-message-signatures signs", async () => {
  const received = signedCheck();
  const { authorization: _, ...headers } = Object.fromEntries(received.headers);
  const message = await cavage.signMessage(
    {
      key: {
        id: IDENTITY.keyId,
        alg: "hmac-sha256",
        sign: async (data) => createHmac("sha256", SECRET.expose()).update(data).digest(),
      },
      params: ["keyid", "alg"],
      fields: [
        "@request-target",
        "host",
        "date",
        "digest",
        "content-type",
        "x-request-id",
        "x-key-id",
        "x-project-id",
      ],
    },
    {
      method: "POST",
      url: `https://risk.example.com${received.path}`,
      headers,
    },
  );
  const { Signature, ...rest } = message.headers;
  const theirs = [
    ...Object.entries(rest as Record<string, string>),
    ["authorization", `Signature ${String(Signature)}`],
  ];
  const verification = verify(
    RECIPE,
    { ...received, headers: theirs as [string, string][] },
    KEY,
    NOW,
    "check",
  );
  expect(verification).toMatchObject({ ok: true, keyId: KEY.keyId });
});
