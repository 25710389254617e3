// The types of a command: its row in the table, and a function from an invocation to an exit code.

import { resolve } from "node:path";
import type { Deck, DemoFrame, DemoOpening } from "#src/actions/sandbox/demo.ts";
import type { Context } from "#src/app/context.ts";
import type { Home } from "#src/app/home.ts";
import { usage } from "#src/contract/fault.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { parseInstant } from "#src/contract/text/instant.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Output } from "./output.ts";

export interface OptionSpec {
  /** In commander's notation, e.g. `--project <key>`; a repeatable one collects a list. */
  readonly flags: string;
  readonly help: string;
  readonly required?: boolean;
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
  /**
   * Its value names a file that is written: `data` what the command writes to standard output without the option, so
   * that `-` is the same; `file` something else, for which `-` is refused.
   */
  readonly writes?: "data" | "file";
  /** Variable of the environment that sets it where the command line does not; `true` for a flag. */
  readonly variable?: string;
}

export interface CommandSpec {
  readonly name: string;
  /** Other names, which work and are not listed: the plural, or an earlier name. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** In commander's notation with a help text each, e.g. `["[file]", "the payload; - for standard input"]`. */
  readonly arguments?: readonly (readonly [string, string])[];
  readonly options?: readonly OptionSpec[];
  /** Command line and its effect. */
  readonly examples?: readonly (readonly [string, string])[];
  /** One more paragraph below the options. */
  readonly notes?: string;
  /** Prints long texts to read, which are paged on a terminal. */
  readonly paged?: true;
  /** Asks a person on a terminal for its required options. */
  readonly asks?: true;
  readonly children?: readonly CommandSpec[];
  /** Loads its code; absent for a command with children only. */
  readonly load?: () => Promise<CommandRun>;
}

/** The key bindings of the console, for listing. */
export interface KeyTable {
  readonly rows: readonly KeyRow[];
  /** Why the user's own keys or commands were ignored, a sentence each; null when they are included. */
  readonly problem: string | null;
}

export interface KeyRow {
  /** Name of the binding for an override: `check.send`. */
  readonly id: string;
  /** Heading of the screen or scope. */
  readonly group: string;
  readonly label: string;
  /** In the syntax of the configuration: `ctrl+r`. */
  readonly keys: readonly string[];
  /** As shown: `Ctrl-R`. */
  readonly shown: readonly string[];
  /** The default keys, if the user has overridden them; else null. */
  readonly standard: readonly string[] | null;
}

export type StoryPage = (
  deck: Deck,
  frames: readonly DemoFrame[],
  options: { readonly notes: boolean },
) => Promise<string>;

export type CommandRun = (invocation: Invocation) => Promise<number>;

export interface Invocation {
  /** Positional arguments in the order of the specification; undefined for a missing optional one. */
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
  /** Opens the console on a profile, optionally with a deck only, until the user leaves it. */
  openConsole(profile: string, demo?: DemoOpening): Promise<number>;
  /** The key bindings of the console with the user's overrides. */
  keyTable(): Promise<KeyTable>;
  /** A deck with its frames as one file for a browser. */
  storyPage: StoryPage;
  /** The context of `--home` and `--profile`, or of the named profile; closed after the command. */
  context(profile?: string): Promise<Context>;
}

/** Parsed options, with typed access by name. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /** The same with other values over these. */
  with(values: Readonly<Record<string, unknown>>): Options {
    return new Options({ ...this.#values, ...values });
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

  /** The path of a file or folder, absolute. */
  path(name: string): string | undefined {
    const path = this.text(name);
    return path === undefined ? undefined : resolve(path);
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
      throw usage`${flag} takes a whole number from ${bounds.min} to ${bounds.max}, not "${text}".`;
    }
    return value;
  }

  /** A duration in seconds as text, to be validated elsewhere: `3m` is "180"; what has no unit stays as it is. */
  secondsText(name: string): string | undefined {
    const text = this.text(name);
    const ms = text === undefined ? null : parseDuration(text);
    return ms === null ? text : String(ms / 1000);
  }

  /**
   * A duration such as 30s or 3m, or a number of seconds, within bounds in whole seconds.
   * @throws Fault("usage") naming the option
   */
  seconds(name: string, flag: string, bounds: { min: number; max: number }): number | undefined {
    const text = this.secondsText(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= bounds.min && value <= bounds.max) return value;
    throw usage`${flag} takes whole seconds from ${bounds.min} to ${bounds.max}, or a duration such as 90s or 2m, not "${this.text(name)!}".`;
  }

  /**
   * A time in ISO 8601, in ms since the epoch.
   * @throws Fault("usage") naming the option
   */
  instant(name: string, flag: string): Milliseconds | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const at = parseInstant(text);
    if (at !== null) return at;
    throw usage`${flag} takes a time in ISO 8601, for example 2026-03-01T12:00:00Z, not "${text}".`;
  }
}
