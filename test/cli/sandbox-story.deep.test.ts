// What the sandbox is shown with, as its user types it: one card too often, the reason, an hour later; and the last second
// of a credential.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testHome, type Ran, type TestHome } from "./verdict-process.ts";

let home: TestHome;
beforeAll(() => void (home = testHome()));
afterAll(() => home.remove());

const PAYMENT = {
  operation: "payment",
  order_id: "order-1",
  amount: 120_000,
  currency: 980,
  terminal_id: "web-1",
  payer: {
    payer_ip: "203.0.113.10",
    email: "olena.sample@example.org",
    number_phone: "+380501234567",
    payer_id: "payer-1",
  },
  card: {
    holder: "OLENA SAMPLE",
    bin_card: 444_455,
    cin_card: 42,
    expiration_month: 12,
    expiration_year: (new Date().getUTCFullYear() + 3) % 100,
  },
};

async function ran(args: string): Promise<Ran> {
  const result = await home.run(args);
  expect(result, args).toMatchObject({ code: 0 });
  return result;
}

it("blocks a card that comes too often, says why, and lets it pass an hour later", async () => {
  await ran("sandbox clock freeze");
  await ran("register --merchant-id shop --name Shop --currency UAH --risk-level medium");
  await ran("sandbox clock advance 5s");
  await ran("credential --merchant-id shop --risk-level medium");
  const check = async (number: number): Promise<{ code: number | null; row: Record<string, unknown> }> => {
    const file = join(home.folder, "payment.json");
    writeFileSync(file, JSON.stringify({ ...PAYMENT, order_id: `order-${number}` }));
    const { code, stdout } = await home.run(["check", file, "--json"]);
    return { code, row: JSON.parse(stdout) as Record<string, unknown> };
  };
  const said: unknown[] = [];
  let last: Record<string, unknown> = {};
  for (let number = 1; number <= 6; number += 1) {
    ({ row: last } = await check(number));
    said.push(last["recommendation"]);
  }
  // The fourth attempt is one more than the card has in an hour, the sixth one more than its payer in 90 minutes.
  expect(said).toEqual(["pass", "pass", "pass", "3ds_or_block", "3ds_or_block", "block"]);

  const explained = await ran(`rules explain ${String(last["id"])}`);
  expect(explained.stdout).toContain("CARD_VELOCITY_1H");
  expect(explained.stdout).toMatch(/6 attempts with this card in 1 h/);
  expect(explained.stdout).toMatch(/attempts with this card +1 h +6 +3 +over/);
  expect(explained.stdout).toContain("What would flip it");

  await ran("sandbox clock advance 1h");
  const later = await check(6);
  expect({ code: later.code, recommendation: later.row["recommendation"] }).toEqual({
    code: 0,
    recommendation: "pass",
  });
});

it("gives a credential at 23:59:59, and at 24:00:00 no more", async () => {
  await ran("sandbox clock freeze");
  for (const merchant of ["early", "late"]) {
    await ran(`register --merchant-id ${merchant} --name M --currency UAH --risk-level low`);
  }
  await ran("sandbox clock advance 86399s");
  const early = await home.run("credential --merchant-id early --risk-level low");
  expect(early, early.stderr).toMatchObject({ code: 0 });
  await ran("sandbox clock advance 1s");
  const late = await home.run("credential --merchant-id late --risk-level low");
  expect(late).toMatchObject({ code: 5, stdout: "" });
  expect(late.stderr).toMatch(/24 hours/);
});
