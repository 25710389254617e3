// Starts and stops the sandbox: lock, state, servers, signals; one instance per state directory.

import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Server as TlsServer } from "node:tls";
import { Fault, sentence, usage } from "#src/contract/fault.ts";
import { readToken } from "#src/contract/guarded-file.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import {
  DEFAULT_TENANT,
  ENDPOINT_FILE,
  LOCK_FILE,
  type SandboxEndpoint,
  type SandboxSwitches,
} from "#src/contract/wire/sandbox-wire.ts";
import { originOf } from "#src/contract/wire/service-url.ts";
import { ENDPOINTS, type Call } from "#src/contract/wire/wire.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { createAdminPlane } from "#src/sandbox/admin/admin-plane.ts";
import { createLeases, LEASE_GRACE_MS } from "#src/sandbox/admin/leases.ts";
import { drain, listen } from "#src/sandbox/http/listening.ts";
import { undoAll } from "#src/sandbox/state/undo.ts";
import { requireOpenFiles } from "#src/sandbox/http/open-files.ts";
import { addOpenApiRoute, type DocumentedOptions } from "#src/sandbox/service/openapi-route.ts";
import { addProofRoute } from "#src/sandbox/admin/proof-route.ts";
import { SANDBOX_LIMITS, type SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxLog, SandboxLogEntry } from "#src/sandbox/state/sandbox-log.ts";
import { expiryOf, readTls, type TlsFiles, type TlsPair } from "#src/sandbox/http/tls-files.ts";
import { openStoreIn } from "#src/sandbox/state/file-state.ts";
import { writeIntegrationKeys } from "#src/sandbox/state/integration-keys-file.ts";
import type { Store } from "#src/sandbox/state/store.ts";
import { openTenant } from "#src/sandbox/state/tenant.ts";
import { openTenantFolders, type OwnOptions } from "#src/sandbox/state/tenant-folders.ts";
import { Tenants } from "#src/sandbox/state/tenants.ts";
import type { StateServer } from "#src/sandbox/valkey/state-address.ts";
import { recipeFor, type Recipe } from "#src/signing/recipes/recipe.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";
import { ensureFolder, readWhole, replaceDurably } from "#src/storage/documents/durable-file.ts";
import { tryLock } from "#src/storage/documents/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { requireSafeFolder } from "#src/storage/folders-above.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { createService, REQUIRED_CHECK_FIELDS } from "#src/sandbox/service/service.ts";

/** The administrative plane of this machine's callers listens nowhere else. */
const LOCAL_HOST = "127.0.0.1";

/** How long a signature is remembered where the recipe signs no time, in seconds each way. */
const DEFAULT_SKEW_S = 300;

/** Signatures that a tenant other than the default one remembers at once: 1,000 checks a second over 300 s each way. */
const TENANT_SIGNATURES = 600_000;

const START_AGAIN = "Then start verdict serve again: until then it answers 503, to GET /health as well.";

export interface SandboxOptions extends DocumentedOptions {
  /** Makes a page of the OpenAPI document, which is served then. */
  readonly documentPage?: (document: JsonObject) => Promise<string>;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Of a plain server when absent. Read again by `reloadTls`. */
  readonly tls?: TlsFiles | undefined;
  /** 0: any free one; null: there is no administrative plane. */
  readonly adminPort: number | null;
  /** Where the administrative plane is for other machines, by TLS; 127.0.0.1 when absent. */
  readonly adminHost?: string | undefined;
  /** Private file with a token of the administrative plane. With `tls` the plane of that token speaks TLS, and is another than this machine's. */
  readonly adminTokenFile?: string | undefined;
  /** Created when missing; used by one instance at a time. With `server` it holds this worker's own files alone. */
  readonly stateDir: string;
  /** Where the state lies in place of the directory, for any number of workers. */
  readonly server?: StateServer | undefined;
  /** True: ends by itself 10 s after its last lease, or after its start when no lease ever comes. */
  readonly embedded: boolean;
  /** True: the state directory is removed at the end, and nothing waits for the disk. */
  readonly ephemeral: boolean;
  /** The same seed gives the same ids and secrets, which anyone can derive; null for random ones. */
  readonly seed: number | null;
  /** Virtual time of the first start; the real time when absent. */
  readonly startAt?: Milliseconds | undefined;
  readonly log: SandboxLog;
  /** Used instead of `rules.yaml` in the state directory; it must exist and be valid. */
  readonly rulesFile?: string | undefined;
  /** In place of the starter rules. */
  readonly ruleSet?: RuleSet | undefined;
  /** Companies made at the first start; 1 when absent. */
  readonly companies?: number | undefined;
  /** Wait before an embedded sandbox without leases ends; 10 s when absent. */
  readonly leaseGraceMs?: Milliseconds | undefined;
  /** For how long `leave` goes on serving; 0 when absent. */
  readonly leaveMs?: Milliseconds | undefined;
  readonly limits?: Partial<SandboxLimits> | undefined;
  /** Real time in ms since the epoch; the system's clock when absent. */
  readonly realNow?: () => Milliseconds;
}

