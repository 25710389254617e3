// A command of the user's own, from commands.yaml: a program that runs without a shell for the check that is shown.

import { hasHiddenCharacter } from "#src/contract/text/escape-text.ts";
import {
  anyText,
  checked,
  choice,
  flag,
  FORM,
  formed,
  list,
  map,
  named,
  or,
  text,
  type Of,
  type Shape,
} from "#src/contract/text/shape.ts";
import type { HistoryEntry } from "./history-entry.ts";
import type { Profile } from "./profile.ts";

export type OwnScreen = (typeof OWN_SCREENS)[number];

export const OWN_SCREENS = ["check", "history"] as const;

/** Names of commands. */
const COMMAND_NAME = formed(
  /^(?=.{1,40}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  "of small letters, digits and hyphens",
);

function words(description: string): Shape<string> {
  const form = "a plain text of at most 40 characters";
  return checked(anyText(description, { minLength: 1, maxLength: 40, [FORM]: form }), (value) =>
    hasHiddenCharacter(value) ? `must be ${form}` : null,
  );
}

const OWN_COMMAND = map(
  {
    key: words("the key that runs it, such as f6"),
    label: words("what it does, in a word or two"),
    /** As written, with placeholders. */
    run: list(text("a part of it"), "the program and its arguments, as a list", { minItems: 1 }),
    on: or(list(choice(OWN_SCREENS, "check or history"), "where it works"), OWN_SCREENS),
    sends: or(flag("whether it sends anything"), false),
    wait: or(flag("whether a key is awaited at its end"), true),
  },
  "a program that a key runs for the check that is shown",
);

/** The commands of commands.yaml, by name. */
export const OWN_COMMANDS = named(COMMAND_NAME, OWN_COMMAND, "Commands by name.");

export type OwnCommand = Of<typeof OWN_COMMAND> & { readonly name: string };

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

/** The environment variable with the value of a placeholder. */
export function variableOf(placeholder: string): string {
  return `VERDICT_${placeholder.toUpperCase()}`;
}

/** The values of all placeholders as environment variables, which no program takes for code; without those that are missing. */
export function ownVariables(subject: Subject): Record<string, string> {
  const values = Object.entries(PLACEHOLDERS).map(([name, read]) => [
    variableOf(name),
    String(read(subject) ?? ""),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== "" && !isUnfit(value!)));
}

/** A lone surrogate would arrive as another character. */
function isUnfit(value: string): boolean {
  return /\p{Cc}/u.test(value) || !value.isWellFormed();
}

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
    if (isUnfit(value))
      throw new RangeError(`The ${token} has a control character, so no program is given it.`);
    if (at === 0 && value.startsWith("-"))
      throw new RangeError(
        `The ${token} begins with "-", as an option does; put a text before it: --id=${token}.`,
      );
    return value;
  });
}
