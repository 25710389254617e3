// The live history as rows: time, verdict in its colour, money, order, latency, and in a wide pane project, final action
// and note; the columns fit the rows that are visible. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { plainMarks } from "#src/display/marks.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatClockOrDay, formatLatency, formatMoment } from "#src/display/time.ts";
import { finalWord, VERDICTS, verdictKind, verdictLabel } from "#src/display/verdict.ts";
import { fit, fitTail, widthOf } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { AXIS, markedRow, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

export interface HistoryRowsInput {
  /** Visible entries only. */
  readonly entries: readonly HistoryEntry[];
  readonly selectedId: string | null;
  /** The row that is being sent, which has no outcome yet. */
  readonly sendingId: string | null;
  readonly unit: Profile["amountUnit"];
  readonly width: number;
  /** Local wall time in ms since the epoch: rows of other days show their day. */
  readonly now: number;
}

/** Width from which rows of another day have the time as well. */
const MOMENT_FROM = 46;
/** Fewest columns of a longer order id. */
const ORDER_LEAST = 5;
/** With fewer the latency is dropped. */
const ORDER_WANTED = 10;
const ORDER_MOST = 24;

/** Columns that a project may take, and fewest of a note that say something. */
const PROJECT_MOST = 24;
const NOTE_LEAST = 8;

/** One row per entry, at most `width` columns. Narrow panes lose the latency first, then note, final action, project, order. */
export function historyRows(input: HistoryRowsInput, theme: Theme): Row[] {
  const cells = input.entries.map((entry) => cellsOf(entry, input, theme));
  const widest = (cell: Exclude<keyof Cells, "selected" | "role">): number =>
    Math.max(0, ...cells.map((each) => widthOf(each[cell])));
  const time = widest("time");
  const verdict = widest("verdict");
  const money = widest("money");
  let latency = widest("latency");
  const fixed = AXIS + time + 1 + verdict + 1 + money;
  let order = Math.min(ORDER_MOST, widest("order"), input.width - fixed - 1 - (latency + 1));
  if (order < Math.min(ORDER_WANTED, widest("order"))) {
    latency = 0;
    order = Math.min(ORDER_MOST, widest("order"), input.width - fixed - 1);
  }
  if (order < Math.min(ORDER_LEAST, widest("order"))) order = 0;
  const ellipsis = theme.sign("ellipsis");
  const extras = extraColumns(widest, input.width - fixed - (1 + Math.min(ORDER_MOST, widest("order"))));
  if (extras.length > 0) {
    order = Math.min(ORDER_MOST, widest("order"));
    const taken = extras.reduce((sum, { width }) => sum + 1 + width, fixed + 1 + order);
    if (taken + 1 + latency > input.width) latency = 0;
  }

  return cells.map((cell) => {
    // Where bold is not shown either, the pointer says which row it is.
    const pointer = cell.selected && !theme.color ? theme.sign("pointer") : "";
    const spans: Span[] = [
      { text: fit(pointer, AXIS) },
      { text: `${fit(cell.time, time)} `, role: "quiet" },
      { text: fit(cell.verdict, verdict), role: cell.role },
      {
        text: ` ${fit(cell.money, Math.min(money, input.width - fixed + money), { align: "right", ellipsis })}`,
      },
    ];
    if (order > 0) spans.push({ text: ` ${fitTail(cell.order, order, ellipsis)}` });
    for (const { cell: extra, width } of extras) {
      const fitted =
        extra === "project" ? fitTail(cell.project, width, ellipsis) : fit(cell[extra], width, { ellipsis });
      spans.push({ text: ` ${fitted}` });
    }
    if (latency > 0) spans.push({ text: ` ${fit(cell.latency, latency, { align: "right" })}` });
    return markedRow(spans, cell.selected, false);
  });
}

type Extra = "project" | "final" | "note";

/** Those that fit into `room` columns, each with a blank before it; a later one only behind all earlier ones. */
function extraColumns(
  widest: (cell: Extra) => number,
  room: number,
): { readonly cell: Extra; readonly width: number }[] {
  const project = Math.min(PROJECT_MOST, widest("project"));
  const final = widest("final");
  if (project + 1 > room) return [];
  const columns: { cell: Extra; width: number }[] = [{ cell: "project", width: project }];
  let left = room - 1 - project;
  if (final + 1 > left) return columns;
  columns.push({ cell: "final", width: final });
  left -= 1 + final;
  const longest = widest("note");
  const note = Math.min(longest, left - 1);
  return note < Math.max(1, Math.min(NOTE_LEAST, longest))
    ? columns
    : [...columns, { cell: "note", width: note }];
}

interface Cells {
  readonly selected: boolean;
  readonly time: string;
  readonly verdict: string;
  readonly role: Role;
  readonly money: string;
  readonly order: string;
  readonly latency: string;
  readonly project: string;
  readonly final: string;
  readonly note: string;
}

function cellsOf(
  entry: HistoryEntry,
  { selectedId, sendingId, unit, now, width }: HistoryRowsInput,
  theme: Theme,
): Cells {
  const kind = verdictKind(entry.result);
  const sending = entry.id === sendingId;
  const { order_id, amount, currency } = entry.request;
  return {
    selected: entry.id === selectedId,
    time: (width >= MOMENT_FROM ? formatMoment : formatClockOrDay)(entry.at, now),
    verdict: sending
      ? `${theme.sign("ellipsis")} SENDING`
      : `${verdictLabel(kind, theme.ascii)}${decision(entry)}${furtherMarks(entry)}`,
    role: sending ? "heading" : VERDICTS[kind].role,
    money: safe(formatMoney(amount, currency, unit), { max: 40 }),
    order: order_id === undefined ? "-" : safe(order_id, { max: 200 }),
    project: safe(entry.project, { max: 200 }),
    final: finalWord(entry),
    note: safe(entry.note ?? "", { max: 200 }),
    latency: sending ? "" : formatLatency(entry.result?.latencyMs ?? null),
  };
}

/** Marks of several attempts and a note; the final action is shown in words. */
function furtherMarks(entry: HistoryEntry): string {
  const attempts = Math.max(entry.result?.attempts ?? 1, entry.repeats === null ? 1 : 2);
  const marks = plainMarks(attempts, entry.note);
  return marks === "" ? "" : ` ${marks}`;
}

/** Whether 3-D Secure can be forced, if it was answered. */
function decision({ result, finalAction }: HistoryEntry): string {
  if (result?.recommendation !== "3ds_or_block") return "";
  if (finalAction === null) return " ?";
  return finalAction === "3ds" ? " yes" : " no";
}
