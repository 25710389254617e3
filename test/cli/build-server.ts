// What build servers obey in a log, written from their own parsers, and texts that try it.

/** Trimmed, a line begins with `::` and has a second one (GitHub's runner); the others are found anywhere in a line. */
const OBEYED: readonly ((line: string) => boolean)[] = [
  (line) => /^::.*::/.test(line.trim()),
  (line) => line.includes("##["),
  (line) => line.includes("##vso["),
  (line) => line.toLowerCase().includes("##teamcity["),
];

/** The lines of an output that a build server obeys; colours do not count. */
export function obeyedLines(text: string): string[] {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replaceAll(/\x1b\[[\d;]*m/g, "");
  return plain.split(/\r\n|[\r\n]/).filter((line) => OBEYED.some((obeys) => obeys(line)));
}

export const BUILD_COMMANDS: readonly string[] = [
  "::add-mask::PASS",
  "  ::set-output name=verdict::pass",
  "\u00a0::stop-commands::token",
  "a\n::error::forged",
  "##[error]forged",
  "##[set-env name=PATH]x",
  "x ##vso[task.complete result=Succeeded;]y",
  "###vso[task.setvariable variable=a]b",
  "##teamcity[buildStatus status='SUCCESS']",
];
