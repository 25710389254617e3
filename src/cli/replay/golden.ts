// --golden FILE [--update]: a run beside the file of its verdicts, which differs, passes or is written anew.

import { readGolden, writeGolden } from "#src/actions/replay/golden-file.ts";
import { usualRates } from "#src/actions/replay/compare-runs.ts";
import type { ActionContext } from "#src/actions/action-context.ts";
import type { Invocation } from "#src/cli/command.ts";
import type { GOLDEN } from "#src/cli/option-specs.ts";
import { usage } from "#src/contract/fault.ts";
import { withoutVerdict, type FailedGate, type RunInfo } from "#src/contract/records/run.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { compareGolden, type Golden, type GoldenComparison } from "#src/replay/golden.ts";

const KEYS_SHOWN = 10;

/** What was asked for. */
export interface GoldenFile {
  readonly path: string;
  readonly update: boolean;
  /** Empty for a file that --update will make. */
  readonly before: Golden;
}

/** Null without `--golden`. @throws Fault("usage") for a missing file without `--update`; Fault("bad_input") for a wrong one */
export async function readGoldenFile({
  options,
  signal,
}: Invocation<typeof GOLDEN>): Promise<GoldenFile | null> {
  const { golden: path, update } = options;
  if (path === undefined) return null;
  return { path, update, before: update ? await earlier(path, signal) : await requireGolden(path, signal) };
}

/** An unreadable file is replaced only when it is one of verdicts. */
async function earlier(path: string, signal: AbortSignal): Promise<Golden> {
  return (await readGolden(path, signal)) ?? new Map();
}

/** @throws Fault("usage") for a missing file; Fault("bad_input") for a wrong one */
export async function requireGolden(path: string, signal: AbortSignal): Promise<Golden> {
  const golden = await readGolden(path, signal);
  if (golden !== null) return golden;
  throw usage`There is no file ${path} yet; "verdict replay --golden FILE --update" makes one of a run that is right.`;
}

/** A stored run beside the file. */
export async function compareWithGolden(
  context: ActionContext,
  info: RunInfo,
  { path, before }: GoldenFile,
): Promise<GoldenComparison> {
  const runs = await context.runs();
  const rates = await usualRates(info.amountUnit);
  return await compareGolden(runs.rows(info.id), before, { baseline: path, run: info.id }, rates, info.shard);
}

/** The gate: every changed verdict, and every item that only one side has. @returns empty where it passes */
export function goldenGate(
  { path, update }: Pick<GoldenFile, "path" | "update">,
  { comparison, added, missing }: GoldenComparison,
): FailedGate[] {
  const { flipped } = comparison.changes;
  const figure = flipped + added.length + missing.length;
  if (figure === 0 || update) return [];
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

/** Says what is no difference of verdicts, and with `--update` writes the file. @throws Fault("storage") */
export async function settleGolden(
  { path, update }: GoldenFile,
  { comparison, added, missing, otherBasis, now }: GoldenComparison,
  info: RunInfo,
  complain: (text: string) => void,
): Promise<void> {
  const name = safe(path);
  if (!update) {
    if (otherBasis > 0)
      complain(
        `${counted(otherBasis, "item has its verdict", "items have their verdicts")} by another score or other rules than ${name} says; --update takes that over.`,
      );
    return;
  }
  const lacking = info.summary === null ? 1 : withoutVerdict(info.summary.counts);
  if (lacking > 0 || info.state === "partial" || now.size === 0) {
    complain(`${name} was not written, because not every item has a trustworthy verdict.`);
    return;
  }
  const { flipped } = comparison.changes;
  if (added.length + missing.length + flipped + otherBasis === 0) {
    return complain(`${name} is up to date with ${counted(now.size, "item")}.`);
  }
  await writeGolden(path, now);
  const [more, other, fewer] = [added.length, flipped, missing.length].map(formatCount);
  const basis = otherBasis === 0 ? "" : `, ${formatCount(otherBasis)} with another score or other rules`;
  complain(
    `Wrote ${name} with ${counted(now.size, "item")}: ${more} added, ${other} changed${basis}, ${fewer} removed.`,
  );
}
