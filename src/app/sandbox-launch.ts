// Finds, starts and leases the embedded sandbox: one per home, used over HTTP only, running while a lease is held.

import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createSandboxAdmin, type Lease, type SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { FEW_FILES } from "#src/contract/disk-failures.ts";
import { Fault, interrupted, sandboxFault, sentence, usage, whole } from "#src/contract/fault.ts";
import { DEFAULT_CREDENTIAL_WAIT_S } from "#src/contract/records/profile-fields.ts";
import { ENDPOINT_FILE, LOCK_FILE, type SandboxEndpoint } from "#src/contract/wire/sandbox-wire.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";
import { ensureFolder, readWhole } from "#src/storage/documents/durable-file.ts";
import { isLocked } from "#src/storage/documents/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { withStorageFaults } from "#src/storage/write-fault.ts";
import { sandboxStateDir, type Home } from "./home.ts";

export interface SandboxLaunch {
  readonly home: Home;
  readonly version: string;
  /** node and the built program */
  readonly executable: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Seed and virtual start (ms since the epoch) of a temporary sandbox; null for the persistent one of the home. */
  readonly ephemeral: { readonly seed: number; readonly startAt: number } | null;
  /** Called with each sentence of the started sandbox about damage in its state. */
  readonly onProblem: (sentence: string) => void;
  /** Ends the wait; a started sandbox without a lease ends by itself. */
  readonly signal?: AbortSignal;
}

export interface LeasedSandbox {
  readonly endpoint: SandboxEndpoint & ProofKey;
  readonly admin: SandboxAdmin;
  readonly lease: Lease;
}

const START_LIMIT_MS = 15_000;
const END_LIMIT_MS = 10_000;
const POLL_MS = 15;
/** Exit code of a child that could not write its files (EX_IOERR of sysexits.h). */
const NOT_WRITTEN = 74;
/** Characters of its standard error that are kept. */
const COMPLAINT_LIMIT = 4000;
/** Variables that the child needs; others are not passed on, because they may hold secrets. */
const PASSED_ON = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "XDG_CACHE_HOME", "SystemRoot"];

/**
 * The endpoint of the sandbox that runs in a state directory; null when none does or the file is invalid. A file that was
 * left behind, or copied with its folder, is ignored.
 * @throws Fault("storage") for a file of another type or account
 */
async function readEndpoint(stateDir: string): Promise<LeasedSandbox["endpoint"] | null> {
  if (!(await isServed(stateDir))) return null;
  const path = join(stateDir, ENDPOINT_FILE);
  const bytes = await withStorageFaults(path, () => readWhole(path, nodeFileSystem));
  if (bytes === null) return null;
  try {
    const read = JSON.parse(bytes.toString("utf8")) as SandboxEndpoint;
    const numbers = [read.pid, read.startedAt, read.port, read.adminPort];
    const texts = [read.version, read.instance, read.host, read.adminToken];
    const whole = numbers.every(Number.isSafeInteger) && texts.every((text) => typeof text === "string");
    return whole ? { ...read, folderId: folderId(stateDir) } : null;
  } catch {
    return null;
  }
}

/** True when a living process has locked this folder, and not one that it was copied from. */
function isServed(stateDir: string): Promise<boolean> {
  return isLocked(join(stateDir, LOCK_FILE));
}

/** A lease on a running sandbox; null when none runs. Starts nothing. */
export async function joinSandbox(home: Home): Promise<LeasedSandbox | null> {
  return await joinSandboxAt(sandboxStateDir(home));
}

/**
 * The same for any state directory, such as one of "verdict serve".
 * @throws Fault("usage") for a sandbox without administrative plane
 */
export async function joinSandboxAt(stateDir: string): Promise<LeasedSandbox | null> {
  const endpoint = await readEndpoint(stateDir);
  if (endpoint === null) return null;
  if (endpoint.adminPort === 0) {
    throw usage`The sandbox of ${stateDir} runs without its administrative plane; start it with --admin-port.`;
  }
  const admin = createSandboxAdmin(endpoint);
  try {
    return { endpoint, admin, lease: await admin.lease() };
  } catch {
    // Its process is ending, or another program has its port and failed the proof.
    return null;
  }
}

/** The same lease, with calls for a tenant. */
export function asTenant(leased: LeasedSandbox, tenant: string | undefined): LeasedSandbox {
  return tenant === undefined ? leased : { ...leased, admin: createSandboxAdmin(leased.endpoint, tenant) };
}

/**
 * A lease on the home's sandbox, which is started if none runs and replaced if another version does.
 * @throws Fault("sandbox") when it does not start within 15 s; Fault("interrupted") when the signal fires before
 */
