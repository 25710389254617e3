// What other sessions write becomes visible here within half a second: the number of the last change is asked for.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

const EVERY_MS: Milliseconds = 250;

/**
 * Calls `onChange` after each change of the history by any process, one at a time.
 * @returns ends it
 */
export function followHistory(
  context: Pick<ActionContext, "history">,
  onChange: () => Promise<void>,
  everyMs: Milliseconds = EVERY_MS,
): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    try {
      const history = await context.history();
      if ((await history.hasChanged()) && !stopped) await onChange();
    } catch {
      // Whoever reads the history next says why it cannot be read.
    }
    again();
  };
  const again = (): void => {
    if (stopped) return;
    timer = setTimeout(() => void look(), everyMs);
    timer.unref();
  };
  again();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
