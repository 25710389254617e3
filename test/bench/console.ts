// The console in a pseudo-terminal: how soon it is there, how soon a key is seen, and how much it writes for that.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openProjects } from "#src/storage/documents/projects.ts";
import { noDamage } from "../storage/no-damage.ts";
import { writeBulkHistory } from "./bulk-history.ts";
import { benchFilterKeys, benchHistoryScreen } from "./history-screen.ts";
import { compared, quantile, runProcess, time, type Row } from "./measure.ts";
import { cpuMs, Line } from "./terminal-line.ts";

/** Memory where there is some, for gigabytes: what is measured is the program. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const HISTORIES = [0, 1_000_000] as const;
const FILTERED = 100_000;
const STARTS = 15;
const KEYS = 120;
const TICKS = 6;
const IDLE_MS = 10_000;
/** In the first half minute after work V8 collects garbage twice more, for 40 ms of a processor each. */
const REST_MS = 30_000;
const ONE_WAY_MS = 100;

const TAB = "\t";
const BACKSPACE = "\u007F";

const ECHO =
  'process.stdin.setRawMode(true);process.stdin.on("data",(keys)=>keys[0]===3?process.exit():process.stdout.write(keys));process.stdout.write("ready")';

export async function* benchConsole(root: string): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(FOLDER, "verdict-bench-"));
  const program = join(root, "dist/verdict.mjs");
  const all = [...HISTORIES, FILTERED].map((count) => {
    const top = join(folder, `${count}`);
    return {
      count,
      top,
      env: { PATH: process.env["PATH"], HOME: folder, VERDICT_HOME: top, LANG: "C.UTF-8" },
    };
  });
  const homes = all.slice(0, HISTORIES.length);
  const [small] = homes;
  const nothing = (): Promise<void> => runProcess(process.execPath, ["-e", "0"], small!.env, [0]);
  const open = (env: NodeJS.ProcessEnv): Line => new Line(["--no-warnings", program], env);
  try {
    for (const { count, top, env } of all) {
      // Of a service that is not there: nothing but the console runs.
      for (const args of [
        ["profile", "add", "bench", "--base-url", "http://127.0.0.1:9"],
        ["profile", "use", "bench"],
      ]) {
        execFileSync(process.execPath, [program, ...args], { env, stdio: "ignore" });
      }
      await writeBulkHistory(
        join(top, "data"),
        count,
        { profile: "bench", project: "shop/medium" },
        Date.now(),
      );
    }
    yield* benchFirstFrame(homes, open, nothing);

    for (const { count, env } of homes) {
      const line = open(env);
      const echo = new Line(["-e", ECHO], env);
      await Promise.all([line.settled(), echo.text("ready")]);
      const bytes: number[] = [];
      const ours: number[] = [];
      const theirs: number[] = [];
      // From Send to the description, which has neither hint nor finding.
      for (let field = 0; field < 5; field += 1) await line.press(TAB);
      for (let key = 0; key < KEYS; key += 1) {
        const typed = key % 8 < 4 ? "x" : BACKSPACE;
        theirs.push((await echo.press("x")).ms);
        const drawn = await line.press(typed);
        ours.push(drawn.ms);
        bytes.push(drawn.bytes);
      }
      await Promise.all([line.end(), echo.end()]);
      const names = { yardstick: "node echo" };
      yield compared({ ...names, what: `key to frame, ${label(count)}`, budget: 20 }, ours, theirs);
      yield compared({ ...names, what: `key to frame p95, ${label(count)}`, budget: 45 }, ours, theirs, 0.95);
      yield amount("a typed key", bytes, 200);
    }
    yield* benchDistant(open, ["--no-warnings", program], small!.env);
    yield* benchQuiet(open, homes.at(-1)!, small!);
    yield* benchHistoryScreen(() => open(homes.at(-1)!.env));
    const { count, env } = all.at(-1)!;
    yield* benchFilterKeys(env, label(count));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface BenchHome {
  readonly count: number;
  readonly top: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The homes take turns, so that a busy machine slows all alike. */
async function* benchFirstFrame(
  homes: readonly BenchHome[],
  open: (env: NodeJS.ProcessEnv) => Line,
  nothing: () => Promise<void>,
): AsyncGenerator<Row> {
  const theirs: number[] = [];
  const times = homes.map(() => ({ frame: [] as number[], rows: [] as number[] }));
  for (let round = 0; round <= STARTS; round += 1) {
    theirs.push(await time(nothing));
    for (const [index, { count, env }] of homes.entries()) {
      const line = open(env);
      times[index]!.frame.push(await line.frame((text) => text.includes("Compose")));
      if (count > 0) times[index]!.rows.push(await line.frame((text) => text.includes(" of 500")));
      // It has to end by itself to keep its compiled code, which one that is still starting does not do in time.
      if (round === 0) await line.settled();
      await line.end();
    }
  }
  // The first round filled the caches.
  theirs.shift();
  for (const { frame, rows } of times) {
    frame.shift();
    rows.shift();
  }
  const names = { yardstick: "node -e 0", budget: 5.5 };
  for (const [index, { count }] of homes.entries()) {
    const { frame, rows } = times[index]!;
    yield compared({ ...names, what: `first frame, ${label(count)}` }, frame, theirs);
    if (count > 0) yield compared({ ...names, what: `first rows, ${label(count)}` }, rows, theirs);
  }
  const [empty, many] = [times[0]!.frame, times.at(-1)!.frame];
  const what = `first frame, ${label(homes.at(-1)!.count)}`;
  yield compared({ what, yardstick: "empty home", budget: 1.2 }, many, empty);
}

/** What a large window costs to close a page over it, and a slow line to type on. */
async function* benchDistant(
  open: (env: NodeJS.ProcessEnv) => Line,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): AsyncGenerator<Row> {
  const large = new Line(args, env, { cols: 200, rows: 60 });
  await large.settled();
  const erasedBefore = large.erased;
  // An overlay with the page still beside it, and a whole page, after which everything is drawn anew.
  const closing = { list: [] as number[], page: [] as number[] };
  for (let round = 0; round < 10; round += 1) {
    await large.press("P");
    closing.list.push((await large.press("\u001B")).bytes);
    await large.press("?");
    closing.page.push((await large.press("\u001B")).bytes);
  }
  yield amount("closing the list of projects at 200x60", closing.list, 2_500);
  yield amount("closing the help at 200x60", closing.page, 10_000);
  yield {
    what: "screens erased meanwhile",
    unit: "times",
    measured: large.erased - erasedBefore,
    budget: 0,
    rounds: closing.page.length,
  };
  await large.end();

  const [near, far] = [open(env), new Line(args, env, undefined, ONE_WAY_MS)];
  await Promise.all([near.settled(), far.settled()]);
  const times: { near: number; far: number }[] = [];
  for (const line of [near, far]) for (let field = 0; field < 5; field += 1) await line.press(TAB);
  for (let key = 0; key < KEYS / 4; key += 1) {
    const typed = key % 8 < 4 ? "x" : BACKSPACE;
    times.push({ near: (await near.press(typed)).ms, far: (await far.press(typed)).ms });
  }
  await Promise.all([near.end(), far.end()]);
  yield compared(
    { what: `key to frame over 2 x ${ONE_WAY_MS} ms`, yardstick: "key to frame and the line", budget: 1.1 },
    times.map((each) => each.far),
    times.map((each) => each.near + 2 * ONE_WAY_MS),
  );
}

/** Selection, idling, and a countdown. */
async function* benchQuiet(
  open: (env: NodeJS.ProcessEnv) => Line,
  large: BenchHome,
  small: BenchHome,
): AsyncGenerator<Row> {
  const line = open(large.env);
  await line.settled();
  // The first one gives the keys to the list, and moves nothing.
  await line.press("j");
  const moves: number[] = [];
  for (let move = 0; move < 40; move += 1) moves.push((await line.press(move % 20 < 10 ? "j" : "k")).bytes);
  yield amount("a move of the selection", moves, 500);

  await wait(REST_MS);
  const before = { bytes: line.bytes, cpu: cpuMs(line.pid) };
  await wait(IDLE_MS);
  yield { what: "idle for 10 s", unit: "bytes", measured: line.bytes - before.bytes, budget: 0, rounds: 1 };
  if (before.cpu !== null) {
    const share = ((cpuMs(line.pid)! - before.cpu) / IDLE_MS) * 100;
    yield { what: "idle, share of a processor", unit: "%", measured: share, budget: 0.5, rounds: 1 };
  }
  await line.end();

  await openProjects({ onProblem: noDamage, path: join(small.top, "data/projects.json") }).put({
    key: "shop/medium",
    profile: "bench",
    companyId: "company",
    merchantId: "shop",
    riskLevel: "medium",
    name: "Shop",
    description: null,
    currency: 980,
    state: "registered",
    startedAt: Date.now(),
    provenStartAt: null,
    serviceOffsetMs: 0,
    projectId: null,
  });
  const counting = open(small.env);
  await counting.settled();
  await counting.press("2");
  await counting.settled();
  const ticks: number[] = [];
  for (let tick = 0; tick < TICKS; tick += 1) ticks.push((await counting.press("")).bytes);
  await counting.end();
  // Big digits of three rows, the clock of a list, and how long the window is open.
  yield amount("a tick of a countdown", ticks, 400);
}

function label(count: number): string {
  return `${count.toLocaleString("en").replaceAll(",", " ")} entries`;
}

function amount(what: string, bytes: readonly number[], budget: number): Row {
  return {
    what: `bytes of ${what}`,
    unit: "bytes",
    measured: quantile(bytes, 0.5),
    budget,
    rounds: bytes.length,
  };
}
