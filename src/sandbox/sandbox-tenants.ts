// Opens the tenants of a sandbox: in its folder, or on a server that workers share.

import { dirname } from "node:path";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT, type SandboxMember } from "#src/contract/wire/sandbox-wire.ts";
import { ENDPOINTS, type Call } from "#src/contract/wire/wire.ts";
import { openStoreIn } from "#src/sandbox/state/file-state.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxLogEntry } from "#src/sandbox/state/sandbox-log.ts";
import type { Store } from "#src/sandbox/state/store.ts";
import { openTenant, type Tenant, type TenantOptions } from "#src/sandbox/state/tenant.ts";
import { openTenantFolders, type OwnOptions } from "#src/sandbox/state/tenant-folders.ts";
import { Tenants } from "#src/sandbox/state/tenants.ts";
import { recipeFor, type Recipe } from "#src/signing/recipes/recipe.ts";
import type { SandboxOptions } from "./sandbox-options.ts";

/** How long a signature is remembered where the recipe signs no time, in seconds each way. */
const DEFAULT_SKEW_S = 300;

/** Signatures that a tenant other than the default one remembers at once: 1,000 checks a second over 300 s each way. */
const TENANT_SIGNATURES = 600_000;

export interface TenantsOfSandbox {
  readonly options: SandboxOptions;
  readonly limits: SandboxLimits;
  readonly worker: Pick<SandboxMember, "instance" | "pid" | "version" | "startedAt">;
  readonly realNow: () => Milliseconds;
  readonly note: Tenant["note"];
  readonly onProblem: TenantOptions["onProblem"];
  /** Gets the steps that close what is open, to be run in reverse. */
  readonly undo: (() => Promise<unknown>)[];
}

export interface OpenedTenants {
  readonly tenants: Tenants;
  /** Makes this process one of those that share them, when it listens; absent where none can. */
  readonly join?: (address: string) => Promise<void>;
}

/** @throws Fault `storage` or `corrupt` when the state cannot be used */
export async function openSandboxTenants(parts: TenantsOfSandbox): Promise<OpenedTenants> {
  const { options, worker, undo } = parts;
  const { server, stateDir } = options;
  if (server === undefined) return { tenants: await openInFolder(parts) };
  const { openOnServer, removeLeftFolders } = await import("#src/sandbox/valkey/valkey-sandbox.ts");
  const [standardOptions, othersOptions] = [standardOf(parts), (name: string) => othersOf(parts, name)];
  const opened = await openOnServer({ server, worker, standardOptions, othersOptions, undo });
  if (server.leaveNothing) await removeLeftFolders(dirname(stateDir));
  return opened;
}

async function openInFolder(parts: TenantsOfSandbox): Promise<Tenants> {
  const { options, realNow, undo } = parts;
  const onProblem = (sentence: string): void => parts.onProblem(sentence, false);
  const { stateDir: dir, ephemeral } = options;
  const storeIn = (folder: string, told: TenantOptions["onProblem"]): Promise<Store> =>
    openStoreIn(folder, !ephemeral, (failure) =>
      told(failure instanceof Error ? failure.message : "The state could not be written.", true),
    );
  const standard = await openTenant({
    ...standardOf(parts),
    dir,
    store: await storeIn(dir, parts.onProblem),
  });
  undo.push(() => standard.close());
  const place = await openTenantFolders({
    dir,
    openStore: (folder, name) => storeIn(folder, othersOf(parts, name).onProblem),
    open: (own: OwnOptions) => openTenant({ ...othersOf(parts, own.name), ...own }),
    onProblem,
  });
  const tenants = await Tenants.open({ standard, place, realNow, onProblem });
  undo.push(() => tenants.close());
  return tenants;
}

function standardOf(parts: TenantsOfSandbox): Omit<TenantOptions, "dir" | "store"> {
  const { limits, realNow, note, onProblem } = parts;
  const { recipe, seed, companies = 1, startAt, magic = true, rulesFile, ruleSet } = parts.options;
  const windowMs = windowOf(recipe);
  const own = { name: DEFAULT_TENANT, quota: null, seed, companies, startAt, magic, rulesFile, ruleSet };
  return { limits, windowMs, realNow, note, onProblem, ...own };
}

/** What differs for the others. */
function othersOf({ options, limits, realNow, note, onProblem }: TenantsOfSandbox, name: string) {
  return {
    windowMs: windowOf(options.recipe),
    realNow,
    limits: { ...limits, replayCapacity: Math.min(limits.replayCapacity, TENANT_SIGNATURES) },
    note: (event: SandboxLogEntry["event"], more?: Partial<SandboxLogEntry>) =>
      note(event, { ...more, tenant: name }),
    onProblem: (reason: string) => onProblem(`Tenant ${name}: ${reason}`, false),
  };
}

/** How long each way a signature could be replayed: the widest window of all calls. */
function windowOf(recipe: Recipe): Milliseconds {
  const calls = Object.keys(ENDPOINTS) as Call[];
  return 1000 * Math.max(...calls.map((call) => recipeFor(recipe, call).time?.skew_s ?? DEFAULT_SKEW_S));
}
