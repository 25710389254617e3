// Error codes that cannot be provoked on 127.0.0.1, and which of them may be tried again.

import { expect, test } from "vitest";
import { readFailure } from "#src/client/failure.ts";
import { retryDelayMs } from "#src/client/retry.ts";

const URL_HTTPS = new URL("https://risk.example.com/v1/check");

function unsent(code: string) {
  const cause = Object.assign(new Error("x"), { code });
  return readFailure(
    { kind: "failure", written: false, answering: false, cause, latencyMs: null },
    URL_HTTPS,
    "check",
  );
}

test.each([
  ["ENOTFOUND", "name_not_found", true],
  ["EAI_AGAIN", "name_not_found", true],
  ["ECONNREFUSED", "connect_refused", true],
  ["UND_ERR_CONNECT_TIMEOUT", "connect_timeout", true],
  ["EHOSTUNREACH", "unreachable", true],
  ["ENETUNREACH", "unreachable", true],
  ["CERT_HAS_EXPIRED", "tls_failed", false],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls_failed", false],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls_failed", false],
  ["ECONNRESET", "tls_failed", false],
  ["UND_ERR_DESTROYED", "connect_failed", false],
  ["UND_ERR_CLOSED", "connect_failed", false],
  ["UND_ERR_INVALID_ARG", "send_failed", false],
])("%s before a byte is %s", (code, reason, retryable) => {
  expect(unsent(code)).toMatchObject({ outcome: "not_sent", reason, retryable });
});

test("of several addresses tried, the first failure counts", () => {
  const cause = new AggregateError([Object.assign(new Error("x"), { code: "ECONNREFUSED" })]);
  const failure = { kind: "failure", written: false, answering: false, cause, latencyMs: null } as const;
  expect(readFailure(failure, URL_HTTPS, "check").reason).toBe("connect_refused");
});

test("after a byte nothing is tried again, whatever went wrong", () => {
  for (const code of ["ECONNRESET", "ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT", "EPIPE", "UND_ERR_SOCKET"]) {
    const cause = Object.assign(new Error("x"), { code });
    const failure = { kind: "failure", written: true, answering: false, cause, latencyMs: 1 } as const;
    expect(readFailure(failure, URL_HTTPS, "register")).toMatchObject({
      outcome: "unknown",
      retryable: false,
    });
  }
});

test("the waits before retries lie between 0.5 and 4 s", () => {
  const result = { outcome: "not_sent", httpStatus: null, retryAfterS: null } as const;
  expect(retryDelayMs("register", result, true, () => 0)).toBe(500);
  expect(retryDelayMs("register", result, true, () => 0.999999)).toBeCloseTo(4000, 0);
  expect(retryDelayMs("register", result, false, () => 0)).toBeNull();
});

test("only a check comes back, only where it is invited within 10 s", () => {
  const delay = (
    call: "check" | "register",
    outcome: "refused" | "unknown",
    httpStatus: number,
    retryAfterS: number | null,
  ) => retryDelayMs(call, { outcome, httpStatus, retryAfterS }, true, () => 0);
  expect(delay("check", "refused", 429, 10)).toBe(10_000);
  expect(delay("check", "refused", 429, 11)).toBeNull();
  expect(delay("check", "refused", 429, null)).toBeNull();
  expect(delay("check", "refused", 409, 1)).toBeNull();
  expect(delay("check", "unknown", 500, 1)).toBeNull();
  expect(delay("register", "refused", 503, 1)).toBeNull();
});
