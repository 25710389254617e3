// Exit codes. Fail closed: 0 of `verdict check` means a trustworthy pass.

import type { FaultCode } from "#src/contract/fault.ts";
import type { CallResult, CheckResult, Outcome } from "#src/contract/wire/outcome.ts";
import type { FinalAction } from "#src/contract/wire/recommendation.ts";

export const EXIT = {
  done: 0,
  ownFault: 1,
  usage: 2,
  credential: 3,
  notSent: 4,
  refused: 5,
  unknown: 6,
  indeterminate: 7,
  expectation: 8,
  block: 10,
  threeDs: 11,
  notWritten: 74,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** For `--help` and docs/reference: code and meaning, in order. */
export const EXIT_MEANINGS: readonly (readonly [string, string])[] = [
  ["0", "done; for check: pass"],
  ["1", "a fault of verdict itself"],
  ["2", "invalid usage, invalid input file, or console started without a terminal"],
  ["3", "credential missing, or vault locked"],
  ["4", "not sent (name, connection, TLS)"],
  ["5", "refused by the service (3xx, 4xx, 503)"],
  ["6", "outcome unknown: the request left, no trustworthy answer came; replay: an item has no verdict"],
  ["7", "indeterminate: an answer that is not one of the three recommendations"],
  [
    "8",
    "an expectation or a gate failed, such as more verdicts changed than allowed; check: a pass that was not expected; doctor: something needs attention",
  ],
  ["10", "check: block"],
  ["11", "check: 3ds_or_block (10 with --can-force-3ds no)"],
  ["74", "a file or the output could not be written; no file is left half-written"],
  ["129", "the terminal was closed (SIGHUP)"],
  ["130", "interrupted"],
  ["143", "ended by SIGTERM"],
];

/** The exit code of a command that a signal has interrupted: 128 and its number, as shells say it. */
export function exitOfSignal(exit: number, reason: unknown): number {
  if (exit !== EXIT.interrupted) return exit;
  return reason === "SIGHUP" ? 129 : reason === "SIGTERM" ? 143 : exit;
}

const OF_FAULT: Readonly<Record<FaultCode, ExitCode>> = {
  usage: EXIT.usage,
  bad_input: EXIT.usage,
  credential_missing: EXIT.credential,
  vault_locked: EXIT.credential,
  not_sent: EXIT.notSent,
  refused: EXIT.refused,
  storage: EXIT.notWritten,
  corrupt: EXIT.notWritten,
  sandbox: EXIT.notSent,
  read_only: EXIT.usage,
  interrupted: EXIT.interrupted,
};

const OF_OUTCOME: Readonly<Record<Exclude<Outcome, "answered">, ExitCode>> = {
  not_sent: EXIT.notSent,
  refused: EXIT.refused,
  unknown: EXIT.unknown,
  indeterminate: EXIT.indeterminate,
};

export function exitOfFault(code: FaultCode): ExitCode {
  return OF_FAULT[code];
}

/** For registration and credential: 0 only when the goal is reached. */
export function exitOfCall(result: CallResult, reached: boolean): ExitCode {
  if (reached) return EXIT.done;
  return result.outcome === "answered" ? EXIT.indeterminate : OF_OUTCOME[result.outcome];
}

/** For a check: 0 only for an answered call with the recommendation pass. */
export function exitOfCheck(result: CheckResult | null, action: FinalAction | null): ExitCode {
  if (result === null) return EXIT.unknown;
  if (result.outcome !== "answered") return OF_OUTCOME[result.outcome];
  switch (result.recommendation) {
    case "pass":
      return EXIT.done;
    case "block":
      return EXIT.block;
    case "3ds_or_block":
      return action === "block" ? EXIT.block : EXIT.threeDs;
    default:
      return EXIT.indeterminate;
  }
}
