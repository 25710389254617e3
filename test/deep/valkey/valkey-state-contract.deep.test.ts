// The state on a server keeps the contract of every state.

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { createIssuer } from "#src/sandbox/state/issuer.ts";
import { openChanges } from "#src/sandbox/valkey/changes.ts";
import { connectValkey } from "#src/sandbox/valkey/connection.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { createValkeyClock } from "#src/sandbox/valkey/valkey-clock.ts";
import { ValkeyMaintenance } from "#src/sandbox/valkey/valkey-maintenance.ts";
import { openValkeyState } from "#src/sandbox/valkey/valkey-state.ts";
import { KnownWorld } from "#src/sandbox/valkey/world.ts";
import { CONTRACT, stateContract, type StateUnderTest } from "../../sandbox/state-contract.ts";
import { PATIENT_MS, isWithoutServer, startServer, type TestServer } from "./server.ts";

const sealingKey = randomBytes(32);
let server: TestServer;
let tenants = 0;

async function worker(tenant: string) {
  const address = readStateAddress(`unix:${server.socket}`);
  const valkey = await connectValkey({ address, password: null, silentMs: PATIENT_MS });
  const listening = await connectValkey({ address, password: null, silentMs: PATIENT_MS });
  const changes = await openChanges(listening);
  const known = await KnownWorld.open({
    valkey,
    changes,
    tenant,
    sealingKey,
    clock: null,
    onSlow: () => undefined,
  });
  const { companies, windowMs, ...limits } = CONTRACT;
  const own = { valkey, known, name: tenant, sealingKey };
  const state = await openValkeyState({
    ...own,
    companies,
    windowMs,
    limits,
    issuer: createIssuer(null),
    realNow: Date.now,
    confirmed: async () => undefined,
  });
  const clock = createValkeyClock(known, Date.now);
  const onProblem = (sentence: string): never => {
    throw new Error(sentence);
  };
  const maintenance = new ValkeyMaintenance({ ...own, state, clock, onProblem });
  const end = (): void => [valkey, listening].forEach((each) => each.close());
  return { known, state, maintenance, end };
}

async function open(): Promise<StateUnderTest> {
  tenants += 1;
  const tenant = `t-${tenants}`;
  let current = await worker(tenant);
  onTestFinished(async () => {
    await current.maintenance.close();
    current.end();
  });
  return {
    get state() {
      return current.state;
    },
    async restart() {
      // Nothing is in a worker that its end could save.
      await current.maintenance.close();
      current.end();
      current = await worker(tenant);
    },
    async reset(keepProjects) {
      await current.maintenance.reset(keepProjects);
      await current.known.change((world) => ({ ...world, clock: null }));
    },
  };
}

describe.skipIf(isWithoutServer())("on a server", () => {
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  stateContract("server", open);
});
