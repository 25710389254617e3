// Every built-in recipe against every change of a request: what is signed cannot be changed, and what is not signed is
// known.

import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { REQUEST_PARTS, unsignedParts, type RequestPart } from "#src/signing/recipes/signed-parts.ts";
import { formatTime } from "#src/signing/recipes/time-format.ts";
import { sign } from "#src/signing/sign.ts";
import type { KeyRecord } from "#src/signing/usable-key.ts";
import { verify, type Sent } from "./arriving.ts";
import { BODY, headerOf, IDENTITY, KEY, NOW, withHeader } from "./request.ts";

const ALL_BUT_BODY = REQUEST_PARTS.filter((part) => part !== "body");
const ALL_BUT_TIME_AND_BODY = ALL_BUT_BODY.filter((part) => part !== "time");

/** The honest list: what anybody on the way could change without being noticed. */
const UNSIGNED: Readonly<Record<string, readonly RequestPart[]>> = {
  "http-signatures": [],
  "http-signatures-hex-key": [],
  rfc9421: [],
  kong: ["host", "content type", "nonce", "key id", "project or company"],
  "aws-sigv4": [],
  hawk: ["key id", "project or company"],
  "acquia-v2": [],
  "timestamp-body": ALL_BUT_TIME_AND_BODY,
  "timestamp-body-t-v1": ALL_BUT_TIME_AND_BODY,
  "sorted-fields": ALL_BUT_TIME_AND_BODY,
  jwt: ["method", "path", "query", "host", "content type"],
  "body-hex": ALL_BUT_BODY,
  "body-base64": ALL_BUT_BODY,
};

const SIGNING = PRESETS.filter(({ canonical }) => canonical !== null).map(({ recipe }) => recipe);

function received(recipe: Recipe, body: Uint8Array = BODY, headers: Record<string, string> = {}): Sent {
  const path = "/v1/check?trace=1";
  const url = new URL(`http://risk.example.com:8080${path}`);
  const request = {
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers },
    body,
  };
  const signed = sign(recipe, request, IDENTITY, { nowMs: NOW }, "check");
  return { method: "POST", path, headers: Object.entries(signed.headers), body };
}

function reasonOf(recipe: Recipe, request: Sent, key: KeyRecord | null = KEY, nowMs = NOW): string {
  const verification = verify(recipe, request, key, nowMs, "check");
  return verification.ok ? "verified" : verification.reason;
}

/** The emitted header that holds the signature, and where in it the signature stands. */
function signatureIn(recipe: Recipe, request: Sent): { name: string; text: string; signature: string } {
  const name = Object.keys(recipe.emit).find((each) => /\{(?:signature|token)\}/.test(recipe.emit[each]!))!;
  const text = headerOf(request, name);
  const { stringToSign } = verify(recipe, request, KEY, NOW, "check");
  expect(stringToSign).not.toBeNull();
  const all = text.match(/[A-Za-z0-9+/]{43}=|[0-9a-f]{64}|[\w-]{43}$/g)!;
  return { name, text, signature: all.at(-1)! };
}

