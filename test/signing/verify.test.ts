import fc from "fast-check";
import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { sign } from "#src/signing/sign.ts";
import { claimedKeyId } from "#src/signing/verify.ts";
import { arrived, verify, type Sent } from "./arriving.ts";
import {
  BODY,
  headerOf,
  IDENTITY,
  judge,
  KEY,
  NOW,
  RECIPE,
  SECRET,
  signedCheck,
  signedCredential,
  withHeader,
} from "./request.ts";

function authorization(change: (value: string) => string): Sent {
  const received = signedCheck();
  return withHeader(received, "authorization", change(headerOf(received, "authorization")));
}

function signature(change: (value: string) => string): Sent {
  return authorization((value) =>
    value.replace(/signature="(.*)"/, (_, text: string) => `signature="${change(text)}"`),
  );
}

test("what was signed is verified, and tells time, nonce and key", () => {
  const received = signedCheck();
  expect(verify(RECIPE, received, KEY, NOW, "check")).toMatchObject({
    ok: true,
    keyId: KEY.keyId,
    timeMs: NOW,
    nonce: headerOf(received, "x-request-id"),
  });
  expect(verify(RECIPE, signedCredential(), KEY, NOW, "credential").ok).toBe(true);
  expect(claimedKeyId(arrived(received))).toBe(KEY.keyId);
});

test("the time window holds on both sides to the second", () => {
  const received = signedCheck();
  for (const s of [-300, 0, 300]) expect(judge(received, KEY, NOW + s * 1000)).toBe("verified");
  expect(judge(received, KEY, NOW + 301_000)).toBe("the time is 301 s in the past");
  expect(judge(received, KEY, NOW - 301_000)).toBe("the time is 301 s in the future");
});

const swapped = signedCheck();
test.each<[string, Sent, RegExp]>([
  ["body", { ...swapped, body: Buffer.from(String(BODY).replace("12000", "12001")) }, /digest of the body/],
  ["blank in the body", { ...swapped, body: Buffer.from(`${String(BODY)} `) }, /digest of the body/],
  [
    "body and digest",
    withHeader(
      { ...swapped, body: Buffer.from("{}") },
      "digest",
      "SHA-256=RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=",
    ),
    /signature differs/,
  ],
  ["path", { ...swapped, path: "/v1/check2?trace=1" }, /signature differs/],
  ["query", { ...swapped, path: "/v1/check?trace=2" }, /signature differs/],
  ["letter case of the path", { ...swapped, path: "/V1/check?trace=1" }, /signature differs/],
  ["method", { ...swapped, method: "PUT" }, /signature differs/],
  ["host", withHeader(swapped, "host", "other.example.com"), /signature differs/],
  [
    "content type",
    withHeader(swapped, "content-type", "application/json; charset=utf-8"),
    /signature differs/,
  ],
  ["project", withHeader(swapped, "x-project-id", "prj-2"), /signature differs/],
  ["letter case of the project", withHeader(swapped, "x-project-id", "PRJ-1"), /signature differs/],
  ["no project", withHeader(swapped, "x-project-id", null), /x-project-id is missing/],
  ["empty project", withHeader(swapped, "x-project-id", ""), /x-project-id is missing/],
  ["key id", withHeader(swapped, "x-key-id", "hmac-sha256-other"), /unknown/],
  ["no key id", withHeader(swapped, "x-key-id", null), /x-key-id is missing/],
  ["time", withHeader(swapped, "date", new Date(NOW + 1000).toUTCString()), /signature differs/],
  ["no time", withHeader(swapped, "date", null), /time in date/],
  ["nonce", withHeader(swapped, "x-request-id", "00000000-0000-4000-8000-000000000000"), /signature differs/],
  ["no nonce", withHeader(swapped, "x-request-id", null), /nonce/],
  ["no digest", withHeader(swapped, "digest", null), /digest/],
  [
    "letter case of the digest",
    withHeader(swapped, "digest", headerOf(swapped, "digest").toLowerCase()),
    /digest/,
  ],
  ["no authorization", withHeader(swapped, "authorization", null), /authorization is missing/],
  ["empty authorization", withHeader(swapped, "authorization", ""), /authorization is missing/],
])("a changed request is refused: %s", (_, received, reason) => {
  expect(judge(received)).toMatch(reason);
});

