// Clients of several workers: each check is signed anew and sent to the next worker until one has answered it.

import { Agent, request as httpRequest } from "node:http";
import { performance } from "node:perf_hooks";
import { HEADER, type CheckRequest, type ErrorBody } from "#src/contract/wire/wire.ts";
import { UNKNOWN_DECISION } from "#src/sandbox/service/call-route.ts";
import type { Identity } from "#src/signing/sign.ts";
import { signedCall, type Sending } from "../../sandbox/sandbox-under-test.ts";

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly ms: number;
}

/** One check that was answered in the end. */
export interface Answered {
  readonly check: CheckRequest;
  /** As it was answered; the same bytes again are a replay. */
  readonly sent: Sending;
  readonly reply: Reply;
  readonly decisionId: string;
  /** Whether it was sent before and not answered. */
  readonly refused: boolean;
}

/** What clients met on the way. */
export interface Met {
  /** Answers by status. */
  readonly statuses: Map<number, number>;
  /** What refusals said. */
  readonly refusals: Set<string>;
  /** Connections that ended without an answer. */
  cut: number;
  /** Waits for a refusal, in ms: the longest. */
  slowestRefusalMs: number;
}

export function nothingMet(): Met {
  return { statuses: new Map(), refusals: new Set(), cut: 0, slowestRefusalMs: 0 };
}

const agent = new Agent({ keepAlive: true });

/** Sends on a kept connection. Rejects when the connection ends without an answer. */
export async function post(port: number, { path, headers = {}, body }: Sending): Promise<Reply> {
  const began = performance.now();
  return await new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, method: "POST", path, headers: headers as Record<string, string>, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("error", reject).on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const { statusCode: status = 0, headers: given } = response;
          resolve({ status, text, headers: given, ms: performance.now() - began });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** A signed check; with `at` it carries its virtual time. */
export function signedCheck(port: number, project: Identity, check: CheckRequest, at?: number): Sending {
  const sent = signedCall(port, "check", project, check);
  if (at === undefined) return sent;
  return { ...sent, headers: { ...sent.headers, [HEADER.virtualTime]: new Date(at).toISOString() } };
}

/**
 * Sends one check until it is answered, each time to the next worker.
 * @param ports of the workers now; they change while workers are started again
 * @throws Error for another answer than a decision, 503, and one that says the decision is unknown: it may never happen
 */
export async function untilAnswered(
  ports: () => readonly number[],
  project: Identity,
  check: CheckRequest,
  met: Met,
  options: { readonly first?: number; readonly at?: number; readonly giveUp?: () => boolean } = {},
): Promise<Answered | null> {
  let refused = false;
  for (let turn = options.first ?? 0; options.giveUp?.() !== true; turn += 1) {
    const all = ports();
    const port = all[turn % all.length];
    if (port !== undefined) {
      const sent = signedCheck(port, project, check, options.at);
      const reply = await post(port, sent).catch(() => null);
      if (reply === null) met.cut += 1;
      else {
        met.statuses.set(reply.status, (met.statuses.get(reply.status) ?? 0) + 1);
        if (reply.status === 200) return { check, sent, reply, decisionId: decisionOf(reply), refused };
        if (reply.status !== 503 && !isUnknown(reply)) throw new Error(`${reply.status} ${reply.text}`);
        met.refusals.add((JSON.parse(reply.text) as ErrorBody).message);
        met.slowestRefusalMs = Math.max(met.slowestRefusalMs, reply.ms);
      }
    }
    refused = true;
    await pause();
  }
  return null;
}

/** Asks until the server answers: one that syncs at each write may be silent for too long. */
export async function unrefused<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const reply = await ask();
    if (reply.status !== 503) return reply;
    await pause();
  }
}

/** Between two attempts, so that refused clients do not take the processors from what they wait for. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Whether it says that the check may have been decided. */
export function isUnknown({ status, text }: Pick<Reply, "status" | "text">): boolean {
  return status === 500 && text.includes(UNKNOWN_DECISION);
}

function decisionOf({ headers, text }: Reply): string {
  const id = headers[HEADER.decision];
  if (typeof id !== "string") throw new Error(`a success without a decision: ${text}`);
  return id;
}

/** Number of a decision: the order in which checks were counted. */
export function numberOf(decisionId: string): number {
  return Number(/^dec-(\d+)-/.exec(decisionId)?.[1]);
}

/** Checks of one card and payer; they differ by their orders. */
export function oneCard(order: string): CheckRequest {
  return {
    operation: "payment",
    order_id: order,
    amount: 12_000,
    currency: 980,
    terminal_id: "terminal-1",
    payer: { payer_ip: "203.0.113.10", email: "olena@example.com", payer_id: "payer-1" },
    card: {
      holder: "OLENA SAMPLE",
      bin_card: 411_111,
      cin_card: 42,
      expiration_month: 12,
      expiration_year: 40,
    },
  };
}

/** Checks of a crowd: its own card, payer and address for each number. */
export function oneOfMany(order: string, number: number): CheckRequest {
  const payer = { payer_ip: addressOf(number), email: `p${number}@example.com`, payer_id: `p-${number}` };
  const check = oneCard(order);
  return { ...check, payer, card: { ...check.card, bin_card: 400_000 + (number % 90_000) } };
}

function addressOf(number: number): string {
  return `198.51.${(number >> 8) & 255}.${number & 255}`;
}
