// Forms of answers that a profile accepts beside the standard one: each is taken off, and the strict reader sees the standard form.

import type { AnswerForm } from "#src/contract/records/profile.ts";
import { type Call, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { headerValue } from "./answer-facts.ts";
import type { Answer } from "./exchange.ts";

interface Form {
  has(answer: Answer, call: Call): boolean;
  /** The answer without it. */
  standard(answer: Answer): Answer;
}

const isType = ([name]: Answer["headers"][number]): boolean => name === "content-type";
const asJson = (answer: Answer): Answer => ({
  ...answer,
  headers: [...answer.headers.filter((header) => !isType(header)), ["content-type", JSON_MEDIA_TYPE]],
});

const FORMS: Readonly<Record<AnswerForm, Form>> = {
  html: { has: (answer) => isOfType(answer, "text/html"), standard: asJson },
  text: { has: (answer) => isOfType(answer, "text/plain"), standard: asJson },
  untyped: { has: ({ headers }) => !headers.some(isType), standard: asJson },
  bom: {
    has: ({ body }) => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf,
    standard: (answer) => ({ ...answer, body: answer.body.subarray(3) }),
  },
  // Registrations and credentials are answered with any 2xx.
  "201": {
    has: ({ status }, call) => call === "check" && status === 201,
    standard: (answer) => ({ ...answer, status: 200 }),
  },
};

/** The forms that an answer has. */
export function formsOf(answer: Answer, call: Call): AnswerForm[] {
  return (Object.keys(FORMS) as AnswerForm[]).filter((form) => FORMS[form].has(answer, call));
}

/** @param forms those that the answer has */
export function withoutForms(answer: Answer, forms: readonly AnswerForm[]): Answer {
  return forms.reduce((left, form) => FORMS[form].standard(left), answer);
}

/** One content type of this name, with no other charset than UTF-8 (RFC 8259 section 8.1). */
export function isOfType(answer: Answer, wanted: string): boolean {
  const [essence, ...parameters] = (headerValue(answer, "content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  return essence === wanted && parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter));
}
