// The page of messages: what was said in this session, and on the sandbox the requests that it received.

import { Box } from "ink";
import { useEffect, useState, type ReactNode } from "react";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { formatCount, placeText } from "#src/display/count.ts";
import { journalCall, journalOutcome } from "#src/display/journal-text.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { VERDICTS, verdictLabel } from "#src/display/verdict.ts";
import { formatClock, formatLatency } from "#src/display/time.ts";
import { scrolled, type ListMove } from "#src/keys/move-commands.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { matching } from "#src/state/listing.ts";
import type { Toast } from "#src/state/session.ts";
import type { JournalState } from "#src/state/sandbox/journal.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { filledPane, seenRows } from "#src/ui/arranged.ts";
import { fitTail } from "#src/ui/fit.ts";
import { Bands, DIVIDER, type Band } from "#src/ui/pane.tsx";
import type { Span } from "#src/ui/line.tsx";
import { InputLine } from "#src/ui/prompt.tsx";
import { fitRow, hangingRows, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import { useAudience } from "#src/ui/use-audience.ts";
import { MESSAGES, MESSAGES_FIND } from "./keys.ts";

const LEVEL = 4;
/** Columns from which the journal stands beside the messages. */
const BESIDE = 180;
/** Columns from which a row of the journal has room for the id of a decision. */
const WITH_DECISION = 96;
/** Columns of such a row without the id of the order. */
const BESIDE_ORDER = 85;
const LONGEST = 128;
const SILENT = "There are no messages in this session yet.";
const UNASKED = "No request has reached the sandbox yet.";

/** Draws exactly its area. Tab turns between the panes, `/` filters both; the journal is read while the page is open. */
export function Messages({ columns, rows }: Size): ReactNode {
  const { session, journal, context, checks } = useConsole();
  const theme = useTheme();
  const { shown } = useAudience();
  const said = useStore(session.store, ({ messages }) => messages);
  /** What is looked for; null where nothing is. */
  const [filter, setFilter] = useState<string | null>(null);
  const all = said.map((each) => ({ ...each, text: shown(each.text, each.about) }));
  const seen = matching(all, filter ?? "", ({ text }) => text);
  const journaled = shown(useStore(journal.store, (state) => state)).entries;
  const sent = shown(useStore(checks.store, (state) => state)).entries;
  const payments = new Map(sent.map(({ result, request }) => [result?.decisionId ?? "", request]));
  const paid = ({ decision }: JournalEntry, room: number): string =>
    paymentText(payments.get(decision ?? "-"), context.profile.amountUnit, room, theme);
  const received = matching(
    journaled,
    filter ?? "",
    (entry) => `${entry.status} ${journalCall(entry)} ${paid(entry, LONGEST)} ${journalOutcome(entry)}`,
  );
  const hasJournal = context.profile.environment === "SANDBOX";
  useEffect(() => (hasJournal ? journal.follow() : undefined), [journal, hasJournal]);

  const none = (text: string): string => (filter === null ? text : "Nothing matches the filter.");
  const isBeside = hasJournal && columns >= BESIDE;
  const first = isBeside ? (columns - DIVIDER) >> 1 : columns;
  const second = isBeside ? columns - DIVIDER - first : columns;
  const lists = [
    {
      title: "Messages",
      count: seen.length,
      of: all.length,
      width: first,
      rows: messageRows(seen, none(SILENT), first, theme),
    },
    ...(hasJournal
      ? [
          {
            title: "Sandbox journal",
            count: received.length,
            of: journaled.length,
            width: second,
            rows: journalRows(received, paid, none(UNASKED), second, theme),
          },
        ]
      : []),
  ];
  const body = rows - (isBeside ? 1 : lists.length) - (filter === null ? 0 : 1);
  const upper = hasJournal ? Math.max(1, Math.min(lists[0]!.rows.length, Math.floor(body / 2))) : body;
  const heights = isBeside ? [body, body] : [upper, body - upper];
  const [focus, setFocus] = useState(0);
  const [tops, setTops] = useState<readonly number[]>([0, 0]);
  const lastTop = Math.max(0, lists[focus]!.rows.length - heights[focus]!);
  const messages = {
    find: () => setFilter(""),
    close: () => (filter === null ? session.showMessages(false) : setFilter(null)),
    turn: hasJournal ? () => setFocus(1 - focus) : null,
    go: (to: ListMove) => setTops(tops.with(focus, scrolled(tops[focus]!, to, lastTop))),
    page: Math.max(1, heights[focus]! - 1),
  };
  const layer = filter === null ? MESSAGES.layer(messages) : MESSAGES_FIND.layer(messages);
  useLayer({ ...layer, modal: true });
  const panes = lists.map(({ title, count, of, width, rows: listed }, index) => {
    const height = heights[index]!;
    const { seen, from, end } = seenRows(listed, tops[index]!, height);
    const counted = filter === null ? formatCount(count) : placeText(count, of);
    const note = end > from ? `${counted}, ${theme.sign("down")} ${formatCount(end - from)} more` : counted;
    return filledPane({ title, note, width, focused: index === focus }, seen, height);
  });
  const bands: Band[] = isBeside
    ? [{ panes, height: body }]
    : panes.map((pane, index) => ({ panes: [pane], height: heights[index]! }));
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {filter === null ? null : (
        <InputLine label="  Filter" value={filter} onChange={setFilter} level={LEVEL} width={columns} />
      )}
      <Bands bands={bands} />
    </Box>
  );
}

