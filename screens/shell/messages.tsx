// The page of messages: what was said in this session, and on the sandbox the requests that it received.

import { useEffect, useState, type ReactNode } from "react";
import { journalCall, journalOutcome } from "#src/display/journal-text.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { formatClock, formatLatency } from "#src/display/time.ts";
import { scrolled, type ListMove } from "#src/keys/move-commands.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import type { Toast } from "#src/state/session.ts";
import type { JournalState } from "#src/state/sandbox/journal.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { filledBand, seenRows } from "#src/ui/arranged.ts";
import { Bands } from "#src/ui/pane.tsx";
import { fitRow, hangingRows, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import { useAudience } from "#src/ui/use-audience.ts";
import { MESSAGES } from "./keys.ts";

/** Draws exactly its area. Tab turns between the panes; the journal is read while the page is open. */
export function Messages({ columns, rows }: Size): ReactNode {
  const { session, journal, context } = useConsole();
  const theme = useTheme();
  const { shown } = useAudience();
  const said = useStore(session.store, ({ messages }) => messages);
  const seen = said.map((each) => ({ ...each, text: shown(each.text, each.about) }));
  const received = shown(useStore(journal.store, (state) => state));
  const hasJournal = context.profile.environment === "SANDBOX";
  useEffect(() => (hasJournal ? journal.follow() : undefined), [journal, hasJournal]);

  const lists = [
    { title: "Messages", count: said.length, rows: messageRows(seen, columns, theme) },
    ...(hasJournal
      ? [
          {
            title: "Sandbox journal",
            count: received.entries.length,
            rows: journalRows(received, columns, theme),
          },
        ]
      : []),
  ];
  const body = rows - lists.length;
  const upper = hasJournal ? Math.max(1, Math.min(lists[0]!.rows.length, Math.floor(body / 2))) : body;
  const heights = [upper, body - upper];
  const [focus, setFocus] = useState(0);
  const [tops, setTops] = useState<readonly number[]>([0, 0]);
  const lastTop = Math.max(0, lists[focus]!.rows.length - heights[focus]!);
  const messages = {
    close: () => session.showMessages(false),
    turn: hasJournal ? () => setFocus(1 - focus) : null,
    go: (to: ListMove) => setTops(tops.with(focus, scrolled(tops[focus]!, to, lastTop))),
    page: Math.max(1, heights[focus]! - 1),
  };
  useLayer({ ...MESSAGES.layer(messages), modal: true });
  const bands = lists.map(({ title, count, rows: all }, index) => {
    const height = heights[index]!;
    const { seen, from, end } = seenRows(all, tops[index]!, height);
    const note = end > from ? `${count}, ${theme.sign("down")} ${end - from} more` : `${count}`;
    return filledBand({ title, note, width: columns, focused: index === focus }, seen, height);
  });
  return <Bands bands={bands} />;
}

/** Newest first; each sentence is whole. */
function messageRows(messages: readonly Toast[], width: number, theme: Theme): Row[] {
  if (messages.length === 0) return textRows("There are no messages in this session yet.", width, theme);
  return messages.toReversed().flatMap(({ at, kind, text }) => {
    const sign = kind === "error" ? theme.sign("error") : " ";
    const fixed = [{ text: `  ${formatClock(at)}  ` }, { text: `${sign} `, role: "error" as const }];
    return hangingRows({ fixed, text }, width - 1).map((row) => fitRow(row, width, theme));
  });
}

/** A row for each request, newest first. */
function journalRows({ entries }: JournalState, width: number, theme: Theme): Row[] {
  if (entries.length === 0) return textRows("No request has reached the sandbox yet.", width, theme);
  return entries.map((entry) => {
    const { at, status, latency_ms: latency } = entry;
    const took = formatLatency(latency).padStart(8);
    const head = `  ${formatClock(Date.parse(at))}  ${status ?? "---"}  ${took}  `;
    const isRefused = status === null || status >= 300;
    const role = isRefused ? "heading" : null;
    const { recommendation } = entry;
    const outcome = journalOutcome(entry);
    const verdict: Row =
      recommendation === null ? [] : [{ text: recommendation, role: VERDICTS[recommendation].role }];
    const spans: Row = [
      { text: head },
      { text: `${journalCall(entry).padEnd(10)}  `, role },
      ...verdict,
      { text: outcome.slice(recommendation?.length ?? 0), role },
    ];
    return fitRow(spans, width, theme);
  });
}
