// The administrative plane of the embedded sandbox, as those who started it see it. Through node:http, because a
// command that only asks for the panel need not pay the start of undici.

import { Fault } from "#src/contract/fault.ts";
import type { RuleSetFacts } from "#src/contract/records/rule-facts.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { FaultOrder, FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import {
  ADMIN,
  type ClockChange,
  type ClockReading,
  type JournalPage,
  type MagicListing,
  type ResetOrder,
  type RulesReading,
  type RulesText,
  type SandboxPanel,
  type SandboxStatus,
  type SnapshotFacts,
  type SnapshotOrder,
  type WhatIf,
} from "#src/contract/wire/sandbox-wire.ts";
import { JSON_MEDIA_TYPE, type CheckRequest, type ErrorBody } from "#src/contract/wire/wire.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";
import { connectProven } from "./proven-connection.ts";

// Not imported: that would read every export of node:http at once, and one of them loads a whole fetch (40 ms).
const { request } = process.getBuiltinModule("node:http");

/** A claim on the embedded sandbox: while one is held it stays. The kernel gives it up for a process that dies. */
export interface Lease {
  /** False once the sandbox is gone, or the lease was closed. */
  isHeld(): boolean;
  close(): void;
}

/** Every call rejects with Fault `sandbox` when the sandbox does not answer, or answers something else. */
export interface SandboxAdmin {
  status(): Promise<SandboxStatus>;
  panel(): Promise<SandboxPanel>;
  clock(): Promise<ClockReading>;
  changeClock(change: ClockChange): Promise<ClockReading>;
  /** Why a check got its recommendation; null when the sandbox does not know the id. */
  decision(id: string): Promise<Explanation | null>;
  /**
   * What the sandbox would answer to a check now; leaves no trace in it.
   * @param options.flips also what would flip the decision, which costs some milliseconds
   * @throws Fault `bad_input` for a request that it would refuse
   */
  whatIf(projectId: string, request: CheckRequest, options?: { readonly flips?: boolean }): Promise<WhatIf>;
  /** Order ids that force an answer. */
  magic(): Promise<MagicListing>;
  faults(): Promise<readonly FaultReading[]>;
  addFault(order: FaultOrder): Promise<FaultReading>;
  /** Ends one fault, or all of them. @returns those that are left; null when there is none of this id */
  clearFaults(id?: string): Promise<readonly FaultReading[] | null>;
  /** The newest requests, oldest of them first; with `after` only those beyond that number. */
  journal(limit: number, after?: number): Promise<JournalPage>;
  rules(): Promise<RulesReading>;
  /** What each rule asks and does. */
  ruleFacts(): Promise<RuleSetFacts>;
  /** Reads the rule file again; what is wrong with it is in `error`. */
  reloadRules(): Promise<RulesReading>;
  rulesText(): Promise<RulesText>;
  /**
   * @param name what messages call the text; the name of the sandbox's own file when absent
   * @throws Fault `bad_input` with line and column for wrong rules: then the old ones stay
   */
  saveRules(text: string, name?: string): Promise<RulesReading>;
  /** Removes the rule file: the starter rules decide again. */
  removeRules(): Promise<RulesReading>;
  snapshots(): Promise<readonly SnapshotFacts[]>;
  snapshot(order: SnapshotOrder): Promise<SnapshotFacts>;
  restore(order: SnapshotOrder): Promise<SnapshotFacts>;
  reset(order: ResetOrder): Promise<void>;
  /** Resolves once the sandbox holds it. It does not keep this process alive. */
  lease(): Promise<Lease>;
  /** Resolves when the sandbox has agreed to drain and exit. */
  stop(): Promise<void>;
}

/** The plane listens nowhere else, whatever the service does. */
const ADMIN_HOST = "127.0.0.1";
const TIMEOUT_MS = 5_000;
/** For what closes, packs and opens the whole state, or reads a rule file of a megabyte. */
const EXCHANGE_TIMEOUT_MS = 120_000;
/** A panel with thousands of projects, or an explanation with every rule. */
const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;

