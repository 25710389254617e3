// Parses typed sandbox commands: `clock +24h`, `faults 503 x5`, `restore before`. Pure.

import { Fault } from "#src/contract/fault.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { parseInstant } from "#src/contract/text/instant.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { faultText, readFault, type FaultOrder } from "#src/contract/wire/sandbox-fault.ts";
import { SNAPSHOT_NAME, type ClockChange, type MagicValue } from "#src/contract/wire/sandbox-wire.ts";
import { formatDuration, formatUtc } from "#src/display/time.ts";

export type SandboxCommand =
  | { readonly do: "clock"; readonly change: ClockChange }
  | { readonly do: "fault"; readonly order: FaultOrder }
  | { readonly do: "clear_faults" }
  /** Puts an order id that forces an answer into the composer. */
  | { readonly do: "order"; readonly prefix: string }
  | { readonly do: "snapshot"; readonly name: string }
  | { readonly do: "restore"; readonly name: string }
  | { readonly do: "reset"; readonly keepProjects: boolean };

/** A command in words: one that can be given as it stands, or the beginning of one. */
export interface CommandForm {
  /** What is typed; with a blank at its end something is still to be added. */
  readonly text: string;
  readonly label: string;
}

/** What a typed line means. */
export type CommandReading =
  | { readonly kind: "command"; readonly command: SandboxCommand; readonly label: string }
  /** A command whose argument is missing or wrong. */
  | { readonly kind: "unclear"; readonly problem: string };

/** What commands can name. */
export interface CommandWords {
  readonly magic: readonly MagicValue[];
  /** Names of snapshots, newest first. */
  readonly snapshots: readonly string[];
}

const WORDS = ["clock", "faults", "order", "snapshot", "restore", "reset"] as const;
type Word = (typeof WORDS)[number];

/** The newest snapshots that the palette offers. */
const SNAPSHOTS_OFFERED = 5;

/** Commands that are offered, in the order in which they are. */
export function commandForms({ magic, snapshots }: CommandWords): readonly CommandForm[] {
  const texts = [
    "clock +1h",
    "clock +24h",
    "clock freeze",
    "clock resume",
    "clock reset",
    "faults 503 x5",
    "faults slow 2s",
    "faults truncated x1",
    "faults clear",
    ...magic.map(({ prefix }) => `order ${prefix}`),
    ...snapshots.slice(0, SNAPSHOTS_OFFERED).map((name) => `restore ${name}`),
    "reset",
    "reset all",
  ];
  const forms = texts.flatMap((text): CommandForm[] => {
    const reading = readCommand(text, { magic, snapshots });
    return reading?.kind === "command" ? [{ text, label: reading.label }] : [];
  });
  const at = forms.findIndex(({ text }) => text.startsWith("restore ") || text === "reset");
  return forms.toSpliced(at, 0, { text: "snapshot ", label: "keep this state under a name" });
}

/** What a line means; null when it is no command at all. */
export function readCommand(line: string, words: CommandWords): CommandReading | null {
  const [first = "", ...rest] = line.trim().split(/\s+/);
  const word = WORDS.find((each) => each === first.toLowerCase());
  return word === undefined ? null : READ[word](rest, words);
}