/** The request with the time of another moment, in place of the signed one. */
function withTimeOf(recipe: Recipe, request: Sent, ms: number): Sent {
  const { format } = recipe.time!;
  const [was, is] = [formatTime(format, NOW), formatTime(format, ms)];
  const inToken = (part: string): string =>
    Buffer.from(Buffer.from(part, "base64url").toString().replaceAll(was, is)).toString("base64url");
  const headers = request.headers.map(([name, value]) => {
    const token = /^(Bearer [\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(value);
    const changed =
      token === null ? value.replaceAll(was, is) : `${token[1]!}.${inToken(token[2]!)}.${token[3]!}`;
    return [name, changed] as const;
  });
  return { ...request, headers };
}

test("the list of unsigned parts covers every recipe that signs", () => {
  expect(Object.keys(UNSIGNED).sort()).toEqual([...SIGNING].sort());
});

describe.each(SIGNING)("%s", (id) => {
  const recipe = recipeById(id);
  const isSigned = (part: RequestPart): boolean => !UNSIGNED[id]!.includes(part);

  test("says honestly what it does not sign", () => {
    for (const call of ["check", "register", "credential"] as const) {
      expect(unsignedParts(recipe, call)).toEqual(UNSIGNED[id]!);
    }
  });

  test("what is signed is verified, for any body", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
        expect(reasonOf(recipe, received(recipe, body))).toBe("verified");
      }),
      { numRuns: 50 },
    );
    expect(reasonOf(recipe, received(recipe, Buffer.from("zażółć \u2028 \u{1f600}\r\n{signature}")))).toBe(
      "verified",
    );
  });

  test("a changed body is refused, whichever byte it is", () => {
    const good = received(recipe);
    fc.assert(
      fc.property(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const body = Buffer.from(BODY);
        body[at]! ^= flip;
        expect(reasonOf(recipe, { ...good, body })).toMatch(
          /body differs|signature differs|claimed (?:digest|token)/,
        );
      }),
      { numRuns: 50 },
    );
    expect(reasonOf(recipe, { ...good, body: Buffer.alloc(0) })).not.toBe("verified");
    for (const text of [`${String(BODY)} `, ` ${String(BODY)}`]) {
      // Blanks are no part of the fields.
      const isSame = reasonOf(recipe, { ...good, body: Buffer.from(text) }) === "verified";
      expect(isSame).toBe(recipe.fields !== null);
    }
  });

  const good = received(recipe);
  const changes: [RequestPart, Sent][] = [
    ["method", { ...good, method: "PUT" }],
    ["path", { ...good, path: "/v1/chec?trace=1" }],
    ["path", { ...good, path: "/V1/check?trace=1" }],
    ["query", { ...good, path: "/v1/check?trace=2" }],
    ["query", { ...good, path: "/v1/check" }],
    ["host", withHeader(good, "host", "other.example.com:8080")],
    ["content type", withHeader(good, "content-type", "text/plain")],
    ["project or company", withHeader(good, "x-project-id", "prj-2")],
    ["project or company", withHeader(good, "x-project-id", "PRJ-1")],
  ];
  test.each(changes)("a changed request is refused if that part is signed: %s", (part, changed) => {
    const reason = reasonOf(recipe, changed);
    if (isSigned(part)) expect(reason).toMatch(/differs|not the one in the request/);
    else expect(reason).toBe("verified");
  });

  test("another key id is refused, because the record is not that key's", () => {
    expect(reasonOf(recipe, withHeader(good, "x-key-id", "hmac-sha256-other"))).toBe("the key is unknown");
  });

  test("every header of its own must be there, once, and unchanged", () => {
    const own = [
      ...Object.keys(recipe.emit),
      ...[recipe.time?.header, recipe.nonce?.header, recipe.body_digest?.header].filter(
        (name) => typeof name === "string",
      ),
    ];
    for (const name of own) {
      const value = headerOf(good, name);
      expect(reasonOf(recipe, withHeader(good, name, null)), `no ${name}`).not.toBe("verified");
      expect(reasonOf(recipe, withHeader(good, name, "")), `empty ${name}`).not.toBe("verified");
      const twice = { ...good, headers: [...good.headers, [name.toUpperCase(), value] as const] };
      expect(reasonOf(recipe, twice)).toBe(`the header ${name} is there more than once`);
      for (const text of [`${value}x`, `x${value}`, `${value} x`, value.slice(0, -1)]) {
        expect(reasonOf(recipe, withHeader(good, name, text)), `${name}: ${text}`).not.toBe("verified");
      }
    }
  });

  test("a time that is too old, or to come, is refused", () => {
    if (recipe.time === null) {
      expect(reasonOf(recipe, good, KEY, NOW + 10 ** 10)).toBe("verified");
      return;
    }
    const skewMs = recipe.time.skew_s * 1000;
    expect(reasonOf(recipe, good, KEY, NOW + skewMs)).toBe("verified");
    expect(reasonOf(recipe, good, KEY, NOW - skewMs)).toBe("verified");
    expect(reasonOf(recipe, good, KEY, NOW + skewMs + 1000)).toMatch(/s in the past$/);
    expect(reasonOf(recipe, good, KEY, NOW - skewMs - 1000)).toMatch(/s in the future$/);
    const swapped = reasonOf(recipe, withTimeOf(recipe, good, NOW + 1000));
    expect(swapped).toMatch(/signature differs|claimed token/);
  });

  test("wrong, unknown and differently encoded keys are refused", () => {
    expect(reasonOf(recipe, good, { ...KEY, secret: new Secret("8e".repeat(32)) })).toMatch(
      "signature differs",
    );
    expect(reasonOf(recipe, good, null)).toBe("the key is unknown");
    expect(reasonOf(recipe, good, { ...KEY, secret: new Secret("") })).toMatch(/secret is not/);
  });

  test("the signature has one text: cut, extended, in another letter case or encoding it is refused", () => {
    const { name, text, signature } = signatureIn(recipe, good);
    const swapped = (other: string): string =>
      reasonOf(
        recipe,
        withHeader(
          good,
          name,
          text.replace(signature, () => other),
        ),
      );
    expect(swapped(signature)).toBe("verified");
    const bytes = Buffer.from(signature, recipe.signature.encoding as BufferEncoding);
    const others = [
      signature.slice(0, -1),
      signature.slice(1),
      `${signature}0`,
      `${signature}${signature}`,
      ` ${signature}`,
      `${signature} `,
      signature === signature.toLowerCase() ? signature.toUpperCase() : signature.toLowerCase(),
      bytes.toString(recipe.signature.encoding === "hex" ? "base64" : "hex"),
      bytes.toString("base64url"),
      Buffer.alloc(32).toString(recipe.signature.encoding as BufferEncoding),
      "",
    ].filter((other) => other !== signature);
    for (const other of others) expect(swapped(other), JSON.stringify(other)).not.toBe("verified");
    for (let bit = 0; bit < 256; bit += 5) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(swapped(flipped.toString(recipe.signature.encoding as BufferEncoding))).toMatch(
        "signature differs",
      );
    }
  });

  test("whatever stands in its headers, verifying answers and never throws", () => {
    const name = Object.keys(recipe.emit)[0]!;
    const value = headerOf(good, name);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.tuple(fc.nat(value.length), fc.string()).map(([at, text]) => value.slice(0, at) + text),
          fc
            .tuple(fc.nat(value.length), fc.string())
            .map(([at, text]) => value.slice(0, at) + text + value.slice(at)),
        ),
        (text) => {
          fc.pre(text.replace(/[ \t]/g, "") !== value.replace(/[ \t]/g, ""));
          const reason = reasonOf(recipe, withHeader(good, name, text));
          expect(reason).not.toContain(KEY.secret.expose());
          if (text.toLowerCase().replace(/[ \t]/g, "") !== value.toLowerCase().replace(/[ \t]/g, "")) {
            expect(reason).not.toBe("verified");
          }
        },
      ),
    );
  });

  test("usual mistakes are named", () => {
    const other = recipe.signature.encoding === "hex" ? "base64" : "hex";
    expect(reasonOf(recipe, received({ ...recipe, signature: { encoding: other } }))).toBe(
      `the signature is right but written in ${other}, not ${recipe.signature.encoding}`,
    );
    if (recipe.hash === "from-credential") {
      const sha512 = { ...recipe, hash: "hmac-sha512" } as const;
      expect(reasonOf(recipe, received(sha512))).toBe(
        "the signature was made with hmac-sha512, not with hmac-sha256",
      );
    }
    if (recipe.derive.length === 0) {
      const key = recipe.key.encoding === "utf8" ? "hex" : "utf8";
      expect(reasonOf(recipe, received({ ...recipe, key: { encoding: key } }))).toBe(
        `the secret was used as ${key}, not as ${recipe.key.encoding}`,
      );
    }
  });
});

