// Look-alikes: whatever is not exactly a recommendation in a well-formed success is not pass.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer } from "#src/client/exchange.ts";
import { readCheckAnswer, readCredentialAnswer, readRegisterAnswer } from "#src/client/read-answer.ts";
import { Secret } from "#src/contract/secret.ts";
import { NO_FACTS } from "#src/contract/wire/outcome.ts";
import { BODIES, CODES } from "./look-alikes.ts";

const SIGNING = { recipe: "kong", status: null };
const JSON_TYPE = ["content-type", "application/json"] as const;

function answering(body: string | Buffer, changes: Partial<Answer> = {}): Answer {
  return { status: 200, headers: [JSON_TYPE], body: Buffer.from(body), ending: "complete", ...changes };
}

function check(body: string | Buffer, changes: Partial<Answer> = {}) {
  return readCheckAnswer(answering(body, changes), NO_FACTS, SIGNING);
}

test.each(["pass", "block", "3ds_or_block"] as const)("%s is read", (code) => {
  expect(check(JSON.stringify({ status: "success", code, message: "m", extra: 1 }))).toMatchObject({
    outcome: "answered",
    recommendation: code,
    message: "m",
    reason: null,
    rawCode: null,
  });
});

test("there are enough look-alikes", () => expect(CODES.length).toBeGreaterThanOrEqual(40));

test.each(CODES)("the code %j is not a recommendation, and is kept escaped", (code) => {
  const read = check(JSON.stringify({ status: "success", code, message: "pass" }));
  expect(read).toMatchObject({ outcome: "indeterminate", reason: "bad_code", recommendation: null });
  expect(read.rawCode).toBe(JSON.stringify(code).slice(0, 200));
  expect(read.explanation).toMatch(
    /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*not count as a pass[^\p{Cc}\p{Cf}]*\.$/u,
  );
});

test.each([
  ["p\u0430ss", '"p\\u0430ss"'],
  ["\uff50\uff41\uff53\uff53", '"\\uff50\\uff41\\uff53\\uff53"'],
  ["\u{1d429}ass", '"\\u{1d429}ass"'],
  ["pass\u0301", '"pass\\u0301"'],
])("a look-alike of pass is shown by its code points: %j", (code, shown) => {
  expect(check(JSON.stringify({ status: "success", code })).explanation).toContain(`has the code ${shown}:`);
  expect(check(JSON.stringify({ status: code, code: "pass" })).explanation).toContain(
    `has the status ${shown}:`,
  );
});

test.each(BODIES)("the body %j is not pass", (body) => {
  expect(check(body)).toMatchObject({ outcome: "indeterminate", recommendation: null });
});

const GOOD = '{"status":"success","code":"pass","message":"m"}';

describe("around a good body everything must be right", () => {
  test.each<[string, Partial<Answer>]>([
    ["status 201", { status: 201 }],
    ["status 206", { status: 206 }],
    ["status 302", { status: 302 }],
    ["status 404", { status: 404 }],
    ["status 500", { status: 500 }],
    ["status 503", { status: 503 }],
    ["status 600", { status: 600 }],
    ["no media type", { headers: [] }],
    ["two media types", { headers: [JSON_TYPE, JSON_TYPE] }],
    ["text/plain", { headers: [["content-type", "text/plain"]] }],
    ["problem+json", { headers: [["content-type", "application/problem+json"]] }],
    ["jsonp", { headers: [["content-type", "application/json-p"]] }],
    ["another charset", { headers: [["content-type", "application/json; charset=utf-16"]] }],
    ["boundary", { headers: [["content-type", "application/json; boundary=x"]] }],
    ["gzip", { headers: [JSON_TYPE, ["content-encoding", "gzip"]] }],
    [
      "identity and gzip",
      { headers: [JSON_TYPE, ["content-encoding", "identity"], ["content-encoding", "br"]] },
    ],
    ["unframed", { ending: "unframed" }],
    ["too large", { ending: "too_large" }],
    ["UTF-16", { body: Buffer.from(GOOD, "utf16le") }],
    ["byte order mark", { body: Buffer.from(`\ufeff${GOOD}`) }],
    ["invalid UTF-8", { body: Buffer.from(GOOD.replace('m"}', '\xe9"}'), "latin1") }],
    [
      "overlong",
      {
        body: Buffer.concat([
          Buffer.from('{"status":"success","code":"p'),
          Buffer.from([0xc1, 0xa1]),
          Buffer.from('ss"}'),
        ]),
      },
    ],
  ])("%s", (_, changes) => {
    const read = check(GOOD, changes);
    expect(read.outcome).not.toBe("answered");
    expect(read.recommendation).toBeNull();
  });

  test.each(["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"'])(
    "%s is fine",
    (type) => {
      const headers = [
        ["content-type", type],
        ["content-encoding", "identity"],
      ] as const;
      expect(check(GOOD, { headers })).toMatchObject({ outcome: "answered" });
    },
  );
});

test("pass is said only for the exact code in the exact form, whatever else comes", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.integer({ min: 200, max: 599 }), (status, code, http) => {
      const read = check(JSON.stringify({ status, code }), { status: http });
      const exact =
        http === 200 && status === "success" && ["pass", "block", "3ds_or_block"].includes(code as string);
      expect(read.recommendation !== null).toBe(exact);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(check(Buffer.from(bytes)).recommendation).toBeNull();
    }),
  );
});

