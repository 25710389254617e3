// Polls the history's change counter, so that changes of other processes show within half a second.

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
      // The next read of the history reports why it fails.
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
