// Runs the sandbox: one instance a state directory, from the lock to the last flushed byte.

import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Milliseconds } from "#src/contract/clock.ts";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { ENDPOINT_FILE, LOCK_FILE, type SandboxEndpoint } from "#src/contract/sandbox-wire.ts";
import type { RuleSet } from "#src/rules/rule-set.ts";
import { recipeById } from "#src/signing/presets.ts";
import type { Recipe } from "#src/signing/recipe.ts";
import { ensureFolder, readWhole, replaceDurably } from "#src/storage/durable-file.ts";
import { tryLock } from "#src/storage/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { storageFault, withStorageFaults } from "#src/storage/write-fault.ts";
import { createAdminPlane } from "./admin-plane.ts";
import { openFileState } from "./file-state.ts";
import { createIssuer } from "./issuer.ts";
import { createLeases, LEASE_GRACE_MS } from "./leases.ts";
import { createSandboxClock } from "./sandbox-clock.ts";
import { SANDBOX_LIMITS, type SandboxLimits } from "./sandbox-limits.ts";
import type { SandboxLog, SandboxLogEntry } from "./sandbox-log.ts";
import type { SandboxState } from "./sandbox-state.ts";
import { createService } from "./service.ts";

/** The administrative plane listens nowhere else. */
const ADMIN_HOST = "127.0.0.1";

/** How often the virtual clock's high-water mark is written while nothing else writes it. */
const CLOCK_SAVE_MS: Milliseconds = 60_000;

/** How long a signature is remembered where the recipe signs no time, in seconds each way. */
const DEFAULT_SKEW_S = 300;

const KEYS_FILE = "integration-keys.json";

export interface SandboxOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Null or 0: any free one. */
  readonly adminPort: number | null;
  /** Made when missing; of one instance at a time. */
  readonly stateDir: string;
  /** True: ends by itself 10 s after its last lease, or after its start when no lease ever comes. */
  readonly embedded: boolean;
  /** True: the state directory is removed at the end, and nothing waits for the disk. */
  readonly ephemeral: boolean;
  /** Same seed, same ids and secrets, which are then no secrets; null for real ones. */
  readonly seed: number | null;
  /** Virtual time of the first start; the real time when absent. */
  readonly startAt?: Milliseconds;
  readonly recipeId: string;
  /** From a registration until its credential is ready, in virtual seconds. */
  readonly credentialDelayS: number;
  /** Dotted paths of the fields a check must have; empty for the four of the contract. */
  readonly require: readonly string[];
  /** Accept a credential request with an empty `Authorization`, as in the sample (spec 4.3). */
  readonly credentialUnsigned: boolean;
  readonly adminEnabled: boolean;
  readonly version: string;
  readonly log: SandboxLog;
  /** The starter rules when absent. */
  readonly ruleSet?: RuleSet;
  /** Companies made at the first start; 1 when absent. */
  readonly companies?: number;
  /** Wait before an embedded sandbox without leases ends; 10 s when absent. */
  readonly leaseGraceMs?: Milliseconds;
  readonly limits?: Partial<SandboxLimits>;
  /** Real time in ms since the epoch; the system's clock when absent. */
  readonly realNow?: () => Milliseconds;
}

export interface RunningSandbox {
  readonly port: number;
  /** 0 when the administrative plane is off. */
  readonly adminPort: number;
  /** Empty when the administrative plane is off. */
  readonly adminToken: string;
  readonly instance: string;
  /** Standalone only: the 0600 file with the integration keys made at the first start. */
  readonly keysFile: string | null;
  /** Drains, flushes and ends. Every call waits for the same end. */
  stop(): Promise<void>;
  /** Resolves when it has ended, whatever ended it: `stop`, the administrative plane, or the last lease. */
  readonly ended: Promise<void>;
}

/** Another instance serves this state directory: whoever wanted one reads its endpoint file instead. */
export class SandboxTakenFault extends Fault {
  constructor(stateDir: string) {
    super("sandbox", `Another sandbox serves ${stateDir}; use that one, or stop it first.`);
  }
}

/**
 * @throws SandboxTakenFault when another instance holds the state directory
 * @throws Fault `sandbox` when a port cannot be had, `storage` or `corrupt` when the state cannot be used, `usage` for
 * an unknown recipe
 */
export async function runSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { stateDir } = options;
  const recipe = recipeById(options.recipeId);
  const ruleSet = options.ruleSet ?? (await loadStarterRules());
  await withStorageFaults(stateDir, () => ensureFolder(stateDir, nodeFileSystem));
  const lock = await tryLock(join(stateDir, LOCK_FILE));
  if (lock === null) throw new SandboxTakenFault(stateDir);

  /** What must be undone, last first, at the end or when the start fails half-way. */
  const undo: (() => Promise<unknown>)[] = [() => lock.release()];
  try {
    return await start(options, recipe, ruleSet, undo);
  } catch (error) {
    await undoAll(undo).catch(() => undefined);
    throw storageFault(error, stateDir);
  }
}