test.each([
  "date",
  "host",
  "digest",
  "authorization",
  "x-key-id",
  "x-project-id",
  "x-company-id",
  "content-type",
  "x-request-id",
])("%s twice is refused, whatever the second says", (name) => {
  const received = signedCheck();
  const [, value] = received.headers.find((header) => header[0] === name) ?? [name, "x"];
  const twice = { ...received, headers: [...received.headers, [name.toUpperCase(), value] as const] };
  const thrice = { ...twice, headers: [...twice.headers, [name, "other"] as const] };
  expect(judge(thrice)).toMatch(`the header ${name} is there more than once`);
  if (name !== "x-company-id") expect(judge(twice)).toMatch(`the header ${name} is there more than once`);
});

test("a company that rides along unsigned is refused", () => {
  const received = signedCheck();
  const both = { ...received, headers: [...received.headers, ["x-company-id", "cmp-2"] as const] };
  expect(judge(both)).toBe("x-company-id is not signed");
});

test("what was enough for one request is not for the next, which carries other headers", () => {
  const received = signedCheck();
  expect(judge(received)).toBe("verified");
  expect(judge(withHeader(received, "content-type", null))).toBe("the signed header content-type is missing");
  expect(judge(received)).toBe("verified");
  const more = { ...received, headers: [...received.headers, ["x-company-id", "cmp-2"] as const] };
  expect(judge(more)).toBe("x-company-id is not signed");
  const renamed = received.headers.map(
    ([name, value]) => [name === "content-type" ? "content-typo" : name, value] as const,
  );
  expect(judge({ ...received, headers: renamed })).toBe("the signed header content-type is missing");
});

test("a credential request is not a check, and the reverse", () => {
  expect(judge(signedCredential())).toMatch(/x-project-id is missing/);
  expect(verify(RECIPE, signedCheck(), KEY, NOW, "credential").ok).toBe(false);
});

