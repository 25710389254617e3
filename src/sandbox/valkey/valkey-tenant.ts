// One tenant of a sandbox on a server, as one of its workers serves it.

import { clockAt } from "#src/sandbox/state/sandbox-clock.ts";
import type { SharedState } from "#src/sandbox/state/sandbox-state.ts";
import { openTenantOf, type Tenant, type TenantOptions } from "#src/sandbox/state/tenant.ts";
import type { Changes } from "./changes.ts";
import type { Valkey } from "./connection.ts";
import type { Durability } from "./durability.ts";
import { createValkeyClock, keepHighWater } from "./valkey-clock.ts";
import { createValkeyFaults } from "./valkey-faults.ts";
import { openValkeyJournal } from "./valkey-journal.ts";
import { ValkeyMaintenance } from "./valkey-maintenance.ts";
import { valkeyRulesPlace } from "./valkey-rules.ts";
import { openValkeyState } from "./valkey-state.ts";
import { KnownWorld } from "./world.ts";

export interface ValkeyTenant extends Tenant {
  readonly known: KnownWorld;
}

/** `realNow` is that of the server. A rule file that is named is this worker's alone. */
export interface ValkeyTenantOptions extends Omit<TenantOptions, "dir" | "store"> {
  readonly valkey: Valkey;
  readonly changes: Changes;
  readonly sealingKey: Buffer;
  /** What users are told in place of a path. */
  readonly place: string;
  readonly confirmed: Durability;
}

/** Opens it, and makes what is missing of it. @throws Fault `storage`, `corrupt`, or that of a rule file */
export function openValkeyTenant(options: ValkeyTenantOptions): Promise<ValkeyTenant> {
  const { name, valkey, changes, sealingKey, place, realNow } = options;
  const onProblem = (sentence: string): void => options.onProblem(sentence, false);
  return openTenantOf(options, async ({ issuer, undo, openRules }) => {
    const known = await KnownWorld.open({
      valkey,
      changes,
      tenant: name,
      sealingKey,
      clock: clockAt(options.startAt ?? realNow(), realNow(), false),
      onSlow: () =>
        onProblem("A change was answered before all workers had taken it; they take it within seconds."),
    });
    undo.push(async () => known.close());
    const tenant = { valkey, known, name, sealingKey };
    const clock = createValkeyClock(known, realNow);
    const stopKeeping = keepHighWater(known, clock);
    undo.push(async () => stopKeeping());
    const state = await openValkeyState({ ...options, ...tenant, issuer });
    const rules = await openRules(() => valkeyRulesPlace(valkey, known, place));
    const journal = openValkeyJournal(valkey, known.prefix, onProblem);
    const maintenance = new ValkeyMaintenance({ ...tenant, state, clock, onProblem });
    undo.push(() => maintenance.close());
    const faults = createValkeyFaults(tenant, issuer);
    const shared: SharedState["shared"] = (work) => work();
    const isHeld = (): boolean => known.world.held;
    return { known, state, shared, isHeld, clock, rules, faults, journal, maintenance };
  });
}
