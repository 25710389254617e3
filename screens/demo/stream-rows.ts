// A day of payments that runs past as rows: how far it is, the running counts of each rule set, and the case that is named. Pure.

import type { OutcomeSpan } from "#src/contract/records/outcomes.ts";
import { MILDEST_FIRST } from "#src/contract/wire/recommendation.ts";
import { bigText, bigTextWidth } from "#src/ui/big-text.ts";
import { formatCount, percent } from "#src/display/count.ts";
import { rateText } from "#src/display/outcome-words.ts";
import { formatMoney } from "#src/display/money.ts";
import { deckText } from "#src/display/deck-lines.ts";
import { safe } from "#src/display/safe.ts";
import { sparkline } from "#src/ui/sparkline.ts";
import { formatDuration } from "#src/display/time.ts";
import { verdictLabel, VERDICTS } from "#src/display/verdict.ts";
import { daySums, type SideSums } from "#src/state/sandbox/day-sums.ts";
import type { DayRunState } from "#src/state/sandbox/day-run.ts";
import type { DayPayment, StreamFrame } from "#src/state/sandbox/demo.ts";
import { fit, fitTail, widthOf, wrapWords, clipLines } from "#src/ui/fit.ts";
import { barSpans } from "#src/ui/gauge.ts";
import type { Span } from "#src/ui/line.tsx";
import { besideRows, fillRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { verdictSpans } from "#src/ui/verdict-rows.ts";
import { withoutEmpty, type Block, type FrameRoom } from "./frame-rows.ts";

/** Height from which there is room for rates, hours and sentences, all in their places. */
export const TALL = 29;
/** Rows of the case that is named, which stay when there is none; one more where it stops and takes that to be explained. */
const CASE_ROWS = 2;
const MOST_SENTENCES = 4;
const WIDE = 100;
/** Width below which rule sets stand below each other, and a case takes three rows. */
const STACKED = 60;

/** One of the rule sets. */
interface Column {
  readonly title: string;
  /** Beside the title where there is room. */
  readonly note: string;
  readonly sums: SideSums;
  readonly spans: (span: OutcomeSpan) => number;
}

/** What all rows of a day need. */
interface Scene {
  readonly frame: StreamFrame;
  readonly run: DayRunState;
  readonly columns: readonly Column[];
  /** Columns of the screen for each rule set. */
  readonly own: number;
  readonly good: number;
  readonly bad: number;
  readonly ended: boolean;
  readonly tall: boolean;
  readonly theme: Theme;
}

/** The blocks of a day at a point of it, the same rows in the same places from beginning to end. */
export function streamBlocks(
  frame: StreamFrame,
  run: DayRunState,
  { width, height }: FrameRoom,
  theme: Theme,
): Block[] {
  const { day } = frame;
  const { say } = theme;
  const ended = run.shown >= day.payments.length;
  // A screen reader hears it where it stops.
  if (theme.ascii === "words" && run.runs) return [];
  const sums = daySums(day.payments).at(run.shown);
  const columns: Column[] = [
    {
      title: say("today"),
      note: deckText(day.today),
      sums: sums.today,
      spans: ({ current }) => current.goodBlocked,
    },
    ...(day.proposed === null
      ? []
      : [
          {
            title: say("proposed"),
            note: deckText(day.changes.length > 0 ? day.changes.join("; ") : day.proposed),
            sums: sums.proposed,
            spans: ({ proposed }: OutcomeSpan) => proposed.goodBlocked,
          },
        ]),
  ];
  const gap = width >= WIDE ? 7 : 5;
  const isStacked = width < STACKED;
  const own = columns.length === 1 || isStacked ? width : Math.floor((width - gap) / 2);
  const scene: Scene = {
    frame,
    run,
    columns,
    own,
    good: sums.good,
    bad: sums.bad,
    ended,
    tall: height >= TALL,
    theme,
  };
  const beside = (rowsOf: (column: Column, scene: Scene) => readonly Row[]): Row[] =>
    besideRows(
      columns.map((column) => ({ rows: rowsOf(column, scene), width: own })),
      gap,
      theme,
    );
  const lines = frame.say === "" ? [] : wrapWords(deckText(frame.say), width);
  const said = lines.map((text): Row => [{ text, role: "heading" }]);
  const clock = [...said, ...clockRows(scene, width)];
  if (isStacked) {
    const stacked = columns.flatMap((column) => [
      verdictRows(column, scene),
      numberRows(column, scene, height),
      rateRows(column, scene),
    ]);
    return withoutEmpty([
      clock,
      ...stacked,
      ...hourBlocks(scene, width),
      ...sentenceBlocks(scene, width),
      caseRows(scene, width),
    ]);
  }
  const verdicts = beside(verdictRows);
  const rates = beside(rateRows);
  const last = scene.tall
    ? [...sentenceBlocks(scene, width), caseRows(scene, width)]
    : [ended && run.named === null ? sentenceRows(scene, width) : caseRows(scene, width)];
  const taken = [clock, verdicts, rates, ...last].reduce((sum, { length }) => sum + length, 0);
  // Without room for the picture of a number there is the number.
  const numbers = beside((column) => numberRows(column, scene, height - taken));
  return withoutEmpty([clock, verdicts, numbers, rates, ...hourBlocks(scene, width), ...last]);
}

function clockRows({ frame, run, ended, theme }: Scene, width: number): Row[] {
  const { payments } = frame.day;
  const at = payments[Math.max(0, run.shown - 1)]?.at;
  const when = at === undefined ? "" : dayText(at).slice(0, -3);
  const count = formatCount(run.shown);
  const all = theme.say("payments", { all: formatCount(payments.length) });
  const progress = payments.length === 0 ? 1 : run.shown / payments.length;
  const place = Math.min(width - 1, Math.floor(progress * width));
  return [
    [
      { text: when, role: "heading" },
      { text: fit(count, width - widthOf(when) - widthOf(all) - 1, { align: "right" }) },
      { text: ` ${all}`, role: "quiet" },
    ],
    ended
      ? [{ text: theme.sign("heavy").repeat(width), role: "heading" }]
      : [
          { text: theme.sign("heavy").repeat(place) + theme.sign("now"), role: "heading" },
          { text: theme.sign("horizontal").repeat(width - place - 1), role: "quiet" },
        ],
  ];
}

/** `18 Nov 14:20:07`, in UTC as all times of a deck. */
function dayText(at: number): string {
  const text = new Date(at).toUTCString();
  return `${text.slice(5, 11)} ${text.slice(17, 25)}`;
}

/** Name of the rules, and how many payments got each verdict. */
function verdictRows({ title, note, sums }: Column, { run, own, tall, theme }: Scene): Row[] {
  const { ascii, say } = theme;
  const labels = MILDEST_FIRST.map((kind) => verdictLabel(kind, ascii, say(kind)));
  const label = Math.min(own >> 1, Math.max(...labels.map(widthOf))) + 2;
  const room = own - widthOf(title) - 1;
  const ellipsis = theme.sign("ellipsis");
  return [
    [
      { text: title, role: "heading" },
      ...(tall
        ? [{ text: ` ${fit(note, room, { align: "right", ellipsis })}`, role: "quiet" as const }]
        : []),
    ],
    [{ text: theme.sign("horizontal").repeat(own), role: "quiet" }],
    ...(tall ? [[]] : []),
    ...MILDEST_FIRST.map((kind, index): Row => {
      const { role } = VERDICTS[kind];
      return [
        { text: fit(labels[index]!, label, { ellipsis }), role },
        ...barSpans(run.shown === 0 ? 0 : sums[kind] / run.shown, Math.max(1, own - label - 9), role, theme),
        { text: fit(formatCount(sums[kind]), 9, { align: "right" }) },
      ];
    }),
  ];
}

/** The number that one can read from the last row of the room: good customers blocked, or payments where no label tells. */
function numberRows({ sums }: Column, scene: Scene, room: number): Row[] {
  const { frame, good, own, ended, tall, columns, theme } = scene;
  const isLabelled = frame.day.outcomes !== null;
  const count = isLabelled ? sums.goodBlocked : sums.block;
  const label = theme.say(isLabelled ? "good_blocked" : "all_blocked");
  const of = isLabelled ? good : scene.run.shown;
  const end = daySums(frame.day.payments).at(frame.day.payments.length);
  // One size from beginning to end, and for both.
  const most = [end.today, end.proposed]
    .slice(0, columns.length)
    .map((side) => (isLabelled ? side.goodBlocked : side.block));
  const longest = String(Math.max(...most));
  const scale = bigTextWidth(longest, 2) <= own ? 2 : 1;
  const rows = tall ? 7 : 6;
  const hasPicture = theme.ascii !== "words" && room >= rows && bigTextWidth(longest, scale) <= own;
  const role = count > 0 ? VERDICTS.block.role : null;
  const rate = ended && !tall && hasPicture ? percent(count, of) : "";
  const beside = hasPicture ? rate : formatCount(count);
  return [
    pairRow(label, beside, own, theme, { first: "heading", second: hasPicture ? null : role }),
    ...(hasPicture
      ? [
          ...(tall ? [[]] : []),
          ...bigText(String(count), scale, theme.sign("barFull")).map((text): Row => [{ text, role }]),
        ]
      : []),
  ];
}

/** How good customers and fraud fare; none without labels. */
function rateRows({ sums }: Column, { frame, run, good, bad, own, tall, theme }: Scene): Row[] {
  const { say } = theme;
  const row = (label: string, value: string): Row => pairRow(label, value, own, theme, { second: "heading" });
  const all = formatCount(run.shown);
  const share = (part: number, whole: number): string => (whole === 0 ? "-" : percent(part, whole));
  if (frame.day.outcomes === null)
    return tall ? [row(say("payments", { all }), share(sums.block, run.shown))] : [];
  const passed = row(say("fraud_passed"), formatCount(sums.badPassed));
  if (!tall) return [passed];
  return [
    row(say("of_good", { all: formatCount(good) }), share(sums.goodBlocked, good)),
    [],
    row(say("fraud_blocked", { all: formatCount(bad) }), formatCount(sums.badBlocked)),
    row(say("fraud_secured"), formatCount(sums.badSecured)),
    passed,
    row(say("block_right"), rateText({ part: sums.badBlocked, whole: sums.badBlocked + sums.goodBlocked })),
  ];
}

function pairRow(
  label: string,
  value: string,
  width: number,
  theme: Theme,
  { first = "quiet", second = null }: { readonly first?: Span["role"]; readonly second?: Span["role"] },
): Row {
  const room = Math.max(0, width - widthOf(value) - 1);
  return [
    { text: `${fit(label, room, { ellipsis: theme.sign("ellipsis") })} `, role: first },
    { text: value, role: second },
  ];
}

/** Good customers blocked over the time of the payments, as far as it has run past. */
function hourBlocks({ frame, run, columns, tall, theme }: Scene, width: number): Block[] {
  const { outcomes, payments } = frame.day;
  if (!tall || outcomes === null || theme.ascii === "words") return [];
  const { say } = theme;
  const { spans, spanMs } = outcomes;
  const now = run.shown >= payments.length ? Number.POSITIVE_INFINITY : (payments[run.shown - 1]?.at ?? 0);
  const labels = Math.max(...columns.map(({ title }) => widthOf(title))) + 3;
  const each = columns.map(({ spans: of }) => inColumns(spans.map(of), width - labels));
  const most = Math.max(0, ...each.flat());
  const past = spans.filter(({ from }) => from + spanMs <= now).length / Math.max(1, spans.length);
  const peaks = columns.map(({ spans: of }) => formatCount(Math.max(0, ...spans.map(of))));
  const arrow = ` ${theme.sign("arrow")} `;
  const title = say("hour_by_hour", { what: say("good_blocked") });
  const peak = say("at_most", { n: peaks.join(arrow), time: formatDuration(spanMs) });
  return [
    [
      pairRow(title, past < 1 ? "" : peak, width, theme, { second: "quiet" }),
      ...columns.map((column, index): Row => {
        const values = each[index]!.slice(0, Math.round(each[index]!.length * past));
        const line = values.map((value) => (value === 0 ? null : value));
        return [
          { text: fit(column.title, labels), role: "quiet" },
          { text: sparkline(line, line.length, theme.ascii === true, most), role: VERDICTS.block.role },
        ];
      }),
    ],
  ];
}

/** The values in at most so many columns: each over several columns, or the greatest of several in one. */
function inColumns(values: readonly number[], width: number): number[] {
  if (values.length <= width) {
    const times = Math.max(1, Math.floor(width / Math.max(1, values.length)));
    return values.flatMap((value) => Array.from({ length: times }, () => value));
  }
  const size = Math.ceil(values.length / Math.max(1, width));
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    Math.max(...values.slice(index * size, (index + 1) * size)),
  );
}

