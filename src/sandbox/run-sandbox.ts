// Starts and stops the sandbox: lock, state, servers, signals; one instance per state directory.

import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import {
  ENDPOINT_FILE,
  LOCK_FILE,
  type SandboxEndpoint,
  type SandboxSwitches,
} from "#src/contract/wire/sandbox-wire.ts";
import { ENDPOINTS, type Call } from "#src/contract/wire/wire.ts";
import { RULE_FILE_LIMIT } from "#src/rules/rule-file/rule-file.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { createAdminPlane } from "#src/sandbox/admin/admin-plane.ts";
import { createFaultOrders } from "#src/sandbox/admin/fault-orders.ts";
import { createLeases, LEASE_GRACE_MS } from "#src/sandbox/admin/leases.ts";
import { createMaintenance } from "#src/sandbox/admin/maintenance.ts";
import { openWatchedRules } from "#src/sandbox/decisions/watched-rules.ts";
import { drain, listen, undoAll } from "#src/sandbox/http/listening.ts";
import { requireOpenFiles } from "#src/sandbox/http/open-files.ts";
import { addOpenApiRoute, type DocumentedOptions } from "#src/sandbox/http/openapi-route.ts";
import { addProofRoute } from "#src/sandbox/http/proof-route.ts";
import { openRequestJournal } from "#src/sandbox/http/request-journal.ts";
import { SANDBOX_LIMITS, type SandboxLimits } from "#src/sandbox/http/sandbox-limits.ts";
import type { SandboxLog, SandboxLogEntry } from "#src/sandbox/http/sandbox-log.ts";
import { openSwappable } from "#src/sandbox/state/swappable-state.ts";
import { openFileState } from "#src/sandbox/state/file-state.ts";
import { writeIntegrationKeys } from "#src/sandbox/state/integration-keys-file.ts";
import { createIssuer } from "#src/sandbox/state/issuer.ts";
import { openReplayCache, type ReplayCache } from "#src/sandbox/state/replay-cache.ts";
import { createSandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import { recipeFor } from "#src/signing/recipes/recipe.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";
import { ensureFolder, readWhole, replaceDurably } from "#src/storage/documents/durable-file.ts";
import { tryLock } from "#src/storage/documents/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { requireSafeFolder } from "#src/storage/folders-above.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { createService, REQUIRED_CHECK_FIELDS } from "./service.ts";

/** The administrative plane listens nowhere else. */
const ADMIN_HOST = "127.0.0.1";

/** Limit of a body there: large enough for a rule file as JSON, with escapes and letters of two or three bytes. */
const ADMIN_BODY_BYTES = 4 * RULE_FILE_LIMIT;

/** How often the virtual clock's high-water mark is written while nothing else writes it. */
const CLOCK_SAVE_MS: Milliseconds = 60_000;

/** How long a signature is remembered where the recipe signs no time, in seconds each way. */
const DEFAULT_SKEW_S = 300;

/** The user's own rule file in the state directory, if there is one. */
const RULES_FILE = "rules.yaml";
/** Its last valid content. */
const LAST_GOOD_RULES = "rules.last-good.yaml";

const START_AGAIN = "Then start verdict serve again: until then it answers 503, to GET /health as well.";

export interface SandboxOptions extends DocumentedOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Null or 0: any free one. */
  readonly adminPort: number | null;
  /** Created when missing; used by one instance at a time. */
  readonly stateDir: string;
  /** True: ends by itself 10 s after its last lease, or after its start when no lease ever comes. */
  readonly embedded: boolean;
  /** True: the state directory is removed at the end, and nothing waits for the disk. */
  readonly ephemeral: boolean;
  /** The same seed gives the same ids and secrets, which anyone can derive; null for random ones. */
  readonly seed: number | null;
  /** Virtual time of the first start; the real time when absent. */
  readonly startAt?: Milliseconds;
  readonly adminEnabled: boolean;
  readonly log: SandboxLog;
  /** Used instead of `rules.yaml` in the state directory; it must exist and be valid. */
  readonly rulesFile?: string;
  /** In place of the starter rules. */
  readonly ruleSet?: RuleSet;
  /** Companies made at the first start; 1 when absent. */
  readonly companies?: number;
  /** Wait before an embedded sandbox without leases ends; 10 s when absent. */
  readonly leaseGraceMs?: Milliseconds;
  readonly limits?: Partial<SandboxLimits>;
  /** Real time in ms since the epoch; the system's clock when absent. */
  readonly realNow?: () => Milliseconds;
}

