// The menu of what to copy of a check, over the screen that shows it.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Layer } from "#src/keys/layers.ts";
import { COPIED, type CopiedPart } from "#src/state/history/history-copy.ts";
import type { HistoryView } from "#src/state/history/history-view.ts";

/** Each part has a handler, or the reason why it cannot be copied; null without an entry. */
export function copyLayer(history: HistoryView, entry: HistoryEntry | null): Layer | null {
  if (entry === null) return null;
  const handlers: Record<string, () => void> = { "history.copy.cancel": () => history.askCopy(null) };
  const disabled: Record<string, string> = {};
  for (const part of Object.keys(COPIED) as CopiedPart[]) {
    const { what, read } = COPIED[part];
    if (read(entry) === null) disabled[`history.copy.${part}`] = `This check has no ${what}.`;
    else handlers[`history.copy.${part}`] = () => history.copy(part);
  }
  return { scope: "history.copy", level: 3, modal: true, handlers, disabled };
}
