// The progress bar of long commands on a terminal.

import type { Output } from "#src/cli/output.ts";

const REDRAW_MS = 100;
const BAR = 30;

/** Redraws a line as work is done, at most ten times a second; does nothing without a terminal. */
export function redrawn(output: Output): (text: () => string) => void {
  let drawnAt = -Infinity;
  return (text) => {
    const now = performance.now();
    if (!output.showsProgress || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    output.progress(text());
  };
}

export function progressBar(output: Output, what: string): (done: number, all: number) => void {
  const redraw = redrawn(output);
  return (done, all) => {
    const share = all === 0 ? 1 : Math.min(1, done / all);
    const full = Math.floor(share * BAR);
    const percent = String(Math.floor(share * 100)).padStart(3);
    redraw(() => `${what} [${"#".repeat(full)}${".".repeat(BAR - full)}] ${percent}%`);
  };
}
