// The History pane of Check: the live rows, and below them a strip of latencies and verdicts. Pure.

import { placeText } from "#src/display/count.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { ENTRY_LIMIT, selectedIndex, type ChecksState } from "#src/state/check/checks-state.ts";
import { window } from "#src/ui/fit.ts";
import type { PaneHead } from "#src/ui/pane.tsx";
import { attemptsAmong } from "#src/ui/marks.ts";
import { AXIS, hitRow, textRows, type Row } from "#src/ui/rows.ts";
import { STRIP_ROWS, stripRows } from "#src/ui/strip-rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { historyRows } from "./history-rows.ts";

export interface HistoryPaneInput {
  readonly checks: ChecksState;
  /** It has the keys. */
  readonly focused: boolean;
  /** The one in use. */
  readonly project: string | null;
  /** ms since the epoch */
  readonly now: number;
  readonly unit: Profile["amountUnit"];
  readonly width: number;
  /** Rows below the title. */
  readonly height: number;
  /** First visible row of the view before. */
  readonly from: number;
}

export interface HistoryPane {
  readonly head: PaneHead;
  /** At most `height`. */
  readonly rows: readonly Row[];
  readonly from: number;
  /** Rows of a page. */
  readonly page: number;
}

/** Width from which the mark of another project is explained in two words. */
const LEGEND_FROM = 40;
/** A lower pane has no strip. */
const STRIP_FROM = 10;
/** The strip covers this many of the newest entries. */
const LATEST = 200;

export function historyPane(input: HistoryPaneInput, theme: Theme): HistoryPane {
  const { checks, focused, project, now, unit, width, height, from } = input;
  const { entries, following, inFlight } = checks;
  const selected = selectedIndex(checks);
  const hasStrip = height >= STRIP_FROM && entries.length > 0 && theme.ascii !== "words";
  const listed = hasStrip ? height - STRIP_ROWS : height;
  const visible = window(entries.length, listed, selected, from);
  const sendingId = inFlight?.id ?? null;
  const head = (note: string): PaneHead => ({ title: "History", note, width, focused });
  const page = Math.max(1, listed - 1);
  if (entries.length === 0) {
    const text = checks.loaded
      ? "No checks yet: each appears here, the newest first."
      : "Reading the history.";
    return {
      head: head(""),
      rows: textRows(text, width, theme, { role: "quiet" }),
      from: visible.from,
      page,
    };
  }
  const rows = historyRows(
    {
      entries: entries.slice(visible.from, visible.to),
      attempts: attemptsAmong(entries),
      selectedId: checks.selectedId,
      focused,
      now,
      sendingId,
      project,
      unit,
      width,
    },
    theme,
  );
  const latest = entries.slice(0, LATEST);
  const scope = entries.length > LATEST ? "Last" : "All";
  const strip = hasStrip ? stripRows({ entries: latest, sendingId, scope }, width, theme) : [];
  const missing = hasStrip ? Math.max(0, listed - rows.length) : 0;
  // History has the older ones.
  const position = `${placeText(selected + 1, entries.length)}${entries.length >= ENTRY_LIMIT ? "+" : ""}`;
  const other = theme.sign("other");
  const hasOther = rows.some(([first]) => first?.text.slice(0, AXIS).includes(other));
  const legend = width < LEGEND_FROM ? `${other} other` : `${other} other project`;
  return {
    head: head(`${position}${hasOther ? `, ${legend}` : following ? ", following" : ""}`),
    rows: [
      ...rows.map((row, index) => hitRow(row, visible.from + index - selected)),
      ...Array.from({ length: missing }, (): Row => [{ text: " " }]),
      ...strip,
    ],
    from: visible.from,
    page,
  };
}
