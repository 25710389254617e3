// A sweep as rows: how far it is, then its chart. Pure.

import type { Profile } from "#src/contract/records/profile.ts";
import { keyName } from "#src/display/key-name.ts";
import { sweepLines } from "#src/display/sweep-lines.ts";
import type { SweepsState } from "#src/state/check/sweeps.ts";
import type { Span } from "#src/ui/line.tsx";
import type { Theme } from "#src/ui/theme.ts";
import { hanging } from "./what-if-rows.ts";

export interface SweepInput {
  readonly state: Pick<SweepsState, "progress" | "result">;
  readonly unit: Profile["amountUnit"];
  /** An audience watches. */
  readonly masked: boolean;
  readonly width: number;
}

export function sweepRows({ state, unit, masked, width }: SweepInput, theme: Theme): Span[][] {
  const { progress, result } = state;
  if (progress !== null) {
    const { field, done, planned, cancelled } = progress;
    const share = planned === 0 ? 0 : Math.min(1, done / planned);
    const full = Math.round(share * Math.min(width, MOST_BAR));
    const rest = Math.min(width, MOST_BAR) - full;
    return [
      // What narrows the changes down comes on top of what was planned.
      ...hanging(
        [],
        `Trying values of ${field}: ${done < planned ? `${done} of ${planned}` : done}; ${cancelled ? "ending" : `${keyName("sweep.close", "Esc")} ends it with what it has`}`,
        width,
      ),
      [
        { text: theme.sign("barFull").repeat(full), role: "accent" },
        { text: theme.sign("barEmpty").repeat(rest) },
      ],
    ];
  }
  if (result === null) return [[{ text: "Nothing was tried yet." }]];
  const lines = sweepLines(result, { width, ascii: theme.ascii, unit, masked });
  return lines.flatMap(({ fixed, text }): Span[][] => {
    // Only a list of values has so much in front that nothing would be left of the text.
    const used = fixed.reduce((sum, span) => sum + span.text.length, 0);
    if (text === "" || width - used >= TEXT_LEAST || used === 0) return hanging(fixed, text, width);
    return [[...fixed], ...hanging([{ text: "    " }], text, width)];
  });
}

/** Longer ones are not read at a glance. */
const MOST_BAR = 60;
const TEXT_LEAST = 24;
