// The page about answers: what each row says is what the reader makes of it.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readCheckAnswer } from "#src/client/read-answer.ts";
import { exitOfCheck } from "#src/cli/exit-code.ts";
import { ANSWER_FORMS } from "#src/contract/records/profile-fields.ts";
import type { AnswerForm } from "#src/contract/records/profile.ts";
import { NO_FACTS } from "#src/contract/wire/outcome.ts";

const PAGE = readFileSync(new URL("../../docs/reference/answers.md", import.meta.url), "utf8");

/** The rows of the table below a heading, without the backticks of its cells. */
function rowsOf(heading: string): string[][] {
  const [, section = ""] = PAGE.split(`## ${heading}\n`);
  const lines = section.split("\n## ")[0]!.split("\n");
  const rows = lines.filter((line) => line.startsWith("|")).slice(2);
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

function read(status: string, type: string, body: string, accepted: readonly AnswerForm[] = []) {
  return readCheckAnswer(
    {
      status: Number(status),
      headers: type === "none" ? [] : [["content-type", type]],
      body: Buffer.from(body === "empty" ? "" : body.replace("U+FEFF", "\ufeff")),
      ending: "complete",
    },
    NO_FACTS,
    { recipe: "kong", status: null, accepted },
  );
}

const CHECKS = rowsOf("Checks");

test.each(CHECKS)("HTTP %s %s %s is %s %s, exit %s, accepted with %s", (...row) => {
  const [status, type, body, outcome, reason, exit, form] = row as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const says = read(status, type, body);
  expect(says).toMatchObject({ outcome, reason: reason === "" ? null : reason });
  expect(exitOfCheck({ ...NO_FACTS, ...says, attempts: 1, latencyMs: 1 }, null)).toBe(Number(exit));
  const accepting = ANSWER_FORMS.filter((each) => read(status, type, body, [each]).outcome === "answered");
  expect(accepting).toEqual(outcome === "answered" ? ANSWER_FORMS : form === "never" ? [] : [form]);
  expect(read(status, type, body, ANSWER_FORMS).outcome).toBe(
    accepting.length > 0 ? "answered" : says.outcome,
  );
});

test("every form has its row", () => {
  const named = CHECKS.map((row) => row.at(-1)!).filter((form) => form !== "" && form !== "never");
  expect(named.toSorted()).toEqual([...ANSWER_FORMS].toSorted());
});

test.each(rowsOf("Errors"))("the words of %s %s are found: %s", (type, body, words) => {
  expect(read("400", type, body).message).toBe(words === "" ? null : words);
});
