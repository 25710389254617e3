// What keeps tenants apart, however the sandbox is started: whatever one does, nothing of another is read, changed, counted, slowed
// or reset.

import { describe, expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { ADMIN, type TenantCreated } from "#src/contract/wire/sandbox-wire.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxOptions } from "#src/sandbox/sandbox-options.ts";
import type { Identity } from "#src/signing/sign.ts";
import { testRules } from "./rules.ts";
import {
  administration,
  call,
  CHECK,
  makeProject,
  registration,
  send,
  type Administration,
  type Answer,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

export const NOON = Date.parse("2026-03-16T12:00:00Z");

export interface TenantUnderTest extends Administration {
  readonly name: string;
  readonly sandbox: SandboxUnderTest;
  readonly company: Administration["company"];
  readonly owner: Identity;
  readonly project: Identity;
  /** Of a check that was decided before the attempts. */
  readonly decided: Answer;
}

/** Starts a sandbox for one test. */
export type Start = (options?: Partial<SandboxOptions>) => Promise<
  SandboxUnderTest & {
    /** Resolves when what the calls so far came to can be seen everywhere. */
    readonly calm?: (tenant: string) => Promise<void>;
  }
>;

export async function create(
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
export async function inhabit(
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

export async function threeTenants(
  start: Start,
  limits: Partial<SandboxLimits> = {},
): Promise<[TenantUnderTest, TenantUnderTest, TenantUnderTest]> {
  const sandbox = await start({ limits });
  const [red, blue] = [await create(sandbox, "red", { seed: 1 }), await create(sandbox, "blue", { seed: 1 })];
  const three: [TenantUnderTest, TenantUnderTest, TenantUnderTest] = [
    await inhabit(sandbox, "default", sandbox),
    await inhabit(sandbox, "red", red.admin),
    await inhabit(sandbox, "blue", blue.admin),
  ];
  for (const { name } of three) await sandbox.calm?.(name);
  return three;
}

/** Everything that a tenant can see of itself. */
async function picture({ admin, project, decided }: TenantUnderTest): Promise<unknown> {
  const read = async (path: string): Promise<Record<string, unknown>> => (await admin("GET", path)).body;
  const { connections, members, ...status } = await read(ADMIN.status);
  expect([connections, members]).not.toContain(undefined);
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

export function isolation(name: string, start: Start): void {
  describe(`isolation of tenants: ${name}`, () => {
    test.each(["default", "red", "blue"])(
      "nothing that %s does reaches the others",
      async (name) => {
        const tenants = await threeTenants(start);
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
          ![ADMIN.proof, ADMIN.lease, ADMIN.stop, ADMIN.tenants, ADMIN.metrics].some(
            (whole) => whole === path,
          ),
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
      const [one, red, blue] = await threeTenants(start);
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
      const tenants = await threeTenants(start);
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
          const whatIf = await mine.admin(
            "POST",
            `${ADMIN.whatIf}?project=${other.project.projectId}`,
            CHECK,
          );
          expect(whatIf.status).toBe(404);
        }
      }
    });

    test("the token of a tenant reaches no other, and nothing of the sandbox as a whole", async () => {
      const [{ sandbox }, red] = await threeTenants(start);
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
      const [{ sandbox }, red] = await threeTenants(start);
      const ask = (tenant: string): Promise<Answer> =>
        send(sandbox.adminPort, {
          path: ADMIN.panel,
          headers: { authorization: `Bearer ${sandbox.adminToken}`, "x-verdict-tenant": tenant },
        });
      expect((await ask("red")).body).toEqual(await red.panel());
      expect((await ask("nobody")).status).toBe(400);
    });

    test("a tenant that answers with a delay keeps no other waiting", async () => {
      const [, red, blue] = await threeTenants(start, { drainMs: 0 });
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
      const [, red, blue] = await threeTenants(start, limits);
      await red.admin("POST", ADMIN.faults, {
        on: "all",
        rate: 1,
        count: null,
        effect: { do: "latency", latency: { shape: "fixed", ms: 60_000 } },
      });
      const statuses: number[] = [];
      // At one of them, where several share it.
      const sandbox = { port: red.sandbox.port };
      for (let number = 0; number < 6; number += 1) {
        void call(sandbox, "check", red.project, { ...CHECK, order_id: `slow-${number}` }).then(
          ({ status }) => statuses.push(status),
          () => undefined,
        );
      }
      await expect.poll(() => statuses).toEqual([429, 429, 429, 429]);
      expect((await call(sandbox, "check", blue.project, { ...CHECK, order_id: "quick" })).status).toBe(200);
      expect(statuses).toHaveLength(4);
    });
  });
}
