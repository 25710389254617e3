// Finds, starts and leases the embedded sandbox: one per home, reached over HTTP only, alive while somebody holds a lease.

import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createSandboxAdmin, type Lease, type SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { Fault } from "#src/contract/fault.ts";
import { DEFAULT_CREDENTIAL_WAIT_S } from "#src/contract/records/profile.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { ENDPOINT_FILE, LOCK_FILE, type SandboxEndpoint } from "#src/contract/wire/sandbox-wire.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";
import { ensureFolder, readWhole } from "#src/storage/documents/durable-file.ts";
import { isLocked } from "#src/storage/documents/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { withStorageFaults } from "#src/storage/write-fault.ts";
import type { Home } from "./home.ts";

export interface SandboxLaunch {
  readonly home: Home;
  readonly version: string;
  /** node and the built program */
  readonly executable: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Own seed and virtual start (ms since the epoch); nothing survives its end. Null for the persistent sandbox of the home. */
  readonly ephemeral: { readonly seed: number; readonly startAt: number } | null;
  /** Takes each sentence of a sandbox that is started here about damage in its state. */
  readonly onProblem: (sentence: string) => void;
  /** Gives up waiting; a sandbox that has begun to start and that nobody leases ends by itself. */
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
/** Characters of its sentence. */
const COMPLAINT_LIMIT = 4000;
/** What a child needs to run; a secret in the environment of the caller is nothing for it. */
const PASSED_ON = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "XDG_CACHE_HOME", "SystemRoot"];

export function sandboxStateDir(home: Home): string {
  return join(home.state, "sandbox");
}

/**
 * The endpoint file of the sandbox that lives there; null when none does or the file cannot be read as one. A file
 * that was left behind, or was copied with its folder, is not followed.
 * @throws Fault("storage") for what is no regular file of ours
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

/** Whether a living process holds this very folder, and not the one that it was copied from. */
function isServed(stateDir: string): Promise<boolean> {
  return isLocked(join(stateDir, LOCK_FILE));
}

/** A lease on a sandbox that runs already; null when none does. Starts nothing. */
export async function joinSandbox(home: Home): Promise<LeasedSandbox | null> {
  return await joinSandboxAt(sandboxStateDir(home));
}

/**
 * The same for the sandbox of any state directory, such as one that "verdict serve" runs.
 * @throws Fault("usage") for one without its administrative plane
 */
export async function joinSandboxAt(stateDir: string): Promise<LeasedSandbox | null> {
  const endpoint = await readEndpoint(stateDir);
  if (endpoint === null) return null;
  if (endpoint.adminPort === 0) {
    throw new Fault(
      "usage",
      `The sandbox of ${stateDir} runs without its administrative plane; start it with --admin-port.`,
    );
  }
  const admin = createSandboxAdmin(endpoint);
  try {
    return { endpoint, admin, lease: await admin.lease() };
  } catch {
    // Its process is going, or another program has its port and could not prove what it claims.
    return null;
  }
}

/**
 * A lease on the home's sandbox, which is started where none runs and replaced where another version does.
 * @throws Fault("sandbox") when it does not come up within 15 s; Fault("interrupted") when the signal fires before
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
        throw new Fault("interrupted", "Stopped while the sandbox was starting.");
      }
      if (joined !== null) {
        if (joined.endpoint.version === launch.version) {
          for (const sentence of child?.complaints() ?? []) launch.onProblem(sentence);
          return joined;
        }
        // Several of this version may find the old one at once: only one of them is the first to end it.
        await endSandbox(joined).catch(() => undefined);
      } else if (child === null || child.isOver()) {
        // A child that lost the race to another one ends with 0; the winner's endpoint shows up, or the next child wins.
        if (child !== null && child.process.exitCode !== 0) throw childFault(stateDir, child);
        if (!(await isServed(stateDir))) child = await spawnSandbox(launch);
      }
      if (Date.now() > deadline) {
        // It would hold the folder for ever. What it has confirmed to anybody is on the disk.
        if (child?.isOver() === false) child.process.kill("SIGKILL");
        throw startFault(stateDir, `did not answer within ${START_LIMIT_MS / 1000} s`);
      }
      await delay(POLL_MS);
    }
  } finally {
    child?.process.stderr?.destroy();
  }
}

/** Drains and ends a sandbox, and waits until its process is gone: until then it may still write its files. */
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
  /** True once it has ended and all that it said is there. */
  isOver(): boolean;
  /** Its lines on standard error: damage of its state, and at last why it could not start. */
  complaints(): readonly string[];
}

async function spawnSandbox(launch: SandboxLaunch): Promise<Child> {
  // Not imported: most commands find a sandbox that runs.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const state = sandboxStateDir(launch.home);
  await withStorageFaults(state, () => ensureFolder(state, nodeFileSystem));
  const [command, ...first] = launch.executable;
  const args = [...first, "serve", "--embedded"];
  if (launch.ephemeral !== null) {
    args.push("--ephemeral", "--seed", String(launch.ephemeral.seed));
    args.push("--start-at", new Date(launch.ephemeral.startAt).toISOString());
    // Nobody waits for it in real time, so it may take the "few minutes" of the spec (4.3).
    args.push("--credential-delay", String(DEFAULT_CREDENTIAL_WAIT_S));
  }
  // Detached: in the terminal's process group it would die with the first Ctrl-C. It inherits no pipe, which would hang
  // `| cat`: the one that it complains into is its own, and is closed once it runs.
  const child = spawn(command!, args, {
    cwd: state,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...pick(launch.env, PASSED_ON), ...launch.home.environment },
  });
  let over = false;
  let said = "";
  child.on("error", () => void (over = true)).on("close", () => void (over = true));
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

/** What the child said, where it said something: its log may have no room for that. */
function childFault(stateDir: string, { process: { exitCode, signalCode }, complaints }: Child): Fault {
  const why = complaints().at(-1);
  if (why === undefined) return startFault(stateDir, `ended with ${exitCode ?? signalCode}`);
  return new Fault(
    exitCode === NOT_WRITTEN ? "storage" : "sandbox",
    `The embedded sandbox did not start: ${escapeText(why, COMPLAINT_LIMIT)}`,
  );
}

function startFault(stateDir: string, what: string): Fault {
  return new Fault("sandbox", `The embedded sandbox ${what}; its log is ${join(stateDir, "sandbox.log")}.`);
}
