// Forms of answers that a profile accepts as well: each is the only difference that it excuses.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer } from "#src/client/exchange.ts";
import { readCheckAnswer, readCredentialAnswer, readRegisterAnswer } from "#src/client/read-answer.ts";
import { ANSWER_FORMS } from "#src/contract/records/profile-fields.ts";
import type { AnswerForm } from "#src/contract/records/profile.ts";
import { NO_FACTS } from "#src/contract/wire/outcome.ts";
import { CHECK, clientFor, CREDENTIAL } from "./calling.ts";
import { startHostileService } from "./hostile-service.ts";
import { BODIES, CODES, FORGED_WAYS } from "./look-alikes.ts";

const SIGNING = { recipe: "kong", status: "assumed" } as const;
const PASS = '{"status":"success","code":"pass","message":"m"}';
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** What is wrong with a way to send a body: forms, or null where no form excuses it. */
const TYPES: readonly (readonly [headers: Answer["headers"], form: AnswerForm | "json" | null])[] = [
  [[["content-type", "application/json"]], "json"],
  [[["content-type", "Application/JSON; charset=utf-8"]], "json"],
  [[["content-type", "text/html"]], "html"],
  [[["content-type", "text/html; charset=UTF-8"]], "html"],
  [[["content-type", "text/plain;charset=utf-8"]], "text"],
  [[], "untyped"],
  [[["content-type", ""]], null],
  [[["content-type", "text/html; charset=iso-8859-1"]], null],
  [[["content-type", "text/htmlx"]], null],
  [[["content-type", "text/plain, text/html"]], null],
  [
    [
      ["content-type", "text/html"],
      ["content-type", "text/html"],
    ],
    null,
  ],
  [[["content-type", "application/problem+json"]], null],
];
const MARKS: readonly (readonly [marks: readonly Buffer[], form: AnswerForm | "json" | null])[] = [
  [[], "json"],
  [[MARK], "bom"],
  [[MARK, MARK], null],
  [[Buffer.from([0xff, 0xfe])], null],
];
const STATUSES: readonly (readonly [status: number, form: AnswerForm | "json" | null])[] = [
  [200, "json"],
  [201, "201"],
  [202, null],
  [204, null],
  [302, null],
  [401, null],
  [500, null],
];
const CODED: Answer["headers"] = [["content-encoding", "gzip"]];

/** What a service says in words is looked for in the answer as it came. */
const WORDS = { message: expect.toSatisfy(() => true), explanation: expect.any(String) };

const BODY = fc.oneof(
  { weight: 3, arbitrary: fc.constant(PASS) },
  fc.constantFrom(...BODIES),
  fc.constantFrom(...CODES).map((code) => JSON.stringify({ status: "success", code })),
  fc.nat(PASS.length).map((length) => PASS.slice(0, length)),
  fc.string(),
);

test("whatever comes is a pass only by the forms that are accepted, with a body that is a pass without them", () => {
  fc.assert(
    fc.property(
      BODY,
      fc.constantFrom(...TYPES),
      fc.constantFrom(...MARKS),
      fc.constantFrom(...STATUSES),
      fc.constantFrom<Answer["headers"]>([], CODED),
      fc.constantFrom<Answer["ending"]>("complete", "complete", "complete", "too_large", "unframed"),
      fc.subarray([...ANSWER_FORMS]),
      (text, [type, typed], [marks, marked], [status, stated], coded, ending, accepted) => {
        const body = Buffer.concat([...marks, Buffer.from(text)]);
        const read = (answer: Answer, forms?: readonly AnswerForm[]) =>
          readCheckAnswer(answer, NO_FACTS, { ...SIGNING, ...(forms && { accepted: forms }) });
        const came: Answer = { status, headers: [...type, ...coded], body, ending };
        const forms = [typed, marked, stated];
        const isExcused = forms.every((form) => form === "json" || accepted.includes(form as AnswerForm));
        const standard: Answer = {
          status: 200,
          headers: [["content-type", "application/json"], ...coded],
          body: Buffer.from(text),
          ending,
        };
        const { recommendation, outcome } = read(came, accepted);
        expect(recommendation).toBe(isExcused ? read(standard).recommendation : null);
        if (recommendation === null) expect(outcome).not.toBe("answered");
        if (isExcused) expect(read(came, accepted)).toMatchObject({ ...read(standard), ...WORDS });
      },
    ),
    { numRuns: 3_000 },
  );
});

