// The live history as rows: time, verdict in its colour, money, order, latency, and in a wide pane project, final action
// and note; the columns fit the rows that are visible. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { plainMarks } from "#src/ui/marks.ts";
import { checkedMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import type { Ascii } from "#src/display/sign.ts";
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
  readonly attempts: (entry: HistoryEntry) => number;
  readonly selectedId: string | null;
  /** The list has the keys: its selected row is pointed at. */
  readonly focused: boolean;
  /** The row that is being sent, which has no outcome yet. */
  readonly sendingId: string | null;
  /** Checks of another project are marked where there is no column for it; null for no marks. */
  readonly project: string | null;
  readonly unit: Profile["amountUnit"];
  readonly width: number;
  /** Local wall time in ms since the epoch: rows of other days show their day. */
  readonly now: number;
}

/** Width from which rows of another day have the time as well. */
const MOMENT_FROM = 46;
/** Columns between two cells, and where amounts would be cut. */
const GAP = 2;
const NARROW_GAP = 1;
/** Columns of a time without seconds, or of a day. */
const MINUTES = 5;

const ORDER_LEAST = 5;
/** Columns of an amount that are not given to an order id. */
const MONEY_USUAL = 16;

/** Cells that stand where there is room for them, the first of them first, with their fewest and most columns. */
const OPTIONAL = [
  { cell: "marks", least: 20, most: 20 },
  { cell: "order", least: ORDER_LEAST, most: 24 },
  { cell: "project", least: 16, most: 24 },
  { cell: "final", least: 8, most: 8 },
  { cell: "note", least: 8, most: 80 },
  { cell: "latency", least: 8, most: 8 },
] as const;
type Optional = (typeof OPTIONAL)[number]["cell"];

/** One row per entry, at most `width` columns. Narrow panes lose the latency first, then note, final action, project, order. */
export function historyRows(asked: HistoryRowsInput, theme: Theme): Row[] {
  // A screen reader hears every column.
  const input = theme.ascii === "words" ? { ...asked, width: Number.MAX_SAFE_INTEGER } : asked;
  const { width } = input;
  const plain = input.entries.map((entry) => cellsOf(entry, input, theme));
  const [verdict, money] = [widestOf(plain, "verdict"), widestOf(plain, "money")];
  // Seconds go before an amount is cut.
  const whole = AXIS + widestOf(plain, "time") + verdict + money + 2 * NARROW_GAP <= width;
  const time = whole ? widestOf(plain, "time") : MINUTES;
  const needed = AXIS + time + verdict;
  const gap = needed + money + 2 * GAP <= width ? GAP : NARROW_GAP;
  const withMarks = (shown: ReadonlyMap<Optional, number>): Cells[] =>
    plain.map((cell, index) => ({
      ...cell,
      marks: marksBeside(input.entries[index]!, input, shown, theme.ascii),
    }));
  // An amount that is longer than usual, which the detail has whole, leaves room for what tells payments apart.
  const left = Math.max(0, width - needed - 2 * gap);
  const order = GAP + Math.min(ORDER_LEAST, widestOf(plain, "order"));
  const beside = order + 1 + widestOf(withMarks(new Map()), "marks");
  const amount = Math.min(money, left, Math.max(MONEY_USUAL, left - beside));
  const room = left - amount;
  // A column says what a mark would, and its own is there already without it.
  const cells = withMarks(optionalWidths(withMarks(new Map()), room));
  const shown = optionalWidths(cells, room);
  const marks = shown.get("marks") ?? 0;
  const ellipsis = theme.sign("ellipsis");
  const blank = fit("", gap);
  return cells.map((cell) => {
    const other = cell.other && !shown.has("project") ? theme.sign("other") : "";
    const points = cell.selected && input.focused && theme.ascii !== "words";
    const spans: Span[] = [
      { text: fit((points ? theme.sign("pointer") : "") + other, AXIS) },
      { text: fit(cell.time.slice(0, time), time) + blank, role: "quiet" },
      {
        text: fit(cell.verdict, verdict) + fit(` ${cell.marks}`, marks === 0 ? 0 : marks + 1),
        role: cell.role,
      },
      { text: blank + fit(cell.money, amount, { align: "right", ellipsis }) },
    ];
    for (const [name, columns] of shown) {
      if (name === "marks") continue;
      const text = cell[name];
      const fitted =
        name === "order" || name === "project"
          ? fitTail(text, columns, ellipsis)
          : fit(text, columns, { ellipsis, align: name === "latency" ? "right" : "left" });
      spans.push({ text: blank + fitted });
    }
    return markedRow(spans, cell.selected, input.focused);
  });
}

/** Columns of the optional cells in `room`, each with the blanks before it; a later one only behind all earlier ones. */
function optionalWidths(cells: readonly Cells[], room: number): Map<Optional, number> {
  const shown = new Map<Optional, number>();
  let left = room;
  for (const { cell, least } of OPTIONAL) {
    const gap = cell === "marks" ? 1 : GAP;
    const columns = Math.min(least, widestOf(cells, cell));
    if (columns === 0) continue;
    if (gap + columns <= left) {
      shown.set(cell, columns);
      left -= gap + columns;
    } else if (cell !== "marks") break;
  }
  for (const { cell, most } of OPTIONAL) {
    const columns = shown.get(cell);
    if (columns === undefined) continue;
    const more = Math.min(left, Math.min(most, widestOf(cells, cell)) - columns);
    shown.set(cell, columns + more);
    left -= more;
  }
  return shown;
}

function widestOf(cells: readonly Cells[], cell: "time" | "verdict" | "money" | Optional): number {
  return Math.max(0, ...cells.map((each) => widthOf(each[cell])));
}

interface Cells {
  readonly selected: boolean;
  readonly other: boolean;
  readonly time: string;
  readonly verdict: string;
  /** Behind the verdict. */
  readonly marks: string;
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
  { selectedId, sendingId, project, unit, now, width }: HistoryRowsInput,
  theme: Theme,
): Cells {
  const kind = verdictKind(entry.result);
  const sending = entry.id === sendingId;
  const { order_id } = entry.request;
  return {
    selected: entry.id === selectedId,
    other: project !== null && entry.project !== project,
    time: (width >= MOMENT_FROM ? formatMoment : formatClockOrDay)(entry.at, now),
    verdict: sending ? `${theme.sign("ellipsis")} SENDING` : verdictLabel(kind, theme.ascii),
    marks: "",
    role: sending ? "heading" : VERDICTS[kind].role,
    money: safe(checkedMoney(entry, unit), { max: 40 }),
    order: order_id === undefined ? "-" : `${theme.named("order")}${safe(order_id, { max: 200 })}`,
    project: safe(entry.project, { max: 200 }),
    final: `${theme.named("final action")}${finalWord(entry)}`,
    note: safe(entry.note ?? "", { max: 200 }),
    latency: sending ? "" : formatLatency(entry.result?.latencyMs ?? null),
  };
}

/** `yes 2x&`: whether 3-D Secure can be forced, attempts, a note; without what has a column of its own. */
function marksBeside(
  entry: HistoryEntry,
  { attempts }: HistoryRowsInput,
  shown: ReadonlyMap<Optional, number>,
  ascii: Ascii,
): string {
  const { result, finalAction, note } = entry;
  const asked = result?.recommendation === "3ds_or_block" && !shown.has("final");
  const decision = finalAction === null ? "?" : finalAction === "3ds" ? "yes" : "no";
  const marks = plainMarks(attempts(entry), shown.has("note") ? null : note, ascii);
  return [asked ? decision : "", marks].filter((mark) => mark !== "").join(" ");
}
