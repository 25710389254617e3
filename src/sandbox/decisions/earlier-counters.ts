// What earlier versions kept of counters and answers, in one JSON document: read until the first file of this version is written.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import { openDocument } from "#src/storage/documents/document.ts";

const FILE = "counters.json";

interface EarlierAnswer {
  readonly digest: string;
  readonly at: Milliseconds;
  readonly decisionId: string;
  readonly recommendation: Recommendation;
  readonly message: string;
}

interface EarlierCounters {
  /** Every decision up to this number is in it. */
  readonly sequence: number;
  readonly total: number;
  readonly answers: readonly (readonly [order: string, answer: EarlierAnswer])[];
}

/**
 * Puts the counts of a folder's document into the counters; nothing was counted where there is none.
 * @param onDamage called with the path of a document whose previous generation is used
 * @throws Fault `corrupt`
 */
export async function readEarlierCounters(
  dir: string,
  counters: Counters,
  onDamage: (path: string) => void,
): Promise<EarlierCounters> {
  const document = openDocument<{ latest: (EarlierCounters & { readonly counters: unknown }) | null }>({
    path: join(dir, FILE),
    format: "verdict/sandbox-counters",
    schema: 1,
    initial: () => ({ latest: null }),
    parse,
    onProblem: ({ path }) => onDamage(path),
  });
  const { latest } = await document.read();
  if (latest === null) return { sequence: 0, total: 0, answers: [] };
  counters.restore(latest.counters);
  return latest;
}

export async function removeEarlierCounters(dir: string): Promise<void> {
  for (const name of [FILE, `${FILE}.bak`]) await rm(join(dir, name), { force: true });
}

/** The counters in it are judged by whoever restores them. */
function parse(data: unknown): { latest: (EarlierCounters & { readonly counters: unknown }) | null } {
  const { latest } = data as { latest: (EarlierCounters & { readonly counters: unknown }) | null };
  const good =
    latest === null ||
    (Number.isSafeInteger(latest.sequence) &&
      Number.isSafeInteger(latest.total) &&
      Array.isArray(latest.answers));
  if (!good) throw new TypeError("not a snapshot of the sandbox's counters");
  return { latest };
}