test("every required component must be signed", () => {
  for (const name of [
    "(request-target)",
    "host",
    "date",
    "digest",
    "content-type",
    "x-request-id",
    "x-key-id",
  ]) {
    const changed = authorization((value) => value.replace(`${name} `, ""));
    expect(judge(changed)).toBe(`${name} is not signed`);
  }
  expect(judge(authorization((value) => value.replace(" x-project-id", "")))).toBe(
    "x-project-id is not signed",
  );
  expect(judge(authorization((value) => value.replace(/headers="[^"]*"/, 'headers=""')))).toMatch(
    /missing|not signed/,
  );
});

test("what is claimed to be signed must exist, once, in lower case", () => {
  const claim = (name: string) => authorization((value) => value.replace("host", name));
  expect(judge(claim("host x-nothing"))).toMatch("x-nothing is missing");
  expect(judge(claim("host (created)"))).toMatch("(created) is missing");
  expect(judge(claim("host host"))).toMatch("twice");
  expect(judge(claim("Host"))).toMatch("lower case");
  const received = claim("host accept");
  const two = [["accept", "a"] as const, ["Accept", "b"] as const];
  expect(judge({ ...received, headers: [...received.headers, ...two] })).toMatch("more than once");
});

test("a further header may be signed too", () => {
  const url = new URL("https://risk.example.com/v1/check");
  const recipe: Recipe = {
    ...RECIPE,
    canonical: { ...RECIPE.canonical!, components: [...RECIPE.canonical!.components, "accept"] },
  };
  const headers = { "content-type": "application/json", accept: "application/json" };
  const signed = sign(
    recipe,
    { method: "POST", url, headers, body: BODY },
    IDENTITY,
    { nowMs: NOW },
    "check",
  );
  expect(
    judge({ method: "POST", path: "/v1/check", headers: Object.entries(signed.headers), body: BODY }),
  ).toBe("verified");
});

/** Base64 that lost its padding may be base64url. */
const NO_SIGNATURE =
  /^the signature (is not 32 bytes in base64|differs: .*|is right but written in base64url, not base64)$/;

test("every cut, extended or changed signature is refused", () => {
  for (let length = 0; length < 44; length++) {
    expect(judge(signature((text) => text.slice(0, length)))).toMatch(NO_SIGNATURE);
  }
  for (const change of [
    (text: string) => `${text}=`,
    (text: string) => `${text}AAAA`,
    (text: string) => text.slice(0, -1),
    (text: string) => text.toLowerCase(),
    (text: string) => ` ${text}`,
    (text: string) => `${text}${text}`,
    () => Buffer.alloc(32).toString("base64"),
  ]) {
    expect(judge(signature(change))).toMatch(NO_SIGNATURE);
  }
  for (let bit = 0; bit < 256; bit++) {
    const flipped = signature((text) => {
      const bytes = Buffer.from(text, "base64");
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      return bytes.toString("base64");
    });
    expect(judge(flipped)).toMatch(/signature differs/);
  }
});

test("the key record decides the algorithm, never the request", () => {
  const sha512 = signedCheck({ ...IDENTITY, algorithm: "hmac-sha512" });
  expect(judge(sha512)).toBe("the claimed algorithm is not the one in the request");
  expect(judge(sha512, { ...KEY, algorithm: "hmac-sha512" })).toBe("verified");
  for (const claim of ["none", "", "hmac-sha512", "HMAC-SHA256", "hs2019"]) {
    const changed = authorization((value) =>
      value.replace('algorithm="hmac-sha256"', `algorithm="${claim}"`),
    );
    expect(judge(changed)).toBe("the claimed algorithm is not the one in the request");
  }
  expect(judge(signedCheck(), { ...KEY, algorithm: "rot13" })).toMatch("rot13");
});

test("wrong, unknown and mismatched keys are refused, each with its reason", () => {
  const received = signedCheck();
  expect(judge(received, { ...KEY, secret: new Secret("8e".repeat(32)) })).toMatch("signature differs");
  expect(judge(received, null)).toBe("the key is unknown");
  expect(judge(received, { ...KEY, keyId: "hmac-sha256-other" })).toBe("the key is unknown");
  const claimed = authorization((value) => value.replace(KEY.keyId, "hmac-sha256-other"));
  expect(judge(claimed)).toBe("the claimed key id is not the one in the request");
});

test("an empty secret verifies nothing", () => {
  expect(judge(signedCheck(), { ...KEY, secret: new Secret("") })).toMatch("secret is not utf8");
});

test("the nearest miss names usual mistakes", () => {
  const hexKey: Recipe = { ...RECIPE, key: { encoding: "hex" } };
  const hexText: Recipe = { ...RECIPE, signature: { encoding: "hex" } };
  const url = new URL("https://risk.example.com/v1/check");
  const headers = { "content-type": "application/json" };
  const reason = (recipe: Recipe): string => {
    const signed = sign(
      recipe,
      { method: "POST", url, headers, body: BODY },
      IDENTITY,
      { nowMs: NOW },
      "check",
    );
    return judge({ method: "POST", path: "/v1/check", headers: Object.entries(signed.headers), body: BODY });
  };
  expect(reason(hexKey)).toBe("the secret was used as hex, not as utf8");
  expect(reason(hexText)).toBe("the signature is right but written in hex, not base64");
});

test("no reason ever holds the secret", () => {
  const parts = ["authorization", "x-key-id", "digest", "date"] as const;
  fc.assert(
    fc.property(fc.constantFrom(...parts), fc.string(), (name, value) => {
      expect(judge(withHeader(signedCheck(), name, value))).not.toContain(SECRET.expose());
    }),
  );
});

test("whatever stands in Authorization, verifying answers and never throws", () => {
  const received = signedCheck();
  const good = headerOf(received, "authorization");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `Signature ${text}`),
      ),
      (text) => {
        fc.pre(text !== good);
        expect(verify(RECIPE, withHeader(received, "authorization", text), KEY, NOW, "check").ok).toBe(false);
      },
    ),
  );
});

test("without a signature the recipe `none` still asks for a known key and an owner", () => {
  const none = recipeById("none");
  const received: Sent = {
    method: "POST",
    path: "/v1/check",
    headers: [
      ["x-key-id", KEY.keyId],
      ["x-project-id", "prj-1"],
    ],
    body: BODY,
  };
  expect(verify(none, received, KEY, NOW, "check")).toMatchObject({ ok: true, timeMs: null, nonce: null });
  expect(verify(none, received, null, NOW, "check").ok).toBe(false);
  expect(verify(none, { ...received, headers: received.headers.slice(0, 1) }, KEY, NOW, "check").ok).toBe(
    false,
  );
});