export interface RunningSandbox extends ProofKey {
  readonly port: number;
  /** 0 when the administrative plane is off. */
  readonly adminPort: number;
  readonly instance: string;
  /** Standalone only: the 0600 file with the integration keys made at the first start. */
  readonly keysFile: string | null;
  /** Drains, flushes and stops; later calls share the same promise. */
  stop(): Promise<void>;
  /** Resolves when it has stopped, by `stop`, the administrative plane or the last lease. */
  readonly ended: Promise<void>;
}

/** Another instance serves this state directory; its endpoint file says where. */
export class SandboxTakenFault extends Fault {
  constructor(stateDir: string) {
    super("sandbox", `Another sandbox serves ${stateDir}; use that one, or stop it first.`);
  }
}

/** Creates the private state directory, also for callers that write to it before the sandbox runs. @throws Fault `storage` */
export async function ensureStateFolder(stateDir: string): Promise<void> {
  await withStorageFaults(stateDir, () => ensureFolder(stateDir, nodeFileSystem));
}

/**
 * @throws SandboxTakenFault when another instance holds the state directory
 * @throws Fault `sandbox` when a port is taken or too few files may be open, `storage` or `corrupt` when the state cannot be used
 */
export async function runSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { stateDir } = options;
  if (!options.ephemeral) requireSafeFolder(stateDir);
  requireOpenFiles({ ...SANDBOX_LIMITS, ...options.limits });
  await ensureStateFolder(stateDir);
  const lock = await tryLock(join(stateDir, LOCK_FILE));
  if (lock === null) throw new SandboxTakenFault(stateDir);

  /** Cleanup steps, run in reverse when the sandbox stops or its start fails. */
  const undo: (() => Promise<unknown>)[] = [() => lock.release()];
  try {
    // Left by a sandbox that was killed; its ports may belong to another program by now.
    await nodeFileSystem.unlink(join(stateDir, ENDPOINT_FILE)).catch((error: unknown) => {
      if (systemCode(error) !== "ENOENT") throw storageFault(error, join(stateDir, ENDPOINT_FILE));
    });
    return await start(options, undo);
  } catch (error) {
    await undoAll(undo).catch(() => undefined);
    throw storageFault(error, stateDir);
  }
}

