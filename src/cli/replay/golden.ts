// --golden FILE [--update]: a run beside the file of its verdicts, which differs, passes or is written anew.

import type { Compared } from "#src/actions/replay/compare-runs.ts";
import { writeGolden } from "#src/actions/replay/golden-file.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import { shardsOf, withoutVerdict, type FailedGate, type RunInfo } from "#src/contract/records/run.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import type { GoldenFacts } from "#src/replay/golden.ts";

const KEYS_SHOWN = 10;

/** The gate: every changed verdict, and every item that only one side has. @returns empty where it passes */
export function goldenGate(
  { baseline: path, changes: { flipped } }: Comparison,
  { added, missing }: GoldenFacts,
): FailedGate[] {
  const figure = flipped + added.length + missing.length;
  if (figure === 0) return [];
  const parts = [
    ...(flipped === 0 ? [] : [`${counted(flipped, "verdict")} changed`]),
    ...(added.length === 0 ? [] : [`${counted(added.length, "item is", "items are")} new (${named(added)})`]),
    ...(missing.length === 0
      ? []
      : [`${counted(missing.length, "item is", "items are")} missing (${named(missing)})`]),
  ];
  const message = `${safe(path)} differs: ${parts.join(", ")}; once this is right, take it over with --update.`;
  return [{ gate: "golden", limit: path, figure, message }];
}

function named(keys: readonly string[]): string {
  const shown = keys.slice(0, KEYS_SHOWN).map((key) => safe(key, { max: 60 }));
  const rest = keys.length - shown.length;
  return rest === 0 ? shown.join(", ") : `${shown.join(", ")} and ${formatCount(rest)} more`;
}

function replayOf(shards: number): string {
  return shards === 1 ? "a whole replay" : `${shards} shards`;
}

/** Says what is no difference of verdicts, and with `--update` writes the file. @throws Fault("storage") */
export async function settleGolden(
  { comparison, golden }: Compared,
  info: RunInfo,
  update: boolean,
  complain: (text: string) => void,
): Promise<void> {
  if (golden === null) return;
  const { added, missing, otherBasis, now, file } = golden;
  const { baseline: path, changes } = comparison;
  const name = safe(path);
  const shards = shardsOf(info);
  if (file.golden.size > 0 && file.shards !== shards) {
    complain(
      `${name} is of ${replayOf(file.shards)}, and this run of ${replayOf(shards)}: a shard on a sandbox of its own counts only its own payments.`,
    );
  }
  if (!update) {
    if (otherBasis > 0)
      complain(
        `${counted(otherBasis, "item has its verdict", "items have their verdicts")} from a different score or different rules than in ${name}; --update saves the new values.`,
      );
    return;
  }
  const lacking = info.summary === null ? 1 : withoutVerdict(info.summary.counts);
  if (lacking > 0 || info.state === "partial" || now.size === 0) {
    complain(`${name} was not written, because not every item has a trustworthy verdict.`);
    return;
  }
  const { flipped } = changes;
  if (added.length + missing.length + flipped + otherBasis === 0 && file.shards === shards) {
    return complain(`${name} is up to date with ${counted(now.size, "item")}.`);
  }
  await writeGolden(path, { golden: now, shards });
  const [more, other, fewer] = [added.length, flipped, missing.length].map(formatCount);
  const basis = otherBasis === 0 ? "" : `, ${formatCount(otherBasis)} with another score or other rules`;
  complain(
    `Wrote ${name} with ${counted(now.size, "item")}: ${more} added, ${other} changed${basis}, ${fewer} removed.`,
  );
}
