// An earlier run as a source, `run:<id>`, or only its items that are to be sent again, `run:<id>:<kinds>`.

import type { ActionContext } from "#src/actions/action-context.ts";
import { usage, whole } from "#src/contract/fault.ts";
import type { SidedRow } from "#src/contract/records/flip.ts";
import { AGAIN_KINDS, trustedVerdict, type AgainKind, type RunInfo } from "#src/contract/records/run.ts";
import { changeOf } from "#src/replay/flips.ts";
import type { SourceRow } from "#src/replay/sources/source.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { findRun, openSide } from "./compare-runs.ts";

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
    throw usage`"${word}" does not select items to send again; use ${whole(AGAIN_KINDS.join(", "))}, separated by commas.`;
  });
}

/** The rows of a run, or those of the kinds. @param word what stands behind `run:` @throws Fault as `findRunSource` does */
export async function* runRows(context: ActionContext, word: string): AsyncGenerator<SourceRow> {
  const runs = await context.runs();
  const { run, kinds } = (await findRunSource(runs, `${RUN}${word}`))!;
  const { id, baseline, profile, project } = run;
  const isByChange = kinds.includes("changed");
  if (isByChange && baseline !== null && (await runs.find(baseline)) === null) {
    throw usage`Run ${id} was compared with run ${baseline}, which was removed, so its changes are unknown; replay run:${id} as a whole.`;
  }
  // What changed is seen against what the run itself was compared with.
  const { earlierOf } = await openSide(runs, isByChange ? baseline : null);
  for await (const sided of runs.sidedRows(id, earlierOf)) {
    if (kinds.length === 0 || kinds.some((kind) => IS_AGAIN[kind](sided))) {
      yield { ...sided.row, profile, project };
    }
  }
}

const IS_AGAIN: Readonly<Record<AgainKind, (sided: SidedRow) => boolean>> = {
  failed: ({ row: { result } }) => trustedVerdict(result) === null,
  refused: ({ row: { result } }) => result?.outcome === "refused",
  unknown: ({ row: { result } }) => result === null || result.outcome === "unknown",
  changed: ({ row, earlier }) => changeOf(earlier, trustedVerdict(row.result)) === "flipped",
};
