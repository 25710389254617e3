// Errors below the panes of the History screen, with the filter and a mark below its wrong token. Pure.

import { withOthers } from "#src/display/count.ts";
import { caretLines } from "#src/display/filter-caret.ts";
import { safe } from "#src/display/safe.ts";
import type { SignName } from "#src/display/sign.ts";
import type { HistoryViewState } from "#src/state/history/history-state.ts";
import { clip, graphemes, widthOf, wrap, clipLines } from "#src/ui/fit.ts";
import type { Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

const FOOT_LINES = 2;
const INDENT = 4;

export function footRows(
  { fault, wrong, problems }: Pick<HistoryViewState, "fault" | "wrong" | "problems">,
  columns: number,
  theme: Theme,
): Row[] {
  const rows: Row[] = [];
  const add = (name: SignName, role: "error" | "warning", text: string): void => {
    const room = Math.max(2, columns - INDENT);
    const lines = wrap(safe(text, { max: 600 }), room);
    const kept = clipLines(lines, FOOT_LINES, room, theme.sign("ellipsis"));
    for (const [index, line] of kept.entries()) {
      rows.push([
        { text: index === 0 ? `  ${theme.sign(name)} ` : " ".repeat(INDENT), role },
        { text: line, role },
      ]);
    }
  };
  if (wrong !== null) {
    for (const [index, line] of caretRows(wrong, Math.max(2, columns - INDENT), theme).entries()) {
      rows.push([{ text: " ".repeat(INDENT) + line, role: index === 0 ? null : "error" }]);
    }
  }
  if (fault !== null) add("error", "error", fault);
  const [first, ...others] = problems;
  if (first !== undefined) add("warning", "warning", withOthers(first, others.length));
  return rows;
}

/** The filter and the mark below its wrong token, scrolled so that the token is visible. */
function caretRows(
  { filter: typed, column, length }: NonNullable<HistoryViewState["wrong"]>,
  width: number,
  theme: Theme,
): readonly [string, string] {
  const [filter, mark] = caretLines(typed, { column, length }, widthOf).map((line) => line.slice(2)) as [
    string,
    string,
  ];
  const end = widthOf(mark);
  if (end <= width) return [clip(filter, width, theme.sign("ellipsis")), mark];
  // Cut the beginning.
  const gone = Math.min(mark.lastIndexOf(" ") + 1, end - width + 1);
  let skipped = 0;
  let rest = graphemes(filter);
  while (rest.length > 0 && skipped < gone) {
    skipped += widthOf(rest[0]!);
    rest = rest.slice(1);
  }
  const ellipsis = theme.sign("ellipsis");
  return [
    clip(`${ellipsis}${rest.join("")}`, width, ellipsis),
    clip(` ${mark.slice(skipped)}`, width, ellipsis),
  ];
}
