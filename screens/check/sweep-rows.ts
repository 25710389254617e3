// A sweep as rows: its progress, then its chart. Pure.

import { placeText } from "#src/display/count.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { sweepLines } from "#src/display/sweep-lines.ts";
import type { SweepsState } from "#src/state/check/sweeps.ts";
import { hangingRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { barSpans } from "#src/ui/gauge.ts";

export interface SweepInput {
  readonly state: Pick<SweepsState, "progress" | "cancelled" | "result">;
  readonly unit: Profile["amountUnit"];
  /** Presenter mode. */
  readonly masked: boolean;
  readonly width: number;
}

export function sweepRows({ state, unit, masked, width }: SweepInput, theme: Theme): Row[] {
  const { progress, cancelled, result } = state;
  if (progress !== null) {
    const { field, done, planned } = progress;
    const share = planned === 0 ? 0 : Math.min(1, done / planned);
    return [
      // Narrowing down the changes takes more values than planned.
      ...hangingRows(
        {
          fixed: [],
          text: `Trying values of ${field}: ${done < planned ? placeText(done, planned) : done}; ${cancelled ? "ending" : `${theme.keyName("sweep.close")} stops with the results so far`}`,
        },
        width,
      ),
      barSpans(share, Math.min(width, MOST_BAR), null, theme),
    ];
  }
  if (result === null) return [[{ text: "Nothing was tried yet." }]];
  const lines = sweepLines(result, { width, ascii: theme.ascii, unit, masked });
  return lines.flatMap(({ fixed, text }): Row[] => {
    // Only lines of a list of values have a fixed part that leaves too little room for the text.
    const used = fixed.reduce((sum, span) => sum + span.text.length, 0);
    if (text === "" || width - used >= TEXT_LEAST || used === 0) return hangingRows({ fixed, text }, width);
    return [fixed, ...hangingRows({ fixed: [{ text: "    " }], text }, width)];
  });
}

/** Longest progress bar. */
const MOST_BAR = 60;
const TEXT_LEAST = 24;
