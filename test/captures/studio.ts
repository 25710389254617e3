// Where pictures are taken: the built console in a terminal, in homes of its own, drawn in every size.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { drawSvg } from "./draw-svg.ts";

export const ESC = "\u001B";
export const ENTER = "\r";
export const TAB = "\t";
/** Empties the field. */
export const CLEAR = "\u0015";
export const WITH_FOOTER: RegExp = /help {3}q quit/;

const SIZES = [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
] as const;

/** A terminal that wrote nothing for this long has drawn what it had to. */
const QUIET_MS = 120;
/** A key that changes nothing is given up after this time. */
const PATIENCE_MS = 700;
const SEND_LIMIT_MS = 30_000;

export interface Home {
  readonly env: NodeJS.ProcessEnv;
  /** What a command that succeeds prints; `input` is what it reads. @throws when it fails */
  readonly verdict: (args: readonly string[], input?: string) => Promise<string>;
}

export interface LotOptions {
  /** Root of the project, built. */
  readonly root: string;
  /** Where the pictures go. */
  readonly pictures: string;
  /** File names of the pictures to draw; null for all. */
  readonly shown: ReadonlySet<string> | null;
  /** The screens are printed as text, too. */
  readonly asText: boolean;
}

/** What the groups of pictures share: a copy of the built program, and homes that are gone afterwards. */
export class Lot {
  /** For files of the groups' own. */
  readonly folder: string = mkdtempSync(join(tmpdir(), "verdict-captures-"));
  readonly #options: LotOptions;
  readonly #program: string;
  readonly #homes: Home[] = [];

  constructor(options: LotOptions) {
    this.#options = options;
    // A copy, so that a build in between changes nothing.
    this.#program = join(this.folder, "dist/verdict.mjs");
    cpSync(join(options.root, "dist"), join(this.folder, "dist"), { recursive: true });
  }

  /** A new home of this name. */
  homeOf(name: string): Home {
    const env: NodeJS.ProcessEnv = {
      PATH: process.env["PATH"],
      HOME: join(this.folder, name),
      VERDICT_HOME: join(this.folder, name, "verdict"),
      LANG: "C.UTF-8",
      TZ: "UTC",
    };
    mkdirSync(join(this.folder, name));
    const home: Home = {
      env,
      verdict: (args, input = "") => output([this.#program, ...args], env, input),
    };
    this.#homes.push(home);
    return home;
  }

  /** The console of a home; its pictures are named `group-…`. */
  open(home: Home, group: string, args: readonly string[] = []): Studio {
    const command = [process.execPath, this.#program];
    const terminal = openPseudoTerminal({ command, args, env: home.env, ...SIZES[1] });
    return new Studio(terminal, group, this.#options);
  }

  /** Ends what still runs and removes the homes. */
  async close(): Promise<void> {
    for (const home of this.#homes) await home.verdict(["sandbox", "stop"]).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A console that keys are pressed in and pictures are taken of. */
export class Studio {
  readonly #terminal: PseudoTerminal;
  readonly #group: string;
  readonly #options: Omit<LotOptions, "root">;

  constructor(terminal: PseudoTerminal, group: string, options: Omit<LotOptions, "root">) {
    this.#terminal = terminal;
    this.#group = group;
    this.#options = options;
  }

  until(condition: string | RegExp | ((screen: string) => boolean)): Promise<string> {
    return this.#terminal.until(condition);
  }

  /** Presses keys one after the other, each once the last one has been drawn. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const before = this.#terminal.written().length;
      this.#terminal.type(key);
      await this.#settled(before);
    }
  }

  /**
   * Presses Enter on Send until that has sent, which it does not soon after an outcome.
   * @throws with the screen when it never does
   */
  async send(seen: RegExp): Promise<void> {
    const limit = performance.now() + SEND_LIMIT_MS;
    while (!seen.test(this.#terminal.screen())) {
      if (performance.now() > limit) throw new Error(`Nothing was sent:\n${this.#terminal.screen()}`);
      this.#terminal.type(ENTER);
      // A rest between two presses, or the second is taken for a repetition.
      await delay(1_000);
    }
  }

  /** The screen in every size in which it is drawn, and in the usual one again afterwards. */
  async capture(name: string): Promise<void> {
    const group = this.#group;
    const { pictures, shown, asText } = this.#options;
    const drawn = SIZES.map((size) => ({
      ...size,
      file: `${group}-${name}-${size.columns}x${size.rows}`,
    })).filter(({ file }) => shown === null || shown.has(`${file}.svg`));
    for (const { columns, rows, file } of drawn) {
      await this.#resize(columns, rows);
      const title = `verdict, ${name}, ${group}, ${columns}x${rows}`;
      const svg = drawSvg(rows, columns, title, (row, column) => this.#terminal.cell(row, column));
      writeFileSync(join(pictures, `${file}.svg`), svg);
      if (asText) process.stdout.write(`\n== ${file}\n${this.#terminal.screen()}\n`);
    }
    if (drawn.length > 0) await this.#resize(SIZES[1].columns, SIZES[1].rows);
  }

  async leave(): Promise<void> {
    this.#terminal.type("\u0003");
    await this.ended();
  }

  async ended(): Promise<void> {
    await this.#terminal.exit;
    await this.#terminal.close();
  }

  async #resize(columns: number, rows: number): Promise<void> {
    const before = this.#terminal.written().length;
    this.#terminal.resize(columns, rows);
    await this.#settled(before);
  }

  /**
   * Something was written after `before`, or nothing will be; and then it is quiet, with the program waiting for
   * something else than the processor. A countdown writes once a second.
   */
  async #settled(before: number): Promise<void> {
    const from = Date.now();
    let last = before;
    const isOpen = (): boolean =>
      this.#terminal.written().length !== last ||
      (last === before && Date.now() - from < PATIENCE_MS) ||
      isBusy(this.#terminal.pid);
    while (isOpen()) {
      last = this.#terminal.written().length;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
  }
}

/** The process runs or waits for a processor; false where the system does not say. */
function isBusy(pid: number): boolean {
  try {
    // "pid (name) state …"
    return / [RD] /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/, "").slice(0, 3));
  } catch {
    return false;
  }
}

/** What a process prints that succeeds. */
function output(args: readonly string[], env: NodeJS.ProcessEnv, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    let printed = "";
    let complaint = "";
    child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
    child.stderr.on("data", (text: Buffer) => (complaint += text.toString()));
    child.on("error", reject);
    // What the sandbox keeps open stays open: the command has ended when it says so.
    child.on("exit", (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`verdict ${args.slice(1).join(" ")}: ${complaint}`)),
    );
    child.stdin.end(input);
  });
}

/** Builds the program. */
export function build(root: string): void {
  execFileSync(process.execPath, ["src/build/build.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
