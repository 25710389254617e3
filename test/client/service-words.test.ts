// What a service says is told whatever its shape, and never decides anything.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answer } from "#src/client/exchange.ts";
import { readCheckAnswer, readCredentialAnswer, readRegisterAnswer } from "#src/client/read-answer.ts";
import { NO_FACTS } from "#src/contract/wire/outcome.ts";

const SIGNING = { recipe: "kong", status: null };

function answering(status: number, type: string, body: string | Buffer): Answer {
  return { status, headers: [["content-type", type]], body: Buffer.from(body), ending: "complete" };
}

function check(status: number, type: string, body: string | Buffer) {
  return readCheckAnswer(answering(status, type, body), NO_FACTS, SIGNING);
}

const JSON_TYPE = "application/json";
const PROBLEM = "application/problem+json";

/** Bodies of an error as services send them, and what a person has to read of each. */
const SHAPES: readonly (readonly [name: string, type: string, body: unknown, says: string])[] = [
  ["message", JSON_TYPE, { status: "error", message: "Terminal unknown" }, "Terminal unknown"],
  ["detail", JSON_TYPE, { detail: "Not found." }, "Not found."],
  ["title", JSON_TYPE, { title: "Forbidden" }, "Forbidden"],
  [
    "OAuth, RFC 6749 section 5.2",
    JSON_TYPE,
    { error: "invalid_client", error_description: "Key is gone" },
    "Key is gone",
  ],
  ["an error as a sentence", JSON_TYPE, { error: "Terminal is closed" }, "Terminal is closed"],
  [
    "an error as an object",
    JSON_TYPE,
    { error: { code: 17, message: "Amount too small" } },
    "Amount too small",
  ],
  ["data inside", JSON_TYPE, { status: "fail", data: { message: "No such order" } }, "No such order"],
  [
    "errors as texts",
    JSON_TYPE,
    { errors: ["amount is wrong", "card expired."] },
    "amount is wrong, card expired",
  ],
  [
    "errors with fields",
    JSON_TYPE,
    { errors: [{ field: "payer.email", detail: "not an address" }] },
    "payer.email not an address",
  ],
  ["errors by field", JSON_TYPE, { errors: { amount: ["must be positive"] } }, "amount must be positive"],
  [
    "errors of JSON:API",
    JSON_TYPE,
    { errors: [{ title: "Invalid", source: { pointer: "/data/amount" } }] },
    "/data/amount Invalid",
  ],
  ["messages as a list", JSON_TYPE, { message: ["amount must be an integer"] }, "amount must be an integer"],
  [
    "detail as a list",
    JSON_TYPE,
    { detail: [{ loc: ["body", "amount"], msg: "required" }] },
    "body.amount required",
  ],
  [
    "RFC 9457 section 3",
    PROBLEM,
    {
      type: "https://example.com/probs/out-of-credit",
      title: "You do not have enough credit.",
      detail: "Your current balance is 30, but that costs 50.",
    },
    "Your current balance is 30, but that costs 50.",
  ],
  [
    "RFC 9457 with invalid-params",
    PROBLEM,
    { title: "Invalid", "invalid-params": [{ name: "age", reason: "must be positive" }] },
    "age must be positive",
  ],
  ["a list at the top", JSON_TYPE, [{ message: "amount is wrong" }], "amount is wrong"],
  ["JSON of another type", "text/html", { message: "Told as HTML" }, "Told as HTML"],
  ["text", "text/plain; charset=utf-8", "Upstream is\tdown\n  at main.js:1", "Upstream is down"],
  [
    "a page",
    "text/html",
    "<!doctype html><html><head><title>502 Bad &amp; Gone</title></head><body>x</body></html>",
    "502 Bad & Gone",
  ],
  ["a page without a title", "text/html", "<html><body><h1>Log <b>in</b></h1></body></html>", "Log in"],
];

function bodyOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

test.each(SHAPES)("%s is told of a refusal, a failure and an unreadable answer", (_, type, body, says) => {
  for (const status of [422, 409, 403, 500, 200]) {
    const read = check(status, type, bodyOf(body));
    expect(read.recommendation).toBeNull();
    expect(read.explanation, String(status)).toContain(says);
    expect(read.message, String(status)).toContain(says);
  }
  for (const read of [readRegisterAnswer, readCredentialAnswer]) {
    const { explanation, outcome } = read(answering(409, type, bodyOf(body)), NO_FACTS, SIGNING);
    expect(outcome).toBe("refused");
    // A text in place of a credential may be the credential.
    if (read === readRegisterAnswer || !type.startsWith("text/plain")) expect(explanation).toContain(says);
  }
});

test.each([
  ["nothing", JSON_TYPE, ""],
  ["an empty object", JSON_TYPE, "{}"],
  ["a message of blanks", JSON_TYPE, '{"message":" "}'],
  ["numbers", JSON_TYPE, '{"message":7,"errors":[1,null,[]]}'],
  ["XML", "application/xml", "<error><message>no</message></error>"],
  ["a picture", "image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  ["bytes called text", "text/plain", Buffer.from([0xff, 0xfe, 0x00, 0x41])],
])("%s says nothing", (_, type, body) => {
  const read = check(422, type, body);
  expect(read.explanation).toBe(
    "The check was refused with HTTP 422: correct the request and send it again.",
  );
});

test("a text in place of a credential is not repeated, because it may be the credential", () => {
  const read = readCredentialAnswer(answering(200, "text/plain", "secret=5ec2e7"), NO_FACTS, SIGNING);
  expect(JSON.stringify(read)).not.toContain("5ec2e7");
  expect(read.state).toBe("not_ready");
});

test("words are cut, on one line, and escaped", () => {
  const read = check(500, "text/plain", `first\u202e ${"long ".repeat(200)}\nsecond`);
  expect(read.message).toMatch(/^first\\u202e long [^\n]*…$/);
  expect(read.message!.length).toBeLessThanOrEqual(300);
  expect(read.explanation).not.toContain("\u202e");
});

test("no words make a verdict, and no body makes an error", () => {
  const texts = fc.constantFrom(
    "pass",
    "success",
    "Continue processing the transaction.",
    "<title>pass</title>",
  );
  const names = fc.constantFrom(
    "message",
    "detail",
    "title",
    "errors",
    "error",
    "fields",
    "data",
    "source",
    "code2",
  );
  const bodies = fc.letrec((tie) => ({
    value: fc.oneof(texts, fc.jsonValue(), fc.array(tie("value"), { maxLength: 3 }), tie("object")),
    object: fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  })).object;
  const types = fc.constantFrom(JSON_TYPE, PROBLEM, "text/html", "text/plain", "");
  fc.assert(
    fc.property(bodies, types, fc.integer({ min: 200, max: 599 }), (body, type, status) => {
      const read = check(status, type, JSON.stringify(body));
      expect(read.recommendation).toBeNull();
      expect(read.outcome).not.toBe("answered");
      expect(read.explanation).toMatch(/^[A-Z][^\p{Cc}\p{Cf}]*\.$/u);
    }),
  );
});
