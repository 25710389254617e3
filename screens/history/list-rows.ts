// The list of checks as rows of columns: as many columns as the width has room for. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { FinalAction } from "#src/contract/wire/recommendation.ts";
import { marksOf } from "#src/display/marks.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { formatClock, formatDateTime, formatLatency } from "#src/display/time.ts";
import { fit, fitTail, widthOf } from "#src/ui/fit.ts";
import { sign } from "#src/ui/page.ts";
import type { Row } from "#src/ui/rows.ts";
import { isForeign, verdictSpan, type Look } from "./detail-lines.ts";

export interface HistoryLook extends Look {
  /** Local wall time in ms since the epoch: entries of another day show their date. */
  readonly now: number;
  /** Which attempt of its payment an entry is, by its id; 1 for those that are missing. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Id of the entry that another one is to be compared with. */
  readonly markedId: string | null;
}

/** A column of the list. */
export interface Column {
  readonly title: string;
  readonly width: number;
  readonly align: "left" | "right";
  read(entry: HistoryEntry, look: HistoryLook): string;
}

const TIME: Column = {
  title: "Time",
  width: 11,
  align: "left",
  read: (entry, { now }) => timeText(entry.at, now),
};
/** Drawn in the colour of the verdict. */
const VERDICT: Column = {
  title: "Verdict",
  width: 10,
  align: "left",
  read: (entry, look) => verdictSpan(entry, look).text,
};
const MONEY: Column = {
  title: "Amount",
  width: 13,
  align: "right",
  read: ({ request }, { unit }) => formatMoney(request.amount, request.currency, unit),
};
const LATENCY: Column = {
  title: "Latency",
  width: 7,
  align: "right",
  read: ({ result }) => formatLatency(result?.latencyMs ?? null),
};
/** As wide as those that are visible; what they mean stands below the list. */
const MARKS: Omit<Column, "width"> = {
  title: "",
  align: "left",
  read: (entry, { attempts }) => marksOf(entry, attempts.get(entry.id) ?? 1),
};
const FINAL: Column = { title: "Final", width: 8, align: "left", read: finalWord };

const FINAL_WORD: Readonly<Record<FinalAction, string>> = {
  continue: "continue",
  block: "block",
  "3ds": "3DS",
};

function finalWord({ finalAction, result }: HistoryEntry): string {
  if (finalAction !== null) return FINAL_WORD[finalAction];
  return result?.recommendation === "3ds_or_block" ? "open" : "-";
}

/** Order ids and project keys differ at their end, which is what stays of a long one. */
function nameColumn(
  title: string,
  width: number,
  read: (entry: HistoryEntry, look: HistoryLook) => string,
): Column {
  return {
    title,
    width,
    align: "left",
    read: (entry, look) => fitTail(safe(read(entry, look)), width, sign("ellipsis", look)),
  };
}

/** A name with the profile in front where that is not the one in use. */
function withProfile(name: string, entry: HistoryEntry, look: HistoryLook): string {
  return isForeign(entry, look) ? `${entry.profile}:${name}` : name;
}

/** The selected row's pointer, and the mark of another profile. */
const POINTER = 2;

/** Fewer columns hold the end of most project keys, which is the same for all of them. */
const PROJECT_LEAST = 10;

/**
 * The columns that have room: money and verdict always, the project only on a wide list.
 * @param entries those that are visible: an amount is never cut, which would make it another one
 */
export function listColumns(width: number, entries: readonly HistoryEntry[], look: HistoryLook): Column[] {
  const widest = entries.map((entry) => widthOf(MONEY.read(entry, look)));
  const money: Column = { ...MONEY, width: Math.max(MONEY.width, ...widest) };
  const widestMarks = Math.max(0, ...entries.map((entry) => MARKS.read(entry, look).length));
  const marks = widestMarks === 0 ? [] : [{ ...MARKS, width: widestMarks }];
  const others = [...marks, ...(width >= 56 ? [LATENCY] : []), ...(width >= 66 ? [FINAL] : [])];
  const taken = [TIME, VERDICT, money, ...others].reduce((sum, column) => sum + column.width + 1, POINTER);
  const room = Math.max(4, width - taken);
  const share = width >= 80 ? Math.floor((room - 1) * 0.55) : 0;
  const project = share < PROJECT_LEAST ? 0 : share;
  const order = nameColumn("Order", project === 0 ? room : room - 1 - project, (entry, look) => {
    const name = entry.request.order_id ?? "-";
    return project === 0 ? withProfile(name, entry, look) : name;
  });
  const projects =
    project === 0
      ? []
      : [nameColumn("Project", project, (entry, look) => withProfile(entry.project, entry, look))];
  return [TIME, VERDICT, money, order, ...others, ...projects];
}

export function headRow(columns: readonly Column[], look: Look): Row {
  const cells = columns.map(({ title, width, align }) => fit(title, width, { align, ...ellipsis(look) }));
  return [{ text: `${" ".repeat(POINTER)}${cells.join(" ")}`, role: "heading" }];
}

export function entryRow(
  entry: HistoryEntry,
  selected: boolean,
  columns: readonly Column[],
  look: HistoryLook,
): Row {
  const foreign = isForeign(entry, look);
  const marked = entry.id === look.markedId;
  const role = foreign ? "warning" : selected ? "accent" : null;
  const cell = (column: Column): string =>
    fit(column.read(entry, look), column.width, { align: column.align, ...ellipsis(look) });
  const verdictAt = columns.indexOf(VERDICT);
  const before = columns.slice(0, verdictAt).map(cell);
  const behind = columns.slice(verdictAt + 1).map(cell);
  return [
    {
      text: `${selected ? sign("pointer", look) : " "}${marked ? "m" : foreign ? sign("warning", look) : " "}${before.join(" ")} `,
      role,
    },
    { ...verdictSpan(entry, look), text: cell(VERDICT) },
    { text: ` ${behind.join(" ")}`, role },
  ];
}

/** `12:04:11` today, `11-20 12:04` on another day, `2025-11-20` in another year. */
function timeText(at: number, now: number): string {
  const [day = ""] = formatDateTime(at).split(" ");
  const [today = ""] = formatDateTime(now).split(" ");
  if (day === today) return formatClock(at);
  return day.slice(0, 4) === today.slice(0, 4) ? `${day.slice(5)} ${formatClock(at).slice(0, 5)}` : day;
}

function ellipsis(look: Look): { ellipsis: string } {
  return { ellipsis: sign("ellipsis", look) };
}
