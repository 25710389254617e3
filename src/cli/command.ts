// What a command is: a row of the table, and a function that gets an invocation and returns an exit code.

import type { DemoOpening } from "#src/actions/sandbox/demo.ts";
import type { Context } from "#src/app/context.ts";
import type { Home } from "#src/app/home.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Output } from "./output.ts";

export interface OptionSpec {
  /** In commander's notation, e.g. `--project <key>`; a repeatable one collects a list. */
  readonly flags: string;
  readonly help: string;
  readonly required?: boolean;
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
}

export interface CommandSpec {
  readonly name: string;
  /** A name from earlier, which works and is not listed. */
  readonly formerName?: string;
  readonly summary: string;
  /** In commander's notation with a help text each, e.g. `["[file]", "the payload; - for standard input"]`. */
  readonly arguments?: readonly (readonly [string, string])[];
  readonly options?: readonly OptionSpec[];
  /** Command line and what it does. */
  readonly examples?: readonly (readonly [string, string])[];
  /** One more paragraph below the options. */
  readonly notes?: string;
  readonly children?: readonly CommandSpec[];
  /** Loads the code behind it; a command with children has none. */
  readonly load?: () => Promise<CommandRun>;
}

/** The keys of the console, as they are listed. */
export interface KeyTable {
  readonly rows: readonly KeyRow[];
  /** Why the user's own keys are not among them, as one sentence; null when they are. */
  readonly problem: string | null;
}

export interface KeyRow {
  /** `check.send`: what an override is written for. */
  readonly id: string;
  /** Where it works, as a heading. */
  readonly group: string;
  readonly label: string;
  /** As the configuration names them: `ctrl+r`. */
  readonly keys: readonly string[];
  /** As a person knows them: `Ctrl-R`. */
  readonly shown: readonly string[];
  /** The keys that the user has put others in place of; null where nothing was changed. */
  readonly standard: readonly string[] | null;
}

export type CommandRun = (invocation: Invocation) => Promise<number>;

export interface Invocation {
  /** Positional words in the order of the specification; undefined where an optional one is missing. */
  readonly args: readonly (string | undefined)[];
  readonly options: Options;
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly home: Home;
  /** node and the built program */
  readonly executable: readonly string[];
  /** Fires on Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** Opens the console on a profile, or nothing but a deck in it, and stays until the user leaves it. */
  openConsole(profile: string, demo?: DemoOpening): Promise<number>;
  /** The keys of the console, with the user's own ones. */
  keyTable(): Promise<KeyTable>;
  /** The context of `--home` and `--profile`; closed after the command. */
  context(): Promise<Context>;
}

/** Options as the parser leaves them, read by name with the type that is meant. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** True for `--no-<name>`. */
  negated(name: string): boolean {
    return this.#values[name] === false;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? (value as string[]) : [];
  }

  /**
   * A whole number within bounds.
   * @throws Fault("usage") naming the option
   */
  integer(name: string, flag: string, bounds: { min: number; max: number }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < bounds.min || value > bounds.max) {
      throw new Fault(
        "usage",
        `${flag} takes a whole number from ${bounds.min} to ${bounds.max}, not "${text}".`,
      );
    }
    return value;
  }
}
