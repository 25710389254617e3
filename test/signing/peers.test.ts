// SigV4, Hawk and RFC 9421 against packages that were written independently of this one, in both directions.

import { createHmac } from "node:crypto";
import hawk from "@hapi/hawk";
import aws4 from "aws4";
import fc from "fast-check";
import { httpbis } from "http-message-signatures";
import { expect, test } from "vitest";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { sign } from "#src/signing/sign.ts";
import { verify } from "./arriving.ts";
import { IDENTITY, KEY, NOW, SECRET } from "./request.ts";

const BODY = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.isWellFormed());
const SEGMENT = fc.string({
  unit: fc.constantFrom("a", "Z", "7", "-", ".x", "~", "%20", "%C3%A9", "+", ":", "@"),
});
const PATH = fc.array(SEGMENT, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
const QUERY = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "B", "c%20d"), fc.constantFrom("", "1", "2", "x%2Fy", "~")), {
    maxLength: 4,
  })
  .map((pairs) => [...new Map(pairs)].map(([name, value]) => `${name}=${value}`).join("&"));

function unsigned(url: string, body: string) {
  const headers = { "content-type": "application/json" };
  return { method: "POST", url: new URL(url), headers, body: Buffer.from(body) };
}

test("aws4 signs the same, for any path, query and body", () => {
  fc.assert(
    fc.property(PATH, QUERY, BODY, (path, query, body) => {
      const url = new URL(`https://risk.example.com${path}${query === "" ? "" : `?${query}`}`);
      const { headers } = sign(
        recipeById("aws-sigv4"),
        unsigned(url.href, body),
        IDENTITY,
        { nowMs: NOW },
        "check",
      );
      const theirs = aws4.sign(
        {
          host: url.host,
          path: url.pathname + url.search,
          method: "POST",
          service: "execute-api",
          region: "us-east-1",
          body,
          extraHeadersToIgnore: { "content-length": true },
          headers: {
            "content-type": headers["content-type"]!,
            "x-amz-date": headers["x-amz-date"]!,
            "x-request-id": headers["x-request-id"]!,
            "x-key-id": headers["x-key-id"]!,
            "x-project-id": headers["x-project-id"]!,
          },
        },
        { accessKeyId: IDENTITY.keyId, secretAccessKey: SECRET.expose() },
      );
      expect(headers["authorization"]).toBe(theirs.headers["Authorization"]);
    }),
  );
});

const CREDENTIALS = { id: IDENTITY.keyId, key: SECRET.expose(), algorithm: "sha256" } as const;

test("hawk's server accepts what we sign, with any body, and refuses it with another", async () => {
  await fc.assert(
    fc.asyncProperty(PATH, BODY, async (path, body) => {
      const url = new URL(`https://risk.example.com${path}`);
      const { headers } = sign(
        recipeById("hawk"),
        unsigned(url.href, body),
        IDENTITY,
        { nowMs: NOW },
        "check",
      );
      const ask = (payload: string) =>
        hawk.server.authenticate(
          {
            method: "POST",
            url: url.pathname,
            host: url.hostname,
            port: 443,
            authorization: headers["authorization"]!,
            contentType: "application/json",
          },
          (id) => (id === CREDENTIALS.id ? CREDENTIALS : null),
          { payload, localtimeOffsetMsec: NOW - Date.now() },
        );
      await expect(ask(body)).resolves.toMatchObject({ artifacts: { id: IDENTITY.keyId } });
      await expect(ask(`${body}x`)).rejects.toThrow(/payload hash/);
    }),
    { numRuns: 30 },
  );
});

test("we accept what hawk's client signs", () => {
  fc.assert(
    fc.property(PATH, BODY, (path, body) => {
      const url = new URL(`http://risk.example.com:8080${path}`);
      const { header } = hawk.client.header(url.href, "POST", {
        credentials: CREDENTIALS,
        payload: body,
        contentType: "application/json; charset=utf-8",
        timestamp: Math.floor(NOW / 1000),
      });
      // Hawk's own nonces have any of 64 characters; ours are letters and digits.
      fc.pre(/nonce="[A-Za-z0-9]{6}"/.test(header));
      const received = {
        method: "POST",
        path: url.pathname,
        headers: [
          ["host", url.host],
          ["content-type", "application/json; charset=utf-8"],
          ["x-key-id", IDENTITY.keyId],
          ["x-project-id", "prj-1"],
          ["authorization", header],
        ] as const,
        body: Buffer.from(body),
      };
      expect(verify(recipeById("hawk"), received, KEY, NOW, "check")).toMatchObject({ ok: true });
    }),
  );
});

test("http-message-signatures accepts our RFC 9421 signature", async () => {
  const { headers } = sign(
    recipeById("rfc9421"),
    unsigned("https://risk.example.com/v1/check?trace=1", "{}"),
    IDENTITY,
    { nowMs: Date.now() },
    "check",
  );
  const check = (secret: string) =>
    httpbis.verifyMessage(
      {
        async keyLookup(parameters) {
          expect(parameters["keyid"]).toBe(IDENTITY.keyId);
          return {
            id: IDENTITY.keyId,
            algs: ["hmac-sha256"],
            async verify(data: Buffer, signature: Buffer) {
              return createHmac("sha256", secret).update(data).digest().equals(signature);
            },
          };
        },
      },
      { method: "POST", url: "https://risk.example.com/v1/check?trace=1", headers: { ...headers } },
    );
  expect(await check(SECRET.expose())).toBe(true);
  expect(await check("8e".repeat(32))).toBe(false);
});

test.each([
  [["created", "nonce", "keyid", "tag"], true],
  [["tag", "keyid", "created", "nonce"], true],
  [["created", "keyid", "tag"], "the signature has no parameter nonce"],
  [["created", "nonce", "keyid"], "the signature has no parameter tag"],
  [["created", "nonce", "keyid", "tag", "expires"], "does not know, or one twice: expires"],
])("what http-message-signatures signs with the parameters %j", async (params, expected) => {
  const recipe = recipeById("rfc9421");
  const body = Buffer.from("{}");
  const ours = sign(
    recipe,
    unsigned("https://risk.example.com/v1/check", "{}"),
    IDENTITY,
    { nowMs: NOW },
    "check",
  );
  const { signature: _, "signature-input": __, ...headers } = ours.headers;
  const message = await httpbis.signMessage(
    {
      key: {
        id: IDENTITY.keyId,
        alg: "hmac-sha256",
        sign: async (data) => createHmac("sha256", SECRET.expose()).update(data).digest(),
      },
      name: "sig1",
      params,
      paramValues: {
        created: new Date(NOW),
        expires: new Date(NOW + 60_000),
        nonce: "00".repeat(16),
        keyid: IDENTITY.keyId,
        tag: "risk-check",
      },
      fields: [
        "x-project-id",
        "@method",
        "@authority",
        "@path",
        "@query",
        "content-digest",
        "content-type",
        "x-key-id",
      ],
    },
    { method: "POST", url: "https://risk.example.com/v1/check", headers },
  );
  const received = {
    method: "POST",
    path: "/v1/check",
    headers: Object.entries(message.headers as Record<string, string>),
    body,
  };
  const verification = verify(recipe, received, KEY, NOW, "check");
  if (expected === true) expect(verification).toMatchObject({ ok: true });
  else expect(verification).toMatchObject({ ok: false, reason: expect.stringContaining(String(expected)) });
});
