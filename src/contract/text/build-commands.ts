// What a build server obeys in a log, wherever it comes from, and how a text shows it without being obeyed.

/**
 * `::name ...::` at the beginning of a line, before which spaces and colours do not count (GitHub), and `##[`, `##vso[`
 * (Azure) and `##teamcity[` anywhere. An IPv6 address such as `::1` is none.
 */
const COMMAND =
  // oxlint-disable-next-line no-control-regex
  /(?<=^(?:[^\S\n]|\x1b\[[\d;]*m)*)::(?=.*::|(?![\da-f:.]+(?:[\s,]|$)))|##(?=(?:vso|teamcity)?\[)/gim;

/** True for a text that a build server would obey in part. */
export function hasBuildCommand(text: string): boolean {
  return commandStarts(text).size > 0;
}

/** Where commands of a text begin; the text itself begins a line. */
export function commandStarts(text: string): ReadonlySet<number> {
  if (!text.includes("::") && !text.includes("##")) return NONE;
  return new Set(Array.from(text.matchAll(COMMAND), ({ index }) => index));
}

const NONE: ReadonlySet<number> = new Set();

/** The text with the first character of each command written another way. */
export function withoutBuildCommands(text: string, written: (character: ":" | "#") => string): string {
  const starts = commandStarts(text);
  if (starts.size === 0) return text;
  return text.replaceAll(/[:#]/g, (character, index: number) =>
    starts.has(index) ? written(character as ":" | "#") : character,
  );
}
