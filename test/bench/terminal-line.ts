// A program at the other end of a pseudo-terminal, as the bench watches it: how soon it answers, and how much it takes.

import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";

const SIZE = { cols: 80, rows: 24 };
/** What ends a frame: the terminal may show it now. The title of the window may follow. */
// oxlint-disable-next-line no-control-regex
const FRAME_END = /\u001B\[\?2026l(?:\u001B\[22;2t)?(?:\u001B\]2;[^\u0007]*\u0007)?\s*$/;
/** Nothing more comes after a frame that was not followed for this long. */
const QUIET_MS = 60;
/** The longest wait for anything that must come. */
const LIMIT_MS = 20_000;

/** Processor time that a process has taken, in ms; null where the system does not say. */
export function cpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    // In hundredths of a second on every Linux.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

/**
 * Memory of a process with all its threads that is its own or that it has mapped, in MB: now, and the most so far. Null
 * where the system does not say.
 */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)![1]);
    return { now: kib("VmRSS") / 1024, most: kib("VmHWM") / 1024 };
  } catch {
    return null;
  }
}

/** A program at the other end of a pseudo-terminal, without an emulator in between. */
export class Line {
  bytes = 0;
  readonly #child: ReturnType<typeof spawn>;
  readonly #delayMs: number;
  readonly #startedAt = performance.now();
  readonly #ended: Promise<unknown>;
  #text = "";
  #at = 0;
  #heard: () => void = () => undefined;

  /** @param delayMs how long each byte is under way, in either direction */
  constructor(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    size: { readonly cols: number; readonly rows: number } = SIZE,
    delayMs: number = 0,
  ) {
    this.#delayMs = delayMs;
    this.#child = spawn(process.execPath, [...args], { name: "xterm-256color", ...size, env });
    this.#ended = new Promise((resolve) => this.#child.onExit(resolve));
    this.#child.onData((data) =>
      this.#later(() => {
        this.#text += data;
        this.bytes += Buffer.byteLength(data);
        this.#at = performance.now();
        this.#heard();
      }),
    );
  }

  #later(deliver: () => void): void {
    if (this.#delayMs === 0) deliver();
    else setTimeout(deliver, this.#delayMs);
  }

  /** How often the whole screen was erased so far. */
  get erased(): number {
    return this.#text.split("\u001B[2J").length - 1;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Waits for a whole frame with which the condition holds. @returns ms since the start */
  async frame(condition: (text: string) => boolean): Promise<number> {
    await this.#until(() => condition(this.#text) && FRAME_END.test(this.#text));
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

  /** Presses a key and waits for nothing. */
  type(key: string): void {
    this.#child.write(key);
  }

  /** Presses a key, or waits for what comes by itself. @returns ms to the first bytes, and all that were written */
  async press(key: string): Promise<{ readonly ms: number; readonly bytes: number }> {
    const before = this.bytes;
    const from = performance.now();
    this.#later(() => this.#child.write(key));
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
