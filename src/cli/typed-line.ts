// Reads a command line that is typed into the console, and the short forms of lines for the sandbox.

import type { Context } from "#src/app/context.ts";
import { pathsLike } from "#src/app/typed-path.ts";
import { splitWords } from "#src/terminal/editor.ts";
import type { LineFacts, LineForm, TypedLine } from "#src/contract/records/typed-line.ts";
import { readCommandLine, type CommandLine } from "./command-line.ts";
import { usageOf, type CommandSpec } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { complete } from "./completion/completion-words.ts";
import { isOfProfile } from "./next-command.ts";
import { YES } from "./option-specs.ts";

/** Short forms of `sandbox ...`, one step after the other. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/^clock \+/, "clock advance "],
  [/^clock (?=\d)/, "clock set "],
  [/^faults slow$/, "faults slow 2s"],
  [/^faults slow /, "faults latency "],
  [/^faults (?!(?:list|add|clear)\b)/, "faults add check "],
  [/^(faults .*) x(\d+)$/, "$1 --count $2"],
  [/^reset$/, "reset --keep-projects"],
  [/^reset all$/, "reset"],
];

const SHORT_WORDS = ["clock", "faults", "snapshot", "restore", "reset"];

/** Those that are offered. */
const OFFERED: readonly LineForm[] = [
  { text: "clock +1h", about: "the clock of the sandbox an hour forward" },
  { text: "clock +24h", about: "the clock of the sandbox a day forward" },
  { text: "clock freeze", about: "the clock of the sandbox stands still" },
  { text: "clock resume", about: "start the clock of the sandbox again" },
  { text: "clock reset", about: "the clock of the sandbox shows real time" },
  { text: "faults 503 x5", about: "status 503, the next 5 checks" },
  { text: "faults slow 2s", about: "latency 2 s, every check" },
  { text: "faults truncated x1", about: "truncated answer, the next check" },
  { text: "faults clear", about: "remove all injected faults" },
  { text: "snapshot ", about: "keep this state under a name" },
  { text: "restore ", about: "go back to a snapshot" },
  { text: "reset", about: "forget counts and decisions" },
  { text: "reset all", about: "forget projects as well" },
];

const SECOND_CONSOLE = "This would open a second console; leave this one first.";
const NOT_HERE = "Only the sandbox accepts such commands, and this profile does not use the sandbox.";

/** Options with which a deck or the tour is plain text. */
const PLAIN = ["--list", "--plain", "--json", "--export", "--follow"];

/** Commands that run until they are ended, or open an editor. */
const STAYING = ["serve", "capture", "vault copy", "payload edit", "recipe edit", "rules edit"];

/** Options that keep a command running until a key. */
const ENDLESS = ["--follow", "--reveal"];
/** Options that give a secret to a pipe, and are refused on a terminal: what they print must not come into the console. */
const SECRET = ["--raw", "--secret"];

/** Commands that send at once; replay and sweep ask by themselves. */
const SENDING = /^(?:check|project (?:register|credential))$/;

/** Commands that show no payment, no name of a user's and no key. */
const PUBLIC = /^(?:help|docs|schema|completion|sandbox (?:clock|faults \w+|snapshot|restore|reset|stop))$/;

/** What a typed line means. */
export function readTypedLine(text: string, facts: LineFacts): TypedLine {
  const { words, current, short } = wordsOf(text, facts);
  const line = readCommandLine(words, COMMANDS);
  const path = readCommandLine(line.spelledOut, COMMANDS).path;
  const spec = path.at(-1);
  const isHelp = line.plain[0] === "help" || words[0] === "--version" || words[0] === "-V";
  const name = isHelp ? "help" : path.map((each) => each.name).join(" ");
  const next = nextOf(text, { words, current, short }, facts);
  const start = text.trim();
  // A word that another one begins with, such as `clock +24`, is still being typed.
  const isBegun = next.some(
    (form) => form.text.startsWith(start) && /^\S/.test(form.text.slice(start.length)),
  );
  const refusal = refusalOf(text, line, name, short !== null, facts);
  const isWhole = !isBegun && line.open === null && (isHelp || spec?.load !== undefined);
  return {
    words: isWhole || (refusal !== null && start !== "") ? words : null,
    refusal,
    takesTerminal: spec !== undefined && takesTerminal(name, spec, line, facts),
    sends: SENDING.test(name) && !line.asksHelp && !line.has("--dry-run") && !line.has("--profile"),
    isPublic: PUBLIC.test(name) || line.asksHelp,
    usage: spec === undefined ? null : `${usageOf(`verdict ${name}`, spec)}; ${spec.summary}.`,
    next,
  };
}

