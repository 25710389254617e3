// The History screen on a long history: its memory, what a filter adds to that, and how soon any place of it is shown.

import { setTimeout as wait } from "node:timers/promises";
import { openPseudoTerminal } from "../console/pty.ts";
import { quantile, type Row } from "./measure.ts";
import { cpuMs, memoryOf, type Line } from "./terminal-line.ts";

const JUMPS = 20;
const ROUNDS = 4;
/** A console that has taken less than this of a processor for so long has read what there is to read. */
const CALM = 0.02;
const CALM_MS = 1_500;
/** A search that reads a million entries takes seconds. */
const LIMIT_MS = 120_000;
/** Reads every entry, and what was learned about many of them. */
const READING = "email:*yamada* amount>100000 latency>200";
const OPENED_MB = 150;
const READING_MB = 200;

/** @param open a console on the history */
export async function* benchHistoryScreen(open: () => Line): AsyncGenerator<Row> {
  const line = open();
  await line.settled();
  await line.press("4");
  await calm(line);
  const opened = memoryOf(line.pid);
  if (opened !== null) yield memory("memory of the history", opened.most, OPENED_MB);
  yield* benchJumps(line);
  await filter(line, READING);
  const read = memoryOf(line.pid);
  if (read !== null) yield memory("memory while a filter reads", read.most, READING_MB);
  await line.end();
}

const BACKSPACE = "\u007F";
/** Keys of a filter that each list something else: numbers of a column, values by Tab, and a text in all that was sent. */
const FILTERS: readonly (readonly [first: string, keys: readonly string[], filters: readonly string[]])[] = [
  [
    "amount>",
    ["1", "0", "0", "0", "0", BACKSPACE, BACKSPACE, BACKSPACE],
    [1, 10, 100, 1_000, 10_000, 1_000, 100, 10].map((least) => `amount>${least}`),
  ],
  [
    "verdict:",
    Array.from({ length: 8 }, () => "\t"),
    ["pass", "block", "3ds_or_block", "indeterminate", "refused", "unknown", "not_sent", "pass"].map(
      (verdict) => `verdict:${verdict}`,
    ),
  ],
  [
    "k",
    ["o", "v", "a", "l", BACKSPACE, BACKSPACE, BACKSPACE],
    ["ko", "kov", "kova", "koval", "kova", "kov", "ko"],
  ],
];

/** How soon a key of a filter shows what that accepts, while the search of the key before may still go on. */
export async function* benchFilterKeys(env: NodeJS.ProcessEnv, count: string): AsyncGenerator<Row> {
  const terminal = openPseudoTerminal({ env });
  await terminal.until("Compose");
  await terminal.type("4").until(/1 of \S+ \S+, following/);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [first, keys, filters] of FILTERS) {
      await terminal.type("/").until("Enter accept");
      await terminal.type(first).until(`Filter ${first}`);
      for (const [index, key] of keys.entries()) {
        const from = performance.now();
        terminal.type(key);
        // The title has the filter that the rows below it have passed.
        await terminal.until(`· ${filters[index]!} `);
        times.push(performance.now() - from);
      }
      terminal.type("\u001b");
      await terminal.until((screen) => !screen.includes("History ·") && screen.includes("Enter open"));
    }
  }
  await terminal.close();
  const names = { unit: "ms", rounds: times.length } as const;
  yield { ...names, what: `key to filtered rows, ${count}`, measured: quantile(times, 0.5), budget: 100 };
  yield {
    ...names,
    what: `key to filtered rows p95, ${count}`,
    measured: quantile(times, 0.95),
    budget: 300,
  };
}

async function* benchJumps(line: Line): AsyncGenerator<Row> {
  const times: number[] = [];
  for (let jump = 0; jump < JUMPS; jump += 1) times.push((await line.press(jump % 2 === 0 ? "G" : "g")).ms);
  const names = { unit: "ms", budget: 50, rounds: times.length } as const;
  yield { what: "to the other end of the history", measured: quantile(times, 0.5), ...names };
}

/** Sets a filter and waits until it has looked at everything. */
async function filter(line: Line, text: string): Promise<void> {
  await line.press("/");
  await line.press(text);
  await line.press("\r");
  await calm(line);
}

/** Waits for the end of what is done without a word. */
async function calm(line: Line): Promise<void> {
  for (const limit = performance.now() + LIMIT_MS; performance.now() < limit;) {
    const before = cpuMs(line.pid);
    await wait(CALM_MS);
    const taken = before === null ? 0 : cpuMs(line.pid)! - before;
    if (taken / CALM_MS < CALM) return;
  }
  throw new Error("It never came to rest.");
}

/** The most of a process so far, all threads included. */
function memory(what: string, measured: number, budget: number): Row {
  return { what, unit: "MB", measured, budget, rounds: 1 };
}
