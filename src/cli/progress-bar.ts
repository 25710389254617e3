// The progress bar of long commands on a terminal.

import type { Output } from "#src/cli/output.ts";

const REDRAW_MS = 100;
const BAR = 30;

/** Redraws a bar as work is done; does nothing without a terminal. */
export function progressBar(output: Output, what: string): (done: number, all: number) => void {
  let drawnAt = -Infinity;
  return (done, all) => {
    const now = performance.now();
    if (!output.showsProgress || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    const share = all === 0 ? 1 : Math.min(1, done / all);
    const full = Math.floor(share * BAR);
    output.progress(
      `${what} [${"#".repeat(full)}${".".repeat(BAR - full)}] ${String(Math.floor(share * 100)).padStart(3)}%`,
    );
  };
}
