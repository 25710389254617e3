// Interprets a failed exchange: outcome, stable reason and a sentence with the next step.

import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import type { Exchange } from "./exchange.ts";
import { UnexpectedServerError } from "./proven-connection.ts";
import { ProxyFault } from "./proxy.ts";
import { UnreadableAnswer } from "./status-line.ts";
import { tlsWords } from "./tls-words.ts";

/** Reasons with which a call's own signal is aborted. */
export const DEADLINE = Symbol("deadline");
export const CANCELLED = Symbol("cancelled");

export interface FailureReading {
  readonly outcome: "not_sent" | "unknown";
  readonly reason: string;
  readonly explanation: string;
  /** True only for failures before the first byte and below TLS. */
  readonly retryable: boolean;
}

/** Names of the three calls in sentences. */
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
  return failure.written ? unknownOutcome(failure, call) : notSent(failure.cause, url, call);
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
      ["connect_refused", "the connection was refused", "check the address and that the service runs"],
    ],
    [
      "UND_ERR_CONNECT_TIMEOUT",
      ["connect_timeout", "the connection takes too long", "check the network and send again"],
    ],
    ["ETIMEDOUT", ["connect_timeout", "the connection takes too long", "check the network and send again"]],
    ["EHOSTUNREACH", ["unreachable", "the host is unreachable", "check the network and send again"]],
    ["ENETUNREACH", ["unreachable", "the host is unreachable", "check the network and send again"]],
    ["EHOSTDOWN", ["unreachable", "the host is unreachable", "check the network and send again"]],
    ["ENETDOWN", ["unreachable", "the network is down", "check the network and send again"]],
    ["EADDRNOTAVAIL", ["unreachable", "the host is unreachable", "check the network and send again"]],
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
    return reading("deadline", "the timeout ended before a connection was ready", "send again");
  if (cause === CANCELLED) return reading("cancelled", "it was cancelled", "send again if you want");
  if (cause instanceof ProxyFault) return reading(...proxyFailure(cause));
  if (cause instanceof UnexpectedServerError) {
    return reading(
      "wrong_instance",
      "another program now uses the port of the embedded sandbox",
      "start the command again",
    );
  }
  const code = errorCode(cause);
  const known = CONNECT_FAILURES.get(code);
  if (known !== undefined) return reading(...known, true);
  if (url.protocol === "https:" && !code.startsWith("UND_ERR_")) {
    const { what, advice } = tlsWords(code);
    return reading("tls_failed", `${what} (${escapeText(code, 60)})`, advice);
  }
  const reset =
    code === "ECONNRESET" || code === "ECONNABORTED" || code === "EPIPE" || code === "UND_ERR_SOCKET";
  if (reset) return reading("connect_failed", "the connection was closed at once", "send again", true);
  // A restart of the service ended its connections.
  if (code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED") {
    return reading("connect_failed", "verdict closed the connection before it sent anything", "send again");
  }
  return reading(
    "send_failed",
    `verdict could not write the request (${escapeText(code, 60)})`,
    "report this, with the output of `verdict doctor`",
  );
}

const CONNECT_AND_SEND = "check the network and send again";

/** A failure at the proxy, before the service received anything. */
function proxyFailure({
  host,
  status,
  knowsUser,
  cause,
}: ProxyFault): readonly [reason: string, what: string, advice: string, retryable: boolean] {
  if (status === 407) {
    return knowsUser
      ? [
          "proxy_refused",
          `the proxy ${host} refuses the user name and password`,
          "correct them in HTTPS_PROXY",
          false,
        ]
      : [
          "proxy_refused",
          `the proxy ${host} asks for a user name and password`,
          "put them into HTTPS_PROXY",
          false,
        ];
  }
  if (status !== null && status >= 500) {
    const advice = "check the address in the profile and send again";
    return ["proxy_failed", `the proxy ${host} could not reach the service (HTTP ${status})`, advice, true];
  }
  if (status !== null) {
    const advice = "ask the administrator of the proxy to allow this host, or add the host to NO_PROXY";
    return [
      "proxy_refused",
      `the proxy ${host} refused the connection to the service (HTTP ${status})`,
      advice,
      false,
    ];
  }
  const code = errorCode(cause);
  const known = CONNECT_FAILURES.get(code);
  if (known !== undefined) {
    const [, what] = known;
    return [
      "proxy_unreachable",
      `the proxy ${host} cannot be reached (${what})`,
      "check HTTPS_PROXY and the network",
      true,
    ];
  }
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE") {
    return ["proxy_failed", `the proxy ${host} closed the connection`, CONNECT_AND_SEND, true];
  }
  if (code === "UND_ERR_HEADERS_TIMEOUT") {
    return ["proxy_failed", `the proxy ${host} does not answer`, CONNECT_AND_SEND, true];
  }
  const what = `the proxy ${host} cannot be used (${escapeText(code, 60)})`;
  return ["proxy_failed", what, "check its address in HTTPS_PROXY", false];
}

/** The next step after an unknown outcome, by call. */
export const AFTER_UNKNOWN: Readonly<Record<Call, string>> = {
  check: "do not continue the payment; sending again makes a second check",
  register: "do not send it again; the credential request shows whether it arrived",
  credential: "ask for the credential again",
};

function unknownOutcome(failure: Extract<Exchange, { kind: "failure" }>, call: Call): FailureReading {
  const [reason, what] = writtenFailure(failure.cause, failure.answering);
  return {
    outcome: "unknown",
    reason,
    explanation: `The ${CALL_NAME[call]} was sent, but ${what}: ${AFTER_UNKNOWN[call]}.`,
    retryable: false,
  };
}

function writtenFailure(cause: unknown, answering: boolean): readonly [reason: string, what: string] {
  if (cause === DEADLINE) return ["deadline", "no complete answer came in time"];
  if (cause === CANCELLED) return ["cancelled", "it was cancelled before a complete answer came"];
  if (cause instanceof UnreadableAnswer) return ["garbage", cause.message];
  const code = errorCode(cause);
  if (code === "UND_ERR_HEADERS_TIMEOUT") return ["headers_timeout", "no answer began in time"];
  // undici's parser errors have a name but no code; an early end of the answer is one of them.
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