/** What the change does, in as many rows from beginning to end. */
function sentenceBlocks(scene: Scene, width: number): Block[] {
  const rows = sentenceRows(scene, width, MOST_SENTENCES);
  if (rows.length === 0) return [];
  return [scene.ended ? rows : fillRows([], width, rows.length)];
}

/** The sentences that fit, whole but for the first one. */
function sentenceRows({ frame, theme }: Scene, width: number, most: number = CASE_ROWS + 1): Row[] {
  const rows: Row[] = [];
  for (const [index, sentence] of frame.day.sentences.entries()) {
    const lines = wrapWords(deckText(sentence), width);
    if (index > 0 && theme.ascii !== "words" && rows.length + lines.length > most) break;
    const role = index === 0 ? ("heading" as const) : null;
    rows.push(...cutRows(lines, most, width, theme).map((text): Row => [{ text, role }]));
  }
  return rows;
}

/** The lines that fit, the last one with a mark where there are more; a listener hears them all. */
function cutRows(lines: readonly string[], most: number, width: number, theme: Theme): readonly string[] {
  return theme.ascii === "words" ? lines : clipLines(lines, most, width, theme.sign("ellipsis"));
}

/** The payment that is named, and why its verdicts differ. */
function caseRows({ frame, run, ended, tall, theme }: Scene, width: number): Row[] {
  const { payments } = frame.day;
  const place = run.named ?? (ended && tall ? daySums(payments).nextChange(0) : null);
  const payment = place === null ? undefined : payments[place];
  if (payment === undefined) return fillRows([], width, CASE_ROWS);
  const most = CASE_ROWS - (run.runs ? 1 : 0);
  const why = cutRows(wrapWords(deckText(payment.why ?? ""), width), most, width, theme);
  const rows: Row[] = [
    ...namedRows(payment, tall, width, theme),
    ...why.map((text): Row => [{ text, role: run.runs ? "quiet" : null }]),
  ];
  return fillRows(rows, width, Math.max(CASE_ROWS, rows.length));
}

function namedRows(named: DayPayment, tall: boolean, width: number, theme: Theme): Row[] {
  const { at, request, today, proposed, worth } = named;
  const { say } = theme;
  const order = safe(request.order_id ?? "-", { max: 40 });
  const gap = tall ? "   " : "  ";
  const when = tall ? dayText(at) : dayText(at).slice(7);
  const what = safe(formatMoney(request.amount, request.currency), { max: 40 });
  const which: Row = [
    ...(tall ? [{ text: say("case") + gap, role: "quiet" as const }] : []),
    { text: when + gap, role: tall ? null : "quiet" },
  ];
  const payment: Row = [
    {
      text: `${widthOf(order) > 20 ? fitTail(order, 20, theme.sign("ellipsis")) : order}${gap}${what}${gap}`,
    },
  ];
  const changed: Row = [
    ...verdictSpans(today === proposed ? [today] : [today, proposed], theme),
    ...(worth === null ? [] : [{ text: gap + say(worth === "good" ? "good_customer" : "fraud") }]),
  ];
  return width < STACKED ? [which, payment, changed] : [[...which, ...payment, ...changed]];
}
