// Requests that were published with their signatures, by the makers of each scheme: byte for byte, through the recipes.

import { describe, expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import type { BodyFields, Canonical, Recipe } from "#src/signing/recipes/recipe.ts";
import { sign, type Signed } from "#src/signing/sign.ts";
import { ACQUIA_FIXTURES } from "./acquia-fixtures.ts";
import { verify } from "./arriving.ts";

interface Example {
  readonly recipe: Recipe;
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly keyId: string;
  readonly secret: string;
  readonly at: number;
  readonly nonce?: string;
}

const PAIRS: BodyFields = recipeById("sorted-fields").fields!;

/** Signs it, and sees to it that it is also verified. */
function signExample(example: Example): Signed {
  const { recipe, method, keyId, at, nonce } = example;
  const url = new URL(example.url);
  const body = Buffer.from(example.body ?? "");
  const key = { keyId, secret: new Secret(example.secret), algorithm: "hmac-sha256" };
  const identity = { ...key, projectId: "prj-1" };
  const when = { nowMs: at, ...(nonce === undefined ? {} : { nonce }) };
  const signed = sign(recipe, { method, url, headers: example.headers ?? {}, body }, identity, when, "check");
  const scheme = url.protocol === "http:" ? "http" : "https";
  const path = url.pathname + url.search;
  const received = { method, path, headers: Object.entries(signed.headers), body, scheme } as const;
  expect(verify(recipe, received, key, at, "check")).toMatchObject({ ok: true });
  return signed;
}

function preset(id: string, canonical: Partial<Canonical>, change: Partial<Recipe> = {}): Recipe {
  const recipe = recipeById(id);
  return { ...recipe, canonical: { ...recipe.canonical!, ...canonical } as Canonical, ...change };
}

test("RFC 9421 B.2.5, hmac-sha256", () => {
  const recipe = preset(
    "rfc9421",
    {
      components: ["date", "@authority", "content-type"],
      params: ["created={time}", 'keyid="{key_id}"'],
    },
    {
      key: { encoding: "base64" },
      nonce: null,
      body_digest: null,
      emit: { "signature-input": "sig-b25=({components}){params}", signature: "sig-b25=:{signature}:" },
    },
  );
  const signed = signExample({
    recipe,
    method: "POST",
    url: "https://example.com/foo?param=Value&Pet=dog",
    headers: { date: "Tue, 20 Apr 2021 02:07:55 GMT", "content-type": "application/json" },
    body: '{"hello": "world"}',
    keyId: "test-shared-secret",
    secret: "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==",
    at: 1618884473_000,
  });
  expect(signed.stringToSign).toBe(
    [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@authority": example.com',
      '"content-type": application/json',
      '"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    ].join("\n"),
  );
  expect(signed.headers).toMatchObject({
    "signature-input":
      'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    signature: "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:",
  });
});

/** AWS Signature Version 4 Test Suite. */
describe("AWS SigV4", () => {
  const recipe = preset(
    "aws-sigv4",
    { components: ["host", "x-amz-date"] },
    { nonce: null, values: { region: "us-east-1", service: "service" } },
  );
  const example = {
    recipe,
    keyId: "AKIDEXAMPLE",
    secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    at: Date.UTC(2015, 7, 30, 12, 36, 0),
  };

  test("get-vanilla", () => {
    const signed = signExample({ ...example, method: "GET", url: "https://example.amazonaws.com/" });
    expect(signed.canonicalRequest).toBe(
      "GET\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\nhost;x-amz-date\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(signed.stringToSign).toBe(
      "AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/service/aws4_request\nbb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63",
    );
    expect(signed.headers["authorization"]).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    );
  });

  test.each([
    ["post-vanilla", "POST", "/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
    [
      "get-vanilla-query-order-key-case",
      "GET",
      "/?Param2=value2&Param1=value1",
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
    ],
  ])("%s", (_, method, path, signature) => {
    const signed = signExample({ ...example, method, url: `https://example.amazonaws.com${path}` });
    expect(signed.headers["authorization"]).toMatch(new RegExp(`Signature=${signature}$`));
  });
});

/** README of Hawk, "Protocol Example". */
describe("Hawk", () => {
  const example = {
    recipe: { ...recipeById("hawk"), values: { ext: "some-app-ext-data" } },
    url: "http://example.com:8000/resource/1?b=1&a=2",
    keyId: "dh37fgj492je",
    secret: "werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn",
    at: 1353832234_000,
    nonce: "j4h3g2",
  };

  test("without payload", () => {
    const signed = signExample({ ...example, method: "GET" });
    expect(signed.stringToSign).toBe(
      "hawk.1.header\n1353832234\nj4h3g2\nGET\n/resource/1?b=1&a=2\nexample.com\n8000\n\nsome-app-ext-data\n",
    );
    expect(signed.headers["authorization"]).toBe(
      'Hawk id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", ext="some-app-ext-data", mac="6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE="',
    );
  });

  test("with payload", () => {
    const signed = signExample({
      ...example,
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: "Thank you for flying Hawk",
    });
    expect(signed.headers["authorization"]).toBe(
      'Hawk id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", hash="Yi9LfIIFRtBEPt74PVmbTF/xVAwPn7ub15ePICfgnuY=", ext="some-app-ext-data", mac="aSe1DERmZuRl3pI36/9BdZmnErTw3sNzOOAUlfeKjVw="',
    );
  });
});

test.each(ACQUIA_FIXTURES)("Acquia HTTP HMAC 2.0, $name", (fixture) => {
  const recipe = preset(
    "acquia-v2",
    { components: Object.keys(fixture.headers) },
    { values: { realm: fixture.realm } },
  );
  const signed = signExample({
    recipe,
    method: fixture.method,
    url: fixture.url,
    headers: { "content-type": "application/json", ...fixture.headers },
    body: fixture.body,
    keyId: fixture.id,
    secret: fixture.secret,
    at: fixture.timestamp * 1000,
    nonce: fixture.nonce,
  });
  expect(signed.stringToSign).toBe(fixture.signable);
  expect(signed.headers["authorization"]).toBe(fixture.authorization);
  expect(signed.headers["x-authorization-content-sha256"]).toBe(fixture.contentSha || undefined);
});

/** Kong's documentation of hmac-auth, signing string with the request line. */
test("Kong, without a digest", () => {
  const recipe = preset("kong", { components: ["date", "request-line"] }, { body_digest: null });
  const signed = signExample({
    recipe,
    method: "GET",
    url: "https://hmac.com/requests",
    keyId: "alice123",
    secret: "secret",
    at: Date.UTC(2017, 5, 22, 17, 15, 21),
  });
  expect(signed.headers["authorization"]).toBe(
    'hmac username="alice123", algorithm="hmac-sha256", headers="date request-line", signature="ujWCGHeec9Xd6UD2zlyxiNMCiXnDOWeVFMu5VeRUxtw="',
  );
});

/** GitHub's documentation, "Validating webhook deliveries": a scheme that a recipe can be written for. */
test("GitHub's webhooks", () => {
  const recipe: Recipe = {
    ...recipeById("body-hex"),
    emit: { "x-hub-signature-256": "sha256={signature}" },
  };
  const signed = signExample({
    recipe,
    method: "POST",
    url: "https://example.com/hook",
    body: "Hello, World!",
    keyId: "k",
    secret: "It's a Secret to Everybody",
    at: 0,
  });
  expect(signed.headers["x-hub-signature-256"]).toBe(
    "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
  );
});

/** The specification of Standard Webhooks: an id in its own header, a base64 key. */
test("Standard Webhooks", () => {
  const recipe: Recipe = {
    ...recipeById("timestamp-body"),
    key: { encoding: "base64" },
    time: { header: "webhook-timestamp", format: "unix-s", skew_s: 300 },
    canonical: { style: "template", text: "{header.webhook-id}.{time}.{body}", components: [] },
    signature: { encoding: "base64" },
    emit: { "webhook-signature": "v1,{signature}" },
  };
  const signed = signExample({
    recipe,
    method: "POST",
    url: "https://example.com/hook",
    headers: { "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek" },
    body: '{"test": 2432232314}',
    keyId: "k",
    secret: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    at: 1614265330_000,
  });
  expect(signed.headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

/** A recipe with nothing but what is told. */
function bare(canonical: Canonical, change: Partial<Recipe> = {}): Recipe {
  return { ...recipeById("body-hex"), canonical, ...change };
}

const NOTHING = { method: "POST", url: "https://example.com/", keyId: "k", at: 0 } as const;

/** RFC 2202, test case 2 of each; RFC 1321 section A.5, RFC 3174 section 7.3 and FIPS 180-2 section B.1 with "abc". */
test.each([
  ["hmac-md5", "{body}", "what do ya want for nothing?", "Jefe", "750c783e6ab0b503eaa86e310a5db738"],
  ["hmac-sha1", "{body}", "what do ya want for nothing?", "Jefe", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"],
  ["md5", "{body}{secret}", "ab", "c", "900150983cd24fb0d6963f7d28e17f72"],
  ["sha1", "{secret}{body}", "bc", "a", "a9993e364706816aba3e25717850c26c9cd0d89d"],
  ["sha256", "{body}{secret}", "a", "bc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
] as const)("%s", (hash, text, body, secret, expected) => {
  const recipe = bare({ style: "template", text, components: [] }, { hash });
  const signed = signExample({ ...NOTHING, recipe, body, secret });
  expect(signed.headers["authorization"]).toBe(expected);
  expect(signed.stringToSign).toBe(text.replace("{body}", body));
});

/** RFC 7617 section 2. */
test("Basic", () => {
  const recipe: Recipe = { ...recipeById("static"), emit: { authorization: "Basic {basic}" } };
  const signed = signExample({ ...NOTHING, recipe, keyId: "Aladdin", secret: "open sesame" });
  expect(signed.headers["authorization"]).toBe("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
});

/** RFC 7515 section A.1: the key is the JWK of it, in base64. */
test("JSON Web Token", () => {
  const exp = 1_300_819_380;
  const recipe = bare(
    {
      style: "jwt",
      header: '{"typ":"JWT",\r\n "alg":"HS256"}',
      claims: '{"iss":"{key_id}",\r\n "exp":{expiry},\r\n "http://example.com/is_root":true}',
      components: [],
    },
    {
      key: { encoding: "base64" },
      time: { header: "x-time", format: "unix-s", skew_s: 300 },
      signature: { encoding: "base64url" },
      emit: { authorization: "Bearer {token}" },
    },
  );
  const signed = signExample({
    ...NOTHING,
    recipe,
    keyId: "joe",
    secret: "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ+EstJQLr/T+1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow==",
    at: (exp - 300) * 1000,
  });
  expect(signed.headers["authorization"]).toBe(
    "Bearer eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  );
});

/** WeChat Pay's documentation of its signatures: sorted pairs, and the key behind them. */
test.each([
  ["md5", "9A0A8659F005D6984697E2CA0A9CF3B7", "{secret}"],
  ["hmac-sha256", "6A9AE1657590FD6257D693A078E1C3E4BB6BA4DC30B23E0EE2496E54170DACD6", null],
] as const)("sorted pairs, %s", (hash, expected, end) => {
  const secret = "192006250b4c09247ec02edce69f6a2d";
  const recipe = bare(
    { style: "template", text: `{fields}&key=${end ?? secret}`, components: [] },
    { hash, fields: PAIRS, signature: { encoding: "HEX" } },
  );
  const body = `{"mch_id":10000100,"body":"test","device_info":1000,"nonce_str":"ibuaiVcKdpRxkhJA","sign":null,"appid":"wxd930ea5d5a258f4f"}`;
  expect(signExample({ ...NOTHING, recipe, body, secret }).headers["authorization"]).toBe(expected);
});

/** Kraken's documentation of its REST authentication: the bytes of a digest stand in the text. */
test("a digest inside of the text", () => {
  const recipe = bare(
    { style: "template", text: "{path}{digest}", components: [] },
    {
      key: { encoding: "base64" },
      hash: "hmac-sha512",
      time: { header: "x-nonce", format: "unix-ms", skew_s: 300 },
      body_digest: { header: null, hash: "sha256", over: "{time}{body}", render: "{raw}", empty: "hash" },
      signature: { encoding: "base64" },
      emit: { "api-sign": "{signature}" },
    },
  );
  const signed = signExample({
    ...NOTHING,
    recipe,
    url: "https://api.example.com/0/private/AddOrder",
    body: "nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25",
    secret: "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==",
    at: 1_616_492_376_594,
  });
  expect(signed.headers["api-sign"]).toBe(
    "4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==",
  );
});
