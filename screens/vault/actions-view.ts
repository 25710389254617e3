// The actions on the whole vault as rows: the menu, the progress, and the results.

import { safe } from "#src/display/safe.ts";
import type { VaultAction, VaultActionsState } from "#src/state/vault/vault-actions.ts";
import type { VaultLockState } from "#src/state/vault/vault-lock.ts";
import type { PaneHead } from "#src/ui/pane.tsx";
import { markedRow, AXIS, fillRows, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { protectionText } from "./protection-text.ts";
import { fit } from "#src/ui/fit.ts";

export interface ActionsView {
  readonly head: PaneHead;
  readonly rows: readonly Row[];
}

/** Exactly `rows` rows with the title. */
export function actionsView(
  state: VaultActionsState,
  actions: readonly VaultAction[],
  lock: VaultLockState,
  size: { readonly columns: number; readonly rows: number },
  theme: Theme,
): ActionsView {
  const { columns, rows } = size;
  const body = Math.max(0, rows - 1);
  const menu = actions.map(({ label }, index): Row => {
    const marked = index === state.selected;
    const text = fit(marked ? theme.sign("pointer") : "", AXIS) + safe(label, { max: 120 });
    return markedRow(fitRow([{ text }], columns, theme), marked);
  });
  const blank = fitRow([], columns, theme);
  const below = [
    ...menu,
    blank,
    ...textRows(protectionText(lock, theme.keyName), columns, theme),
    ...(state.working === null
      ? []
      : [blank, ...textRows(`${state.working}.`, columns, theme, { role: "heading" })]),
  ];
  return {
    head: { title: "The vault as a whole", width: columns },
    rows: fillRows(
      [...below, ...reportRows(state, body - below.length, columns, theme)].slice(0, body),
      columns,
      body,
    ),
  };
}

function reportRows({ report }: VaultActionsState, room: number, width: number, theme: Theme): Row[] {
  if (report === null) return [];
  const { sound, sentence, problems } = report;
  const sign = theme.sign(sound ? "done" : "error");
  const head = textRows(`${sign} ${safe(sentence)}`, width, theme, { role: sound ? "pass" : "error" });
  const rows: Row[] = [fitRow([], width, theme), ...head];
  for (const [index, problem] of problems.entries()) {
    const next = textRows(safe(problem, { max: 600 }), width, theme, { indent: AXIS + 2 });
    const isLast = index === problems.length - 1;
    if (rows.length + next.length + (isLast ? 0 : 1) > room) {
      const left = problems.length - index;
      return [
        ...rows,
        ...textRows(`${left} more; "verdict doctor --verify" lists them all.`, width, theme, {
          indent: AXIS + 2,
        }),
      ];
    }
    rows.push(...next);
  }
  return rows;
}
