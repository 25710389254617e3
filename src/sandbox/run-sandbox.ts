// Starts and stops the sandbox: lock, state, servers, signals; one instance per state directory.

import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Fault, sentence, usage } from "#src/contract/fault.ts";
import { readToken } from "#src/contract/guarded-file.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import {
  ENDPOINT_FILE,
  LOCK_FILE,
  type SandboxEndpoint,
  type SandboxSwitches,
} from "#src/contract/wire/sandbox-wire.ts";
import { originOf } from "#src/contract/wire/service-url.ts";
import { createAdminPlane } from "#src/sandbox/admin/admin-plane.ts";
import { createLeases, LEASE_GRACE_MS, type Leases } from "#src/sandbox/admin/leases.ts";
import { drain, listen, requireOpenFiles } from "#src/sandbox/http/listening.ts";
import { undoAll } from "#src/sandbox/state/turns.ts";
import { addOpenApiRoute } from "#src/sandbox/service/openapi-route.ts";
import { addProofRoute } from "#src/sandbox/admin/admin-body.ts";
import { SANDBOX_LIMITS, type SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxLogEntry } from "#src/sandbox/state/sandbox-log.ts";
import { openCertificate } from "#src/sandbox/http/certificate.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";
import { ensureFolder, readWhole, replaceDurably } from "#src/storage/documents/durable-file.ts";
import { tryLock } from "#src/storage/documents/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { requireSafeFolder } from "#src/storage/folders-above.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { createService, REQUIRED_CHECK_FIELDS } from "#src/sandbox/service/service.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import type { RunningSandbox, SandboxOptions } from "./sandbox-options.ts";
import { openSandboxTenants } from "./sandbox-tenants.ts";

/** The administrative plane of this machine's callers listens nowhere else. */
const LOCAL_HOST = "127.0.0.1";

