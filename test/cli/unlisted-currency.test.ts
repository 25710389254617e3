// Currency numbers that are not in ISO 4217: every door warns and sends them to a service, whose business the numbering is.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answer, PASS, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

const NUMBERS = [
  [975, "975 was BGN, which EUR (978) replaced on 2026-01-01"],
  [191, "191 was HRK"],
  [810, "810 was RUR"],
  [1, "use for example 980 for UAH"],
] as const;

let service: HostileService;
let home: InProcessHome;
beforeAll(async () => {
  service = await startHostileService([]);
  home = inProcessHome();
  await pointAt(home, service.url);
});
beforeEach(() => service.play(answer(200, PASS)));
afterAll(async () => {
  home.remove();
  await service[Symbol.asyncDispose]();
});

const sent = (): unknown[] =>
  service.requests.map(({ body }) => (JSON.parse(body) as Record<string, unknown>)["currency"]);

describe.each(NUMBERS)("the currency %i", (number, says) => {
  const payment = (): string => {
    const file = join(home.folder, "payment.json");
    const body = { operation: "payment", order_id: `o-${number}`, amount: 100, currency: number };
    writeFileSync(file, JSON.stringify(body));
    return file;
  };

  test.each([
    ["check --set", () => `check --set order_id=s-${number} --set amount=1 --set currency=${number}`],
    ["check", () => `check ${payment()}`],
    ["replay of JSON", () => `replay ${payment()} --confirm test`],
    ["replay of CSV", () => `replay ${table()} --confirm test`],
  ])("is warned of and sent by %s", async (_, words) => {
    const ran = await home.run(words());
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout + ran.stderr).toContain("currency is no currency number of ISO 4217");
    expect(ran.stdout + ran.stderr).toContain(says);
    expect(sent()).toEqual([number]);
  });

  const table = (): string => {
    const file = join(home.folder, "day.csv");
    writeFileSync(file, `operation,order_id,amount,currency\npayment,c-${number},500,${number}\n`);
    return file;
  };

  test("is swept, kept and imported", async () => {
    const swept = await home.run(
      `sweep ${payment()} --field currency --list ${number},978 --confirm test --json`,
    );
    expect(swept).toMatchObject({ code: 0 });
    expect(sent()).toEqual([number, 978]);
    const kept = await home.run(`payload save kept-${number} ${payment()}`);
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringContaining(says) });
    const imported = await home.run(
      `payload import ${table()} --output ${join(home.folder, `${number}.ndjson`)} --yes`,
    );
    expect(imported).toMatchObject({ code: 0 });
  });

  test("is refused before a registration, which cannot be made again, and in a deck of the sandbox", async () => {
    const words = `project register --merchant-id m${number} --name M --currency ${number} --risk-level low`;
    expect(await home.run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    const deck = join(home.folder, "deck.yaml");
    const head = "title: d\nsummary: d\nstart: 2026-03-16T12:00:00Z\nseed: 1\nproject:";
    const project = "{ merchant: m, name: M, currency: 980, risk_level: low }";
    const payload = `{ operation: payment, order_id: o, amount: 1, currency: ${number} }`;
    writeFileSync(deck, `${head} ${project}\nsteps:\n  - say: d\n    payload: ${payload}\n`);
    expect(await home.run(`demo ${deck} --plain`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(says),
    });
    expect(sent()).toEqual([]);
  });
});

test("letters of a withdrawn currency are answered with its number", async () => {
  const ran = await home.run("check --set order_id=o --set amount=1 --set currency=BGN");
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("its number was 975") });
});
