// How far a replay is: a line that is redrawn on a terminal, a sentence every ten seconds where there is none.

import type { ReplayRun } from "#src/actions/replay/replay.ts";
import type { Output } from "#src/cli/output.ts";
import { progressLine } from "./run-text.ts";

const REDRAW_MS = 200;
const SENTENCE_MS = 10_000;

export function showProgress(replaying: ReplayRun, output: Output): { end(): void } {
  const { showsProgress, style, columns } = output;
  const timer = setInterval(
    () => {
      const line = progressLine(replaying.progress(), style, columns);
      if (showsProgress) output.progress(line);
      else output.complain(line);
    },
    showsProgress ? REDRAW_MS : SENTENCE_MS,
  );
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      output.progress(null);
    },
  };
}