test("a good body cut anywhere is not pass", () => {
  for (let length = 0; length < GOOD.length; length++)
    expect(check(GOOD.slice(0, length)).recommendation).toBeNull();
});

test("a good body with any byte changed is pass only where code and status stay whole", () => {
  fc.assert(
    fc.property(fc.nat(GOOD.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const bytes = Buffer.from(GOOD);
      bytes[at] = byte;
      const whole = bytes.includes('"status":"success","code":"pass"');
      if (!whole) expect(check(bytes).recommendation).toBeNull();
    }),
  );
});

test("a registration needs a 2xx, an object and the exact status", () => {
  const read = (body: string, changes: Partial<Answer> = {}) =>
    readRegisterAnswer(answering(body, changes), NO_FACTS, SIGNING);
  const good = '{"status":"success","message":"created"}';
  expect(read(good)).toMatchObject({ registered: true, outcome: "answered", message: "created" });
  expect(read(good, { status: 201 })).toMatchObject({ registered: true, outcome: "answered" });
  for (const [body, changes] of [
    ['{"status":"SUCCESS"}', {}],
    ['{"status":"error"}', {}],
    ["{}", {}],
    ["[]", {}],
    ['"success"', {}],
    [good, { status: 409 }],
    [good, { status: 500 }],
    [good, { status: 302 }],
    [good, { headers: [] }],
    [good, { ending: "unframed" }],
  ] satisfies [string, Partial<Answer>][]) {
    expect(read(body, changes).registered).toBe(false);
  }
});

const CREDENTIAL = {
  key_id: "hmac-sha256-1",
  secret: "ab".repeat(32),
  algorithm: "hmac-sha256",
  project_id: "prj-1",
};

function credential(changes: Record<string, unknown>) {
  const body = JSON.stringify({ status: "success", message: "m", credential: { ...CREDENTIAL, ...changes } });
  return readCredentialAnswer(answering(body), NO_FACTS, SIGNING);
}

test("a credential is read whole, its secret wrapped", () => {
  const read = credential({});
  expect(read).toMatchObject({ state: "ready", outcome: "answered" });
  expect(read.credential).toMatchObject({
    keyId: "hmac-sha256-1",
    projectId: "prj-1",
    algorithm: "hmac-sha256",
  });
  expect(read.credential!.secret).toBeInstanceOf(Secret);
  expect(read.credential!.secret.expose()).toBe("ab".repeat(32));
  expect(JSON.stringify(read)).not.toContain("abab");
});

test("an unknown algorithm is kept, to be named later", () => {
  expect(credential({ algorithm: "ed25519" }).credential).toMatchObject({ algorithm: "ed25519" });
});

/** Values that no credential can have, and what is said of them. */
const BAD_VALUES: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /is missing/],
  [null, /is missing/],
  ["", /is empty/],
  [1, /is a number/],
  [true, /is a boolean/],
  [[], /is a list/],
  [{}, /is an object/],
  ["x\r", /holds a carriage return \(CR\)/],
  ["x\ny", /holds a line feed \(LF\)/],
  ["x\r\ny: z", /holds a line end \(CR LF\)/],
  ["x\0", /holds a control character \(U\+0000\)/],
  ["x\u0085", /holds a character outside ASCII \(U\+0085\)/],
  ["\u0430", /holds a character outside ASCII \(U\+0430\)/],
  ["\u{1f600}", /holds a character outside ASCII \(U\+1F600\)/],
  [" x", /holds a blank/],
  ["x y", /holds a blank/],
  ["x".repeat(257), /has 257 characters, and 256 are the most/],
];

test.each(["key_id", "secret", "algorithm", "project_id"])("a bad %s is named, with the way out", (name) => {
  for (const [value, says] of BAD_VALUES) {
    const read = credential({ [name]: value });
    expect(read).toMatchObject({
      state: "unusable",
      outcome: "indeterminate",
      reason: "bad_credential",
      credential: null,
    });
    expect(read.explanation).toContain(`its ${name} `);
    expect(read.explanation).toMatch(says);
    expect(read.explanation).toContain("administrative panel");
    expect(read.explanation).not.toContain("abab");
  }
});

test("nothing of a bad secret is repeated", () => {
  for (const secret of ["c4n4ry\r\n", "c4n4ry ".repeat(50), { c4n4ry: 1 }]) {
    expect(JSON.stringify(credential({ secret }))).not.toContain("c4n4ry");
  }
});

test("a success without a credential is not ready, and one of another kind is unusable", () => {
  const read = (value: unknown) =>
    readCredentialAnswer(
      answering(JSON.stringify({ status: "success", credential: value })),
      NO_FACTS,
      SIGNING,
    );
  for (const value of [undefined, null]) {
    expect(read(value)).toMatchObject({ state: "not_ready", reason: "no_credential", credential: null });
  }
  for (const value of ["x", [], ["a", "b", "c", "d"], 1, false]) {
    expect(read(value)).toMatchObject({ state: "unusable", reason: "bad_credential", credential: null });
  }
});

test("a credential counts only with the very status of a success", () => {
  for (const status of [undefined, null, true, "", "error", "Success", "SUCCESS", " success", ["success"]]) {
    const body = JSON.stringify({ status, message: "no", credential: CREDENTIAL });
    const read = readCredentialAnswer(answering(body), NO_FACTS, SIGNING);
    expect(read).toMatchObject({ state: "not_ready", reason: "bad_status", credential: null, message: "no" });
  }
});
