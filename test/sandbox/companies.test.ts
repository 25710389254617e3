// Keys belong to one company or one project: of every key, header and endpoint only the matching ones pass.

import { expect, test } from "vitest";
import type { Call } from "#src/contract/wire/wire.ts";
import type { Identity } from "#src/signing/sign.ts";
import { call, CHECK, makeProject, registration, startSandbox } from "./sandbox-under-test.ts";

test("2 companies x 2 projects x 3 endpoints: only the matching pairs pass", async () => {
  const sandbox = await startSandbox({ companies: 2 });
  const companies = [await sandbox.company(0), await sandbox.company(1)];
  const projects: { owner: Identity; merchant: string; key: Identity }[] = [];
  for (const [place, owner] of companies.entries()) {
    for (const merchant of [`m${place}-1`, `m${place}-2`]) {
      projects.push({ owner, merchant, key: await makeProject(sandbox, owner, merchant) });
    }
  }
  const keys = [...companies, ...projects.map(({ key }) => key)];
  let passed = 0;
  let order = 0;

  for (const key of keys) {
    for (const { companyId } of companies) {
      const body = registration(`new-${(order += 1)}`);
      const answer = await call(sandbox, "register", { ...key, companyId: companyId! }, body);
      expect(answer.status).toBe(key.companyId === companyId ? 200 : 403);
      passed += answer.status === 200 ? 1 : 0;
    }
    for (const { owner, merchant } of projects) {
      const wanted = { merchant_id: merchant, risk_level: "medium" };
      const answer = await call(sandbox, "credential", { ...key, companyId: owner.companyId! }, wanted);
      expect(answer.status).toBe(key.companyId === owner.companyId ? 200 : 403);
      passed += answer.status === 200 ? 1 : 0;
    }
    for (const project of projects) {
      const identity = { ...key, projectId: project.key.projectId! };
      const answer = await call(sandbox, "check", identity, { ...CHECK, order_id: `o-${(order += 1)}` });
      expect(answer.status).toBe(key === project.key ? 200 : 403);
      passed += answer.status === 200 ? 1 : 0;
    }
  }
  expect(passed).toBe(2 + 4 + 4);
});

test("a company does not see the other's projects, and both may use one merchant id", async () => {
  const sandbox = await startSandbox({ companies: 2 });
  const [one, two] = [await sandbox.company(0), await sandbox.company(1)];
  await makeProject(sandbox, one, "shop");
  const wanted = { merchant_id: "shop", risk_level: "medium" };
  expect((await call(sandbox, "credential", two, wanted)).body["error"]).toBe("project_not_found");
  expect((await call(sandbox, "register", two, registration("shop"))).status).toBe(200);
  expect((await call(sandbox, "register", one, registration("shop"))).body["error"]).toBe("project_exists");
  expect((await call(sandbox, "register", one, registration("shop", "low"))).status).toBe(200);
});

test("of many registrations of one merchant at the same time one succeeds", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => call(sandbox, "register", company, registration("shop"))),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409, 409, 409, 409,
  ]);
});

test("a key says nothing of endpoints it is not for", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  const answers = await Promise.all(
    (
      [
        ["check", { ...company, projectId: project.projectId! }, CHECK],
        ["check", { ...project, projectId: "prj-unknown" }, CHECK],
        ["register", { ...project, companyId: company.companyId! }, registration("x")],
        [
          "credential",
          { ...company, companyId: "com-unknown" },
          { merchant_id: "shop", risk_level: "medium" },
        ],
      ] satisfies [Call, Identity, unknown][]
    ).map(([name, identity, body]) => call(sandbox, name, identity, body)),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(new Set(answers.map(({ body }) => body["message"])).size).toBe(1);
});