const START_AGAIN = "Then start verdict serve again: until then it answers 503, to GET /health as well.";

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
  const { adminTokenFile, version, host } = options;
  const make = "make one with (umask 077; openssl rand -hex 32 > FILE)";
  const ownTokens = adminTokenFile === undefined ? [] : [readToken(adminTokenFile, make)];
  const note = (event: SandboxLogEntry["event"], more: Partial<SandboxLogEntry> = {}): void =>
    log({ at: new Date(realNow()).toISOString(), event, ...more });
  const certificate =
    options.tls && openCertificate(options.tls, realNow, (reason) => note("fault", { reason }));

  if (ephemeral || server?.leaveNothing === true)
    undo.push(() => rm(stateDir, { recursive: true, force: true }));
  const onProblem = (reason: string, broken = false): void => {
    note("fault", { reason: broken && !embedded ? `${reason} ${START_AGAIN}` : reason });
    // After a failed write memory is ahead of the disk. The next user restarts it from the disk, and is
    // told if the disk is still full; a standalone sandbox answers 503 until it is restarted.
    // A start that meets it fails by itself, and undoes what it has opened.
    if (broken && embedded) void started.promise.then(() => setImmediate(() => end.soon()));
  };
  const started = Promise.withResolvers<void>();
  const worker = { instance, pid: process.pid, version, startedAt };
  const parts = { options, limits, worker, realNow, note, onProblem, undo };
  const { tenants, join: joinOthers } = await openSandboxTenants(parts);

  const leases = createLeases(options.leaseGraceMs ?? LEASE_GRACE_MS, embedded ? () => end.soon() : null);
  const end = createEnd(note, undo, leases);

  const floor = { log, isDraining: () => end.isDraining, tenants, limits };
  const switches = switchesOf(options);
  const isLeaving = (): boolean => end.isLeaving;
  const onServer = server !== undefined;
  const tls = certificate?.pair;
  const service = createService({ ...floor, ...switches, tls, recipe, isLeaving, onServer });
  const servers = [service];
  addOpenApiRoute(service, options, options.documentPage);
  // Without an administrative plane there is no token, and no caller.
  const adminToken = options.adminPort === null ? "" : randomBytes(32).toString("base64url");
  const proofKey: ProofKey = { adminToken, folderId: folderId(stateDir) };
  if (options.adminPort !== null) addProofRoute(service, proofKey);
  undo.push(() => drain(service, limits.drainMs));
  const port = await listen(service, host, options.port);

  const openPlane = (isLocal: boolean, tokens: readonly string[], host: string, wanted: number) => {
    const plane = createAdminPlane({
      ...floor,
      tls: isLocal ? undefined : tls,
      isLocal,
      tokens,
      leases,
      describe: () => ({
        version,
        instance,
        port,
        startedAt,
        recipe: recipe.recipe,
        ephemeral,
        switches,
        connections: { open: service.connections.open, limit: service.connections.limit },
        certificateExpiry: certificate?.expiry ?? null,
      }),
      onStop: () => end.soon(),
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
    if (certificate?.reload(servers.map((each) => each.server)) === true) note("tls_reloaded");
  };

  const keysFile = embedded
    ? null
    : await writeIntegrationKeys(stateDir, tenants.default.state, server !== undefined);
  const endpoint: SandboxEndpoint = { ...worker, host, port, adminPort, adminToken };
  const endpointPath = join(stateDir, ENDPOINT_FILE);
  await replaceDurably(endpointPath, Buffer.from(`${JSON.stringify(endpoint)}\n`), nodeFileSystem, null);
  undo.push(() => removeOwn(endpointPath, instance));
  await joinOthers?.(originOf(host, port, tls !== undefined));
  note("started", { port });
  started.resolve();
  return {
    port,
    adminPort,
    secureAdminPort,
    ...proofKey,
    instance,
    keysFile,
    stop: () => end.stop(),
    leave: () => end.leave(options.leaveMs ?? 0),
    reloadTls,
    ended: end.ended,
  };
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

/**
 * How a sandbox ends: it drains, and everything that was opened is closed in reverse.
 * @param undo steps that close what is open, run in reverse
 */
function createEnd(note: Tenant["note"], undo: (() => Promise<unknown>)[], leases: Leases) {
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => undefined);
  let ending: Promise<void> | null = null;

  async function close(): Promise<void> {
    end.isDraining = true;
    leases.stop();
    note("stopping");
    await undoAll(undo);
    note("stopped");
  }

  const end = {
    /** While true, /ready is refused and everything else is answered. */
    isLeaving: false,
    /** While true, every request is refused. */
    isDraining: false,
    /** Resolves when it has stopped. */
    ended: done.promise,
    /** Later calls share the same promise. */
    stop(): Promise<void> {
      ending ??= close();
      ending.then(done.resolve, done.reject);
      return ending;
    },
    /** Stops without being awaited; `ended` says how it went. */
    soon: () => void end.stop().catch(() => undefined),
    /** @param leaveMs how long it continues to serve, so that balancers see that it is about to stop */
    async leave(leaveMs: Milliseconds): Promise<void> {
      if (leaveMs > 0 && ending === null) {
        end.isLeaving = true;
        note("leaving");
        const ended = done.promise.catch(() => undefined);
        await Promise.race([delay(leaveMs, undefined, { ref: false }), ended]);
      }
      await end.stop();
    },
  };
  return end;
}

/** The file with the integration keys of a standalone sandbox, for its operator. */
const KEYS_FILE = "integration-keys.json";

/**
 * Writes it once, at the first start (spec 5.4), readable by its owner alone.
 * @param replaces true where the state is kept elsewhere: the file in the folder may belong to another state
 * @returns its path
 */
async function writeIntegrationKeys(
  stateDir: string,
  state: SandboxState,
  replaces: boolean,
): Promise<string> {
  const path = join(stateDir, KEYS_FILE);
  if (!replaces && (await readWhole(path, nodeFileSystem)) !== null) return path;
  const companies = (await state.accounts.companies()).map(({ companyId, integrationKeys }) => ({
    company_id: companyId,
    integration_keys: integrationKeys.map(({ keyId, secret, algorithm }) => ({
      key_id: keyId,
      secret: secret.expose(),
      algorithm,
    })),
  }));
  const text = `${JSON.stringify({ companies }, null, 2)}\n`;
  await replaceDurably(path, Buffer.from(text), nodeFileSystem, null);
  return path;
}