export interface RunningSandbox extends ProofKey {
  readonly port: number;
  /** Of this machine's administrative plane; 0 when it is off. */
  readonly adminPort: number;
  /** Of the one by TLS; null without. */
  readonly secureAdminPort: number | null;
  readonly instance: string;
  /** Standalone only: the 0600 file with the integration keys made at the first start. */
  readonly keysFile: string | null;
  /** Drains, flushes and stops; later calls share the same promise. */
  stop(): Promise<void>;
  /** Stops once balancers had time to see that /ready is refused: until then it serves as before. */
  leave(): Promise<void>;
  /** Reads the certificate and its key again, for new connections. A pair that cannot be used changes nothing but the log. */
  reloadTls(): void;
  /** Resolves when it has stopped, by `stop`, the administrative plane or the last lease. */
  readonly ended: Promise<void>;
}

/** Another instance serves this state directory; its endpoint file says where. */
export class SandboxTakenFault extends Fault {
  constructor(stateDir: string) {
    super("sandbox", sentence`Another sandbox serves ${stateDir}; use that one, or stop it first.`);
  }
}

/** Creates the private state directory, also for callers that write to it before the sandbox runs. @throws Fault `storage` */
export async function ensureStateFolder(stateDir: string): Promise<void> {
  await withStorageFaults(stateDir, () => ensureFolder(stateDir, nodeFileSystem));
}

/**
 * @throws SandboxTakenFault when another instance holds the state directory
 * @throws Fault `sandbox` when a port is taken or too few files may be open, `storage` or `corrupt` when the state cannot be used,
 *   `usage` for files or an address of TLS and the administrative plane that cannot be used
 */
export async function runSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { stateDir } = options;
  requirePrivatePlane(options);
  if (!options.ephemeral) requireSafeFolder(stateDir);
  const limits = { ...SANDBOX_LIMITS, ...options.limits };
  requireOpenFiles(limits);
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
    return await start(options, limits, undo);
  } catch (error) {
    await undoAll(undo).catch(() => undefined);
    throw storageFault(error, stateDir);
  }
}