export async function leaseSandbox(launch: SandboxLaunch): Promise<LeasedSandbox> {
  const stateDir = sandboxStateDir(launch.home);
  const deadline = Date.now() + START_LIMIT_MS;
  let child: Child | null = null;
  try {
    for (;;) {
      const joined = await joinSandbox(launch.home);
      if (launch.signal?.aborted === true) {
        joined?.lease.close();
        // It would write into a folder that is removed next.
        if (launch.ephemeral !== null) await killed(child);
        throw interrupted`Stopped while the sandbox was starting.`;
      }
      if (joined !== null) {
        if (joined.endpoint.version === launch.version) {
          for (const sentence of child?.complaints() ?? []) launch.onProblem(sentence);
          return joined;
        }
        // Several processes may find the old version at once; only the first one ends it.
        await endSandbox(joined).catch(() => undefined);
      } else if (child === null || child.isOver()) {
        // A child that lost the race to another one exits with 0, and the winner's endpoint appears.
        if (child !== null && child.process.exitCode !== 0) throw childFault(stateDir, child);
        if (!(await isServed(stateDir))) child = await spawnSandbox(launch);
      }
      if (Date.now() > deadline) {
        // It would lock the folder for ever. Everything it has confirmed is on disk.
        if (child?.isOver() === false) child.process.kill("SIGKILL");
        throw startFault(stateDir, `did not answer within ${START_LIMIT_MS / 1000} s`);
      }
      await delay(POLL_MS);
    }
  } finally {
    child?.process.stderr?.destroy();
  }
}

async function killed(child: Child | null): Promise<void> {
  child?.process.kill("SIGKILL");
  while (child?.isOver() === false) await delay(POLL_MS);
}

/** Ends a sandbox and waits for its process, which may write its files until then. */
export async function endSandbox({ endpoint, admin, lease }: LeasedSandbox): Promise<void> {
  try {
    await admin.stop();
  } finally {
    lease.close();
  }
  const deadline = Date.now() + END_LIMIT_MS;
  while (isAlive(endpoint.pid) && Date.now() < deadline) await delay(POLL_MS);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface Child {
  readonly process: ChildProcess;
  /** True once it has ended and its output is complete. */
  isOver(): boolean;
  /** Its lines on standard error: damage of its state, and finally why it could not start. */
  complaints(): readonly string[];
}

async function spawnSandbox(launch: SandboxLaunch): Promise<Child> {
  // Loaded on use, because most commands find a running sandbox.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const state = sandboxStateDir(launch.home);
  await withStorageFaults(state, () => ensureFolder(state, nodeFileSystem));
  const [command, ...first] = launch.executable;
  const args = [...first, "serve", "--embedded"];
  if (launch.ephemeral !== null) {
    args.push("--ephemeral", "--seed", String(launch.ephemeral.seed));
    args.push("--start-at", new Date(launch.ephemeral.startAt).toISOString());
    // A virtual wait, so it can be the "few minutes" of the spec (4.3).
    args.push("--credential-delay", String(DEFAULT_CREDENTIAL_WAIT_S));
  }
  // Detached, because Ctrl-C would end the terminal's process group. It inherits no pipe, which would block `| cat`; its
  // standard error is a separate pipe that is closed once it runs.
  const child = spawn(command!, args, {
    cwd: state,
    detached: true,
    // Windows would open a console for it.
    windowsHide: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...pick(launch.env, PASSED_ON), ...launch.home.environment },
  });
  let over = false;
  let said = "";
  child.on("error", () => void (over = true)).on("close", () => void (over = true));
  // Where no more files can be opened there are no pipes.
  if ((child.stderr as unknown) === undefined) {
    throw sandboxFault`The embedded sandbox did not start: ${FEW_FILES}.`;
  }
  child.stderr
    .setEncoding("utf8")
    .on("data", (text: string) => (said = (said + text).slice(-COMPLAINT_LIMIT)));
  child.stderr.on("error", () => undefined);
  child.unref();
  (child.stderr as Socket).unref();
  return { process: child, isOver: () => over, complaints: () => said.split("\n").filter(Boolean) };
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** The child's last message, which its log may lack on a full disk. */
function childFault(stateDir: string, { process: { exitCode, signalCode }, complaints }: Child): Fault {
  const why = complaints().at(-1);
  if (why === undefined) return startFault(stateDir, `ended with ${exitCode ?? signalCode}`);
  // The cause before a long path, which may be cut.
  const [, path, cause] = /^(\/\S+) (was not saved .*)$/.exec(why) ?? [];
  const told = path === undefined ? why : `its state ${cause} The file is ${path}.`;
  return new Fault(
    exitCode === NOT_WRITTEN ? "storage" : "sandbox",
    sentence`The embedded sandbox did not start: ${whole(told)}`,
  );
}

function startFault(stateDir: string, what: string): Fault {
  return sandboxFault`The embedded sandbox ${whole(what)}; its log is ${whole(join(stateDir, "sandbox.log"))}.`;
}
