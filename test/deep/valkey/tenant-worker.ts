// Workers of tenants on one server, in this process, without HTTP.

import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { SANDBOX_LIMITS } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import { openChanges } from "#src/sandbox/valkey/changes.ts";
import { connectValkey, type Valkey } from "#src/sandbox/valkey/connection.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { openServerClock } from "#src/sandbox/valkey/valkey-clock.ts";
import {
  openValkeyTenant,
  type ValkeyTenant,
  type ValkeyTenantOptions,
} from "#src/sandbox/valkey/valkey-tenant.ts";
import { testRules } from "../../sandbox/rules.ts";
import { PATIENT_MS, type TestServer } from "./server.ts";

export interface TenantWorker extends ValkeyTenant {
  readonly valkey: Valkey;
  readonly state: SandboxState;
  /** What was told to the log. */
  readonly problems: readonly string[];
}

export interface WorkerOptions extends Partial<ValkeyTenantOptions> {
  readonly user?: string;
  readonly password?: string;
}

const KEY = randomBytes(32);
const ruleSet = await testRules();

export async function openWorker(server: TestServer, options: WorkerOptions = {}): Promise<TenantWorker> {
  const { user, password = null } = options;
  const address = readStateAddress(`unix:${user === undefined ? "" : `//${user}@`}${server.socket}`);
  const connect = async (): Promise<Valkey> => {
    const made = await connectValkey({
      address,
      password: password === null ? null : new Secret(password),
      silentMs: PATIENT_MS,
    });
    onTestFinished(() => made.close());
    return made;
  };
  const valkey = await connect();
  const clock = await openServerClock(valkey);
  onTestFinished(() => clock.close());
  const problems: string[] = [];
  const tenant = await openValkeyTenant({
    name: "default",
    seed: null,
    companies: 1,
    magic: true,
    quota: null,
    ruleSet,
    limits: SANDBOX_LIMITS,
    windowMs: 300_000,
    realNow: clock.now,
    note: () => undefined,
    onProblem: (sentence) => problems.push(sentence),
    valkey,
    changes: await openChanges(await connect()),
    sealingKey: KEY,
    place: address.text,
    confirmed: async () => undefined,
    ...options,
  });
  onTestFinished(() => tenant.close());
  return { ...tenant, valkey, problems };
}