interface Typed {
  /** The words behind `verdict`, with short forms written out. */
  readonly words: readonly string[];
  /** What is typed of the last word; null where it cannot be completed. */
  readonly current: string | null;
  /** The words of a short form as they were typed; null for other lines. */
  readonly short: readonly string[] | null;
}

function wordsOf(text: string, { isSandbox }: LineFacts): Typed {
  const all = splitWords(text).map((word) => word.replace(/^~(?=\/)/, process.env["HOME"] ?? "~"));
  const typed = all[0] === "verdict" ? all.slice(1) : all;
  const last = /\S*$/.exec(text)![0];
  const current = /["'\\]/.test(last) ? null : last;
  const first = typed[0]?.toLowerCase() ?? "";
  if (!SHORT_WORDS.includes(first)) return { words: typed, current, short: null };
  const short = [first, ...typed.slice(1)];
  if (!isSandbox) return { words: short, current, short };
  const joined = short.join(" ");
  const long = SHORT_FORMS.reduce((form, [pattern, instead]) => form.replace(pattern, instead), joined);
  return { words: ["sandbox", ...(long === joined ? short : long.split(" "))], current, short };
}

/** The line with each word that may stand at its end. */
function nextOf(text: string, typedWords: Typed, { isSandbox }: LineFacts): LineForm[] {
  const typed = text.trimStart().toLowerCase().replaceAll(/\s+/g, " ");
  const offered = isSandbox
    ? OFFERED.filter((form) => form.text.startsWith(typed) && form.text !== typed)
    : [];
  if (typedWords.current === null || (typedWords.short !== null && !isSandbox)) return [];
  const { candidates } = complete(toComplete(typedWords), COMMANDS);
  const completed = candidates.map(({ word, about }) => ({ text: withLast(text, word), about }));
  const others = completed.filter((form) => form.text.trim() !== text.trim());
  return [...offered, ...others.filter((form) => !offered.some((each) => each.text === form.text))];
}

/** The names that may end a typed line: of payloads, runs, snapshots and others. Never rejects. */
export async function namesInLine(
  text: string,
  facts: LineFacts,
  opened: Context,
): Promise<readonly LineForm[]> {
  const typed = wordsOf(text, facts);
  if (typed.current === null) return [];
  const { nameWords } = await import("./completion/completion.ts");
  const { signal } = new AbortController();
  const from = { home: opened.home, signal, context: () => Promise.resolve(opened) };
  // The line may name a file that is not there, or not yet.
  const words = toComplete(typed);
  const names = await nameWords(words, COMMANDS, from).catch(() => []);
  const files = complete(words, COMMANDS).files ? pathsLike(words.at(-1) ?? "") : [];
  // Names that need quotes are left out.
  const plain = files.filter((path) => /^[\w./@%+=:,~-]+$/.test(path));
  return [...names, ...plain].map((word) => ({ text: withLast(text, word), about: "" }));
}

/** As the completion of a shell gets them: the last one is begun, or empty. */
function toComplete({ words, current, short }: Typed): readonly string[] {
  const before = short === null ? words : ["sandbox", ...short];
  return current === "" ? [...before, ""] : before;
}

function withLast(text: string, word: string): string {
  return `${text.replace(/\S*$/, "")}${word}${/[=/]$/.test(word) ? "" : " "}`;
}

function refusalOf(
  text: string,
  line: CommandLine,
  name: string,
  isShort: boolean,
  { isSandbox }: LineFacts,
): string | null {
  if (isShort && !isSandbox) return NOT_HERE;
  if (line.asksHelp) return null;
  const opens =
    (line.isAlone && text.trim() !== "") ||
    line.plain[0] === "console" ||
    ((name === "demo" || name === "tour") && !PLAIN.some(line.has));
  return opens ? SECOND_CONSOLE : null;
}

function takesTerminal(
  name: string,
  { options = {}, asks }: CommandSpec,
  line: CommandLine,
  { isSandbox, hasPassphrase }: LineFacts,
): boolean {
  if (SECRET.some(line.has)) return true;
  if (line.asksHelp || line.has("--no-input") || line.has("--dry-run")) return false;
  const asksForVault = hasPassphrase && (isOfProfile(name) || /^vault (?!list)/.test(name));
  return (
    STAYING.includes(name) ||
    ENDLESS.some(line.has) ||
    asks === true ||
    (options["yes"] === YES && !line.has("--yes")) ||
    "secretStdin" in options ||
    ("confirm" in options && !isSandbox) ||
    asksForVault
  );
}
