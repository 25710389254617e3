// Tenants: whatever one does, nothing of another is read, changed, counted, slowed or reset.

import { cp, mkdir, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import {
  ADMIN,
  TENANT_QUOTA,
  type SandboxPanel,
  type TenantFacts,
  type TenantListing,
} from "#src/contract/wire/sandbox-wire.ts";
import { requireTenantRules, TENANT_RULES_TOKENS } from "#src/sandbox/admin/admin-body.ts";
import { readStarterText } from "#src/sandbox/state/active-rules.ts";
import type { KeyHolder } from "#src/sandbox/state/stored-accounts.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import { openTenantFolders } from "#src/sandbox/state/tenant-folders.ts";
import { Tenants } from "#src/sandbox/state/tenants.ts";
import { create, inhabit, isolation, NOON, threeTenants } from "./isolation.ts";
import { testRules } from "./rules.ts";
import {
  administration,
  call,
  CHECK,
  alter,
  makeProject,
  openTestStore,
  registration,
  startSandbox,
  temporaryFolder,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

isolation("files", startSandbox);

test("a tenant that is being restored keeps no other waiting, not even for a key that is used for the first time", async () => {
  const tenant = (name: string, key: (id: string) => Promise<KeyHolder | null>): Tenant =>
    ({
      name,
      state: { accounts: { key } },
      shared: (work: () => unknown) => work(),
      close: async () => undefined,
    }) as unknown as Tenant;
  const holder = {} as KeyHolder;
  const standard = tenant("default", async () => null);
  const others: Record<string, Tenant> = {
    restoring: tenant("restoring", () => new Promise(() => undefined)),
    ready: tenant("ready", async (id) => (id === "its-key" ? holder : null)),
  };
  const onProblem = (sentence: string): never => expect.fail(sentence);
  const place = await openTenantFolders({
    dir: await temporaryFolder(),
    openStore: openTestStore,
    open: async ({ name }) => others[name]!,
    onProblem,
  });
  const tenants = await Tenants.open({ standard, place, realNow: () => NOON, onProblem });
  const order = {
    ttlMs: null,
    seed: null,
    rules: null,
    companies: 1,
    startAt: null,
    magic: true,
    quota: TENANT_QUOTA,
  };
  for (const name of Object.keys(others)) await tenants.create({ ...order, name });
  expect(await tenants.of("its-key")).toBe(others["ready"]);
  expect(tenants.of("its-key")).toBe(others["ready"]);
});

test("answers and log lines name the tenant, and those of the default one do not", async () => {
  const [one, red] = await threeTenants(startSandbox);
  expect(red.decided.headers["x-verdict-tenant"]).toBe("red");
  expect(one.decided.headers["x-verdict-tenant"]).toBeUndefined();
  const requests = one.sandbox.logged.filter(({ event }) => event === "request");
  expect(new Set(requests.map(({ tenant }) => tenant))).toEqual(new Set([undefined, "red", "blue"]));
});

test("a tenant survives a restart with its keys, and the same seed and name give the same ones", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  const { created, admin } = await create(first, "ci", { seed: 7, companies: 2 });
  const project = await makeProject({ ...first, ...admin }, await admin.company(), "shop");
  await first.stop();

  const again = await startSandbox({}, dir);
  expect((await call(again, "check", project, CHECK)).status).toBe(200);
  const later = administration({ ...again, adminToken: created.adminToken });
  expect((await later.panel()).companies).toHaveLength(2);

  const elsewhere = (await create(await startSandbox(), "ci", { seed: 7, companies: 2 })).created;
  expect(elsewhere.companies).toEqual(created.companies);
  expect(elsewhere.adminToken).not.toBe(created.adminToken);
});

test("a tenant that is removed is gone with its folder, and its keys and token are unknown", async () => {
  const sandbox = await startSandbox();
  const { admin } = await create(sandbox, "red");
  const red = await inhabit(sandbox, "red", admin);
  expect((await sandbox.admin("DELETE", `${ADMIN.tenants}/red`)).status).toBe(200);
  expect((await call(sandbox, "check", red.project, CHECK)).status).toBe(401);
  expect((await red.admin("GET", ADMIN.status)).status).toBe(401);
  await expect(stat(join(sandbox.dir, "state", "tenants", "red"))).rejects.toMatchObject({ code: "ENOENT" });
  expect((await sandbox.admin("DELETE", `${ADMIN.tenants}/red`)).status).toBe(404);
  expect((await sandbox.admin("DELETE", `${ADMIN.tenants}/default`)).status).toBe(400);
});

test("a call that is being answered while its tenant is removed is refused as one of an unknown key", async () => {
  const sandbox = await startSandbox();
  const red = await inhabit(sandbox, "red", (await create(sandbox, "red")).admin);
  await red.admin("POST", ADMIN.faults, {
    on: "check",
    rate: 1,
    count: 1,
    effect: { do: "latency", latency: { shape: "fixed", ms: 2_000 } },
  });
  const waiting = call(sandbox, "check", red.project, { ...CHECK, order_id: "late" });
  await expect
    .poll(async () => (await red.admin("GET", ADMIN.faults)).body["faults"])
    .toMatchObject([{ made: 1 }]);
  await sandbox.admin("DELETE", `${ADMIN.tenants}/red`);
  const answer = await waiting;
  expect([answer.status, answer.body["message"]]).toEqual([
    401,
    "The tenant of this key has ended; nothing was decided.",
  ]);
});

test("a tenant ends when its time is over, while the sandbox runs and while it does not", async () => {
  const dir = await temporaryFolder();
  let passed = 0;
  const realNow = (): number => Date.now() + passed;
  const first = await startSandbox({ realNow }, dir);
  const red = await inhabit(first, "red", (await create(first, "red", { ttlMs: 3_600_000 })).admin);
  await create(first, "blue", { ttlMs: 7_200_000 });
  await create(first, "green");
  passed = 3_600_000;
  const answer = await call(first, "check", red.project, CHECK, { nowMs: realNow() });
  expect(answer.status).toBe(401);
  expect((await red.admin("GET", ADMIN.status)).status).toBe(401);
  await first.stop();

  passed = 7_200_000;
  const again = await startSandbox({ realNow }, dir);
  const { tenants } = (await again.admin("GET", ADMIN.tenants)).body as unknown as { tenants: TenantFacts[] };
  expect(tenants.map(({ name }) => name)).toEqual(["default", "green"]);
  await expect(stat(join(dir, "state", "tenants", "red"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(again.logged.filter(({ event }) => event === "tenant_expired")).toHaveLength(2);
});

test("a timer ends it, too", async () => {
  const sandbox = await startSandbox();
  await create(sandbox, "red", { ttlMs: 1_000 });
  const folder = join(sandbox.dir, "state", "tenants", "red");
  await expect
    .poll(() =>
      stat(folder).then(
        () => true,
        () => false,
      ),
    )
    .toBe(false);
  const { tenants } = (await sandbox.admin("GET", ADMIN.tenants)).body as unknown as {
    tenants: TenantFacts[];
  };
  expect(tenants.map(({ name }) => name)).toEqual(["default"]);
});

test("a tenant holds no more projects and decisions than its quota", async () => {
  const sandbox = await startSandbox();
  const { admin } = await create(sandbox, "red", { quota: { projects: 1, decisions: 2 } });
  const red = await inhabit(sandbox, "red", admin);
  const over = await call(sandbox, "register", red.owner, registration("another"));
  expect([over.status, over.body["error"]]).toEqual([429, "too_many_requests"]);
  expect((await call(sandbox, "check", red.project, { ...CHECK, order_id: "2" })).status).toBe(200);
  expect((await call(sandbox, "check", red.project, { ...CHECK, order_id: "3" })).status).toBe(429);
  await admin.admin("POST", ADMIN.reset, { keepProjects: true });
  expect((await call(sandbox, "check", red.project, { ...CHECK, order_id: "4" })).status).toBe(200);
});

test("orders that cannot be carried out say why, and make nothing", async () => {
  const sandbox = await startSandbox();
  await create(sandbox, "red");
  const refused = async (order: object): Promise<string> => {
    const answer = await sandbox.admin("POST", ADMIN.tenants, order);
    expect(answer.status).toBe(400);
    return String(answer.body["message"]);
  };
  expect(await refused({ name: "red" })).toContain("already");
  expect(await refused({ name: "default" })).toContain("already");
  for (const name of ["", "Red", "../red", "a".repeat(64), 7, undefined])
    expect(await refused({ name })).toContain("name");
  expect(await refused({ name: "x", rules: "rules: 1" })).toContain("rules.yaml");
  expect(await refused({ name: "x", companies: 0 })).toContain("companies");
  expect(await refused({ name: "x", ttlMs: -1 })).toContain("ttlMs");
  expect(await refused({ name: "x", quota: { projects: 0 } })).toContain("quota.projects");
  expect(await refused({ name: "x", quota: { project: 5 } })).toContain('"project"');
  expect(await refused({ name: "x", quota: 5 })).toContain("quota");
  expect(await refused({ name: "x", ttl: "2h" })).toContain('"ttl"');
  expect(await refused({ name: "x", rules: 5 })).toContain("rules");
  expect(await refused({ name: "x", magic: "no" })).toContain("magic");
  await expect(stat(join(sandbox.dir, "state", "tenants", "x"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("another company and another key of one are a company and a key like the first", async () => {
  const sandbox = await startSandbox();
  const first = await sandbox.company();
  const two = (await sandbox.admin("POST", ADMIN.companies, {})).body as unknown as SandboxPanel;
  expect(two.companies).toHaveLength(2);
  const keyed = (await sandbox.admin("POST", ADMIN.companies, { companyId: first.companyId }))
    .body as unknown as SandboxPanel;
  const [{ integrationKeys } = { integrationKeys: [] }] = keyed.companies;
  expect(integrationKeys).toHaveLength(2);
  const { keyId, algorithm, secret } = integrationKeys[1]!;
  const identity = { keyId, algorithm, companyId: first.companyId!, secret: new Secret(secret) };
  expect((await call(sandbox, "register", identity, registration("shop"))).status).toBe(200);
  expect((await call(sandbox, "register", await sandbox.company(1), registration("shop"))).status).toBe(200);
  expect(
    (
      await call(
        sandbox,
        "register",
        { ...identity, companyId: two.companies[1]!.companyId },
        registration("x"),
      )
    ).status,
  ).toBe(403);
  expect((await sandbox.admin("POST", ADMIN.companies, { companyId: "com-none" })).status).toBe(400);
});

test("what an interrupted creation or removal left is removed at the next start", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  for (const name of ["red", "going"]) await create(first, name);
  await first.stop();
  const folder = join(dir, "state", "tenants");
  for (const name of ["begun", "half"]) await mkdir(join(folder, name));
  for (const name of ["half", "going"]) await writeFile(join(folder, name, "unfinished"), "");
  const again = await startSandbox({}, dir);
  expect(await readdir(folder)).toEqual(["red"]);
  expect(await names(again)).toEqual(["default", "red"]);
  expect(faultsOf(again)).toEqual([]);
});

async function names(sandbox: SandboxUnderTest): Promise<string[]> {
  const { tenants } = (await sandbox.admin("GET", ADMIN.tenants)).body as unknown as {
    tenants: TenantFacts[];
  };
  return tenants.map(({ name }) => name);
}

function faultsOf(sandbox: SandboxUnderTest): (string | undefined)[] {
  return sandbox.logged.filter(({ event }) => event === "fault").map(({ reason }) => reason);
}

test("a tenant whose files are damaged is left out and listed so, and the others are served", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  for (const name of ["red", "blue", "green", "white", "black"]) await create(first, name);
  await first.stop();
  const folder = join(dir, "state", "tenants");
  alter(join(folder, "red"), "UPDATE value SET bytes = substr(bytes, 2) WHERE name = 'companies'");
  alter(join(folder, "green"), "DELETE FROM value WHERE name = 'tenant'");
  // A second tenant with the keys of the first.
  await cp(join(folder, "blue"), join(folder, "copy"), { recursive: true });
  // Followed, it would let a folder of somewhere else be written.
  await rename(join(folder, "white"), join(dir, "white"));
  await symlink(join(dir, "white"), join(folder, "white"));
  const again = await startSandbox({}, dir);
  expect(await names(again)).toEqual(["default", "blue", "black"]);
  const { damaged } = (await again.admin("GET", ADMIN.tenants)).body as unknown as TenantListing;
  const why: Record<string, RegExp> = {
    red: /^Tenant red is left out: .* has a damaged value "companies"/,
    green: /^Tenant green is left out: it is of another tenant, or of none/,
    copy: /^Tenant copy is left out: it is of another tenant, or of none/,
  };
  expect(new Set(damaged.map(({ name }) => name))).toEqual(new Set(Object.keys(why)));
  for (const { name, problem } of damaged) {
    expect(problem).toMatch(why[name]!);
    expect(faultsOf(again)).toContain(problem);
    expect((await again.admin("GET", `${ADMIN.tenants}/${name}`)).body["message"]).toBe(problem);
  }
  for (const name of ["red", "copy", "white"])
    expect((await again.admin("POST", ADMIN.tenants, { name })).status).toBe(400);
  for (const name of Object.keys(why))
    expect((await again.admin("DELETE", `${ADMIN.tenants}/${name}`)).status).toBe(200);
  expect((await readdir(folder)).toSorted()).toEqual(["black", "blue", "white"]);
  expect(await readdir(join(dir, "white"))).not.toEqual([]);
});

test("a tenant that cannot be written is listed and measured with the others, and can be removed", async () => {
  const sandbox = await startSandbox();
  const { admin } = await create(sandbox, "red");
  const folder = join(sandbox.dir, "state", "tenants", "red");
  await rm(join(folder, "state.db"));
  expect((await admin.admin("POST", ADMIN.clock, { do: "freeze" })).status).toBe(503);
  expect(await names(sandbox)).toEqual(["default", "red"]);
  const lines = (await sandbox.admin("GET", ADMIN.metrics)).text.split("\n");
  expect(lines).toContain('verdict_state_writable{tenant="red"} 0');
  expect(lines).toContain('verdict_projects{tenant="default"} 0');
  expect((await sandbox.admin("DELETE", `${ADMIN.tenants}/red`)).status).toBe(200);
  await expect(stat(folder)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a creation that fails leaves nothing", async () => {
  const sandbox = await startSandbox();
  const folder = join(sandbox.dir, "state", "tenants");
  await mkdir(folder, { mode: 0o700 });
  // No folder takes the place of a file.
  await writeFile(join(folder, "blue"), "");
  expect((await sandbox.admin("POST", ADMIN.tenants, { name: "blue" })).status).toBe(400);
  await rm(join(folder, "blue"));
  expect((await sandbox.admin("POST", ADMIN.tenants, { name: "red", rules: "rules: 1" })).status).toBe(400);
  expect(await readdir(folder)).toEqual([]);
  expect(await names(sandbox)).toEqual(["default"]);
  await create(sandbox, "blue");
});

test("a tenant whose creator is gone before the answer is removed, as its token is nowhere", async () => {
  const sandbox = await startSandbox();
  const body = JSON.stringify({ name: "red" });
  const socket = connect(sandbox.adminPort, "127.0.0.1");
  const lines = [
    `POST ${ADMIN.tenants} HTTP/1.1`,
    "host: sandbox",
    `authorization: Bearer ${sandbox.adminToken}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  await expect.poll(() => sandbox.logged.map(({ event }) => event)).toContain("tenant_removed");
  expect(await names(sandbox)).toEqual(["default"]);
});

test("a tenant has no larger rule file than others can wait for, and the sandbox's own may be larger", async () => {
  const sandbox = await startSandbox();
  const { text } = await testRules();
  const large = `${text}${"# A line.\n".repeat(14_000)}`;
  const { admin } = await create(sandbox, "red", { rules: text });
  const answers = [
    await sandbox.admin("POST", ADMIN.tenants, { name: "blue", rules: large }),
    await admin.admin("POST", ADMIN.rulesText, { text: large }),
    await sandbox.admin("POST", ADMIN.rulesText, { text: large }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 200]);
  expect(answers.map(({ body }) => body["message"] ?? "")).toEqual([
    expect.stringContaining("131072 characters"),
    expect.stringContaining("131072 characters"),
    "",
  ]);
  expect(await names(sandbox)).toEqual(["default", "red"]);
});

const ENOUGH = 120_000;

test.each([
  ["empty lists in one line", `x: [${"[],".repeat(ENOUGH / 3)}]`],
  ["maps in one line", `x: [${"{a},".repeat(ENOUGH / 4)}]`],
  ["words in one line", `x: [${"a,".repeat(ENOUGH / 2)}]`],
  ["empty items", `x:\n${"-\n".repeat(ENOUGH / 2)}`],
  ["short keys", Array.from({ length: ENOUGH / 10 }, (_, number) => `k${number}: 1\n`).join("")],
  ["empty comments", `x: 1\n${"#\n".repeat(ENOUGH / 2)}`],
  ["anchors", `x:\n${"- &a\n".repeat(ENOUGH / 5)}`],
])("a tenant has no rule file that is short and long to read: %s", (_, text) => {
  expect(text.length).toBeLessThanOrEqual(128 * 1024);
  expect(() => requireTenantRules(text)).toThrow(`${TENANT_RULES_TOKENS} tokens of YAML`);
});

test("a tenant may have twice the starter rules", async () => {
  requireTenantRules((await readStarterText()).repeat(2));
});

test("calls at the same time pass no quota", async () => {
  const sandbox = await startSandbox();
  const { admin } = await create(sandbox, "red", { quota: { projects: 4, decisions: 12 } });
  const owner = await admin.company();
  const project = await makeProject({ ...sandbox, ...admin }, owner);
  const merchants = Array.from({ length: 12 }, (_, number) => `shop-${number}`);
  const answers = await Promise.all(
    merchants.map((merchant) => call(sandbox, "register", owner, registration(merchant))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  const checks = await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      call(sandbox, "check", project, { ...CHECK, order_id: `order-${number}` }),
    ),
  );
  expect(checks.filter(({ status }) => status === 200)).toHaveLength(12);
  expect(checks.filter(({ status }) => status === 429)).toHaveLength(28);
  const added = await Promise.all(Array.from({ length: 30 }, () => admin.admin("POST", ADMIN.companies, {})));
  expect(added.filter(({ status }) => status === 200)).toHaveLength(19);
});
