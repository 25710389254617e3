// A service that numbers currencies by countries: what it takes, what rules see of it, and how its document says so.

import { expect, test } from "vitest";
import type { WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { describeService } from "#src/sandbox/http/openapi-route.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { CHECK, call, credentialOf, registration, startSandbox } from "./sandbox-under-test.ts";

const COUNTRIES = { currencyNumbering: "iso-3166-1" } as const;

const RULES = `
name: rules of currencies
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
rates: { as_of: 2026-01-01, per_eur: { UAH: 40, EUR: 1 } }
sample: { at: "2026-03-01T12:00:00Z", project_currency: 980, request: { operation: payment } }
rules:
  - code: WORTH
    text: "{money} are {amount_eur} EUR"
    when: amount_eur() > limit
    params: { limit: 2.5 }
    score: 40
  - code: OTHER_CURRENCY
    text: "another currency"
    when: currency != project.currency
    score: 10
`;

async function serving(currency: number) {
  const ruleSet = await loadRules(RULES, "rules of currencies");
  const sandbox = await startSandbox({ ...COUNTRIES, ruleSet, credentialDelayS: 0 });
  const company = await sandbox.company();
  const registered = await call(sandbox, "register", company, { ...registration("shop"), currency });
  expect(registered.status).toBe(200);
  const wanted = { merchant_id: "shop", risk_level: "medium" };
  const project = credentialOf(await call(sandbox, "credential", company, wanted));
  const outcomes = async (order: string, country: number) => {
    const answer = await call(sandbox, "check", project, { ...CHECK, order_id: order, currency: country });
    const { rules } = await sandbox.explanation(answer);
    return Object.fromEntries(rules.map(({ code, outcome, text }) => [code, `${outcome}: ${text}`]));
  };
  return { sandbox, company, project, outcomes };
}

test("rules see the currency of the country", async () => {
  const { sandbox, project, outcomes } = await serving(804);
  expect(await outcomes("a", 804)).toEqual({
    WORTH: "hit: 120.00 UAH are 3 EUR",
    OTHER_CURRENCY: expect.stringMatching(/^no_hit: /),
  });
  expect(await outcomes("b", 276)).toEqual({
    WORTH: "hit: 120.00 EUR are 120 EUR",
    OTHER_CURRENCY: "hit: another currency",
  });
  const path = `/_sandbox/what-if?project=${project.projectId ?? ""}`;
  const asked = await sandbox.admin("POST", path, { ...CHECK, order_id: "c", currency: 804 });
  expect((asked.body as unknown as WhatIf).decision!.rules[0]!.text).toBe("120.00 UAH are 3 EUR");
});

test("a country without a single currency leaves rules of currencies without an outcome", async () => {
  const { outcomes } = await serving(332);
  for (const country of [332, 10]) {
    expect(await outcomes(`order-${country}`, country)).toEqual({
      WORTH: "not_evaluated: Not evaluated: currency is missing",
      OTHER_CURRENCY: "not_evaluated: Not evaluated: currency, project.currency are missing",
    });
  }
});

test("a currency that is no country is refused in a registration and in a check", async () => {
  const { sandbox, company, project } = await serving(804);
  const body = { ...registration("other"), currency: 978 };
  for (const answer of [
    await call(sandbox, "register", company, body),
    await call(sandbox, "check", project, { ...CHECK, currency: 978 }),
  ]) {
    expect(answer.status).toBe(400);
    expect(answer.body["fields"]).toEqual([
      { path: "currency", message: expect.stringContaining("978 is the currency EUR") },
    ]);
  }
  expect((await sandbox.status()).switches.currencyNumbering).toBe("iso-3166-1");
});

test("the document lists countries", () => {
  const options = { recipe: recipeById("http-signatures"), require: [], version: "1.0.0", magic: false };
  const document = describeService(
    { ...options, ...COUNTRIES, credentialUnsigned: false, credentialDelayS: 5 },
    "/",
  );
  const { schemas } = document["components"] as {
    schemas: Record<string, { properties: Record<string, { enum?: number[]; examples?: number[] }> }>;
  };
  for (const name of ["CheckRequest", "RegistrationRequest"]) {
    const { currency } = schemas[name]!.properties;
    expect(currency!.enum).toContain(804);
    expect(currency!.enum).not.toContain(978);
  }
});
