// A service that numbers currencies by countries: what it takes, what rules see of it, and how its document says so.

import { expect, test } from "vitest";
import type { WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { describeService } from "#src/sandbox/service/openapi-route.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { CHECK, call, credentialOf, registration, startSandbox } from "./sandbox-under-test.ts";

const COUNTRIES = { currencyNumbering: "iso-3166-1" } as const;
const AT_REGISTRATION = { registrationCurrencyNumbering: "iso-3166-1" } as const;

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

async function serving(currency: number, switches: object = COUNTRIES) {
  const ruleSet = await loadRules(RULES, "rules of currencies");
  const sandbox = await startSandbox({ ...switches, ruleSet, credentialDelayS: 0 });
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

/** As spec 2.1 and 2.5 say it: a check has a currency code, a registration one after ISO 3166-1. */
test("a registration is numbered by countries, and a check by currencies", async () => {
  const { sandbox, company, project, outcomes } = await serving(804, AT_REGISTRATION);
  expect(await outcomes("a", 980)).toEqual({
    WORTH: "hit: 120.00 UAH are 3 EUR",
    OTHER_CURRENCY: expect.stringMatching(/^no_hit: /),
  });
  expect(await outcomes("b", 978)).toMatchObject({ OTHER_CURRENCY: "hit: another currency" });
  for (const [answer, why] of [
    [
      await call(sandbox, "register", company, { ...registration("other"), currency: 980 }),
      "980 is the currency",
    ],
    [await call(sandbox, "check", project, { ...CHECK, currency: 804 }), "804 is Ukraine, whose currency"],
    [
      await call(sandbox, "check", project, { ...CHECK, currency: 975 }),
      "975 was BGN, which EUR (978) replaced",
    ],
  ] as const) {
    expect(answer.status).toBe(400);
    expect(answer.body["fields"]).toEqual([{ path: "currency", message: expect.stringContaining(why) }]);
  }
  expect((await sandbox.status()).switches).toMatchObject({
    currencyNumbering: "iso-4217",
    registrationCurrencyNumbering: "iso-3166-1",
  });
});

test.each([
  [COUNTRIES, 804, 804],
  [AT_REGISTRATION, 980, 804],
])("the document lists what is taken: %j", (switches, check, registered) => {
  const options = { recipe: recipeById("http-signatures"), require: [], version: "1.0.0", magic: false };
  const document = describeService(
    { ...options, ...switches, credentialUnsigned: false, credentialDelayS: 5 },
    "/",
  );
  const { schemas } = document["components"] as {
    schemas: Record<string, { properties: Record<string, { enum?: number[]; examples?: number[] }> }>;
  };
  for (const [name, taken] of [
    ["CheckRequest", check],
    ["RegistrationRequest", registered],
  ] as const) {
    const { currency } = schemas[name]!.properties;
    expect(currency!.enum).toContain(taken);
    expect(currency!.enum).not.toContain(taken === 804 ? 978 : 804);
  }
});