describe("static", () => {
  const recipe = recipeById("static");
  const good = received(recipe);

  test("sends the secret and nothing else of it, and compares it whole", () => {
    expect(headerOf(good, "authorization")).toBe(IDENTITY.secret.expose());
    expect(reasonOf(recipe, good)).toBe("verified");
    expect(reasonOf(recipe, good, null)).toBe("the key is unknown");
    for (const value of ["", "x", "9F".repeat(32), `${"9f".repeat(32)}9`, ` ${"9f".repeat(32)}`]) {
      expect(reasonOf(recipe, withHeader(good, "authorization", value))).toMatch(/differs|missing/);
    }
    expect(reasonOf(recipe, withHeader(good, "x-key-id", "other"))).toBe("the key is unknown");
  });

  test("refuses a secret that cannot stand in a header, without showing it", () => {
    const secret = new Secret("two\r\nlines");
    const request = { method: "POST", url: new URL("https://a.example/"), headers: {}, body: BODY };
    const signing = (): unknown => sign(recipe, request, { ...IDENTITY, secret }, { nowMs: NOW }, "check");
    expect(signing).toThrow(/cannot be sent in a header/);
    expect(signing).not.toThrow(/lines/);
  });
});

test("the bytes of the body are signed as they are, whatever they are", () => {
  const mac = (...parts: (string | Uint8Array)[]): string => {
    const hmac = createHmac("sha256", IDENTITY.secret.expose());
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  };
  fc.assert(
    fc.property(fc.uint8Array(), (body) => {
      const plain = received(recipeById("body-hex"), body);
      expect(headerOf(plain, "authorization")).toBe(mac(body));
      const dated = received(recipeById("timestamp-body"), body);
      expect(headerOf(dated, "authorization")).toBe(mac(`${NOW / 1000}.`, body));
    }),
  );
});
