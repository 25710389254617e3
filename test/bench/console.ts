// The console in a pseudo-terminal: how soon it is there, how soon a key is seen, and how much it writes for that.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import { openProjects } from "#src/storage/projects.ts";
import { writeHistory } from "../captures/full-history.ts";
import { compared, quantile, runProcess, time, type Row } from "./measure.ts";

const SIZE = { cols: 80, rows: 24 } as const;
const HISTORIES = [10, 100_000] as const;
const STARTS = 15;
const KEYS = 120;
const TICKS = 6;
const IDLE_MS = 10_000;

/** What ends a frame: the terminal may show it now. */
const FRAME_END = "\u001B[?2026l";
/** Nothing more comes after a frame that was not followed for this long. */
const QUIET_MS = 60;
/** The longest wait for anything that must come. */
const LIMIT_MS = 20_000;
const TAB = "\t";
const ESC = "\u001B";
const BACKSPACE = "\u007F";

const ECHO =
  'process.stdin.setRawMode(true);process.stdin.on("data",(keys)=>keys[0]===3?process.exit():process.stdout.write(keys));process.stdout.write("ready")';

export async function* benchConsole(root: string): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const program = join(root, "dist/verdict.mjs");
  const homes = HISTORIES.map((count) => {
    const top = join(folder, `${count}`);
    return {
      count,
      top,
      env: { PATH: process.env["PATH"], HOME: folder, VERDICT_HOME: top, LANG: "C.UTF-8" },
    };
  });
  const [small] = homes;
  const nothing = (): Promise<void> => runProcess(process.execPath, ["-e", "0"], small!.env, [0]);
  const open = (env: NodeJS.ProcessEnv): Line => new Line(["--no-warnings", program], env);
  try {
    for (const { count, top, env } of homes) {
      // Of a service that is not there: nothing but the console runs.
      for (const args of [
        ["profile", "add", "bench", "--base-url", "http://127.0.0.1:9"],
        ["profile", "use", "bench"],
      ]) {
        execFileSync(process.execPath, [program, ...args], { env, stdio: "ignore" });
      }
      await writeHistory(
        join(top, "data/history"),
        count,
        { profile: "bench", project: "shop/medium" },
        Date.now(),
      );
    }
    for (const { count, env } of homes) {
      const ours: number[] = [];
      const shown: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round <= STARTS; round += 1) {
        theirs.push(await time(nothing));
        const line = open(env);
        ours.push(await line.frame((text) => text.includes("Compose")));
        shown.push(await line.frame((text) => text.includes(` of ${Math.min(500, count)}`)));
        await line.end();
      }
      // The first round filled the caches.
      for (const times of [ours, shown, theirs]) times.shift();
      const names = { yardstick: "node -e 0", budget: 5.5 };
      yield compared({ ...names, what: `first frame, ${label(count)}` }, ours, theirs);
      yield compared({ ...names, what: `first rows of the history, ${label(count)}` }, shown, theirs);
    }

    for (const { count, env } of homes) {
      const line = open(env);
      const echo = new Line(["-e", ECHO], env);
      await Promise.all([line.settled(), echo.text("ready")]);
      const bytes: number[] = [];
      const ours: number[] = [];
      const theirs: number[] = [];
      // From the first field to Send, and on to the description, which has neither hint nor finding.
      await line.press(ESC);
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
    yield* benchQuiet(open, homes.at(-1)!, small!);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface BenchHome {
  readonly top: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Selection, idling, and a countdown. */
async function* benchQuiet(
  open: (env: NodeJS.ProcessEnv) => Line,
  large: BenchHome,
  small: BenchHome,
): AsyncGenerator<Row> {
  const line = open(large.env);
  await line.settled();
  await line.press(ESC);
  const moves: number[] = [];
  for (let move = 0; move < 40; move += 1) moves.push((await line.press(move % 20 < 10 ? "j" : "k")).bytes);
  yield amount("a move of the selection", moves, 450);

  const before = { bytes: line.bytes, cpu: cpuMs(line.pid) };
  await wait(IDLE_MS);
  yield { what: "idle for 10 s", unit: "bytes", measured: line.bytes - before.bytes, budget: 0, rounds: 1 };
  if (before.cpu !== null) {
    const share = ((cpuMs(line.pid)! - before.cpu) / IDLE_MS) * 100;
    yield { what: "idle, share of a processor", unit: "%", measured: share, budget: 0.5, rounds: 1 };
  }
  await line.end();

  await openProjects({ path: join(small.top, "data/projects.json") }).put({
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
  await counting.press(ESC);
  await counting.press("2");
  await counting.settled();
  const ticks: number[] = [];
  for (let tick = 0; tick < TICKS; tick += 1) ticks.push((await counting.press("")).bytes);
  await counting.end();
  yield amount("a tick of a countdown", ticks, 130);
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

/** Processor time that a process has taken, in ms; null where the system does not say. */
function cpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    // In hundredths of a second on every Linux.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

/** A program at the other end of a pseudo-terminal, without an emulator in between. */
class Line {
  bytes = 0;
  readonly #child: ReturnType<typeof spawn>;
  readonly #startedAt = performance.now();
  readonly #ended: Promise<unknown>;
  #text = "";
  #at = 0;
  #heard: () => void = () => undefined;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [...args], { name: "xterm-256color", ...SIZE, env });
    this.#ended = new Promise((resolve) => this.#child.onExit(resolve));
    this.#child.onData((data) => {
      this.#text += data;
      this.bytes += Buffer.byteLength(data);
      this.#at = performance.now();
      this.#heard();
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Waits for a whole frame with which the condition holds. @returns ms since the start */
  async frame(condition: (text: string) => boolean): Promise<number> {
    await this.#until(() => condition(this.#text) && this.#text.trimEnd().endsWith(FRAME_END));
    return this.#at - this.#startedAt;
  }

  async text(wanted: string): Promise<void> {
    await this.#until(() => this.#text.includes(wanted));
  }

  /** Waits until nothing has been written for so long that all that was to be loaded is there. */
  async settled(): Promise<void> {
    await this.#until(() => this.#text !== "");
    // What was said in place of the footer goes after four seconds.
    for (const limit = performance.now() + 6_000; performance.now() < limit;) await wait(100);
  }

  /** Presses a key, or waits for what comes by itself. @returns ms to the first bytes, and all that were written */
  async press(key: string): Promise<{ readonly ms: number; readonly bytes: number }> {
    const before = this.bytes;
    const from = performance.now();
    this.#child.write(key);
    await this.#until(() => this.bytes > before);
    const ms = this.#at - from;
    while (performance.now() - this.#at < QUIET_MS) await wait(10);
    return { ms, bytes: this.bytes - before };
  }

  /** Ctrl-C: only a program that ends by itself keeps its compiled code. */
  async end(): Promise<void> {
    this.#child.write("\u0003");
    const killing = setTimeout(() => this.#child.kill("SIGKILL"), 2_000);
    await this.#ended;
    clearTimeout(killing);
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`It never came: ${JSON.stringify(this.#text.slice(-400))}`)),
        LIMIT_MS,
      );
      this.#heard = () => {
        if (!holds()) return;
        clearTimeout(timer);
        this.#heard = () => undefined;
        resolve();
      };
      this.#heard();
    });
  }
}
