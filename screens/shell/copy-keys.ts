// The menu of what to copy of a check, over the screen that shows it.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { commands, type Command } from "#src/keys/command.ts";
import { COPIED, type CopiedPart } from "#src/state/history/history-copy.ts";
import type { HistoryView } from "#src/state/history/history-view.ts";

interface Scene {
  readonly history: HistoryView;
  readonly entry: HistoryEntry;
}

const PARTS: Readonly<Record<CopiedPart, readonly [key: string, label: string]>> = {
  order: ["o", "order id"],
  decision: ["d", "decision id"],
  reason: ["r", "reason"],
  request: ["j", "request"],
  entry: ["a", "all"],
};

function copyCommand(part: CopiedPart, index: number): Command<Scene> {
  const [key, label] = PARTS[part];
  const { what, read } = COPIED[part];
  return {
    keys: [key],
    label,
    footer: index + 1,
    exposes: true,
    answers: true,
    not: ({ entry }) => (read(entry) === null ? `This check has no ${what}.` : null),
    run: ({ history }) => history.copy(part),
  };
}

export const COPY = commands<Scene>("history.copy", "What to copy", 3, {
  ...Object.fromEntries(
    (Object.keys(PARTS) as CopiedPart[]).map((part, at) => [part, copyCommand(part, at)]),
  ),
  cancel: {
    keys: ["esc", "y"],
    label: "nothing",
    answers: true,
    footer: 6,
    run: (s) => s.history.askCopy(null),
  },
});
