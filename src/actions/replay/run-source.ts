// An earlier run as a source, `run:<id>`, or only its items that are to be sent again, `run:<id>:<kinds>`.

import type { ActionContext } from "#src/actions/action-context.ts";
import { Fault } from "#src/contract/fault.ts";
import {
  AGAIN_KINDS,
  trustedVerdict,
  type AgainKind,
  type RunInfo,
  type RunRow,
} from "#src/contract/records/run.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { changeOf, indexBaseline } from "#src/replay/flips.ts";
import type { SourceRow } from "#src/replay/sources/source.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { findRun } from "./compare-runs.ts";

const RUN = "run:";

interface RunSource {
  readonly run: RunInfo;
  /** Empty for all its items. */
  readonly kinds: readonly AgainKind[];
}

/**
 * @returns null for a source that is no run
 * @throws Fault("usage") for an unknown run or kind; for a run in use whose items are asked for by kind, because those under
 *   way would be sent twice
 */
export async function findRunSource(runs: Runs, source: string): Promise<RunSource | null> {
  if (!source.startsWith(RUN)) return null;
  const [id = "", ...kinds] = source.slice(RUN.length).split(":");
  const run = await findRun(runs, id);
  if (kinds.length === 0) return { run, kinds: [] };
  await runs.expectIdle(run.id);
  return { run, kinds: readAgainKinds(kinds.join(":")) };
}

/** The source under the id of its run, because `last` is another one as soon as the next run begins. */
export function runSourceWord({ run, kinds }: RunSource): string {
  return `${RUN}${run.id}${kinds.length === 0 ? "" : `:${kinds.join(",")}`}`;
}

/** @throws Fault("usage") */
export function readAgainKinds(text: string): AgainKind[] {
  return text.split(",").map((word) => {
    const kind = AGAIN_KINDS.find((each) => each === word.trim());
    if (kind !== undefined) return kind;
    throw new Fault(
      "usage",
      `Items are sent again by ${AGAIN_KINDS.join(", ")}, separated by commas, not by "${escapeText(word, 40)}".`,
    );
  });
}

/** The rows of a run, or those of the kinds. @param word what stands behind `run:` @throws Fault as `findRunSource` does */
export async function* runRows(context: ActionContext, word: string): AsyncGenerator<SourceRow> {
  const runs = await context.runs();
  const { run, kinds } = (await findRunSource(runs, `${RUN}${word}`))!;
  const { id, profile, project } = run;
  const fits = kinds.length === 0 ? () => true : await againFilter(runs, run, kinds);
  for await (const row of runs.rows(id)) if (fits(row)) yield { ...row, profile, project };
}

type RowFilter = (row: RunRow) => boolean;

async function againFilter(runs: Runs, run: RunInfo, kinds: readonly AgainKind[]): Promise<RowFilter> {
  const filters: Readonly<Record<AgainKind, RowFilter>> = {
    failed: ({ result }) => trustedVerdict(result) === null,
    refused: ({ result }) => result?.outcome === "refused",
    unknown: ({ result }) => result === null || result.outcome === "unknown",
    changed: kinds.includes("changed") ? await changedFilter(runs, run) : () => false,
  };
  return (row) => kinds.some((kind) => filters[kind](row));
}

/** Changed against what the run itself was compared with. @throws Fault("usage") when that run is gone */
async function changedFilter(runs: Runs, { id, baseline }: RunInfo): Promise<RowFilter> {
  if (baseline === null) return (row) => hasChanged(row.was ?? undefined, row);
  if ((await runs.find(baseline)) === null) {
    throw new Fault(
      "usage",
      `Run ${escapeText(id, 40)} was compared with run ${escapeText(baseline, 40)}, which is gone, so that nothing tells what changed; replay run:${escapeText(id, 40)} as a whole.`,
    );
  }
  const index = await indexBaseline(runs.rows(baseline));
  return (row) => hasChanged(index.verdictOf(row.key), row);
}

function hasChanged(was: Parameters<typeof changeOf>[0], { result }: RunRow): boolean {
  return changeOf(was, trustedVerdict(result)) === "flipped";
}
