// What becomes of a call when the other side is broken or hostile: outcome, reason, and how often it was sent.

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { CallResult } from "#src/contract/wire/outcome.ts";
import {
  CHECK,
  clientFor,
  CREDENTIAL,
  CREDENTIAL_REQUEST,
  KEY,
  pastDeadline,
  REGISTRATION,
} from "./calling.ts";
import {
  answer,
  type Behaviour,
  cut,
  drip,
  flood,
  PASS,
  raw,
  rawThenClose,
  stall,
  startHostileService,
} from "./hostile-service.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const NOW = Date.UTC(2026, 2, 16, 12);

interface Case {
  readonly name: string;
  readonly does: Behaviour;
  readonly outcome: CallResult["outcome"];
  readonly reason: string | null;
  readonly says: RegExp;
  readonly options?: Parameters<typeof clientFor>[1];
  /** Its deadline passes. */
  readonly isLate?: true;
  /** Slow, and the same for every call. */
  readonly once?: true;
}

const CASES: readonly Case[] = [
  {
    name: "a success",
    does: answer(200, PASS),
    outcome: "answered",
    reason: null,
    says: /recommends pass: continue/,
  },
  {
    name: "a chunked success",
    does: raw(`${HEAD}transfer-encoding: chunked\r\n\r\n${PASS.length.toString(16)}\r\n${PASS}\r\n0\r\n\r\n`),
    outcome: "answered",
    reason: null,
    says: /recommends pass/,
  },
  {
    name: "a success after an interim answer",
    does: raw(
      `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${HEAD}content-length: ${PASS.length}\r\n\r\n${PASS}`,
    ),
    outcome: "answered",
    reason: null,
    says: /recommends pass/,
  },
  ...[
    ["a 100", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["a 100 of HTTP/1.0 with headers", "HTTP/1.0 100 Continue\r\nserver: x\r\nconnection: close\r\n\r\n"],
    [
      "interim answers of every kind",
      `${"HTTP/1.1 100 Continue\r\n\r\n".repeat(3)}HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n`,
    ],
  ].flatMap(([name, interim]) => {
    const whole = `${interim}${HEAD}content-length: ${PASS.length}\r\n\r\n${PASS}`;
    const expected = { outcome: "answered", reason: null, says: /recommends pass/ } as const;
    return [
      { name: `a success after ${name}`, does: raw(whole), ...expected },
      { name: `a success after ${name}, byte by byte`, does: drip(whole), ...expected },
    ];
  }),
  {
    name: "a success in HTTP/1.0",
    does: rawThenClose(`HTTP/1.0 200 OK\r\n${HEAD.slice(17)}content-length: ${PASS.length}\r\n\r\n${PASS}`),
    outcome: "answered",
    reason: null,
    says: /recommends pass/,
  },
  ...["HTTP/2.0", "HTTP/2", "HTTP/3", "HTTP/1.2", "HTTP/0.9", "HTTP/9.9", "ICY", "http/1.1", "RTSP/1.0"].map(
    (version) => ({
      name: `a success in ${version}`,
      does: raw(`${version} 200 OK\r\n${HEAD.slice(17)}content-length: ${PASS.length}\r\n\r\n${PASS}`),
      outcome: "unknown" as const,
      reason: "garbage",
      says: /not HTTP that can be read/,
    }),
  ),
  {
    name: "a 100 alone, then the end",
    does: rawThenClose("HTTP/1.1 100 Continue\r\n\r\n"),
    outcome: "unknown",
    reason: "cut",
    says: /cut before an answer/,
  },
  {
    name: "reset before any header",
    does: cut,
    outcome: "unknown",
    reason: "cut",
    says: /cut before an answer/,
  },
  {
    name: "closed before any header",
    does: rawThenClose(""),
    outcome: "unknown",
    reason: "cut",
    says: /do not continue the payment; sending again makes a second check/,
  },
  {
    name: "closed inside the status line",
    does: rawThenClose("HTTP/1.1 20"),
    outcome: "unknown",
    reason: "cut",
    says: /do not continue the payment; sending again makes a second check/,
  },
  {
    name: "closed inside the headers",
    does: rawThenClose(`${HEAD}content-le`),
    outcome: "unknown",
    reason: "cut",
    says: /do not continue the payment; sending again makes a second check/,
  },
  {
    name: "closed before the body",
    does: rawThenClose(`${HEAD}content-length: ${PASS.length}\r\n\r\n`),
    outcome: "unknown",
    reason: "truncated",
    says: /ended too early/,
  },
  {
    name: "a body one byte short",
    does: rawThenClose(`${HEAD}content-length: ${PASS.length + 1}\r\n\r\n${PASS}`),
    outcome: "unknown",
    reason: "truncated",
    says: /ended too early/,
  },
  {
    name: "a chunked body without its end",
    does: rawThenClose(`${HEAD}transfer-encoding: chunked\r\n\r\n${PASS.length.toString(16)}\r\n${PASS}\r\n`),
    outcome: "unknown",
    reason: "truncated",
    says: /ended too early/,
  },
  {
    name: "a chunked body without its end on a connection that was to close",
    does: rawThenClose(`${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n40\r\n${PASS}`),
    outcome: "unknown",
    reason: "truncated",
    says: /ended too early/,
  },
  {
    name: "a body ended by the closing alone",
    does: rawThenClose(`${HEAD}\r\n${PASS}`),
    outcome: "unknown",
    reason: "unframed",
    says: /no Content-Length/,
  },
  {
    name: "a body ended by the closing alone, announced so",
    does: rawThenClose(`${HEAD}connection: close\r\n\r\n${PASS}`),
    outcome: "unknown",
    reason: "unframed",
    says: /no Content-Length/,
  },
  {
    name: "a refusal ended by the closing alone",
    does: rawThenClose(`HTTP/1.1 401 No\r\nconnection: close\r\n\r\n`),
    outcome: "unknown",
    reason: "unframed",
    says: /no Content-Length/,
  },
  {
    name: "cut after a complete answer",
    does: (socket, request) => {
      answer(200, PASS, { connection: "close" })(socket, request);
      socket.end();
    },
    outcome: "answered",
    reason: null,
    says: /recommends pass/,
  },
  {
    name: "a body shorter than what comes",
    does: answer(200, PASS, { "content-length": "10" }),
    outcome: "indeterminate",
    reason: "bad_json",
    says: /(?:is empty|is not valid JSON|ends inside its JSON)/,
  },
  { name: "silence", does: stall, outcome: "unknown", reason: "deadline", says: /in time/, isLate: true },
  {
    name: "silence longer than headers may take",
    does: stall,
    outcome: "unknown",
    reason: "headers_timeout",
    says: /no answer began/,
    options: { headersTimeoutMs: 200 },
    once: true,
  },
  {
    name: "silence in the middle of the body",
    does: raw(`${HEAD}content-length: ${PASS.length}\r\n\r\n{"status"`),
    outcome: "unknown",
    reason: "deadline",
    says: /in time/,
    isLate: true,
  },
  {
    name: "interim answers without end",
    does: flood("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"),
    outcome: "unknown",
    reason: "garbage",
    says: /only interim answers \(1xx\)/,
  },
  {
    name: "an interim answer without end",
    does: flood("x: y\r\n", "HTTP/1.1 100 Continue\r\n"),
    outcome: "unknown",
    reason: "garbage",
    says: /only interim answers \(1xx\)/,
  },
  {
    name: "a drip without end",
    does: drip(`${HEAD}content-length: 60000\r\n\r\n${PASS}${" ".repeat(50_000)}`),
    outcome: "unknown",
    reason: "deadline",
    says: /in time/,
    isLate: true,
  },
  {
    name: "garbage",
    does: raw("220 smtp ready\r\n"),
    outcome: "unknown",
    reason: "garbage",
    says: /not HTTP/,
  },
  {
    name: "two different lengths",
    does: raw(`${HEAD}content-length: 5\r\ncontent-length: 6\r\n\r\n${PASS}`),
    outcome: "unknown",
    reason: "garbage",
    says: /not HTTP/,
  },
  {
    name: "length and chunks at once",
    does: raw(`${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    outcome: "unknown",
    reason: "garbage",
    says: /not HTTP/,
  },
  {
    name: "headers without end",
    does: raw(`${HEAD}x: ${"y".repeat(100_000)}\r\n`),
    outcome: "unknown",
    reason: "garbage",
    says: /not HTTP/,
  },
  {
    name: "an unasked upgrade",
    does: raw("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    outcome: "unknown",
    reason: "garbage",
    says: /not HTTP that can be read/,
  },
  {
    name: "gzip",
    does: answer(200, gzipSync(PASS), { "content-encoding": "gzip" }),
    outcome: "indeterminate",
    reason: "encoded",
    says: /compressed/,
  },
  {
    name: "a claim of gzip",
    does: answer(200, PASS, { "content-encoding": "gzip" }),
    outcome: "indeterminate",
    reason: "encoded",
    says: /compressed/,
  },
  {
    name: "a duplicate key",
    does: answer(200, '{"status":"success","code":"block","code":"pass"}'),
    outcome: "indeterminate",
    reason: "bad_json",
    says: /names a member twice/,
  },
  {
    name: "a byte order mark",
    does: answer(200, `\ufeff${PASS}`),
    outcome: "indeterminate",
    reason: "bad_json",
    says: /byte order mark/,
  },
  {
    name: "invalid UTF-8",
    does: answer(200, Buffer.from(PASS.replace("Continue", "\xff"), "latin1")),
    outcome: "indeterminate",
    reason: "bad_json",
    says: /invalid utf8/,
  },
  {
    name: "an empty body",
    does: answer(200, ""),
    outcome: "indeterminate",
    reason: "bad_json",
    says: /(?:is empty|is not valid JSON|ends inside its JSON)/,
  },
  {
    name: "no content",
    does: raw("HTTP/1.1 204 No Content\r\n\r\n"),
    outcome: "indeterminate",
    reason: "wrong_media_type",
    says: /not JSON/,
  },
  {
    name: "a page",
    does: answer(200, PASS, { "content-type": "text/html" }),
    outcome: "indeterminate",
    reason: "wrong_media_type",
    says: /not JSON/,
  },
  {
    name: "no media type",
    does: answer(200, PASS, { "content-type": null }),
    outcome: "indeterminate",
    reason: "wrong_media_type",
    says: /not JSON/,
  },
  {
    name: "a body over the limit",
    does: answer(200, JSON.stringify({ status: "success", code: "pass", message: "x".repeat(66_000) })),
    outcome: "indeterminate",
    reason: "too_large",
    says: /longer than 64 KiB/,
  },
  {
    name: "a body without end",
    does: flood("x", `${HEAD}content-length: 10000000000\r\n\r\n`),
    outcome: "indeterminate",
    reason: "too_large",
    says: /longer than 64 KiB/,
  },
  {
    name: "created instead of OK",
    does: answer(201, PASS),
    outcome: "indeterminate",
    reason: "bad_http_status",
    says: /HTTP status 201/,
  },
  {
    name: "status error",
    does: answer(200, '{"status":"error","code":"pass"}'),
    outcome: "indeterminate",
    reason: "bad_status",
    says: /status "error"/,
  },
  {
    name: "a strange code",
    does: answer(200, '{"status":"success","code":"PASS"}'),
    outcome: "indeterminate",
    reason: "bad_code",
    says: /".*does not count as a pass/,
  },
  {
    name: "no code",
    does: answer(200, '{"status":"success"}'),
    outcome: "indeterminate",
    reason: "bad_code",
    says: /has no code/,
  },
  {
    name: "a redirect",
    does: answer(307, "", { location: "https://elsewhere.example/v1/check" }),
    outcome: "refused",
    reason: "redirect",
    says: /never followed/,
  },
  {
    name: "400 with fields",
    does: answer(
      400,
      '{"status":"error","error":"invalid_request","message":"m","fields":[{"path":"amount","message":"is not an integer"}]}',
    ),
    outcome: "refused",
    reason: "invalid_request",
    says: /because amount is not an integer/,
  },
  {
    name: "401 with a skewed clock",
    does: answer(401, '{"status":"error","error":"unauthorized"}', {
      date: new Date(NOW - 720_000).toUTCString(),
    }),
    outcome: "refused",
    reason: "unauthorized",
    says: /clock of this machine is 720 s ahead of the clock of the service/,
    options: { now: () => NOW },
  },
  {
    name: "403 in a shape of its own",
    does: answer(403, "<h1>Forbidden</h1>", { "content-type": "text/html" }),
    outcome: "refused",
    reason: "http_403",
    says: /belongs to this project/,
  },
  {
    name: "404 with hostile text",
    does: answer(404, '{"error":"\\u001b[2Jgone","message":"a\\u202eb"}'),
    outcome: "refused",
    reason: "http_404",
    says: /\\x1b\[2Jgone.*a\\u202eb/,
  },
  { name: "409", does: answer(409, "{}"), outcome: "refused", reason: "http_409", says: /HTTP 409/ },
  { name: "410", does: answer(410, "{}"), outcome: "refused", reason: "http_410", says: /panel/ },
  {
    name: "429 for long",
    does: answer(429, "{}", { "retry-after": "11" }),
    outcome: "refused",
    reason: "http_429",
    says: /in 11 s/,
  },
  {
    name: "429 without a time",
    does: answer(429, "{}"),
    outcome: "refused",
    reason: "http_429",
    says: /later/,
  },
  { name: "500", does: answer(500, PASS), outcome: "unknown", reason: "http_500", says: /HTTP 500/ },
  {
    name: "502",
    does: answer(502, "bad gateway"),
    outcome: "unknown",
    reason: "http_502",
    says: /do not continue the payment; sending again makes a second check/,
  },
  {
    name: "504",
    does: answer(504, ""),
    outcome: "unknown",
    reason: "http_504",
    says: /do not continue the payment; sending again makes a second check/,
  },
  {
    name: "a status of another world",
    does: answer(799, PASS),
    outcome: "unknown",
    reason: "http_799",
    says: /HTTP 799/,
  },
];

const TROUBLES = CASES.filter(({ outcome, once }) => outcome !== "answered" && !once);

test.each(CASES)("check: $name", async ({ does, outcome, reason, says, options, isLate }) => {
  await using service = await startHostileService([does]);
  await using called = clientFor(service.url, options);
  let firstBytes = 0;
  const call = () => called.client.check(CHECK, CREDENTIAL, { onFirstByte: () => (firstBytes += 1) });
  const result = await (isLate === true ? pastDeadline(call, service) : call());
  expect(result).toMatchObject({ outcome, reason, attempts: 1 });
  expect(result.explanation).toMatch(says);
  expect(result.explanation).toMatch(/^[A-Z][^\p{Cc}]*\.$/u);
  expect(result.recommendation).toBe(outcome === "answered" ? "pass" : null);
  expect(result.latencyMs).toBeGreaterThan(0);
  expect(service.requests).toHaveLength(1);
  expect(firstBytes).toBe(1);
  expect(called.waits).toEqual([]);
});

// A registration must never be sent twice once bytes were written: the same troubles, one request each.
test.each(TROUBLES)("register: $name is sent once", async ({ does, options, isLate }) => {
  await using service = await startHostileService([does]);
  await using called = clientFor(service.url, options);
  const call = () => called.client.register(REGISTRATION, KEY);
  const result = await (isLate === true ? pastDeadline(call, service) : call());
  expect(service.requests).toHaveLength(1);
  expect(result.attempts).toBe(1);
  expect(result.registered).toBe(result.outcome === "answered");
});

test.each(TROUBLES)("credential: $name gives no credential", async ({ does, options, isLate }) => {
  await using service = await startHostileService([does]);
  await using called = clientFor(service.url, options);
  const call = () => called.client.credential(CREDENTIAL_REQUEST, KEY);
  const result = await (isLate === true ? pastDeadline(call, service) : call());
  expect(service.requests).toHaveLength(1);
  expect(result.credential).toBeNull();
  expect(result.state).not.toBe("ready");
});
