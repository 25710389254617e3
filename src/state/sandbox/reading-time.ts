// How long a step of a deck is shown when it advances by itself: as long as its words take to be read.

import type { DemoFrame } from "#src/actions/sandbox/demo.ts";
import { decisionOf } from "#src/display/decision.ts";
import type { DemoState } from "./deck-run.ts";

const WORDS_A_SECOND = 3;
/** To look at the verdict. */
const LOOK_S = 2;
const LEAST_S = 4;
const MOST_S = 30;
const MOST_REASONS = 5;

/** Whole seconds for what is shown, 4 to 30, unless its step says how many. */
export function secondsToRead({
  deck,
  frames,
  at,
  notes,
  day,
}: Pick<DemoState, "deck" | "frames" | "at" | "notes" | "day">): number {
  const frame = frames[at - 1];
  if (frame?.seconds != null) return frame.seconds;
  const texts =
    frame === undefined
      ? [deck?.title, deck?.summary]
      : [frame.say, notes ? frame.note : null, ...textsOf(frame, day?.named ?? null)];
  const words = texts.join(" ").split(/\s+/).filter(Boolean).length;
  return Math.min(MOST_S, Math.max(LEAST_S, Math.round(words / WORDS_A_SECOND + LOOK_S)));
}

function textsOf(frame: DemoFrame, named: number | null): readonly (string | null)[] {
  if (frame.kind === "stream") {
    return named === null ? frame.day.sentences : [frame.day.payments[named]!.why];
  }
  const entries = frame.sides.length > 0 ? frame.sides.map(({ entry }) => entry) : [frame.entries.at(-1)!];
  return entries.flatMap((entry) => {
    const { reasons, silence } = decisionOf(entry);
    return silence ?? reasons.slice(0, MOST_REASONS).map(({ text }) => text);
  });
}