/** @param endpoint port of the plane, and what the sandbox proves itself by on each connection before the token leaves */
export function createSandboxAdmin(endpoint: Target): SandboxAdmin {
  async function ask(
    method: Method,
    path: string,
    body?: object,
    timeoutMs: Milliseconds = TIMEOUT_MS,
  ): Promise<unknown> {
    const answer = await send(endpoint, method, path, body, timeoutMs);
    if (answer.status < 200 || answer.status >= 300) throw refused(answer.status, path, answer.body);
    return readJson(answer.body);
  }

  return {
    // The sandbox is this program in this version, so its answers are taken as they are declared.
    status: async () => (await ask("GET", ADMIN.status)) as SandboxStatus,
    panel: async () => (await ask("GET", ADMIN.panel)) as SandboxPanel,
    clock: async () => (await ask("GET", ADMIN.clock)) as ClockReading,
    changeClock: async (change) => (await ask("POST", ADMIN.clock, change)) as ClockReading,
    async decision(id) {
      const path = `${ADMIN.decisions}/${encodeURIComponent(id)}`;
      const answer = await send(endpoint, "GET", path);
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw refused(answer.status, path, answer.body);
      return readJson(answer.body) as Explanation;
    },
    whatIf: async (projectId, request, { flips = false } = {}) => {
      const path = `${ADMIN.whatIf}?project=${encodeURIComponent(projectId)}${flips ? "&flips=1" : ""}`;
      return (await ask("POST", path, request)) as WhatIf;
    },
    magic: async () => (await ask("GET", ADMIN.magic)) as MagicListing,
    faults: async () => ((await ask("GET", ADMIN.faults)) as Faults).faults,
    addFault: async (order) => (await ask("POST", ADMIN.faults, order)) as FaultReading,
    async clearFaults(id) {
      const path = id === undefined ? ADMIN.faults : `${ADMIN.faults}/${encodeURIComponent(id)}`;
      const answer = await send(endpoint, "DELETE", path);
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw refused(answer.status, path, answer.body);
      return (readJson(answer.body) as Faults).faults;
    },
    journal: async (limit, after = 0) =>
      (await ask("GET", `${ADMIN.journal}?limit=${limit}&after=${after}`)) as JournalPage,
    rules: async () => (await ask("GET", ADMIN.rules)) as RulesReading,
    ruleFacts: async () => (await ask("GET", ADMIN.ruleFacts)) as RuleSetFacts,
    reloadRules: async () =>
      (await ask("POST", ADMIN.reloadRules, undefined, EXCHANGE_TIMEOUT_MS)) as RulesReading,
    rulesText: async () => (await ask("GET", ADMIN.rulesText)) as RulesText,
    saveRules: async (text, name) =>
      (await ask("POST", ADMIN.rulesText, { text, name }, EXCHANGE_TIMEOUT_MS)) as RulesReading,
    removeRules: async () => (await ask("DELETE", ADMIN.rulesText)) as RulesReading,
    snapshots: async () =>
      ((await ask("GET", ADMIN.snapshots)) as { snapshots: readonly SnapshotFacts[] }).snapshots,
    snapshot: async (order) =>
      (await ask("POST", ADMIN.snapshots, order, EXCHANGE_TIMEOUT_MS)) as SnapshotFacts,
    restore: async (order) => (await ask("POST", ADMIN.restore, order, EXCHANGE_TIMEOUT_MS)) as SnapshotFacts,
    async reset(order) {
      await ask("POST", ADMIN.reset, order, EXCHANGE_TIMEOUT_MS);
    },
    lease: () => holdLease(endpoint),
    async stop() {
      const answer = await send(endpoint, "POST", ADMIN.stop);
      if (answer.status < 200 || answer.status >= 300) throw refused(answer.status, ADMIN.stop, answer.body);
    },
  };
}

type Method = "GET" | "POST" | "DELETE";

