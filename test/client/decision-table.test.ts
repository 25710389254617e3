// The table of outcomes, row by row: what each call makes of it, how often it is sent, and the exit code that it gets.

import { afterAll, beforeAll, expect, test } from "vitest";
import { exitOfCall, exitOfCheck } from "#src/cli/exit-code.ts";
import type { CallResult } from "#src/contract/wire/outcome.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import { homeOfTests, pointAt } from "../cli/in-process.ts";
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
  PASS,
  rawThenClose,
  stall,
  startHostileService,
  type HostileService,
} from "./hostile-service.ts";

type Outcome = CallResult["outcome"];

/** Outcome, requests that the service saw, exit code; then what the explanation must say. */
type Cell = readonly [outcome: Outcome, requests: number, exit: number, says: RegExp];

interface Row {
  readonly happens: string;
  /** What the service does, request by request; null where there is none. */
  readonly does: readonly Behaviour[] | null;
  readonly check: Cell;
  readonly register: Cell;
  readonly credential: Cell;
  /** Its deadline passes. The command line would wait for all of it: there the exit code is that of the outcome. */
  readonly isLate?: true;
}

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const BEHIND = { date: new Date(Date.now() - 3_600_000).toUTCString() };

const NEVER_TWICE = /do not send it again; the credential request shows whether it arrived/;
const USERS_ACT = /do not continue the payment; sending again makes a second check/;
const ASK_AGAIN = /ask for the credential again/;

const lost = (happens: string, does: Behaviour, isLate?: true): Row => ({
  happens,
  does: [does],
  check: ["unknown", 1, 6, USERS_ACT],
  register: ["unknown", 1, 6, NEVER_TWICE],
  credential: ["unknown", 1, 6, ASK_AGAIN],
  ...(isLate === undefined ? {} : { isLate }),
});

const everywhere = (happens: string, does: readonly Behaviour[], cell: Cell): Row => ({
  happens,
  does,
  check: cell,
  register: cell,
  credential: cell,
});

const TABLE: readonly Row[] = [
  {
    happens: "no connection before a byte was written",
    does: null,
    check: ["not_sent", 0, 4, /the connection was refused/],
    register: ["not_sent", 0, 4, /the connection was refused/],
    credential: ["not_sent", 0, 4, /the connection was refused/],
  },
  lost("cut after bytes were written", cut),
  lost("silence", stall, true),
  lost("truncated", rawThenClose(`${HEAD}content-length: 999\r\n\r\n${PASS}`)),
  lost("ended by the closing alone", rawThenClose(`${HEAD}\r\n${PASS}`)),
  lost("500", answer(500, PASS)),
  lost("502 with a time to come back", answer(502, "{}", { "retry-after": "1" })),
  lost("504", answer(504, "")),
  ...[408, 425, 429, 503].flatMap((status): Row[] => [
    {
      happens: `${status} with Retry-After 0`,
      does: [answer(status, "{}", { "retry-after": "0" }), answer(200, PASS)],
      check: ["answered", 2, 0, /recommends pass/],
      register: ["refused", 1, 5, /send again in 0 s/],
      credential: ["refused", 1, 5, /send again in 0 s/],
    },
    everywhere(
      `${status} with Retry-After 11`,
      [answer(status, "{}", { "retry-after": "11" })],
      ["refused", 1, 5, /send again in 11 s/],
    ),
    everywhere(
      `${status} without Retry-After`,
      [answer(status, "{}")],
      ["refused", 1, 5, /send again later/],
    ),
  ]),
  {
    happens: "503 again and again",
    does: [answer(503, "{}", { "retry-after": "0" })],
    check: ["refused", 3, 5, /HTTP 503/],
    register: ["refused", 1, 5, /HTTP 503/],
    credential: ["refused", 1, 5, /HTTP 503/],
  },
  everywhere("401", [answer(401, "{}")], ["refused", 1, 5, /check key, secret and signing recipe/]),
  everywhere(
    "401 with a clock that differs",
    [answer(401, "{}", BEHIND)],
    [
      "refused",
      1,
      5,
      /the clock of this machine is 36\d\d s ahead of the clock of the service, so set it and send again/,
    ],
  ),
  {
    happens: "403",
    does: [answer(403, "{}")],
    check: ["refused", 1, 5, /belongs to this project/],
    register: ["refused", 1, 5, /belongs to this company/],
    credential: ["refused", 1, 5, /belongs to this company/],
  },
  everywhere(
    "400 with fields",
    [answer(400, '{"error":"invalid_request","fields":[{"path":"amount","message":"is missing"}]}')],
    ["refused", 1, 5, /because amount is missing/],
  ),
  {
    happens: "404",
    does: [answer(404, '{"error":"credential_not_ready"}', { "retry-after": "3" })],
    check: ["refused", 1, 5, /check the address in the profile/],
    register: ["refused", 1, 5, /check the address in the profile/],
    credential: ["refused", 1, 5, /not ready, so ask again in 3 s/],
  },
  {
    happens: "409",
    does: [answer(409, '{"error":"project_exists"}')],
    check: ["refused", 1, 5, /HTTP 409/],
    register: ["refused", 1, 5, /the project exists, so go on to the credential request/],
    credential: ["refused", 1, 5, /HTTP 409/],
  },
  everywhere("410", [answer(410, "{}")], ["refused", 1, 5, /24 hours are over/]),
  ...[301, 302, 303, 307, 308].map((status) =>
    everywhere(
      `${status} to another place`,
      [answer(status, "", { location: "/elsewhere" }), answer(200, PASS)],
      ["refused", 1, 5, /a redirect is never followed, so correct the address in the profile/],
    ),
  ),
  {
    happens: "200 that is no well-formed success",
    does: [answer(200, '{"status":"error","code":"pass","message":"Come back later."}')],
    check: ["indeterminate", 1, 7, /does not count as a pass, so do not continue/],
    register: ["indeterminate", 1, 7, /ask for the credential to see whether the project exists/],
    credential: ["indeterminate", 1, 7, /ask again later/],
  },
  {
    happens: "201 with a success",
    does: [answer(201, PASS)],
    check: ["indeterminate", 1, 7, /HTTP status 201/],
    register: ["answered", 1, 0, /registered: fetch its credential next/],
    credential: ["indeterminate", 1, 7, /holds no credential: ask again later/],
  },
  everywhere("204", [rawThenClose("HTTP/1.1 204 No Content\r\n\r\n")], ["indeterminate", 1, 7, /not JSON/]),
];

