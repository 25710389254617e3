// A comparison as text: where both sides were sent, and what changed.

import type { Output } from "#src/cli/output.ts";
import { partLines } from "#src/cli/report-lines.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { placeText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { comparisonParts } from "#src/replay/reports/comparison-parts.ts";
import { createPrivacy } from "#src/replay/reports/report-privacy.ts";

/** @param earlier null where it is no run */
export function comparisonLines(
  comparison: Comparison,
  earlier: RunInfo | null,
  later: Pick<RunInfo, "profile" | "project" | "amountUnit" | "isolated" | "rulesHash">,
  terminal: Pick<Output, "style" | "columns">,
): string[] {
  const { baseline, run } = comparison;
  const [was, now] = [earlier === null ? "" : placeText(earlier), placeText(later)];
  return [
    terminal.style.paint("heading", `Run ${safe(run)} compared with ${safe(baseline)}`),
    ...(was !== "" && was !== now ? [`  was ${was}, now ${now}`] : []),
    ...comparisonParts(comparison, later.amountUnit, createPrivacy(true)).flatMap((part) =>
      partLines(part, terminal),
    ),
  ];
}