/** The ways of the corpus that a form excuses. */
const EXCUSED: Readonly<Record<string, AnswerForm>> = {
  "byte order mark": "bom",
  text: "text",
  "a page": "html",
  "no media type": "untyped",
  "status 201": "201",
};

test("each forged way to send a pass is one with exactly those subsets that hold its form", async () => {
  await using service = await startHostileService([]);
  for (let bits = 0; bits < 2 ** ANSWER_FORMS.length; bits += 1) {
    const answers = ANSWER_FORMS.filter((_, at) => (bits >> at) % 2 === 1);
    await using opened = clientFor(service.url, { answers });
    for (const [way, does] of FORGED_WAYS) {
      service.play(does);
      const { recommendation, outcome } = await opened.client.check(CHECK, CREDENTIAL);
      const form = EXCUSED[way];
      const isPass = form !== undefined && answers.includes(form);
      expect([way, recommendation, outcome === "answered"]).toEqual([way, isPass ? "pass" : null, isPass]);
    }
  }
});

const HTML: Answer = {
  status: 200,
  headers: [["content-type", "text/html; charset=UTF-8"]],
  body: Buffer.from(PASS),
  ending: "complete",
};

describe("what would accept an answer is named", () => {
  const says = (answer: Partial<Answer>, accepted: readonly AnswerForm[] = []): string =>
    readCheckAnswer({ ...HTML, ...answer }, NO_FACTS, { ...SIGNING, accepted }).explanation;

  test.each<[Partial<Answer>, readonly AnswerForm[], string]>([
    [{}, [], "html"],
    [{}, ["bom"], "html,bom"],
    [{ headers: [] }, [], "untyped"],
    [{ status: 201 }, [], "html,201"],
    [{ status: 201 }, ["html"], "html,201"],
    [{ body: Buffer.concat([MARK, HTML.body]) }, ["html"], "html,bom"],
  ])("%o", (answer, accepted, forms) => {
    expect(says(answer, accepted)).toContain(
      `if the service always sends such answers: "verdict profile add NAME --answers ${forms}"): the answer does not count as a pass`,
    );
  });

  test.each<Partial<Answer>>([
    { body: Buffer.from("<!doctype html><title>Sign in</title>") },
    { headers: [["content-type", "text/xml"]] },
    { headers: [...HTML.headers, ...CODED] },
    { status: 401 },
    { status: 500 },
  ])("but not where something else is wrong, too: %o", (answer) => {
    expect(says(answer)).not.toContain("--answers");
  });

  test("nor on the sandbox", () => {
    const read = readCheckAnswer(HTML, NO_FACTS, { ...SIGNING, status: null });
    expect(read.explanation).not.toContain("--answers");
  });
});

test("registrations and credentials come in the same forms, and their errors are still read", () => {
  const success: Answer = { ...HTML, body: Buffer.from('{"status":"success","message":"m"}') };
  expect(readRegisterAnswer(success, NO_FACTS, SIGNING).registered).toBe(false);
  expect(readRegisterAnswer(success, NO_FACTS, { ...SIGNING, accepted: ["html"] }).registered).toBe(true);
  const error: Answer = { ...HTML, status: 404, body: Buffer.from('{"error":"project_not_found"}') };
  expect(readCredentialAnswer(error, NO_FACTS, { ...SIGNING, accepted: ["html"] })).toMatchObject({
    state: "failed",
    reason: "project_not_found",
  });
  const page: Answer = { ...HTML, status: 403, body: Buffer.from("<title>Sign in</title>") };
  expect(readCheckAnswer(page, NO_FACTS, { ...SIGNING, accepted: ["html"] }).message).toBe("Sign in");
});
