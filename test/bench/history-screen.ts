// The History screen on a long history: its memory, what a filter adds to that, and how soon any place of it is shown.

import { setTimeout as wait } from "node:timers/promises";
import { quantile, type Row } from "./measure.ts";
import { cpuMs, memoryOf, type Line } from "./terminal-line.ts";

const JUMPS = 20;
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