/** Newest first; each sentence is whole. */
function messageRows(messages: readonly Toast[], none: string, width: number, theme: Theme): Row[] {
  if (messages.length === 0) return textRows(none, width, theme);
  return messages.toReversed().flatMap(({ at, kind, text }) => {
    const sign = kind === "error" ? theme.sign("error") : " ";
    const fixed = [{ text: `  ${formatClock(at)}  ` }, { text: `${sign} `, role: "error" as const }];
    return hangingRows({ fixed, text }, width - 1).map((row) => fitRow(row, width, theme));
  });
}

/** The order in `room` columns and the amount of a check, where this home has sent it: the journal holds neither. */
function paymentText(
  request: CheckRequest | undefined,
  unit: AmountUnit,
  room: number,
  theme: Theme,
): string {
  if (request === undefined) return "";
  const order = safe(request.order_id ?? "no order id", { max: LONGEST });
  return `${fitTail(order, room, theme.sign("ellipsis"))}  ${formatMoney(request.amount, request.currency, unit).padStart(14)}  `;
}

/** A row for each request, newest first. @param paid order and amount of a check */
function journalRows(
  entries: JournalState["entries"],
  paid: (entry: JournalEntry, room: number) => string,
  none: string,
  width: number,
  theme: Theme,
): Row[] {
  if (entries.length === 0) return textRows(none, width, theme);
  return entries.map((entry) => {
    const { at, status, latency_ms: latency } = entry;
    const took = formatLatency(latency).padStart(8);
    const head = `  ${formatClock(Date.parse(at))}  ${status ?? "---"}  ${took}  `;
    const role = status === null || status >= 300 ? "heading" : null;
    const { recommendation, decision, repeat } = entry;
    // The console's own requests by their name.
    const call = journalCall(entry).replace(/^[A-Z]+ \/_sandbox\//, "");
    const outcome = journalOutcome({ ...entry, recommendation: null });
    const spans: Span[] = [{ text: head }, { text: `${call.padEnd(10)}  `, role }];
    if (recommendation === null) return fitRow([...spans, { text: outcome, role }], width, theme);
    const said = [repeat ? "repeat" : "", outcome === "ok" ? "" : outcome].filter(Boolean).join("; ");
    const order = Math.max(12, Math.min(30, width - BESIDE_ORDER));
    const payment = paid(entry, order);
    const id = payment !== "" && width < WITH_DECISION ? "" : safe(decision ?? "");
    const verdict = verdictLabel(recommendation, theme.ascii).padEnd(9);
    spans.push(
      { text: verdict, role: VERDICTS[recommendation].role },
      { text: payment },
      { text: said === "" ? "" : `${said}  `, role },
      { text: id, role: "quiet" },
    );
    return fitRow(spans, width, theme);
  });
}