async function start(
  options: SandboxOptions,
  limits: SandboxLimits,
  undo: (() => Promise<unknown>)[],
): Promise<RunningSandbox> {
  const { stateDir, log, ephemeral, embedded, recipe, server, realNow = Date.now } = options;
  const instance = randomUUID();
  const startedAt = Math.round(performance.timeOrigin);
  const { adminTokenFile } = options;
  const make = "make one with (umask 077; openssl rand -hex 32 > FILE)";
  const ownTokens = adminTokenFile === undefined ? [] : [readToken(adminTokenFile, make)];
  const note = (event: SandboxLogEntry["event"], more: Partial<SandboxLogEntry> = {}): void =>
    log({ at: new Date(realNow()).toISOString(), event, ...more });
  const readPair = (files: TlsFiles): TlsPair => {
    const pair = readTls(files);
    if (expiryOf(pair) <= realNow()) {
      const cert = escapeText(files.cert, 200);
      note("fault", { reason: `The certificate ${cert} has expired; put a new one there.` });
    }
    return pair;
  };
  let tls = options.tls && readPair(options.tls);

  if (ephemeral || server?.leaveNothing === true)
    undo.push(() => rm(stateDir, { recursive: true, force: true }));
  const onProblem = (reason: string, broken = false): void => {
    note("fault", { reason: broken && !embedded ? `${reason} ${START_AGAIN}` : reason });
    // After a failed write memory is ahead of the disk. The next user restarts it from the disk, and is
    // told if the disk is still full; a standalone sandbox answers 503 until it is restarted.
    // A start that meets it fails by itself, and undoes what it has opened.
    const end = (): unknown => setImmediate(() => void stop().catch(() => undefined));
    if (broken && embedded) void started.promise.then(end);
  };
  const started = Promise.withResolvers<void>();
  const ofAll = { limits, windowMs: windowOf(recipe), realNow, note, onProblem };
  const standardOptions = {
    ...ofAll,
    name: DEFAULT_TENANT,
    seed: options.seed,
    companies: options.companies ?? 1,
    startAt: options.startAt,
    magic: options.magic ?? true,
    quota: null,
    rulesFile: options.rulesFile,
    ruleSet: options.ruleSet,
  };
  /** What differs for the others. */
  const othersOptions = (name: string) => ({
    ...ofAll,
    limits: { ...limits, replayCapacity: Math.min(limits.replayCapacity, TENANT_SIGNATURES) },
    note: (event: SandboxLogEntry["event"], more?: Partial<SandboxLogEntry>) =>
      note(event, { ...more, tenant: name }),
    onProblem: (reason: string) => onProblem(`Tenant ${name}: ${reason}`),
  });
  let tenants: Tenants;
  let joinOthers: ((address: string) => Promise<void>) | undefined;
  if (server === undefined) {
    const storeIn = (dir: string, told: (sentence: string, broken: boolean) => void): Promise<Store> =>
      openStoreIn(dir, !ephemeral, (failure) =>
        told(failure instanceof Error ? failure.message : "The state could not be written.", true),
      );
    const standard = await openTenant({
      ...standardOptions,
      dir: stateDir,
      store: await storeIn(stateDir, onProblem),
    });
    undo.push(() => standard.close());
    const openStore = (dir: string, name: string): Promise<Store> =>
      storeIn(dir, othersOptions(name).onProblem);
    const open = (own: OwnOptions) => openTenant({ ...othersOptions(own.name), ...own });
    const place = await openTenantFolders({ dir: stateDir, openStore, open, onProblem });
    tenants = await Tenants.open({ standard, place, realNow, onProblem });
    undo.push(() => tenants.close());
  } else {
    const { openOnServer, removeLeftFolders } = await import("#src/sandbox/valkey/valkey-sandbox.ts");
    const worker = { instance, pid: process.pid, version: options.version, startedAt };
    ({ tenants, join: joinOthers } = await openOnServer({
      server,
      worker,
      standardOptions,
      othersOptions,
      undo,
    }));
    if (server.leaveNothing) await removeLeftFolders(dirname(stateDir));
  }

  let leaving = false;
  let draining = false;
  let ending: Promise<void> | null = null;
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(() => undefined);
  const stop = (): Promise<void> => {
    ending ??= (async () => {
      draining = true;
      leases.stop();
      note("stopping");
      await undoAll(undo);
      note("stopped");
    })();
    ending.then(ended.resolve, ended.reject);
    return ending;
  };
  const leave = async (): Promise<void> => {
    const { leaveMs = 0 } = options;
    if (leaveMs > 0 && ending === null) {
      leaving = true;
      note("leaving");
      await Promise.race([delay(leaveMs, undefined, { ref: false }), ended.promise.catch(() => undefined)]);
    }
    await stop();
  };
  const leases = createLeases(
    options.leaseGraceMs ?? LEASE_GRACE_MS,
    embedded ? () => void stop().catch(() => undefined) : null,
  );

  const floor = { log, isDraining: () => draining, tenants, limits };
  const switches = switchesOf(options);
  const isLeaving = (): boolean => leaving;
  const onServer = server !== undefined;
  const service = createService({ ...floor, ...switches, tls, recipe, isLeaving, onServer });
  const servers = [service];
  addOpenApiRoute(service, options, options.documentPage);
  // Without an administrative plane there is no token, and no caller.
  const adminToken = options.adminPort === null ? "" : randomBytes(32).toString("base64url");
  const proofKey: ProofKey = { adminToken, folderId: folderId(stateDir) };
  if (options.adminPort !== null) addProofRoute(service, proofKey);
  undo.push(() => drain(service, limits.drainMs));
  const port = await listen(service, options.host, options.port);

  const openPlane = (isLocal: boolean, tokens: readonly string[], host: string, wanted: number) => {
    const plane = createAdminPlane({
      ...floor,
      tls: isLocal ? undefined : tls,
      isLocal,
      tokens,
      leases,
      describe: () => ({
        version: options.version,
        instance,
        port,
        startedAt,
        recipe: recipe.recipe,
        ephemeral,
        switches,
        connections: { open: service.connections.open, limit: service.connections.limit },
        certificateExpiry: tls === undefined ? null : expiryOf(tls),
      }),
      onStop: () => void stop().catch(() => undefined),
    });
    if (isLocal) addProofRoute(plane, proofKey);
    servers.push(plane);
    // Leases are connections that their users keep open, so they are cut.
    undo.push(() => drain(plane, 0));
    return listen(plane, host, wanted);
  };
  let adminPort = 0;
  let secureAdminPort: number | null = null;
  if (options.adminPort !== null) {
    const isApart = tls !== undefined && ownTokens.length > 0;
    const tokens = isApart ? [adminToken] : [adminToken, ...ownTokens];
    adminPort = await openPlane(true, tokens, LOCAL_HOST, isApart ? 0 : options.adminPort);
    if (isApart)
      secureAdminPort = await openPlane(false, ownTokens, options.adminHost ?? LOCAL_HOST, options.adminPort);
  }
  const reloadTls = (): void => {
    if (options.tls === undefined) return;
    try {
      tls = readPair(options.tls);
      for (const { server: each } of servers) if (each instanceof TlsServer) each.setSecureContext(tls);
      note("tls_reloaded");
    } catch (error) {
      const why = error instanceof Fault ? error.message : "The certificate cannot be read.";
      note("fault", { reason: `${why} The one before stays in use.` });
    }
  };

  const keysFile = embedded
    ? null
    : await writeIntegrationKeys(stateDir, tenants.default.swappable.state, server !== undefined);
  const { version, host } = options;
  const where = { host, port, adminPort, adminToken };
  const endpoint: SandboxEndpoint = { pid: process.pid, startedAt, version, instance, ...where };
  const endpointPath = join(stateDir, ENDPOINT_FILE);
  await replaceDurably(endpointPath, Buffer.from(`${JSON.stringify(endpoint)}\n`), nodeFileSystem, null);
  undo.push(() => removeOwn(endpointPath, instance));
  await joinOthers?.(originOf(host, port, tls !== undefined));
  note("started", { port });
  const ports = { port, adminPort, secureAdminPort };
  started.resolve();
  return { ...ports, ...proofKey, instance, keysFile, stop, leave, reloadTls, ended: ended.promise };
}