interface Faults {
  readonly faults: readonly FaultReading[];
}

interface Target extends ProofKey {
  readonly adminPort: number;
}

function open(target: Target, method: Method, path: string, headers: Record<string, string | number>) {
  return request({
    host: ADMIN_HOST,
    port: target.adminPort,
    method,
    path,
    headers: { authorization: `Bearer ${target.adminToken}`, ...headers },
    createConnection: (_options, done) => {
      const plane = { host: ADMIN_HOST, port: target.adminPort, timeoutMs: TIMEOUT_MS };
      connectProven(target, plane, (error, socket) => done(error, socket!));
      return undefined;
    },
  });
}

function send(
  target: Target,
  method: Method,
  path: string,
  body?: object,
  timeoutMs: Milliseconds = TIMEOUT_MS,
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const content: Record<string, string | number> =
      body === undefined
        ? {}
        : { "content-type": JSON_MEDIA_TYPE, "content-length": Buffer.byteLength(text) };
    const outgoing = open(target, method, path, content);
    const give = (error: Error): void => {
      clearTimeout(timer);
      outgoing.destroy();
      reject(unreachable(error.message));
    };
    const timer = setTimeout(() => give(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    outgoing.on("error", give);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("error", give);
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > ANSWER_LIMIT_BYTES) give(new Error("its answer is too long"));
        else chunks.push(chunk);
      });
      incoming.on("end", () => {
        clearTimeout(timer);
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) });
      });
    });
    outgoing.end(text);
  });
}

function holdLease(target: Target): Promise<Lease> {
  return new Promise((resolve, reject) => {
    const outgoing = open(target, "GET", ADMIN.lease, {});
    const timer = setTimeout(() => outgoing.destroy(new Error("no answer")), TIMEOUT_MS);
    outgoing.on("error", (error) => {
      clearTimeout(timer);
      // After the promise is resolved this changes nothing: the lease is gone and the sandbox sees to itself.
      reject(unreachable(error.message));
    });
    outgoing.on("response", (incoming) => {
      clearTimeout(timer);
      if (incoming.statusCode !== 200) {
        outgoing.destroy();
        reject(refused(incoming.statusCode ?? 0, ADMIN.lease));
        return;
      }
      let held = true;
      incoming.on("error", () => undefined);
      incoming.on("close", () => void (held = false));
      incoming.resume();
      incoming.socket.unref();
      resolve({ isHeld: () => held, close: () => void outgoing.destroy() });
    });
    outgoing.end();
  });
}

function readJson(body: Buffer): unknown {
  try {
    return parseStrictJson(body, { maxBytes: ANSWER_LIMIT_BYTES }).value;
  } catch (cause) {
    throw new Fault(
      "sandbox",
      "The embedded sandbox gave an answer that cannot be read; start the command again.",
      {
        cause,
      },
    );
  }
}

function unreachable(why: string): Fault {
  return new Fault(
    "sandbox",
    `The embedded sandbox does not answer (${escapeText(why, 120)}); start the command again.`,
  );
}

function refused(status: number, path: string, body: Buffer = Buffer.alloc(0)): Fault {
  const message = messageOf(body);
  // What it found wrong with an order is a sentence for whoever gave the order.
  if (status === 400 && message !== null) return new Fault("bad_input", escapeText(message, 500));
  const why = message ?? `HTTP ${status}`;
  return new Fault(
    "sandbox",
    `The embedded sandbox refused ${escapeText(path, 80)}: ${escapeText(why, 300)}`,
  );
}

/** The readable text of an error answer, with what is wrong with the first field; null where there is none. */
function messageOf(body: Buffer): string | null {
  try {
    const { message, fields } = parseStrictJson(body).value as Partial<ErrorBody>;
    if (typeof message !== "string") return null;
    const wrong = fields?.[0]?.message;
    return typeof wrong === "string" ? `${message} ${wrong}` : message;
  } catch {
    return null;
  }
}
