// A command of the user's own, from commands.yaml: a program that runs without a shell for the check that is shown.

import type { HistoryEntry } from "./history-entry.ts";
import type { Profile } from "./profile.ts";

export type OwnScreen = (typeof OWN_SCREENS)[number];

export interface OwnCommand {
  readonly name: string;
  /** As written: `F6`, `b`. */
  readonly key: string;
  readonly label: string;
  /** Program and arguments as written, with placeholders. */
  readonly run: readonly string[];
  readonly on: readonly OwnScreen[];
  readonly sends: boolean;
  /** Stays on what the program printed until a key. */
  readonly wait: boolean;
}

export interface CommandField {
  readonly kind: "text" | "arguments" | "screens" | "flag";
  readonly about: string;
  readonly default?: unknown;
}

export const OWN_SCREENS = ["check", "history"] as const;

/** The format of a command in commands.yaml; what has no default must be there. */
export const COMMAND_FIELDS: Readonly<Record<Exclude<keyof OwnCommand, "name">, CommandField>> = {
  key: { kind: "text", about: "the key that runs it, such as f6" },
  label: { kind: "text", about: "what it does, in a word or two" },
  run: { kind: "arguments", about: "the program and its arguments, as a list" },
  on: { kind: "screens", about: "where it works", default: OWN_SCREENS },
  sends: { kind: "flag", about: "whether it sends anything", default: false },
  wait: { kind: "flag", about: "whether a key is awaited at its end", default: true },
};

/** What a command is run for: the entry that is shown, or null, and the profile in use. */
export interface Subject {
  readonly entry: HistoryEntry | null;
  readonly profile: Profile;
}

/** None is secret or personal: other accounts of a machine can list the arguments of programs. */
export const PLACEHOLDERS: Readonly<
  Record<string, (subject: Subject) => string | number | null | undefined>
> = {
  id: ({ entry }) => entry?.id,
  order_id: ({ entry }) => entry?.request.order_id,
  decision_id: ({ entry }) => entry?.result?.decisionId,
  project: ({ entry }) => entry?.project,
  operation: ({ entry }) => entry?.request.operation,
  amount: ({ entry }) => entry?.request.amount,
  currency: ({ entry }) => entry?.request.currency,
  recommendation: ({ entry }) => entry?.result?.recommendation,
  final_action: ({ entry }) => entry?.finalAction,
  profile: ({ entry, profile }) => entry?.profile ?? profile.name,
  // That of another profile is not known here.
  base_url: ({ entry, profile }) =>
    (entry?.profile ?? profile.name) === profile.name ? profile.baseUrl : null,
};

/** A doubled brace, which stands for one, a placeholder, or a brace too many. */
const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/** The names of the placeholders in an argument; a brace too many is among them. */
export function placeholdersIn(argument: string): readonly string[] {
  const tokens = Array.from(argument.matchAll(TOKEN), ([token, name]) => name ?? token);
  return tokens.filter((name) => name !== "{{" && name !== "}}");
}

/**
 * An argument with each value in its place, exactly as it is.
 * @throws RangeError with a sentence for a value that is missing, or that no program may be given
 */
export function fillArgument(argument: string, subject: Subject): string {
  return argument.replaceAll(TOKEN, (token, name: string | undefined, at: number) => {
    if (name === undefined) return token[0]!;
    const value = String(PLACEHOLDERS[name]!(subject) ?? "");
    if (value === "") throw new RangeError(`There is no ${token} here.`);
    // A lone surrogate would arrive as another character.
    if (/\p{Cc}/u.test(value) || !value.isWellFormed())
      throw new RangeError(`The ${token} has a control character, so no program is given it.`);
    if (at === 0 && value.startsWith("-"))
      throw new RangeError(
        `The ${token} begins with "-", as an option does; put a text before it: --id=${token}.`,
      );
    return value;
  });
}