/** @throws Fault("usage") where the administrative plane would be open to a network without TLS or without a token of its own */
function requirePrivatePlane({ adminHost = LOCAL_HOST, adminTokenFile, tls }: SandboxOptions): void {
  if (adminHost === LOCAL_HOST || (tls !== undefined && adminTokenFile !== undefined)) return;
  throw usage`The administrative plane opens on ${adminHost} only with TLS and a token of yours: add --tls-cert, --tls-key and --admin-token-file, or leave --admin-host out.`;
}

/** The settings of all tenants, with the value of each that was not given. */
function switchesOf(options: SandboxOptions): Omit<SandboxSwitches, "magic" | "seeded"> {
  return {
    require: options.require.length > 0 ? options.require : REQUIRED_CHECK_FIELDS,
    credentialDelayS: options.credentialDelayS,
    credentialUnsigned: options.credentialUnsigned,
    currencyNumbering: options.currencyNumbering ?? "iso-4217",
    registrationCurrencyNumbering: registrationNumbering(options),
    amountUnit: options.amountUnit ?? "minor",
  };
}

/** Removes only our own file: if the folder was deleted and recreated, it belongs to another sandbox by now. */
async function removeOwn(endpointPath: string, instance: string): Promise<void> {
  const bytes = await readWhole(endpointPath, nodeFileSystem).catch(() => null);
  if (bytes?.includes(instance) === true) await rm(endpointPath, { force: true });
}

/** How long each way a signature could be replayed: the widest window of all calls. */
function windowOf(recipe: Recipe): Milliseconds {
  const calls = Object.keys(ENDPOINTS) as Call[];
  return 1000 * Math.max(...calls.map((call) => recipeFor(recipe, call).time?.skew_s ?? DEFAULT_SKEW_S));
}
