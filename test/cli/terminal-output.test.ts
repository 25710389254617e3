// Commands on a real terminal: whatever a service answers, the terminal hears nothing of it.

import { afterAll, beforeAll, expect, it } from "vitest";
import { fakeService, type FakeService } from "../console/stories/stage.ts";
import { HIDDEN, MORE } from "./naughty-strings.ts";
import { obeyedOf } from "./terminal-run.ts";
import { testHomeOfTests } from "./verdict-process.ts";

const EVIL = `${MORE.join(" ")} \u009b2J\u009d52;c;ZXZpbA==\u0007 \u200b\u202e`;

const home = testHomeOfTests();
let service: FakeService;
beforeAll(async () => {
  service = await fakeService(home);
  service.answer(200, { status: "success", code: "block", message: EVIL.toWellFormed() });
  const payload = { operation: "payment", order_id: "o-1", amount: 100, currency: 980 };
  expect((await home.run("check -", { input: JSON.stringify(payload) })).code).toBe(10);
});
afterAll(async () => {
  await service.close();
});

it.each(["history export --format csv", "history export --format json", "history"])("%s", async (words) => {
  expect(await obeyedOf(home, words)).toEqual({ controls: [], hidden: null });
});

it("the same as a file holds no hidden character either", async () => {
  const { stdout } = await home.run("history export --format csv");
  expect(stdout).toContain("\\u{1b}");
  expect(HIDDEN.exec(stdout.replaceAll(/[\t\r]/g, ""))).toBeNull();
});
