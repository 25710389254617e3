// The tenant that the last answer named stands in the first row.

import { expect, it } from "vitest";
import { intent } from "../storage/entries.ts";
import { answered } from "./test-context.ts";
import { NOW, openHistory } from "./history-stage.tsx";

it.each([
  ["ci-42", "TENANT ci-42"],
  ["a-name-that-is-much-too-long-for-it", "TENANT a-name-that-is"],
])("%s at 80x24", async (tenant, mark) => {
  const screen = await openHistory(80, 24);
  const { context, checks, session } = screen.model;
  expect(screen.lines()[0]).not.toContain("TENANT");
  const store = await context.history();
  const sent = intent("e9", {
    at: NOW,
    request: { amount: 1 },
    result: answered("pass", { tenant, httpStatus: 200 }),
  });
  session.store.setState({ project: sent.project });
  await store.intend(sent);
  await store.settle(sent);
  await checks.load();
  await screen.until(mark);
  expect(screen.lines()[0]).toContain(mark);
  expect(screen.lines()[0]!.length).toBeLessThanOrEqual(80);
});
