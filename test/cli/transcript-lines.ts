// What a transcript expects, and what was printed instead.

/** By the name behind the $. */
export type Values = Map<string, string>;

const ANY = "...";
const ANY_LINES = "(?:.*\\n)*?";
const NOTHING = "(nothing)";
const CODE = /^\[\d+\]/;
/** What differs from run to run, in what is written into a transcript. */
const VARYING =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.:+ ]*Z?|\b0m[\da-z]{17}\b|[\da-f]{8}-[\da-f-]{27}|[\d.]+ ms\b|(?<=_ms":)[\d.]+/g;

/** The text with the values of the names in it that are known. */
export function filledFrom(text: string, values: Values): string {
  return text.replaceAll(/\$(\w+)/g, (whole, name: string) => values.get(name) ?? whole);
}

/** The expected lines where they fit, and the values of new names are kept; else the lines as they would have to be. */
export function fitted(
  expected: readonly string[],
  printed: readonly string[],
  values: Values,
): readonly string[] {
  const now = printed.length === 0 ? [NOTHING] : printed.map((line) => varied(line, values));
  if (expected.length === 0 || (expected.length === 1 && CODE.exec(expected[0]!)?.[0] === expected[0])) {
    return expected[0] === CODE.exec(now.at(-1)!)?.[0] ? expected : now;
  }
  const found = matched(expected, printed, values);
  if (found !== null) {
    for (const [name, value] of Object.entries(found.groups ?? {})) values.set(name, value);
    return expected;
  }
  const fits = (line: string, at: number): boolean =>
    matched([line], printed.slice(at, at + 1), values) !== null;
  if (expected[0] !== ANY) {
    return now.map((line, at) => expected.find((each) => fits(each, at)) ?? line);
  }
  return expected.map((line) => (now.some((_, at) => fits(line, at)) ? line : nearest(line, now)));
}

function matched(
  expected: readonly string[],
  printed: readonly string[],
  values: Values,
): RegExpExecArray | null {
  const seen = new Set<string>();
  const between = expected[0] === ANY ? ANY_LINES : "";
  const lines = expected.filter((line) => line !== NOTHING);
  const pattern = lines.map((line) => patternOf(line, values, seen) + between).join("");
  return new RegExp(`^${pattern}$`).exec(printed.map((line) => `${line.trimEnd()}\n`).join(""));
}

function patternOf(line: string, values: Values, seen: Set<string>): string {
  if (line === ANY) return ANY_LINES;
  const parts = line.split(/(\.\.\.|\$[a-zA-Z]\w*| {2,})/).map((part, at) => {
    if (at % 2 === 0) return escaped(part);
    if (part === ANY) return ".*";
    if (!part.startsWith("$")) return " {2,}";
    const name = part.slice(1);
    const known = values.get(name);
    if (known !== undefined) return escaped(known);
    if (seen.has(name)) return `\\k<${name}>`;
    seen.add(name);
    return `(?<${name}>[\\w.:@/-]+)`;
  });
  return `${parts.join("")}\\n`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** The one with the most words of the line. */
function nearest(line: string, printed: readonly string[]): string {
  const words = new Set(line.split(/\W+/));
  const common = (other: string): number => other.split(/\W+/).filter((word) => words.has(word)).length;
  return printed.toSorted((one, other) => common(other) - common(one))[0] ?? ANY;
}

function varied(line: string, values: Values): string {
  const named = [...values].reduce((text, [name, value]) => text.replaceAll(value, `$${name}`), line);
  return named.replaceAll(VARYING, ANY);
}
