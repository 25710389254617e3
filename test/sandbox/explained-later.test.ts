// A decision is explained for as long as it is kept: by the rules that made it, however many there were since.

import { join } from "node:path";
import { expect, test } from "vitest";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { payment } from "../rules/sample.ts";
import {
  alter,
  contentOf,
  call,
  CHECK,
  makeProject,
  startSandbox,
  temporaryFolder,
} from "./sandbox-under-test.ts";

const STARTER = { ruleSet: undefined };
const EMAIL = "olena.kept.away@example.com";

const OTHER = `
name: other rules
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
sample: { at: "2026-03-01T12:00:00Z", project_currency: 980, request: { operation: payment } }
rules: [{ code: PAYMENT, text: a payment, when: operation == "payment", score: 1 }]
`;

test("a decision is explained as it was, with its flips, by other rules and after a restart; its files name nobody", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox(STARTER, dir);
  const project = await makeProject(first, await first.company());
  const check = { ...CHECK, ...payment({ payer: { email: EMAIL }, card: { expiration_year: 40 } }) };
  // Several at a time: what would flip each of them is told all the same.
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => call(first, "check", project, { ...check, order_id: `o-${i}` })),
  );
  const told = await Promise.all(answers.map((answer) => first.explanation(answer)));
  for (const { flips } of told) expect(flips).toBeInstanceOf(Array);
  expect(told[0]!.flips).not.toEqual([]);

  const saved = await first.admin("POST", ADMIN.rulesText, { text: OTHER });
  expect(saved.status, saved.text).toBe(200);
  const later = await call(first, "check", project, { ...check, order_id: "later" });
  expect((await first.explanation(later)).rules.map(({ code }) => code)).toEqual(["PAYMENT"]);
  expect(await Promise.all(answers.map((answer) => first.explanation(answer)))).toEqual(told);
  await first.stop();

  expect(await contentOf(join(dir, "state"))).not.toContain("olena");

  const second = await startSandbox(STARTER, dir);
  expect(await Promise.all(answers.map((answer) => second.explanation(answer)))).toEqual(told);
  await second.stop();

  alter(join(dir, "state"), `DELETE FROM value WHERE name = 'rules ${told[0]!.ruleSetHash}'`);
  const third = await startSandbox(STARTER, dir);
  const id = String(answers[0]!.headers["x-verdict-decision"]);
  const refused = await third.admin("GET", `${ADMIN.decisions}/${id}`);
  expect([refused.status, refused.body["message"]]).toEqual([503, expect.stringContaining("rules ")]);
  expect((await third.explanation(later)).rules).toHaveLength(1);
});
