// Captures checks between an integration and its service: each with its time and the answer that it got, as lines of payloads.

import type { ActionContext } from "#src/actions/action-context.ts";
import { requireSendable } from "#src/actions/check/may-send.ts";
import { endpointUrl } from "#src/client/address.ts";
import { readFailure } from "#src/client/failure.ts";
import { readCheckAnswer } from "#src/client/read-answer.ts";
import { startRelay, type Endpoint, type SeenCheck } from "#src/client/relay.ts";
import type { NetworkSettings } from "#src/client/routes.ts";
import { Fault, whole } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { payloadOf } from "#src/contract/fields/payload.ts";
import { acceptedForms, type Profile } from "#src/contract/records/profile.ts";
import { parseStrictJson } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { NO_FACTS, type Outcome } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import {
  BODY_LIMIT_BYTES,
  type Call,
  type CheckRequest,
  ENDPOINTS,
  JSON_DEPTH_LIMIT,
} from "#src/contract/wire/wire.ts";
import { safeJson } from "#src/display/safe.ts";
import { openStandIns } from "#src/actions/rules/pseudonymise.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { openCapturedLines } from "./captured-lines.ts";

/** Time for calls that run at the end. */
const LAST_MS: Milliseconds = 10_000;

/** Why a check that was forwarded is not in the file. */
export type NotRecorded = "card_data" | "not_a_payment" | "too_large" | "no_room" | "not_written";

interface Unrecorded {
  readonly reason: NotRecorded;
  /** What a payload cannot hold. */
  readonly message?: string;
}

const TOO_LARGE: Unrecorded = { reason: "too_large" };

export interface CaptureInput {
  /** Loopback. */
  readonly host: string;
  readonly port: number;
  readonly out: string;
  /** Of a file, from which on another one is begun. */
  readonly maxBytes: number;
  readonly network: NetworkSettings;
  /** Stand-ins of people and cards; null to write payments as they are. */
  readonly standIns: { readonly keyFile: string; readonly ruleSet: RuleSet } | null;
}

/** What the service said of a check. */
interface CapturedAnswer {
  readonly outcome: Outcome;
  /** Null unless `outcome` is `answered`. */
  readonly verdict: Recommendation | null;
  /** Stable word for anything but a plain success. */
  readonly reason: string | null;
  readonly http_status: number | null;
  readonly latency_ms: number | null;
}

/** As `--events` writes it. */
export type CaptureEvent =
  | ({ readonly type: "check"; /** ISO 8601 */ readonly at: string } & CapturedAnswer)
  /** A check that was forwarded and is not in the file. */
  | ({ readonly type: "not_recorded" } & Unrecorded)
  /** Another call of the service. */
  | { readonly type: "other_call" }
  | { readonly type: "not_forwarded"; readonly http_status: number; readonly message: string }
  | { readonly type: "file"; readonly out: string }
  /** Nothing more is written; calls are forwarded as before. Told once. */
  | { readonly type: "problem"; readonly message: string };

export interface Capture {
  readonly port: number;
  /** The file that grows. */
  path(): string;
  /** Bytes of a line without an end that were cut off an existing file. */
  readonly cut: number;
  /** Ends it: running calls have ten seconds, and what was captured is written. */
  end(): Promise<void>;
}

/**
 * Forwards calls of the profile's service, and writes its checks.
 * @throws Fault("read_only" | "corrupt") for a profile through which nothing may be sent, Fault("usage") for a file that is not
 * ours or an address that is in use, Fault("storage"), and as `startRelay`
 */
