// verdicts.lock: one sorted line an item with its verdict and what that rests on, to be kept under version control.

import { badInput, whole } from "#src/contract/fault.ts";
import type { Comparison, Earlier, EurPerUnit } from "#src/contract/records/flip.ts";
import { trustedVerdict, type RunRow, type Shard } from "#src/contract/records/run.ts";
import { hasBuildCommand } from "#src/contract/text/build-commands.ts";
import { isRecommendation } from "#src/contract/wire/recommendation.ts";
import { safeJson } from "#src/display/safe.ts";
import { FlipCounter } from "./flips.ts";
import { isInShard } from "./sources/item-choice.ts";

const HEAD = "# verdicts.lock, form 1: key verdict score rules";
/** A file of merged shards says of how many. */
const FIRST_LINE = new RegExp(`^${HEAD}(?:; (\\d{1,4}) shards)?$`);
const UNKNOWN = "-";
/** A key, quoted as JSON where it is not one plain word; verdict, score and rules are words. */
const LINE = /^("(?:[^"\\]|\\.)*"|[^\s"]\S*) (\S+) (\S+ \S+)$/;
const PLAIN_KEY = /^[!$-~][!-~]*$/;

/** What a file has. */
export interface GoldenContent {
  readonly golden: Golden;
  /** Shards of the run that it is of; 1 for a whole one. */
  readonly shards: number;
}

/** `verdict score rules` of each item by key, the rules by comma with the deciding one first, `-` for what is unknown. */
export type Golden = ReadonlyMap<string, string>;

/** Null for an item without a trustworthy verdict, which no file may pin. */
function entryOf({ result }: RunRow): string | null {
  const verdict = trustedVerdict(result);
  if (verdict === null) return null;
  const { score, rules = [] } = result!.basis ?? {};
  const codes = rules.map((code) => encodeURIComponent(code.toWellFormed())).join(",");
  return `${verdict} ${score ?? UNKNOWN} ${codes || UNKNOWN}`;
}

/** What a file says of an item; null for a new one. */
export function earlierIn(golden: Golden, key: string): Earlier | null {
  const [verdict, score, codes] = golden.get(key)?.split(" ") ?? [];
  if (!isRecommendation(verdict)) return null;
  if (score === UNKNOWN) return { verdict };
  return { verdict, rules: codes === UNKNOWN ? [] : codes!.split(",").map(decodeURIComponent) };
}

/** @param label name of the file in messages, escaped @throws Fault("bad_input") naming the line that is wrong */
export async function parseGolden(
  lines: AsyncIterable<{ readonly number: number; readonly text: string }>,
  label: string,
): Promise<GoldenContent> {
  const golden = new Map<string, string>();
  let shards = 1;
  // Few differ, and one copy of each is kept.
  const entries = new Map<string, string>();
  for await (const { number, text } of lines) {
    const line = text.replace(/\r$/, "");
    const head = number === 1 ? FIRST_LINE.exec(line) : null;
    if (number === 1 && head === null) {
      throw badInput`${label} is no file of verdicts that this version can read: its first line is not "${HEAD}"; replay with --golden and --update to write it again.`;
    }
    if (head !== null) {
      shards = Number(head[1] ?? 1);
      continue;
    }
    const [, word = "", verdict, rest = ""] = LINE.exec(line) ?? [];
    const key = keyOf(word);
    if (key === null || !isRecommendation(verdict) || !isEncoded(rest) || golden.has(key)) {
      const problem =
        key !== null && golden.has(key) ? "names an item again" : "is not a key, verdict, score and rules";
      throw badInput`${label}:${number} ${whole(problem)}; correct it, or write the file again with --update.`;
    }
    const entry = `${verdict} ${rest}`;
    if (!entries.has(entry)) entries.set(entry, entry);
    golden.set(key, entries.get(entry)!);
  }
  return { golden, shards };
}

function isEncoded(words: string): boolean {
  try {
    decodeURIComponent(words);
    return true;
  } catch {
    return false;
  }
}

function keyOf(word: string): string | null {
  if (!word.startsWith('"')) return word === "" ? null : word;
  try {
    return JSON.parse(word) as string;
  } catch {
    return null;
  }
}

/** The text of a file: the same items give the same bytes. */
export function goldenText({ golden, shards }: GoldenContent): string {
  const lines = [...golden].map(
    ([key, entry]) => `${PLAIN_KEY.test(key) && !hasBuildCommand(key) ? key : safeJson(key)} ${entry}\n`,
  );
  return `${HEAD}${shards === 1 ? "" : `; ${shards} shards`}\n${lines.sort().join("")}`;
}

/** Facts that only a comparison with a golden file has. */
export interface GoldenFacts {
  /** Keys of items that only the run has, or only the file. */
  readonly added: readonly string[];
  readonly missing: readonly string[];
  /** Items with the same verdict by another score or other rules. */
  readonly otherBasis: number;
  /** Items of the run with a trustworthy verdict. */
  readonly now: Golden;
}

/**
 * Compares in memory: about 150 bytes an item.
 * @param shard items of the file that belong to another one are not missing
 */
export async function compareGolden(
  rows: AsyncIterable<RunRow>,
  golden: Golden,
  labels: Pick<Comparison, "baseline" | "run">,
  rates: EurPerUnit,
  shard: Shard | undefined,
): Promise<{ readonly comparison: Comparison; readonly golden: GoldenFacts }> {
  const flips = new FlipCounter(labels, rates);
  const now = new Map<string, string>();
  const [added, left] = [[] as string[], new Set(golden.keys())];
  let otherBasis = 0;
  for await (const row of rows) {
    const change = flips.take(row, earlierIn(golden, row.key));
    if (!left.delete(row.key)) added.push(row.key);
    const entry = entryOf(row);
    if (entry !== null) now.set(row.key, entry);
    if (change === "unchanged" && golden.get(row.key) !== entry) otherBasis += 1;
  }
  const missing = [...left].filter((key) => shard === undefined || isInShard(shard, key));
  const comparison = flips.comparison();
  return {
    comparison: { ...comparison, changes: { ...comparison.changes, missing: missing.length } },
    golden: { added, missing, otherBasis, now },
  };
}
