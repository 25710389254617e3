// What a failed exchange means: sent or not, a stable word, and a sentence that says what to do.

import { escapeText } from "#src/contract/escape-text.ts";
import type { Call } from "#src/contract/wire.ts";
import type { Exchange } from "./exchange.ts";

/** Reasons with which a call's own signal is aborted. */
export const DEADLINE = Symbol("deadline");
export const CANCELLED = Symbol("cancelled");

export interface FailureReading {
  readonly outcome: "not_sent" | "unknown";
  readonly reason: string;
  readonly explanation: string;
  /** Only what happens before a byte is written, and only below TLS, may be tried again. */
  readonly retryable: boolean;
}

/** What people call the three requests. */
export const CALL_NAME: Readonly<Record<Call, string>> = {
  check: "check",
  register: "registration",
  credential: "credential request",
};

export function readFailure(
  failure: Extract<Exchange, { kind: "failure" }>,
  url: URL,
  call: Call,
): FailureReading {
  return failure.written ? unknownOutcome(failure, url, call) : notSent(failure.cause, url, call);
}

const CONNECT_FAILURES: ReadonlyMap<string, readonly [reason: string, what: string, advice: string]> =
  new Map([
    [
      "ENOTFOUND",
      ["name_not_found", "the name cannot be found", "check the address in the profile and the network"],
    ],
    ["EAI_AGAIN", ["name_not_found", "the name service does not answer", "check the network and send again"]],
    ["EAI_FAIL", ["name_not_found", "the name service failed", "check the network and send again"]],
    [
      "ECONNREFUSED",
      ["connect_refused", "nothing listens there", "check the address and that the service runs"],
    ],
    [
      "UND_ERR_CONNECT_TIMEOUT",
      ["connect_timeout", "the connection takes too long", "check the network and send again"],
    ],
    ["ETIMEDOUT", ["connect_timeout", "the connection takes too long", "check the network and send again"]],
    ["EHOSTUNREACH", ["unreachable", "there is no way to it", "check the network and send again"]],
    ["ENETUNREACH", ["unreachable", "there is no way to it", "check the network and send again"]],
    ["EHOSTDOWN", ["unreachable", "there is no way to it", "check the network and send again"]],
    ["ENETDOWN", ["unreachable", "the network is down", "check the network and send again"]],
    ["EADDRNOTAVAIL", ["unreachable", "there is no way to it", "check the network and send again"]],
  ]);

function notSent(cause: unknown, url: URL, call: Call): FailureReading {
  const name = CALL_NAME[call];
  const host = escapeText(url.host);
  const reading = (reason: string, what: string, advice: string, retryable = false): FailureReading => ({
    outcome: "not_sent",
    reason,
    explanation: `The ${name} was not sent to ${host}, because ${what}: ${advice}.`,
    retryable,
  });
  if (cause === DEADLINE)
    return reading("deadline", "its time was over before a connection was ready", "send again");
  if (cause === CANCELLED) return reading("cancelled", "it was cancelled", "send again when wanted");
  const code = errorCode(cause);
  const known = CONNECT_FAILURES.get(code);
  if (known !== undefined) return reading(...known, true);
  if (url.protocol === "https:" && !code.startsWith("UND_ERR_")) {
    return reading("tls_failed", `TLS failed (${escapeText(code, 60)})`, tlsAdvice(code));
  }
  const reset =
    code === "ECONNRESET" || code === "ECONNABORTED" || code === "EPIPE" || code === "UND_ERR_SOCKET";
  if (reset) return reading("connect_failed", "the connection was closed at once", "send again", true);
  return reading(
    "send_failed",
    `it could not be written (${escapeText(code, 60)})`,
    "report this with `verdict doctor`",
  );
}

function tlsAdvice(code: string): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return "check the local clock, then ask the service for a valid certificate";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "the certificate is for another name, so check the address in the profile";
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return "the issuer is not trusted here, so name its certificate with NODE_EXTRA_CA_CERTS";
    default:
      return "check that the address speaks https";
  }
}

/** What an unknown outcome asks for: the table of outcomes has one row for it, with a cell for each call. */
export const AFTER_UNKNOWN: Readonly<Record<Call, string>> = {
  check: "treat it as not pass, and send it again only if a second check of this payment is wanted",
  register: "do not send it again, the credential request will show whether it arrived",
  credential: "ask for the credential again",
};

function unknownOutcome(
  failure: Extract<Exchange, { kind: "failure" }>,
  url: URL,
  call: Call,
): FailureReading {
  const [reason, what] = writtenFailure(failure.cause, failure.answering);
  return {
    outcome: "unknown",
    reason,
    explanation: `The ${CALL_NAME[call]} left for ${escapeText(url.host)}, but ${what}, so its outcome is unknown: ${AFTER_UNKNOWN[call]}.`,
    retryable: false,
  };
}

function writtenFailure(cause: unknown, answering: boolean): readonly [reason: string, what: string] {
  if (cause === DEADLINE) return ["deadline", "no complete answer came in time"];
  if (cause === CANCELLED) return ["cancelled", "it was cancelled before a complete answer came"];
  const code = errorCode(cause);
  if (code === "UND_ERR_HEADERS_TIMEOUT") return ["headers_timeout", "no answer began in time"];
  // undici's parser errors carry a name and no code, and a parse that ends too early is one of them.
  const unparsable =
    cause instanceof Error && cause.name === "HTTPParserError" && !cause.message.includes("EOF");
  const misframed = code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" && !answering;
  if (unparsable || misframed || code === "UND_ERR_HEADERS_OVERFLOW") {
    return ["garbage", "the answer was not HTTP that can be read"];
  }
  return answering ? TRUNCATED : CUT;
}

const CUT = ["cut", "the connection was cut before an answer came"] as const;
const TRUNCATED = ["truncated", "the answer ended too early"] as const;

/** The code of an error, of the first error inside it, or its name. */
function errorCode(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  if (cause instanceof AggregateError && cause.errors.length > 0) return errorCode(cause.errors[0]);
  return cause.name;
}