const CALLS: readonly Call[] = ["check", "register", "credential"];
const CELLS = TABLE.flatMap((row) => CALLS.map((call) => ({ ...row, call, cell: row[call] })));

let service: HostileService;
const home = homeOfTests();
beforeAll(async () => {
  service = await startHostileService([]);
  await pointAt(home, service.url);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function closedAddress(): Promise<string> {
  await using gone = await startHostileService([]);
  return gone.url;
}

test.each(CELLS)("$happens: $call", async ({ does, call, cell, isLate }) => {
  const [outcome, requests, exit, says] = cell;
  service.play(...(does ?? []));
  await using called = clientFor(does === null ? await closedAddress() : service.url);
  const { client } = called;
  const calls = {
    check: () => client.check(CHECK, CREDENTIAL),
    register: () => client.register(REGISTRATION, KEY),
    credential: () => client.credential(CREDENTIAL_REQUEST, KEY),
  };
  const asked = async () => calls[call]();
  const result = await (isLate === true ? pastDeadline(asked, service) : asked());
  expect(result.outcome).toBe(outcome);
  expect(result.explanation).toMatch(says);
  expect(service.requests).toHaveLength(requests);
  expect(result.attempts).toBe(does === null ? 3 : requests);
  const nonces = service.requests.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(nonces).size).toBe(requests);
  if ("registered" in result) expect(result.registered).toBe(outcome === "answered");
  if ("recommendation" in result) {
    expect(result.recommendation).toBe(outcome === "answered" ? "pass" : null);
    expect(exitOfCheck(result, null)).toBe(exit);
  } else expect(exitOfCall(result, outcome === "answered")).toBe(exit);
  if (isLate === true || does === null) return;

  service.play(...does);
  // A merchant of its own for each: what is known of one must not decide about another.
  const merchant = `m-${CELLS.findIndex((other) => other.cell === cell && other.call === call)}-${call}`;
  const words: Readonly<Record<Call, readonly string[]>> = {
    check: [
      "check",
      "--set",
      "order_id=A-1",
      "--set",
      "amount=12000",
      "--set",
      "currency=980",
      "--set",
      "operation=payment",
    ],
    register: [
      "register",
      "--merchant-id",
      merchant,
      "--name",
      "M",
      "--currency",
      "UAH",
      "--risk-level",
      "low",
    ],
    credential: ["credential", "--merchant-id", merchant, "--risk-level", "low"],
  };
  const printed = await home.run(words[call]);
  expect(printed.code, printed.stdout + printed.stderr).toBe(exit);
  expect(service.requests).toHaveLength(requests);
  if (call === "check" && exit !== 0) expect(printed.stdout).not.toMatch(/(?<!NOT )PASS/);
  // 409, and whatever leaves the registration open, leads on to the credential request.
  const goesOn =
    outcome === "unknown" ||
    outcome === "indeterminate" ||
    outcome === "answered" ||
    /exists/.test(says.source);
  if (call === "register")
    expect(printed.stdout.includes("verdict project credential --merchant-id")).toBe(goesOn);
});