export async function startCapture(
  { profile, now }: Pick<ActionContext, "profile" | "now">,
  input: CaptureInput,
  onEvent: (event: CaptureEvent) => void,
): Promise<Capture> {
  requireSendable(profile);
  const endpoints = (Object.keys(ENDPOINTS) as Call[]).map((call) => endpointOf(call, profile));
  const { standIns } = input;
  const standIn = standIns === null ? null : await openStandIns(standIns.keyFile, standIns.ruleSet);
  const file = await openCapturedLines(input.out, input.maxBytes, (out) => onEvent({ type: "file", out }));
  let last: Milliseconds = 0;
  let isBroken = false;

  function take({ at: time, body, exchange }: SeenCheck): void {
    const payment = body === null ? TOO_LARGE : readPayment(body, profile, time);
    if ("reason" in payment) return onEvent({ type: "not_recorded", ...payment });
    const answer = readAnswer(exchange, endpoints[0]!.url, profile);
    const at = new Date(time).toISOString();
    const tags = answer.verdict === null ? { tags: [answer.outcome] } : {};
    const line = `${safeJson({ at, ...tags, answer, request: standIn?.(payment) ?? payment })}\n`;
    if (Buffer.byteLength(line) > BODY_LIMIT_BYTES) return onEvent({ type: "not_recorded", ...TOO_LARGE });
    file.append(line, (isWritten) => {
      if (isWritten) return onEvent({ type: "check", at, ...answer });
      const problem = file.problem();
      if (problem !== null && !isBroken) onEvent({ type: "problem", message: problem.message });
      isBroken = problem !== null;
      onEvent({ type: "not_recorded", reason: isBroken ? "not_written" : "no_room" });
    });
  }

  try {
    const relay = await startRelay({
      ...input,
      endpoints,
      // A clock that is set back does not change the order of checks.
      now: () => (last = Math.max(last, now())),
      onCheck: take,
      onOther: () => onEvent({ type: "other_call" }),
      onNotForwarded: ({ status, why }) =>
        onEvent({ type: "not_forwarded", http_status: status, message: `The request ${why}.` }),
    });
    return {
      port: relay.port,
      path: () => file.path(),
      cut: file.cut,
      async end() {
        await relay.end(LAST_MS);
        // Checks that have just ended are taken in the next turn.
        await new Promise((resolve) => setImmediate(resolve));
        await file.close();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @throws Fault("not_sent") */
function endpointOf(call: Call, { baseUrl, projectsUrl }: Profile): Endpoint {
  const { host, path } = ENDPOINTS[call];
  const url = endpointUrl(host === "base" ? baseUrl : projectsUrl, path);
  if (url instanceof URL) return { call, url };
  throw new Fault("not_sent", whole(url.explanation));
}

/** The body of a check, read as a payload is read; card data goes nowhere but to the service. */
function readPayment(
  body: Buffer,
  { currencyNumbering }: Profile,
  now: Milliseconds,
): CheckRequest | Unrecorded {
  try {
    // One level less, because the line is an envelope around it.
    const { value, irregularNumbers } = parseStrictJson(body, {
      maxDepth: JSON_DEPTH_LIMIT - 1,
      bom: "refuse",
    });
    if (findCardData(value) !== null) return { reason: "card_data" };
    const inside = new Map(Array.from(irregularNumbers, ([path, token]) => [`request.${path}`, token]));
    const envelope = { value: { request: value }, irregularNumbers: inside };
    return payloadOf(envelope, "A check", [], now, currencyNumbering).request;
  } catch (error) {
    const message = error instanceof Fault ? error.message : "A check: its body is not strict JSON.";
    return { reason: "not_a_payment", message };
  }
}

/** Read fail-closed by the readers of the service's client. */
function readAnswer(exchange: SeenCheck["exchange"], url: URL, profile: Profile): CapturedAnswer {
  const latency_ms = exchange.latencyMs === null ? null : Math.round(exchange.latencyMs * 10) / 10;
  if (exchange.kind === "failure") {
    const { outcome, reason } = readFailure(exchange, url, "check");
    return { outcome, verdict: null, reason, http_status: null, latency_ms };
  }
  const terms = { recipe: profile.recipe, status: null, accepted: acceptedForms(profile) };
  const read = readCheckAnswer(exchange.answer, NO_FACTS, terms);
  const { outcome, reason, recommendation } = read;
  return { outcome, verdict: recommendation, reason, http_status: exchange.answer.status, latency_ms };
}
