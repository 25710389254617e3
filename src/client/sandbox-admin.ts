// Client of the sandbox's administrative plane. It uses node:http, because undici would slow the start of short commands.

import type { OutgoingHttpHeaders } from "node:http";
import { urlToHttpOptions } from "node:url";
import { Fault, sandboxFault, whole } from "#src/contract/fault.ts";
import type { RuleSetFacts } from "#src/contract/records/rule-facts.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { FaultOrder, FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import {
  ADMIN,
  requireTenantName,
  type ClockChange,
  type ClockReading,
  type CompanyOrder,
  type JournalPage,
  type MagicListing,
  type ResetOrder,
  type RulesReading,
  type RulesText,
  type SandboxPanel,
  type SandboxStatus,
  type SnapshotFacts,
  type SnapshotOrder,
  type TenantCreated,
  type TenantFacts,
  type TenantListing,
  type TenantRequest,
  type WhatIf,
} from "#src/contract/wire/sandbox-wire.ts";
import {
  HEADER,
  JSON_MEDIA_TYPE,
  OLDEST_TLS,
  type CheckRequest,
  type ErrorBody,
} from "#src/contract/wire/wire.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";
import { connectProven } from "./proven-connection.ts";

/** Keeps the embedded sandbox running. A process that dies releases it with its socket. */
export interface Lease {
  /** False once the sandbox is gone, or the lease was closed. */
  isHeld(): boolean;
  close(): void;
}

export type SandboxAdmin = ReturnType<typeof createSandboxAdmin>;

const ADMIN_HOST = "127.0.0.1";
const TIMEOUT_MS = 5_000;
/** For snapshots, restores, resets and large rule files. */
const EXCHANGE_TIMEOUT_MS = 120_000;
/** Enough for a panel with thousands of projects. */
const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Every call rejects with Fault `sandbox` when the sandbox does not answer as declared.
 * @param place where the plane is
 * @param tenant whose part of the sandbox is meant; the default one when absent
 * @throws Fault `usage` for what is no name of a tenant
 */
