// A comparison as text: where both sides were sent, and what changed.

import type { Output } from "#src/cli/output.ts";
import { partLines } from "#src/cli/report-lines.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import { placeOf, type RunInfo } from "#src/contract/records/run.ts";
import { safe } from "#src/display/safe.ts";
import { comparisonParts } from "#src/replay/reports/comparison-parts.ts";
import { createPrivacy } from "#src/replay/reports/report-privacy.ts";

/** @param earlier null where it is no run */
export function comparisonLines(
  comparison: Comparison,
  earlier: RunInfo | null,
  later: Pick<RunInfo, "profile" | "project" | "amountUnit">,
  terminal: Pick<Output, "style" | "columns">,
): string[] {
  const { baseline, run } = comparison;
  const isMoved = earlier !== null && placeOf(earlier) !== placeOf(later);
  return [
    terminal.style.paint("heading", `Run ${safe(run)} compared with ${safe(baseline)}`),
    ...(isMoved ? [`  was ${safe(placeOf(earlier))}, now ${safe(placeOf(later))}`] : []),
    ...comparisonParts(comparison, later.amountUnit, createPrivacy(true)).flatMap((part) =>
      partLines(part, terminal),
    ),
  ];
}
