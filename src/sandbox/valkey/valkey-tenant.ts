// One tenant of a sandbox on a server, as one of its workers serves it.

import { DEFAULT_TENANT } from "#src/contract/wire/sandbox-wire.ts";
import { ActiveRules } from "#src/sandbox/state/active-rules.ts";
import { ruleFilePlace } from "#src/sandbox/state/rule-file-place.ts";
import { undoAll } from "#src/sandbox/state/undo.ts";
import { createIssuer } from "#src/sandbox/state/issuer.ts";
import { createSandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import type { SecretBox } from "#src/sandbox/state/secret-box.ts";
import type { Tenant, TenantOptions } from "#src/sandbox/state/tenant.ts";
import type { Changes } from "./changes.ts";
import type { Valkey } from "./connection.ts";
import type { Durability } from "./durability.ts";
import { createValkeyClock, keepHighWater } from "./valkey-clock.ts";
import { createValkeyFaults } from "./valkey-faults.ts";
import { openValkeyJournal } from "./valkey-journal.ts";
import { createValkeyMaintenance } from "./valkey-maintenance.ts";
import { valkeyRulesPlace } from "./valkey-rules.ts";
import { openValkeyState } from "./valkey-state.ts";
import { openWorld, type KnownWorld } from "./world.ts";

export interface ValkeyTenant extends Tenant {
  readonly known: KnownWorld;
}

/** `realNow` is that of the server. A rule file that is named is this worker's alone. */
export interface ValkeyTenantOptions extends Omit<TenantOptions, "dir" | "store"> {
  readonly valkey: Valkey;
  readonly changes: Changes;
  /** The same for all workers. */
  readonly box: SecretBox;
  /** What users are told in place of a path. */
  readonly place: string;
  readonly confirmed: Durability;
}

/** Opens it, and makes what is missing of it. @throws Fault `storage`, `corrupt`, or that of a rule file */
export async function openValkeyTenant(options: ValkeyTenantOptions): Promise<ValkeyTenant> {
  const { name, seed, valkey, changes, box, ruleSet, place, realNow, magic, quota, note } = options;
  const issuer = createIssuer(seed !== null && name !== DEFAULT_TENANT ? `${seed} of ${name}` : seed);
  const onProblem = (sentence: string): void => options.onProblem(sentence, false);
  /** Steps that close what is open, run in reverse. */
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const known = await openWorld({
      valkey,
      changes,
      tenant: name,
      box,
      onSlow: () =>
        onProblem("A change was answered before all workers had taken it; they take it within seconds."),
    });
    undo.push(async () => known.close());
    const first = createSandboxClock(null, options.startAt, realNow).state();
    await known.change((world) => (world.clock === null ? { ...world, clock: first } : world));
    const clock = createValkeyClock(known, realNow);
    const stopKeeping = keepHighWater(known, clock);
    undo.push(async () => stopKeeping());
    const state = await openValkeyState({ ...options, known, issuer });
    const rules = await ActiveRules.open({
      place:
        options.rulesFile === undefined
          ? valkeyRulesPlace(valkey, known, place)
          : ruleFilePlace(options.rulesFile, null),
      ruleSet,
      realNow,
      onReload: (reason) => note("rules_read", reason === null ? {} : { reason }),
    });
    undo.push(async () => rules.close());
    const journal = openValkeyJournal(valkey, known.prefix, onProblem);
    const maintenance = createValkeyMaintenance({
      valkey,
      known,
      tenant: name,
      box,
      state,
      clock,
      onProblem,
    });
    undo.push(() => maintenance.close());
    return {
      name,
      known,
      swappable: {
        state,
        shared: (work) => work(),
        get isHeld() {
          return known.world.held;
        },
      },
      issuer,
      clock,
      rules,
      faults: createValkeyFaults(valkey, issuer, known, box),
      journal,
      maintenance,
      magic,
      seeded: seed !== null,
      signatureCapacity: options.limits.replayCapacity,
      quota,
      note,
      close: () => undoAll(undo),
    };
  } catch (error) {
    await undoAll(undo).catch(() => undefined);
    throw error;
  }
}
