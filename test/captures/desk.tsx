// The whole console in a fake terminal over a seeded home: clock, ids, service and sandbox are the test's, so that a frame
// is the same in every run.

import { utimesSync } from "node:fs";
import { onTestFinished } from "vitest";
import { draw } from "../console/driver.tsx";
import type { Mounted } from "../console/harness.tsx";
import { keyName } from "../keys/standard.ts";

import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { createReplays } from "#src/state/replay/replays.ts";
import { fakeEngine, type FakeEngine, type StoredRun } from "../console/replay-engine.ts";
import { sandboxProgram } from "../console/line-program.ts";
import { withSandbox, type SandboxStub } from "../console/sandbox-stub.ts";
import { supposing } from "../console/supposing.ts";
import { answered, putCompanyKey, putCredential, testContext } from "../console/test-context.ts";
import { createFakeTime, type FakeTime } from "../state/fake-time.ts";
import { entryOf } from "./full-history.ts";
import { projectOf } from "../console/samples.ts";

export const NOW: number = Date.UTC(2026, 10, 21, 12, 30);
const PROJECT = "demo-shop/medium";
const SECRET = "feedface".repeat(6);
const ENTRIES = 30;
const MINUTE = 60_000;

export const PAYMENT: CheckRequest = {
  operation: "payment",
  order_id: "o-1041",
  amount: 12_000,
  currency: 980,
  description: "Order in the demo shop",
  terminal_id: "web-1",
  payer: {
    payer_ip: "91.198.36.14",
    email: "olena@shop-customer.example",
    number_phone: "+380501234567",
    payer_id: "c-1041",
  },
  card: {
    holder: "OLENA KOVALENKO",
    bin_card: 444_433,
    cin_card: 42,
    expiration_month: 9,
    expiration_year: 29,
  },
};

/** How the service decides on a payment of this amount, in minor units. */
export function decisionOf(amount: number): Explanation {
  return { ...supposing({ amount }).decision!, id: `d-${amount}` };
}

export interface DeskOptions {
  /** Instead of a terminal that is looked at. */
  readonly mounting?: (model: ConsoleModel) => Mounted;
  /** A home in which nothing was done yet. */
  readonly empty?: boolean;
  readonly ascii?: boolean;
  /** What is different from the sandbox's profile. */
  readonly profile?: Partial<Profile>;
  readonly runs?: readonly StoredRun[];
  /** 80x24 unless told. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

export interface Desk {
  readonly screen: Mounted;
  readonly model: ConsoleModel;
  /** What the administrative plane answers. */
  readonly sandbox: SandboxStub;
  readonly engine: FakeEngine;
  readonly time: FakeTime;
  /** Presses keys and waits for what they show, pair by pair. */
  press(...steps: readonly (readonly [keys: string, shown: string | RegExp])[]): Promise<void>;
}

/** Opens the console on Check. */
export async function openDesk(options: DeskOptions = {}): Promise<Desk> {
  const { empty = false, ascii = false, profile = {}, runs = [], size = {}, mounting } = options;
  const time = createFakeTime(NOW);
  const now = time.now;
  const test = await testContext({
    now,
    credentialWaitS: 180,
    check: ({ amount = 0 }) => {
      const { recommendation, message } = decisionOf(amount);
      return answered(recommendation, { message, decisionId: `d-${amount}` });
    },
    explain: (id) => decisionOf(Number(id.slice(2))),
  });
  const sandbox = withSandbox(test.context);
  const stub = sandbox.context.sandbox()!;
  const whatIf: SandboxAdmin["whatIf"] = (_project, request) => Promise.resolve(supposing(request));
  let ids = 0;
  const context = {
    ...test.context,
    profile: { ...test.context.profile, ...profile },
    sandbox: () => ({ ...stub, admin: { ...stub.admin, whatIf } }),
    newId: () => `0mwpxmvzk${String((ids += 1)).padStart(10, "0")}`,
  };
  if (!empty) await seed(context);
  const model = createConsoleModel(context, {
    now,
    ascii: mounting === undefined ? ascii : "words",
    quit: () => undefined,
    keyName,
    after: time.after,
    commandLine: sandboxProgram(sandbox),
    clipboard: { copy: () => true, clear: () => undefined, note: null },
  });
  const engine = fakeEngine([...runs]);
  const replays = createReplays(context, model.session, engine, time.after);
  const shown: ConsoleModel = { ...model, replays };
  if (!empty) model.session.setProject(PROJECT);
  await model.checks.load();
  await model.vaultLock.load();
  model.composer.loadRequest(PAYMENT, { from: null });
  onTestFinished(async () => {
    engine.finish("cancelled");
    await replays.close();
    await model.close();
    await test.remove();
  });
  const screen = mounting?.(shown) ?? draw(shown, { ascii, ...size }).screen;
  await screen.until("Compose");
  return {
    screen,
    model: shown,
    sandbox,
    engine,
    time,
    async press(...steps) {
      for (const [keys, seen] of steps) {
        await screen.press(keys).until(seen);
      }
    },
  };
}

/** Keys, projects in every state, checks of every outcome, and saved payloads. */
async function seed(context: Awaited<ReturnType<typeof testContext>>["context"]): Promise<void> {
  const { name: profile } = context.profile;
  await putCompanyKey(context, "company-1", { secret: SECRET });
  await putCredential(context, PROJECT, { keyId: "key-2", secret: SECRET });
  const projects = await context.projects();
  const project: Project = projectOf({
    key: PROJECT,
    profile,
    companyId: "company-1",
    merchantId: "demo-shop",
    name: "Demo shop",
    state: "ready",
    startedAt: NOW - 60 * MINUTE,
    serviceOffsetMs: 0,
    projectId: "project-1",
  });
  const waiting = { ...project, state: "registered", projectId: null } as const;
  await projects.put(project);
  await projects.put({ ...waiting, key: "new-shop/low", merchantId: "new-shop", startedAt: NOW - MINUTE });
  await projects.put({
    ...waiting,
    key: "forgotten-shop/high",
    merchantId: "forgotten-shop",
    startedAt: NOW - 25 * 60 * MINUTE,
  });
  const history = await context.history();
  // The oldest first.
  const entries = Array.from({ length: ENTRIES }, (_, index) =>
    entryOf(ENTRIES - 1 - index, { profile, project: PROJECT }, NOW - MINUTE),
  );
  await Promise.all(entries.map((entry) => history.intend({ ...entry, result: null, finalAction: null })));
  await Promise.all(entries.filter(({ result }) => result !== null).map((entry) => history.settle(entry)));
  await history.annotate(entries.at(-4)!.id, "Called the customer: it was not them.");
  const payloads = await context.payloads();
  for (const [name, amount] of [
    ["small-order", 1_250],
    ["large-order", 4_900_000],
  ] as const) {
    const request = { ...PAYMENT, order_id: name, amount };
    await payloads.save({ name, expect: amount < 25_000 ? "pass" : null, tags: ["demo"], request }, false);
    utimesSync(payloads.path(name), NOW / 1000, NOW / 1000);
  }
}