export function createSandboxAdmin(place: LocalPlane | RemotePlane, tenant?: string) {
  if (tenant !== undefined) requireTenantName(tenant);
  const endpoint: Target = tenant === undefined ? { place } : { place, tenant };

  // The sandbox is the same version of this program, so the types of its answers are not validated.
  async function ask<A>(method: Method, path: string, body?: object, timeoutMs?: Milliseconds): Promise<A> {
    return read(path, await send(endpoint, method, path, body, timeoutMs)) as A;
  }

  /** Null for what is not there. */
  async function find<A>(method: Method, path: string, timeoutMs?: Milliseconds): Promise<A | null> {
    const answer = await send(endpoint, method, path, undefined, timeoutMs);
    return answer.status === 404 ? null : (read(path, answer) as A);
  }

  function read(path: string, { status, body }: Answer): unknown {
    if (status !== 200) throw refused(endpoint, status, path, body);
    return readJson(endpoint, body);
  }

  return {
    status: () => ask<SandboxStatus>("GET", ADMIN.status),
    panel: () => ask<SandboxPanel>("GET", ADMIN.panel),
    clock: () => ask<ClockReading>("GET", ADMIN.clock),
    changeClock: (change: ClockChange) => ask<ClockReading>("POST", ADMIN.clock, change),
    /** Why a check got its recommendation; null when the sandbox does not know the id. */
    decision: (id: string) => find<Explanation>("GET", `${ADMIN.decisions}/${encodeURIComponent(id)}`),
    /**
     * The answer that a check would get now, without effects.
     * @param options.flips also what would flip the decision, which costs some milliseconds
     * @throws Fault `bad_input` for a request that it would refuse
     */
    whatIf: (
      projectId: string,
      request: CheckRequest,
      { flips = false }: { readonly flips?: boolean } = {},
    ) =>
      ask<WhatIf>(
        "POST",
        `${ADMIN.whatIf}?project=${encodeURIComponent(projectId)}${flips ? "&flips=1" : ""}`,
        request,
      ),
    /** Order ids that force an answer. */
    magic: () => ask<MagicListing>("GET", ADMIN.magic),
    faults: async () => (await ask<Faults>("GET", ADMIN.faults)).faults,
    addFault: (order: FaultOrder) => ask<FaultReading>("POST", ADMIN.faults, order),
    /** Ends one fault, or all of them. @returns the remaining ones; null for an unknown id */
    clearFaults: async (id?: string) => {
      const path = id === undefined ? ADMIN.faults : `${ADMIN.faults}/${encodeURIComponent(id)}`;
      return (await find<Faults>("DELETE", path))?.faults ?? null;
    },
    /** The newest requests in ascending order; with `after` only those beyond that number. */
    journal: (limit: number, after = 0) =>
      ask<JournalPage>("GET", `${ADMIN.journal}?limit=${limit}&after=${after}`),
    rules: () => ask<RulesReading>("GET", ADMIN.rules),
    ruleFacts: () => ask<RuleSetFacts>("GET", ADMIN.ruleFacts),
    /** Reads the rule file again; its error is in `error`. */
    reloadRules: () => ask<RulesReading>("POST", ADMIN.reloadRules, undefined, EXCHANGE_TIMEOUT_MS),
    rulesText: () => ask<RulesText>("GET", ADMIN.rulesText),
    /**
     * @param name file name in messages; the sandbox's own file by default
     * @throws Fault `bad_input` with line and column for invalid rules; the active ones stay
     */
    saveRules: (text: string, name?: string) =>
      ask<RulesReading>("POST", ADMIN.rulesText, { text, name }, EXCHANGE_TIMEOUT_MS),
    /** Removes the rule file and returns to the starter rules. */
    removeRules: () => ask<RulesReading>("DELETE", ADMIN.rulesText),
    snapshots: async () => (await ask<Snapshots>("GET", ADMIN.snapshots)).snapshots,
    snapshot: (order: SnapshotOrder) =>
      ask<SnapshotFacts>("POST", ADMIN.snapshots, order, EXCHANGE_TIMEOUT_MS),
    restore: (order: SnapshotOrder) => ask<SnapshotFacts>("POST", ADMIN.restore, order, EXCHANGE_TIMEOUT_MS),
    reset: (order: ResetOrder) => ask<void>("POST", ADMIN.reset, order, EXCHANGE_TIMEOUT_MS),
    /** @returns all companies and keys of the tenant */
    addKey: (order: CompanyOrder) => ask<SandboxPanel>("POST", ADMIN.companies, order),
    tenants: () => ask<TenantListing>("GET", ADMIN.tenants),
    /** Null for an unknown name. */
    tenant: (name: string) => find<TenantFacts>("GET", tenantPath(name)),
    createTenant: (order: TenantRequest) =>
      ask<TenantCreated>("POST", ADMIN.tenants, order, EXCHANGE_TIMEOUT_MS),
    /** @returns false for an unknown name */
    removeTenant: async (name: string) =>
      (await find("DELETE", tenantPath(name), EXCHANGE_TIMEOUT_MS)) !== null,
    /** Resolves once the sandbox has accepted it. It does not keep this process alive. */
    lease: () => holdLease(endpoint),
    /** Resolves when the sandbox has agreed to drain and exit. Another version may answer in another way. */
    stop: async () => {
      const { status, body } = await send(endpoint, "POST", ADMIN.stop, undefined);
      if (status < 200 || status >= 300) throw refused(endpoint, status, ADMIN.stop, body);
    },
  };
}

