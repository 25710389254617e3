// Tenants: whatever one does, nothing of another is read, changed, counted, slowed or reset.

import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import {
  ADMIN,
  TENANT_QUOTA,
  type SandboxPanel,
  type TenantCreated,
  type TenantFacts,
} from "#src/contract/wire/sandbox-wire.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import type { SandboxLimits } from "#src/sandbox/http/sandbox-limits.ts";
import type { KeyHolder } from "#src/sandbox/state/sandbox-state.ts";
import type { Tenant } from "#src/sandbox/tenants/tenant.ts";
import { openTenants } from "#src/sandbox/tenants/tenants.ts";
import type { Identity } from "#src/signing/sign.ts";
import { testRules } from "./rules.ts";
import {
  administration,
  call,
  CHECK,
  makeProject,
  registration,
  send,
  startSandbox,
  temporaryFolder,
  type Administration,
  type Answer,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

const NOON = Date.parse("2026-03-16T12:00:00Z");

interface TenantUnderTest extends Administration {
  readonly name: string;
  readonly sandbox: SandboxUnderTest;
  readonly company: Administration["company"];
  readonly owner: Identity;
  readonly project: Identity;
  /** Of a check that was decided before the attempts. */
  readonly decided: Answer;
}

async function create(
  sandbox: SandboxUnderTest,
  name: string,
  order: object = {},
): Promise<{ created: TenantCreated; admin: Administration }> {
  const answer = await sandbox.admin("POST", ADMIN.tenants, { name, ...order });
  expect(answer.status, answer.text).toBe(200);
  const created = answer.body as unknown as TenantCreated;
  return { created, admin: administration({ ...sandbox, adminToken: created.adminToken }) };
}

/** With a project, one decision and a frozen clock. */
async function inhabit(
  sandbox: SandboxUnderTest,
  name: string,
  admin: Administration,
): Promise<TenantUnderTest> {
  await admin.clock({ do: "freeze" });
  await admin.clock({ do: "set", at: NOON });
  const owner = await admin.company();
  const project = await makeProject({ ...sandbox, ...admin }, owner, "shop");
  const decided = await call(sandbox, "check", project, { ...CHECK, order_id: "first" });
  expect(decided.status).toBe(200);
  return { ...admin, name, sandbox, owner, project, decided };
}

async function threeTenants(
  limits: Partial<SandboxLimits> = {},
): Promise<[TenantUnderTest, TenantUnderTest, TenantUnderTest]> {
  const sandbox = await startSandbox({ limits });
  const [red, blue] = [await create(sandbox, "red", { seed: 1 }), await create(sandbox, "blue", { seed: 1 })];
  return [
    await inhabit(sandbox, "default", sandbox),
    await inhabit(sandbox, "red", red.admin),
    await inhabit(sandbox, "blue", blue.admin),
  ];
}

/** Everything that a tenant can see of itself. */
async function picture({ admin, project, decided }: TenantUnderTest): Promise<unknown> {
  const read = async (path: string): Promise<Record<string, unknown>> => (await admin("GET", path)).body;
  const { connections, ...status } = await read(ADMIN.status);
  expect(connections).toBeDefined();
  const { realTime, ...clock } = await read(ADMIN.clock);
  expect(realTime).toBeDefined();
  const id = String(decided.headers["x-verdict-decision"]);
  return {
    status: { ...status, otherTenants: null },
    clock,
    panel: await read(ADMIN.panel),
    decision: await read(`${ADMIN.decisions}/${id}`),
    magic: await read(ADMIN.magic),
    faults: await read(ADMIN.faults),
    journal: await read(ADMIN.journal),
    rules: await read(ADMIN.rules),
    facts: await read(ADMIN.ruleFacts),
    text: await read(ADMIN.rulesText),
    snapshots: await read(ADMIN.snapshots),
    // Counts that the next check would see.
    next: (
      await admin("POST", `${ADMIN.whatIf}?project=${project.projectId}`, { ...CHECK, order_id: "next" })
    ).body,
  };
}

/** What a tenant can do: every endpoint of the service and every call of the administrative plane, and what it answers. */
const ACTS: readonly (readonly [
  what: string,
  status: number,
  act: (tenant: TenantUnderTest) => Promise<Answer>,
])[] = [
  ["register", 200, ({ sandbox, owner }) => call(sandbox, "register", owner, registration("another"))],
  [
    "credential",
    200,
    ({ sandbox, owner }) => call(sandbox, "credential", owner, { merchant_id: "shop", risk_level: "medium" }),
  ],
  ["check", 200, ({ sandbox, project }) => call(sandbox, "check", project, { ...CHECK, order_id: "second" })],
  ["repeat", 200, ({ sandbox, project }) => call(sandbox, "check", project, { ...CHECK, order_id: "first" })],
  [
    "forced check",
    200,
    ({ sandbox, project }) => call(sandbox, "check", project, { ...CHECK, order_id: "force-block-1" }),
  ],
  [
    "wrong signature",
    401,
    ({ sandbox, project }) =>
      call(sandbox, "check", { ...project, secret: new Secret("0".repeat(64)) }, CHECK),
  ],
  ["status", 200, ({ admin }) => admin("GET", ADMIN.status)],
  ["panel", 200, ({ admin }) => admin("GET", ADMIN.panel)],
  ["company", 200, ({ admin }) => admin("POST", ADMIN.companies, {})],
  ["key", 200, ({ admin, owner }) => admin("POST", ADMIN.companies, { companyId: owner.companyId })],
  ["clock", 200, ({ admin }) => admin("GET", ADMIN.clock)],
  ["clock resume", 200, ({ admin }) => admin("POST", ADMIN.clock, { do: "resume" })],
  ["clock advance", 200, ({ admin }) => admin("POST", ADMIN.clock, { do: "advance", byMs: 90_000_000 })],
  ["clock set", 200, ({ admin }) => admin("POST", ADMIN.clock, { do: "set", at: NOON - 1 })],
  ["clock reset", 200, ({ admin }) => admin("POST", ADMIN.clock, { do: "reset" })],
  [
    "decision",
    200,
    ({ admin, decided }) =>
      admin("GET", `${ADMIN.decisions}/${String(decided.headers["x-verdict-decision"])}`),
  ],
  [
    "what-if",
    200,
    ({ admin, project }) => admin("POST", `${ADMIN.whatIf}?project=${project.projectId}`, CHECK),
  ],
  ["magic", 200, ({ admin }) => admin("GET", ADMIN.magic)],
  [
    "fault",
    200,
    ({ admin }) =>
      admin("POST", ADMIN.faults, {
        on: "all",
        rate: 1,
        count: null,
        effect: { do: "status", status: 503, retryAfterS: null },
      }),
  ],
  ["check with a fault", 503, ({ sandbox, project }) => call(sandbox, "check", project, CHECK)],
  ["one fault less", 200, ({ admin }) => admin("DELETE", `${ADMIN.faults}/f-1`)],
  ["no faults", 200, ({ admin }) => admin("DELETE", ADMIN.faults)],
  ["journal", 200, ({ admin }) => admin("GET", ADMIN.journal)],
  ["rules", 200, ({ admin }) => admin("GET", ADMIN.rules)],
  ["rule facts", 200, ({ admin }) => admin("GET", ADMIN.ruleFacts)],
  [
    "rules saved",
    200,
    async ({ admin }) =>
      admin("POST", ADMIN.rulesText, {
        text: `${(await testRules()).text}# own
`,
      }),
  ],
  [
    "check by own rules",
    200,
    ({ sandbox, project }) => call(sandbox, "check", project, { ...CHECK, order_id: "third" }),
  ],
  ["rules reloaded", 200, ({ admin }) => admin("POST", ADMIN.reloadRules)],
  ["rules removed", 200, ({ admin }) => admin("DELETE", ADMIN.rulesText)],
  ["snapshot", 200, ({ admin }) => admin("POST", ADMIN.snapshots, { name: "one" })],
  ["snapshots", 200, ({ admin }) => admin("GET", ADMIN.snapshots)],
  ["restore", 200, ({ admin }) => admin("POST", ADMIN.restore, { name: "one" })],
  ["reset, projects kept", 200, ({ admin }) => admin("POST", ADMIN.reset, { keepProjects: true })],
  ["reset", 200, ({ admin }) => admin("POST", ADMIN.reset, { keepProjects: false })],
];

describe("isolation", () => {
  test.each(["default", "red", "blue"])(
    "nothing that %s does reaches the others",
    async (name) => {
      const tenants = await threeTenants();
      const actor = tenants.find((tenant) => tenant.name === name)!;
      const others = tenants.filter((tenant) => tenant !== actor);
      const before = await Promise.all(others.map(picture));
      for (const [what, status, act] of ACTS) {
        const answer = await act(actor);
        expect(answer.status, `${what}: ${answer.text}`).toBe(status);
        expect(await Promise.all(others.map(picture)), what).toEqual(before);
      }
    },
    60_000,
  );

  test("the acts are every call and every path of the plane but those about the sandbox as a whole", () => {
    const paths = Object.values(ADMIN).filter(
      (path) =>
        ![ADMIN.proof, ADMIN.lease, ADMIN.stop, ADMIN.tenants, ADMIN.metrics].some((whole) => whole === path),
    );
    const text = ACTS.map(([, , act]) => String(act)).join("\n");
    const named = (Object.entries(ADMIN) as [string, string][]).filter(([key]) =>
      text.includes(`ADMIN.${key}`),
    );
    expect(named.map(([, path]) => path).sort()).toEqual(paths.sort());
    for (const name of ["register", "credential", "check"] satisfies Call[])
      expect(text).toContain(`"${name}"`);
  });

  test("equal order ids, cards and merchants of two tenants are counted apart", async () => {
    const [one, red, blue] = await threeTenants();
    for (let number = 0; number < 5; number += 1) {
      await call(red.sandbox, "check", red.project, { ...CHECK, order_id: `o-${number}` });
    }
    const seen = async ({ admin, project }: TenantUnderTest): Promise<unknown> =>
      (await admin("POST", `${ADMIN.whatIf}?project=${project.projectId}`, { ...CHECK, order_id: "o-1" }))
        .body["decision"];
    expect(await seen(one)).not.toMatchObject({ repeat: true });
    expect(await seen(blue)).not.toMatchObject({ repeat: true });
    expect(await seen(red)).toMatchObject({ repeat: true });
  });

  test("a key of one tenant opens nothing of another, whatever it names", async () => {
    const tenants = await threeTenants();
    for (const mine of tenants) {
      for (const other of tenants.filter((tenant) => tenant !== mine)) {
        const asOther = { ...mine.owner, companyId: other.owner.companyId! };
        expect((await call(mine.sandbox, "register", asOther, registration("x"))).status).toBe(403);
        expect(
          (await call(mine.sandbox, "credential", asOther, { merchant_id: "shop", risk_level: "medium" }))
            .status,
        ).toBe(403);
        const project = { ...mine.project, projectId: other.project.projectId! };
        expect((await call(mine.sandbox, "check", project, CHECK)).status).toBe(403);
        const id = String(other.decided.headers["x-verdict-decision"]);
        expect((await mine.admin("GET", `${ADMIN.decisions}/${id}`)).status).toBe(404);
        const whatIf = await mine.admin("POST", `${ADMIN.whatIf}?project=${other.project.projectId}`, CHECK);
        expect(whatIf.status).toBe(404);
      }
    }
  });

  test("the token of a tenant reaches no other, and nothing of the sandbox as a whole", async () => {
    const [{ sandbox }, red] = await threeTenants();
    const { adminToken } = (await create(sandbox, "green")).created;
    const ask = (method: string, path: string, tenant?: string): Promise<Answer> =>
      send(sandbox.adminPort, {
        method,
        path,
        headers: {
          authorization: `Bearer ${adminToken}`,
          ...(tenant === undefined ? {} : { "x-verdict-tenant": tenant }),
        },
      });
    expect((await ask("GET", ADMIN.status)).body["tenant"]).toBe("green");
    for (const tenant of ["default", "red", "nobody"]) {
      expect((await ask("GET", ADMIN.panel, tenant)).body).toMatchObject({ error: "forbidden" });
    }
    for (const path of [
      ADMIN.tenants,
      `${ADMIN.tenants}/red`,
      `${ADMIN.tenants}/green`,
      ADMIN.lease,
      ADMIN.metrics,
    ]) {
      expect((await ask("GET", path)).status).toBe(403);
    }
    expect((await ask("DELETE", `${ADMIN.tenants}/red`)).status).toBe(403);
    expect((await ask("POST", ADMIN.stop)).status).toBe(403);
    const anywhere = await red.admin("POST", ADMIN.snapshots, { path: "/tmp/anywhere.snapshot" });
    expect(anywhere.body).toMatchObject({ error: "invalid_request" });
  });

  test("the sandbox's token reaches the tenant that is named", async () => {
    const [{ sandbox }, red] = await threeTenants();
    const ask = (tenant: string): Promise<Answer> =>
      send(sandbox.adminPort, {
        path: ADMIN.panel,
        headers: { authorization: `Bearer ${sandbox.adminToken}`, "x-verdict-tenant": tenant },
      });
    expect((await ask("red")).body).toEqual(await red.panel());
    expect((await ask("nobody")).status).toBe(400);
  });

  test("a tenant that answers with a delay keeps no other waiting", async () => {
    const [, red, blue] = await threeTenants({ drainMs: 0 });
    await red.admin("POST", ADMIN.faults, {
      on: "all",
      rate: 1,
      count: null,
      effect: { do: "latency", latency: { shape: "fixed", ms: 60_000 } },
    });
    let answered = false;
    void call(red.sandbox, "check", red.project, { ...CHECK, order_id: "slow" }).then(
      () => (answered = true),
      () => undefined,
    );
    for (let number = 0; number < 20; number += 1) {
      const answer = await call(blue.sandbox, "check", blue.project, { ...CHECK, order_id: `b-${number}` });
      expect(answer.status).toBe(200);
    }
    expect(answered).toBe(false);
  });

  test("a tenant that answers with a delay takes no more than its share of the connections", async () => {
    const limits = { drainMs: 0, connections: 8 };
    const [, red, blue] = await threeTenants(limits);
    await red.admin("POST", ADMIN.faults, {
      on: "all",
      rate: 1,
      count: null,
      effect: { do: "latency", latency: { shape: "fixed", ms: 60_000 } },
    });
    const statuses: number[] = [];
    for (let number = 0; number < 6; number += 1) {
      void call(red.sandbox, "check", red.project, { ...CHECK, order_id: `slow-${number}` }).then(
        ({ status }) => statuses.push(status),
        () => undefined,
      );
    }
    await expect.poll(() => statuses).toEqual([429, 429, 429, 429]);
    expect((await call(blue.sandbox, "check", blue.project, { ...CHECK, order_id: "quick" })).status).toBe(
      200,
    );
    expect(statuses).toHaveLength(4);
  });

  test("a tenant that is being restored keeps no other waiting, not even for a key that is used for the first time", async () => {
    const tenant = (name: string, key: (id: string) => Promise<KeyHolder | null>): Tenant =>
      ({
        name,
        swappable: { state: { key }, shared: (work) => work() },
        close: async () => undefined,
      }) as Tenant;
    const holder = {} as KeyHolder;
    const standard = tenant("default", async () => null);
    const others: Record<string, Tenant> = {
      restoring: tenant("restoring", () => new Promise(() => undefined)),
      ready: tenant("ready", async (id) => (id === "its-key" ? holder : null)),
    };
    const tenants = await openTenants({
      dir: await temporaryFolder(),
      standard,
      open: async ({ name }) => others[name]!,
      realNow: () => NOON,
      onProblem: (sentence) => expect.fail(sentence),
    });
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
});

test("answers and log lines name the tenant, and those of the default one do not", async () => {
  const [one, red] = await threeTenants();
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
    .poll(
      () =>
        stat(folder).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
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

test("the folder of a tenant whose creation was interrupted is removed at the next start", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  await create(first, "red");
  await first.stop();
  const half = join(dir, "state", "tenants", "half");
  await mkdir(half);
  await startSandbox({}, dir);
  await expect(stat(half)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(stat(join(dir, "state", "tenants", "red"))).resolves.toBeDefined();
});
