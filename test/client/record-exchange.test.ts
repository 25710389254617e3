// A recorded exchange holds no secret, wherever a service puts one, and stays small.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answer, Exchange, Outgoing } from "#src/client/exchange.ts";
import { recordExchange } from "#src/client/record-exchange.ts";
import { BODY_KEPT } from "#src/contract/records/exchange.ts";
import { Secret } from "#src/contract/secret.ts";
import type { Call } from "#src/contract/wire/wire.ts";

const SECRET = "s3cr3t+/=&\"canary'01";
const OUTGOING: Outgoing = {
  url: new URL("https://check.example/v1/check"),
  method: "POST",
  headers: { host: "check.example", "x-key-id": "key-1" },
  body: null,
};

function answering(body: string, headers: Answer["headers"] = [], status = 401): Exchange {
  return {
    kind: "answer",
    answer: { status, headers, body: Buffer.from(body), ending: "complete" },
    latencyMs: 1,
  };
}

function record(
  exchanged: Exchange,
  {
    call = "check",
    headers = {},
    secret = SECRET,
    signature = null,
  }: { call?: Call; headers?: Record<string, string>; secret?: string; signature?: string | null } = {},
) {
  const outgoing = { ...OUTGOING, headers: { ...OUTGOING.headers, ...headers } };
  return recordExchange(call, outgoing, exchanged, { secret: new Secret(secret), signature });
}

test.each(["", "a", "ab", "Authorization: "])(
  "the secret is masked in Base64 of a text that begins with %j",
  (before) => {
    const secret = "k9".repeat(16);
    const form = Buffer.from(`${before}${secret}; end`).toString("base64");
    const seen = record(answering("", [["x-echo", form]]), { secret, headers: { "x-own": form } });
    for (const name of ["x-echo", "x-own"]) {
      const shown = [...seen.headers, ...seen.answer!.headers].find((line) => line[0] === name)?.[1] ?? "";
      expect(Buffer.from(shown.replace(/\*+/, "    "), "base64").toString()).not.toContain("k9k9");
      expect(shown).toContain("****");
    }
  },
);

test("the secret is masked in every usual form, in what is sent and in what comes", () => {
  const value = fc
    .string({ unit: "grapheme-ascii", minLength: 8, maxLength: 40 })
    .filter((text) => /^[!-~]+$/.test(text));
  fc.assert(
    fc.property(value, fc.string(), (secret, around) => {
      const forms = [
        secret,
        JSON.stringify({ secret }),
        encodeURIComponent(secret),
        Buffer.from(secret).toString("hex"),
        Buffer.from(secret).toString("base64"),
        Buffer.from(secret).toString("base64url"),
        Buffer.from(secret).toString("hex").toUpperCase(),
      ];
      for (const form of forms) {
        const seen = record(answering(around + form, [["x-echo", form]]), {
          secret,
          headers: { "x-own": form },
        });
        const text = [
          ...seen.headers.map(([, shown]) => shown),
          ...seen.answer!.headers.map(([, shown]) => shown),
          seen.answer!.body.slice(around.length),
        ].join("\n");
        for (const hidden of [secret, form]) expect(text).not.toContain(hidden);
      }
    }),
  );
});

test.each([
  ["authorization", "Bearer abc.def"],
  ["authorization", "Basic dXNlcjpwYXNz"],
  ["x-api-key", "abc"],
  ["cookie", "sid=1"],
  ["x-auth-token", "abc"],
  ["x-client-secret", "abc"],
])("the header %s: %s is masked by its meaning", (name, value) => {
  const seen = record(answering("{}", [["set-cookie", "sid=2"]]), { headers: { [name]: value } });
  expect(seen.headers).toContainEqual([name, "********"]);
  expect(seen.answer!.headers).toEqual([["set-cookie", "********"]]);
});

test("a signature is shown, or masked with its parameters left readable", () => {
  const headers = { authorization: 'Signature keyId="key-1",signature="c2lnbmF0dXJl"' };
  expect(record(answering(""), { headers }).headers).toContainEqual(["authorization", headers.authorization]);
  expect(record(answering(""), { headers, signature: "c2lnbmF0dXJl" }).headers).toContainEqual([
    "authorization",
    'Signature keyId="key-1",signature="********"',
  ]);
});

test("of an answer to a credential request only what is known to be harmless is kept", () => {
  const credential = {
    key_id: "k",
    secret: "fresh-secret",
    algorithm: "hmac-sha256",
    extra: { deep: "fresh-secret" },
  };
  const good = JSON.stringify({ status: "success", message: "Here", credential });
  const headers: Answer["headers"] = [
    ["location", "https://example.org/?fresh-secret"],
    ["content-type", "application/json"],
  ];
  for (const body of [
    good,
    `${good}!`,
    good.slice(0, -9),
    "fresh-secret",
    `["fresh-secret"]`,
    `"fresh-secret"`,
  ]) {
    const seen = record(answering(body, headers), { call: "credential" });
    expect(JSON.stringify(seen)).not.toContain("fresh-secret");
    expect(seen.answer!.headers).toContainEqual(["content-type", "application/json"]);
  }
  const seen = record(answering(good), { call: "credential" }).answer!.body;
  expect(JSON.parse(seen)).toMatchObject({
    status: "success",
    message: "Here",
    credential: { key_id: "k", secret: "********" },
  });
});

test("a card number is left out, and what is long is cut", () => {
  expect(JSON.stringify(record(answering('{"echo":"4111 1111 1111 1111"}')))).not.toMatch(/1111/);
  const seen = record(
    answering(
      "ж".repeat(40_000),
      Array.from({ length: 200 }, () => ["x", "y".repeat(5_000)] as const),
    ),
  );
  expect(Buffer.byteLength(seen.answer!.body)).toBeLessThan(BODY_KEPT + 40);
  expect(seen.answer!.body).toMatch(/\(cut: 80000 bytes\)$/);
  expect(seen.answer!.headers).toHaveLength(64);
  expect(Math.max(...seen.answer!.headers.map(([, value]) => value.length))).toBeLessThanOrEqual(1_024);
});

test("a failed exchange has no answer", () => {
  const failure: Exchange = { kind: "failure", written: true, answering: false, cause: null, latencyMs: 1 };
  expect(record(failure)).toMatchObject({
    method: "POST",
    url: "https://check.example/v1/check",
    answer: null,
  });
});