async function start(
  options: SandboxOptions,
  recipe: Recipe,
  ruleSet: RuleSet,
  undo: (() => Promise<unknown>)[],
): Promise<RunningSandbox> {
  const { stateDir, log, ephemeral, embedded } = options;
  const realNow = options.realNow ?? Date.now;
  const limits: SandboxLimits = { ...SANDBOX_LIMITS, ...options.limits };
  const instance = randomUUID();
  const issuer = createIssuer(options.seed);
  const startedAt = Math.round(performance.timeOrigin);
  const note = (event: SandboxLogEntry["event"], more: Partial<SandboxLogEntry> = {}): void =>
    log({ at: new Date(realNow()).toISOString(), event, ...more });

  // Damage is found while the state is being opened, too: there is nothing to end then.
  let endWhenBroken = (): void => undefined;
  if (ephemeral) undo.push(() => rm(stateDir, { recursive: true, force: true }));
  const state = await openFileState({
    dir: stateDir,
    issuer,
    companies: options.companies ?? 1,
    signatureWindowMs: (recipe.time?.skew_s ?? DEFAULT_SKEW_S) * 1000,
    limits,
    sync: !ephemeral,
    onProblem: (reason) => {
      note("fault", { reason });
      // After a failed write memory is ahead of the disk. The next user starts it anew from what the disk has, and is
      // told in words when that still has no room; one that runs on its own says 503 until somebody has looked.
      if (embedded) setImmediate(() => endWhenBroken());
    },
  });
  endWhenBroken = () => {
    if (!state.isWritable()) void stop().catch(() => undefined);
  };
  undo.push(() => state.close());
  const clock = createSandboxClock(await state.savedClock(), options.startAt, realNow);
  const saveClock = (): Promise<void> => state.saveClock(clock.state());
  await saveClock();
  undo.push(saveClock);
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

  const floor = { limits, clock, instance, log, isDraining: () => draining };
  const service = createService({
    ...floor,
    state,
    issuer,
    recipe,
    ruleSet,
    credentialDelayS: options.credentialDelayS,
    credentialUnsigned: options.credentialUnsigned,
    require: options.require,
  });
  undo.push(() => drain(service, limits.drainMs));
  const port = await listen(service, options.host, options.port);

  let adminPort = 0;
  let adminToken = "";
  if (options.adminEnabled) {
    adminToken = randomBytes(32).toString("base64url");
    const { version, recipeId } = options;
    const admin = createAdminPlane({
      ...floor,
      state,
      leases,
      token: adminToken,
      describe: () => ({
        version,
        port,
        startedAt,
        recipe: recipeId,
        ephemeral,
        ruleSetHash: ruleSet.hash,
        rules: ruleSet.rules.length,
      }),
      onStop: () => void stop().catch(() => undefined),
    });
    // Leases are held open by their users: they are cut, not waited for.
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
  undo.push(() => rm(endpointPath, { force: true }));
  note("started", { port });
  return { port, adminPort, adminToken, instance, keysFile, stop, ended: ended.promise };
}

/** Undoes the last step first. Every step is tried; the first failure is thrown in the end. */
async function undoAll(undo: (() => Promise<unknown>)[]): Promise<void> {
  let failure: { error: unknown } | null = null;
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step();
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== null) throw failure.error;
}

/** Stops listening, waits for what is being answered, and cuts what is left after `ms`. */
async function drain(app: FastifyInstance, ms: Milliseconds): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), ms);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

/** @throws Fault `sandbox` */
async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const address = `${escapeText(host)}:${port}`;
    const why =
      (error as NodeJS.ErrnoException).code === "EADDRINUSE"
        ? "it is in use"
        : "it is no address of this machine";
    throw new Fault(
      "usage",
      `The sandbox cannot listen on ${address}: ${why}; choose another host or port.`,
      {
        cause: error,
      },
    );
  }
  return (app.server.address() as AddressInfo).port;
}

/** The integration keys for whoever runs the sandbox on its own (spec 5.4): written once, at the first start. */
async function writeIntegrationKeys(stateDir: string, state: SandboxState): Promise<string> {
  const path = join(stateDir, KEYS_FILE);
  if ((await readWhole(path, nodeFileSystem)) !== null) return path;
  const companies = (await state.companies()).map(({ companyId, integrationKeys }) => ({
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

async function loadStarterRules(): Promise<RuleSet> {
  const [{ default: text }, { loadRules }] = await Promise.all([
    import("#src/rules/starter-rules.yaml"),
    import("#src/rules/rule-file.ts"),
  ]);
  return await loadRules(text, "starter-rules.yaml");
}