const READ: Readonly<Record<Word, (rest: readonly string[], words: CommandWords) => CommandReading>> = {
  clock: ([argument, ...more]) => {
    const read = argument === undefined || more.length > 0 ? null : clockChange(argument);
    return (
      read ??
      unclear("clock takes +24h, freeze, resume, reset, or a date such as 2026-12-01 or 2026-12-01T12:00Z")
    );
  },
  faults: (rest) => faultCommand(rest),
  order([prefix, ...more], { magic }) {
    const value = more.length > 0 ? undefined : magic.find((each) => each.prefix === prefix);
    if (value === undefined) {
      return unclear(
        magic.length === 0
          ? "the sandbox knows no order ids that force an answer"
          : `order takes ${magic.map((each) => each.prefix).join(", ")}`,
      );
    }
    const label = `next order id: ${value.what.split(";")[0]!}`;
    return { kind: "command", command: { do: "order", prefix: value.prefix }, label };
  },
  snapshot([name, ...more], { snapshots }) {
    if (name === undefined || more.length > 0 || !SNAPSHOT_NAME.test(name)) {
      return unclear("snapshot takes a name of letters, digits, dots, dashes and underscores");
    }
    if (snapshots.includes(name)) return unclear(`there is a snapshot "${name}" already; take another name`);
    return {
      kind: "command",
      command: { do: "snapshot", name },
      label: `keep this state as "${name}"`,
    };
  },
  restore([name, ...more], { snapshots }) {
    if (name === undefined || more.length > 0 || !snapshots.includes(name)) {
      return unclear(
        snapshots.length === 0
          ? "there is no snapshot yet; type snapshot and a name to take a snapshot"
          : `restore takes ${snapshots
              .slice(0, SNAPSHOTS_OFFERED)
              .map((each) => `"${each}"`)
              .join(", ")}`,
      );
    }
    return {
      kind: "command",
      command: { do: "restore", name },
      label: `go back to the snapshot "${name}"`,
    };
  },
  reset([what, ...more]) {
    if (more.length > 0 || (what !== undefined && what !== "all"))
      return unclear("reset takes nothing, or all");
    const keepProjects = what === undefined;
    const label = keepProjects ? "forget counts and decisions" : "forget projects as well";
    return { kind: "command", command: { do: "reset", keepProjects }, label };
  },
};

function unclear(problem: string): CommandReading {
  return { kind: "unclear", problem };
}

function clockChange(argument: string): CommandReading | null {
  const of = (change: ClockChange, label: string): CommandReading => ({
    kind: "command",
    command: { do: "clock", change },
    label,
  });
  switch (argument) {
    case "freeze":
      return of({ do: "freeze" }, "the clock stands still");
    case "resume":
      return of({ do: "resume" }, "the clock goes on");
    case "reset":
      return of({ do: "reset" }, "the clock shows real time");
  }
  const byMs = argument.startsWith("+") ? parseDuration(argument.slice(1)) : null;
  if (byMs !== null && byMs > 0 && byMs <= FARTHEST_MS) {
    return of({ do: "advance", byMs }, `${formatDuration(byMs)} forward`);
  }
  const at = parseInstant(argument);
  return at === null ? null : of({ do: "set", at }, `the clock shows ${formatUtc(at)} UTC`);
}

/** A century: what is farther is a slip of the finger. */
const FARTHEST_MS: Milliseconds = 100 * 365 * 86_400_000;

const SLOW = "2s";

/** `503 x5`, `slow 2s`, `truncated x1`, `clear`: faults of checks; `x5` ends them after five. */
function faultCommand(rest: readonly string[]): CommandReading {
  if (rest.length === 1 && rest[0] === "clear") {
    return { kind: "command", command: { do: "clear_faults" }, label: "remove all injected faults" };
  }
  const times = rest.map((word) => /^x(\d{1,9})$/.exec(word)?.[1]).find((count) => count !== undefined);
  const [what, value, ...more] = rest.filter((word) => !/^x\d{1,9}$/.test(word));
  if (what === undefined || more.length > 0) {
    return unclear(
      "faults takes a status such as 503, slow 2s, truncated, garbage, timeout, reset, or clear",
    );
  }
  try {
    const slow = what === "slow";
    const order = readFault({
      on: "check",
      what: slow ? "latency" : what,
      value: slow ? (value ?? SLOW) : value,
      rate: undefined,
      count: times,
      retryAfter: undefined,
    });
    const label = `${faultText(order)}, ${whichChecks(order)}`;
    return { kind: "command", command: { do: "fault", order }, label };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return unclear(error.message.replace(/\.$/, ""));
  }
}

/** Which checks a fault meets: `the next 5 checks`. */
export function whichChecks({ count }: Pick<FaultOrder, "count">): string {
  if (count === null) return "every check";
  return count === 1 ? "the next check" : `the next ${count} checks`;
}
