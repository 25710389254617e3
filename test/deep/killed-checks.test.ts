// A hundred checks, each killed at a moment of its own: no acknowledged verdict is lost.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killRounds } from "../cli/kill-rounds.ts";
import { testHome, type TestHome } from "../cli/verdict-process.ts";

const ROUNDS = 100;
let home: TestHome;
let payload: string;

beforeAll(async () => {
  home = testHome();
  payload = join(home.folder, "payload.json");
  writeFileSync(payload, JSON.stringify({ operation: "payment", amount: 12_000, currency: 980 }));
  const registered = await home.run(
    "register --merchant-id m --name M --currency UAH --risk-level low --wait",
  );
  expect(registered).toMatchObject({ code: 0 });
});
afterAll(() => home.remove());

it(`loses no acknowledged verdict in ${ROUNDS} kills`, async () => {
  const { acknowledged, unknown } = await killRounds(home, payload, ROUNDS);
  expect(acknowledged).toBeGreaterThan(10);
  expect(unknown).toBeGreaterThan(0);
});