async function start(options: SandboxOptions, undo: (() => Promise<unknown>)[]): Promise<RunningSandbox> {
  const { stateDir, log, ephemeral, embedded, recipe } = options;
  const realNow = options.realNow ?? Date.now;
  const limits: SandboxLimits = { ...SANDBOX_LIMITS, ...options.limits };
  const instance = randomUUID();
  const issuer = createIssuer(options.seed);
  const startedAt = Math.round(performance.timeOrigin);
  const note = (event: SandboxLogEntry["event"], more: Partial<SandboxLogEntry> = {}): void =>
    log({ at: new Date(realNow()).toISOString(), event, ...more });

  // Called while the state is being opened, too, when there is nothing to stop yet.
  let isBroken = (): boolean => false;
  if (ephemeral) undo.push(() => rm(stateDir, { recursive: true, force: true }));
  const onProblem = (reason: string): void => {
    const broken = isBroken();
    note("fault", { reason: broken && !embedded ? `${reason} ${START_AGAIN}` : reason });
    // After a failed write memory is ahead of the disk. The next user restarts it from the disk, and is
    // told if the disk is still full; a standalone sandbox answers 503 until it is restarted.
    if (broken && embedded) setImmediate(() => void stop().catch(() => undefined));
  };
  const replays = await openSignatures(options, limits.replayCapacity);
  undo.push(() => replays.close());
  const companies = options.companies ?? 1;
  const sync = !ephemeral;
  const swappable = await openSwappable(
    (ready) => openFileState({ dir: stateDir, issuer, companies, replays, ready, limits, sync, onProblem }),
    (error) => onProblem(error instanceof Error ? error.message : "The state could not be opened again."),
  );
  const { state, shared } = swappable;
  isBroken = () => !state.isWritable();
  undo.push(() => state.close());
  const clock = createSandboxClock(await state.savedClock(), options.startAt, realNow);
  const saveClock = (): Promise<void> => shared(() => state.saveClock(clock.state()));
  await saveClock();
  undo.push(saveClock);
  const rules = await openWatchedRules({
    file: options.rulesFile ?? join(stateDir, RULES_FILE),
    named: options.rulesFile !== undefined,
    lastGood: join(stateDir, LAST_GOOD_RULES),
    ruleSet: options.ruleSet,
    realNow,
    onReload: (reason) => note("rules_read", reason === null ? {} : { reason }),
  });
  undo.push(async () => rules.close());
  const journal = openRequestJournal(stateDir);
  undo.push(async () => journal.close());
  const faults = createFaultOrders(issuer, await state.savedFaults());
  undo.push(() => saveFaults());
  const saveFaults = (): Promise<void> => shared(() => state.saveFaults(faults.list));
  const saving = setInterval(() => void saveClock().catch(() => undefined), CLOCK_SAVE_MS).unref();

  let draining = false;
  let ending: Promise<void> | null = null;
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => undefined);
  const stop = (): Promise<void> => {
    ending ??= (async () => {
      draining = true;
      clearInterval(saving);
      leases.stop();
      note("stopping");
      await undoAll(undo);
      note("stopped");
    })();
    ending.then(ended.resolve, ended.reject);
    return ending;
  };
  const leases = createLeases(
    options.leaseGraceMs ?? LEASE_GRACE_MS,
    embedded ? () => void stop().catch(() => undefined) : null,
  );

  const floor = { limits, clock, log, isDraining: () => draining };
  const switches = switchesOf(options);
  const service = createService({
    ...floor,
    journal: (entry) => journal.write(entry),
    swappable,
    issuer,
    recipe,
    rules,
    faults,
    ...switches,
  });
  addOpenApiRoute(service, options);
  // Without an administrative plane there is no token, and no caller.
  const adminToken = options.adminEnabled ? randomBytes(32).toString("base64url") : "";
  const proofKey: ProofKey = { adminToken, folderId: folderId(stateDir) };
  if (options.adminEnabled) addProofRoute(service, proofKey);
  undo.push(() => drain(service, limits.drainMs));
  const port = await listen(service, options.host, options.port);

  let adminPort = 0;
  if (options.adminEnabled) {
    const admin = createAdminPlane({
      ...floor,
      limits: { ...limits, bodyBytes: ADMIN_BODY_BYTES },
      testing: {
        swappable,
        magic: switches.magic,
        faults,
        journal,
        rules,
        maintenance: createMaintenance({ stateDir, swappable, clock, faults, onProblem }),
        bodyBytes: ADMIN_BODY_BYTES,
        note,
      },
      leases,
      token: adminToken,
      describe: () => ({
        version: options.version,
        instance,
        port,
        startedAt,
        recipe: recipe.recipe,
        ephemeral,
        switches,
        connections: { open: service.connections.open, limit: service.connections.limit },
      }),
      onStop: () => void stop().catch(() => undefined),
    });
    addProofRoute(admin, proofKey);
    // Leases are connections that their users keep open, so they are cut.
    undo.push(() => drain(admin, 0));
    adminPort = await listen(admin, ADMIN_HOST, options.adminPort ?? 0);
  }

  const keysFile = embedded ? null : await writeIntegrationKeys(stateDir, state);
  const endpoint: SandboxEndpoint = {
    pid: process.pid,
    startedAt,
    version: options.version,
    instance,
    host: options.host,
    port,
    adminPort,
    adminToken,
  };
  const endpointPath = join(stateDir, ENDPOINT_FILE);
  await replaceDurably(endpointPath, Buffer.from(`${JSON.stringify(endpoint)}\n`), nodeFileSystem, null);
  undo.push(() => removeOwn(endpointPath, instance));
  note("started", { port });
  return { port, adminPort, ...proofKey, instance, keysFile, stop, ended: ended.promise };
}

/** The settings in force, with the value of each that was not given. */
function switchesOf(options: SandboxOptions): SandboxSwitches {
  return {
    require: options.require.length > 0 ? options.require : REQUIRED_CHECK_FIELDS,
    credentialDelayS: options.credentialDelayS,
    credentialUnsigned: options.credentialUnsigned,
    currencyNumbering: options.currencyNumbering ?? "iso-4217",
    amountUnit: options.amountUnit ?? "minor",
    magic: options.magic ?? true,
    seeded: options.seed !== null,
  };
}

/** Removes only our own file: if the folder was deleted and recreated, it belongs to another sandbox by now. */
async function removeOwn(endpointPath: string, instance: string): Promise<void> {
  const bytes = await readWhole(endpointPath, nodeFileSystem).catch(() => null);
  if (bytes?.includes(instance) === true) await rm(endpointPath, { force: true });
}

/** Opens the used signatures. Each is remembered for the widest window of all calls, in which it could be replayed. */
function openSignatures(options: SandboxOptions, capacity: number): Promise<ReplayCache> {
  const { stateDir, recipe, ephemeral } = options;
  const calls = Object.keys(ENDPOINTS) as Call[];
  const skewS = Math.max(...calls.map((call) => recipeFor(recipe, call).time?.skew_s ?? DEFAULT_SKEW_S));
  return openReplayCache({
    dir: join(stateDir, "signatures"),
    windowMs: skewS * 1000,
    capacity,
    sync: !ephemeral,
  });
}