function tenantPath(name: string): string {
  return `${ADMIN.tenants}/${encodeURIComponent(name)}`;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

type Method = "GET" | "POST" | "DELETE";

interface Faults {
  readonly faults: readonly FaultReading[];
}

interface Snapshots {
  readonly snapshots: readonly SnapshotFacts[];
}

/** A plane of this machine: its port, and the key of the proof required on each connection before the token is sent. */
interface LocalPlane extends ProofKey {
  readonly adminPort: number;
}

/** A plane behind TLS, whose certificate proves it. */
interface RemotePlane {
  readonly url: URL;
  readonly adminToken: string;
  /** Trusted authorities as PEM; null for the default ones. */
  readonly ca: readonly string[] | null;
}

interface Target {
  readonly place: LocalPlane | RemotePlane;
  readonly tenant?: string;
}

function open({ place, tenant }: Target, method: Method, path: string, content: OutgoingHttpHeaders) {
  const headers = {
    authorization: `Bearer ${place.adminToken}`,
    ...(tenant === undefined ? {} : { [HEADER.tenant]: tenant }),
    ...content,
  };
  if ("url" in place) {
    const { hostname, port } = urlToHttpOptions(place.url);
    return process.getBuiltinModule("node:https").request({
      hostname,
      port,
      method,
      path: `${place.url.pathname.replace(/\/+$/, "")}${path}`,
      headers,
      agent: false,
      minVersion: OLDEST_TLS,
      ...(place.ca === null ? {} : { ca: [...place.ca] }),
    });
  }
  // Not imported: an import reads every export of node:http, and one of them loads fetch (40 ms).
  return process.getBuiltinModule("node:http").request({
    host: ADMIN_HOST,
    port: place.adminPort,
    method,
    path,
    headers,
    createConnection: (_options, done) => {
      const plane = { host: ADMIN_HOST, port: place.adminPort, timeoutMs: TIMEOUT_MS };
      connectProven(place, plane, (error, socket) => done(error, socket!));
      return undefined;
    },
  });
}

function send(
  target: Target,
  method: Method,
  path: string,
  body: object | undefined,
  timeoutMs: Milliseconds = TIMEOUT_MS,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const content: OutgoingHttpHeaders =
      body === undefined
        ? {}
        : { "content-type": JSON_MEDIA_TYPE, "content-length": Buffer.byteLength(text) };
    const outgoing = open(target, method, path, content);
    const give = (error: Error): void => {
      clearTimeout(timer);
      outgoing.destroy();
      reject(unreachable(target, error.message));
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
      // Has no effect once the promise is resolved.
      reject(unreachable(target, error.message));
    });
    outgoing.on("response", (incoming) => {
      clearTimeout(timer);
      if (incoming.statusCode !== 200) {
        outgoing.destroy();
        reject(refused(target, incoming.statusCode ?? 0, ADMIN.lease));
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

function readJson(target: Target, body: Buffer): unknown {
  try {
    return parseStrictJson(body, { maxBytes: ANSWER_LIMIT_BYTES }).value;
  } catch (cause) {
    const { who, advice } = wordsFor(target);
    throw sandboxFault`${who} gave an answer that cannot be read; ${whole(advice)}.`.causedBy(cause);
  }
}

function unreachable(target: Target, why: string): Fault {
  const { who, advice } = wordsFor(target);
  return sandboxFault`${who} does not answer (${why}); ${whole(advice)}.`;
}

function wordsFor({ place }: Target): { readonly who: string; readonly advice: string } {
  return "url" in place
    ? {
        who: `The administrative plane at ${escapeText(place.url.href, 200)}`,
        advice: "check its address and certificate; --ca names an authority of its own",
      }
    : { who: "The sandbox", advice: "start the command again" };
}

function refused(target: Target, status: number, path: string, body: Buffer = Buffer.alloc(0)): Fault {
  const message = messageOf(body);
  // A 400 describes a mistake in the user's input.
  if (status === 400 && message !== null) return new Fault("bad_input", whole(escapeText(message, 500)));
  const why = message ?? `HTTP ${status}`;
  return sandboxFault`${wordsFor(target).who} refused ${path}: ${whole(escapeText(why, 300))}`;
}

/** The message of an error answer with that of its first field; null for none. */
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
