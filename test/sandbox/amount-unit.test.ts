// A service that takes amounts in major units: what rules see of them, what its document says, and a profile of that unit.

import { expect, onTestFinished, test } from "vitest";
import type { WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { describeService } from "#src/sandbox/service/openapi-route.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { inProcessHome } from "../cli/in-process.ts";
import { CHECK, call, makeProject, startSandbox } from "./sandbox-under-test.ts";

const RULES = `
name: rules of amounts
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
rates: { as_of: 2026-01-01, per_eur: { EUR: 1, JPY: 100 } }
sample: { at: "2026-03-01T12:00:00Z", project_currency: 978, request: { operation: payment } }
rules:
  - code: WORTH
    text: "{money} are {amount_eur} EUR"
    when: amount_eur() > limit
    params: { limit: 1000 }
    score: 40
`;

async function serving(amountUnit: "minor" | "major") {
  const sandbox = await startSandbox({ amountUnit, ruleSet: await loadRules(RULES, "rules of amounts") });
  const project = await makeProject(sandbox, await sandbox.company());
  const check = (amount: number, currency: number) =>
    call(sandbox, "check", project, { ...CHECK, order_id: `${amount} ${currency}`, amount, currency });
  return { sandbox, project, check };
}

test("rules and their words read amounts in the unit of the service", async () => {
  const minor = await serving("minor");
  expect((await minor.check(50_000, 978)).body["code"]).toBe("pass");
  const { sandbox, project, check } = await serving("major");
  const worth = await check(50_000, 978);
  expect(worth.body["code"]).toBe("3ds_or_block");
  expect(worth.body["message"]).toMatch(/50\s000\.00 EUR are 50\s000 EUR/);
  expect((await check(1_000, 978)).body["code"]).toBe("pass");
  // A currency without minor units is written alike in both.
  expect((await check(200_000, 392)).body["message"]).toMatch(/200\s000 JPY are 2\s000 EUR/);
  const path = `/_sandbox/what-if?project=${project.projectId ?? ""}`;
  const asked = await sandbox.admin("POST", path, { ...CHECK, order_id: "w", amount: 1001, currency: 978 });
  expect((asked.body as unknown as WhatIf).decision).toMatchObject({ recommendation: "3ds_or_block" });
  expect((await sandbox.status()).switches.amountUnit).toBe("major");
});

test("an amount that cannot be held in minor units is refused by its name", async () => {
  const { check } = await serving("major");
  const refused = await check(Number.MAX_SAFE_INTEGER, 978);
  expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_request"]);
  expect(refused.body["fields"]).toEqual([
    { path: "amount", message: expect.stringContaining("minor units") },
  ]);
});

test("the document says which unit amounts have", () => {
  const options = { require: [], credentialUnsigned: false, credentialDelayS: 5, version: "0.0.0-test" };
  const words = (amountUnit: "minor" | "major"): string =>
    JSON.stringify(describeService({ ...options, amountUnit, recipe: recipeById("http-signatures") }, "/"));
  expect(words("major")).toContain("Transaction amount in whole major units of the currency");
  expect(words("minor")).not.toContain("major units");
});

test("a profile with major units is decided as it is shown", async () => {
  const { sandbox, project } = await serving("major");
  const home = inProcessHome();
  onTestFinished(() => home.remove());
  const url = `http://127.0.0.1:${sandbox.port}`;
  await home.run(`profile add mine --base-url ${url} --amount-unit major`);
  await home.run("profile use mine");
  const key = `--key-id ${project.keyId} --project-id ${project.projectId ?? ""} --secret-stdin`;
  const added = await home.run(
    `vault add --merchant-id shop --risk-level medium ${key}`,
    project.secret.expose(),
  );
  expect(added).toMatchObject({ code: 0 });
  const values = ["operation=payment", "order_id=o-1", "amount=50000", "currency=978"];
  const checked = await home.run(["check", ...values.flatMap((value) => ["--set", value])]);
  expect(checked.code).toBe(11);
  expect(checked.stdout).toMatch(/50000 EUR/);
  expect(checked.stdout).toMatch(/50\s000\.00 EUR are 50\s000 EUR/);
});
