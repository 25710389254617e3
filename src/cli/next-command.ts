// Completes the commands that messages name, so that they work where they are pasted: on the same files and service.

import { shellWord } from "#src/display/shell-word.ts";
import { type CommandSpec, commandNamed } from "./command.ts";

/** What the command line of a message was run with; undefined where a pasted command gets the same by itself. */
export interface Places {
  readonly home: string | undefined;
  readonly profile: string | undefined;
}

/** Commands that ask the service of a profile, or show what belongs to one. */
const OF_A_PROFILE: readonly string[] = [
  "check",
  "sign",
  "sweep",
  "replay",
  "project",
  "doctor",
  "vault add",
];

/** True for a command that asks the service of a profile, or shows what belongs to one. @param name as in the table */
export function isOfProfile(name: string): boolean {
  return OF_A_PROFILE.some((each) => `${name} `.startsWith(`${each} `));
}

/**
 * Adds --home and --profile to the commands in a message that lack them: `verdict check --again ID` becomes
 * `verdict check --profile shop --again ID`.
 */
export function withPlaces(text: string, commands: readonly CommandSpec[], places: Places): string {
  if (places.home === undefined && places.profile === undefined) return text;
  return text.replaceAll(/\bverdict((?: [a-z-]+)+)(?![a-z-])/g, (hint: string, words: string, at: number) => {
    const named = commandWords(words.trim().split(" "), commands);
    // Its end: a quotation mark, or another command behind a bar.
    const rest = /^[^"|\n]*/.exec(text.slice(at))![0];
    if (named === null || / (?:--help|help)\b/.test(rest)) return hint;
    const added = [
      ...(places.home === undefined || /--home\b/.test(rest) ? [] : ["--home", shellWord(places.home)]),
      ...(places.profile === undefined || !isOfProfile(named) || /--profile\b/.test(rest)
        ? []
        : ["--profile", shellWord(places.profile)]),
    ];
    const end = "verdict ".length + named.length;
    return [hint.slice(0, end), ...added].join(" ") + hint.slice(end);
  });
}

/** The longest command that the words begin with; null for none. */
function commandWords(words: readonly string[], commands: readonly CommandSpec[]): string | null {
  let specs = commands;
  let count = 0;
  for (; count < words.length; count += 1) {
    const spec = commandNamed(specs, words[count]!);
    if (spec === undefined) break;
    specs = spec.children ?? [];
  }
  return count === 0 ? null : words.slice(0, count).join(" ");
}
