// The administrative plane of the embedded sandbox, as those who started it see it. Through node:http, because a
// command that only asks for the panel need not pay the start of undici.

import { escapeText } from "#src/contract/escape-text.ts";
import type { Explanation } from "#src/contract/explanation.ts";
import { Fault } from "#src/contract/fault.ts";
import {
  ADMIN,
  type ClockChange,
  type ClockReading,
  type SandboxEndpoint,
  type SandboxPanel,
  type SandboxStatus,
} from "#src/contract/sandbox-wire.ts";
import { parseStrictJson } from "#src/contract/strict-json.ts";
import { JSON_MEDIA_TYPE } from "#src/contract/wire.ts";

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
  /** Resolves once the sandbox holds it. It does not keep this process alive. */
  lease(): Promise<Lease>;
  /** Resolves when the sandbox has agreed to drain and exit. */
  stop(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
/** A panel with thousands of projects, or an explanation with every rule. */
const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;

export function createSandboxAdmin(
  endpoint: Pick<SandboxEndpoint, "host" | "adminPort" | "adminToken">,
): SandboxAdmin {
  async function ask(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    const answer = await send(endpoint, method, path, body);
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
    lease: () => holdLease(endpoint),
    async stop() {
      const answer = await send(endpoint, "POST", ADMIN.stop);
      if (answer.status < 200 || answer.status >= 300) throw refused(answer.status, ADMIN.stop, answer.body);
    },
  };
}

type Target = Pick<SandboxEndpoint, "host" | "adminPort" | "adminToken">;

function open(
  target: Target,
  method: "GET" | "POST",
  path: string,
  headers: Record<string, string | number>,
) {
  return request({
    host: target.host,
    port: target.adminPort,
    method,
    path,
    headers: { authorization: `Bearer ${target.adminToken}`, ...headers },
    agent: false,
  });
}

function send(
  target: Target,
  method: "GET" | "POST",
  path: string,
  body?: object,
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
    const timer = setTimeout(() => give(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
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
  const why = messageOf(body) ?? `HTTP ${status}`;
  return new Fault(
    "sandbox",
    `The embedded sandbox refused ${escapeText(path, 80)}: ${escapeText(why, 300)}`,
  );
}

/** The readable text of an error answer; null where there is none. */
function messageOf(body: Buffer): string | null {
  try {
    const { value } = parseStrictJson(body);
    const message = typeof value === "object" && value !== null && "message" in value ? value.message : null;
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
}
