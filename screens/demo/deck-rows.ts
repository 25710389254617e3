// The pages around the frames of a deck: the list of decks, the title, the recap and a failure. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { deckSize, deckText, PIPED_DECK } from "#src/display/deck-lines.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";
import {
  verdictKind,
  verdictKinds,
  VERDICT_KINDS,
  VERDICTS,
  type VerdictKind,
  verdictSign,
  verdictSpan,
} from "#src/display/verdict.ts";
import type { DemoState } from "#src/state/sandbox/deck-run.ts";
import type { CheckFrame, Deck, DemoFrame } from "#src/state/sandbox/demo.ts";
import { daySums, type SideSums } from "#src/state/sandbox/day-sums.ts";
import { bigLines } from "#src/ui/big-text.ts";
import { fit, spansWidth, widthOf, window, wrapWords } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { besideRows, fitRow, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { verdictSpans } from "#src/ui/verdict-rows.ts";
import { answersOf, type Block, type FrameRoom } from "./frame-rows.ts";

const WIDEST_TEXT = 76;
/** Columns between two figures. */
const COLUMN_GAP = 4;

/** The decks, with their summaries if there is room, and always that of the selected one. */
export function choiceBlocks({ choices, selected }: DemoState, room: FrameRoom, theme: Theme): Block[] {
  if (choices.length === 0) return [[[{ text: "Reading the decks." }]]];
  const about = (deck: Deck, isSelected: boolean): Row[] => {
    const lines = wrapWords(deckText(deck.summary), Math.min(WIDEST_TEXT, room.width - 2));
    return [
      ...lines.map((text): Row => [{ text: `  ${text}` }]),
      [{ text: `  ${sizeOf(deck)}`, role: isSelected ? "note" : null }],
    ];
  };
  const title = (deck: Deck, isSelected: boolean): Row => [
    {
      text: `${isSelected ? theme.sign("pointer") : " "} ${deckText(deck.title)}`,
      role: isSelected ? "accent" : "heading",
    },
  ];
  const all = choices.map((deck, index): Block => [
    title(deck, index === selected),
    ...about(deck, index === selected),
  ]);
  const others = wrapWords(OTHER_DECKS, room.width).map((text): Row => [{ text, role: "quiet" }]);
  const rows = all.reduce((sum, block) => sum + block.length + 1, others.length + 1);
  if (rows <= room.height) return [...all, others];
  const own = about(choices[selected]!, true);
  const visible = window(choices.length, Math.max(1, room.height - own.length - others.length - 1), selected);
  return [
    choices.slice(visible.from, visible.to).flatMap((deck, index) => {
      const isSelected = visible.from + index === selected;
      return [title(deck, isSelected), ...(isSelected ? own : [])];
    }),
    others,
  ];
}

const OTHER_DECKS =
  'A deck of your own: verdict demo FILE; "verdict examples FOLDER" writes a sample. A page to hand out: add --export html=FILE. More: verdict help demo.';

function sizeOf(deck: Deck): string {
  return `${deckSize(deck)}: verdict demo ${safe(deck.name, { max: 40 })}`;
}

/** Rows that the lines below the big title need, with the blank ones. */
const BELOW_TITLE = 9;
/** Height from which the cover also says where its answers come from. */
const ROOMY = 28;
/** Seconds that one speaks about a step, and about each of its checks. */
const SPOKEN_S = { step: 15, check: 15 } as const;

/** The title, before the first check: big, in the middle, with how to begin and where the notes are. */
export function coverBlocks(
  { opening, progress, autoS, paused }: DemoState,
  deck: Deck,
  room: FrameRoom,
  theme: Theme,
): Block[] {
  const ready = autoS === null || paused ? "begins" : "begins_by_itself";
  const state = !opening
    ? theme.say(ready, { key: theme.keyName("demo.forward") })
    : theme.say(progress === null ? "preparing" : "deciding", { n: progress ?? 0 });
  const centred = (text: string, role: Span["role"]): Row[] => centredRows(text, room.width, role);
  const title = bigLines(
    deckText(deck.title),
    { columns: room.width, rows: room.height - BELOW_TITLE },
    theme,
  );
  const place =
    "A temporary sandbox answers, with real signatures and a clock that the deck sets. Your data does not change.";
  // A deck in another language shows its audience no English.
  const isEnglish = deck.words.size === 0;
  return [
    [],
    title.length > 0
      ? title.map((line) => centredRow(line, room.width, "heading"))
      : centred(deckText(deck.title), "heading"),
    centred(deckText(deck.summary), null),
    ...(isEnglish ? [centred(`${deckSize(deck)}, about ${minutesOf(deck)}`, "quiet")] : []),
    ...(isEnglish && room.height >= ROOMY ? [centred(place, "quiet")] : []),
    centred(state, opening ? "note" : "heading"),
    ...(isEnglish ? [centred("Notes on another terminal: verdict demo --follow", "quiet")] : []),
  ];
}

function minutesOf({ steps }: Deck): string {
  const checks = steps.reduce((sum, step) => sum + Math.max(1, step.checks.length), 0);
  const seconds = steps.length * SPOKEN_S.step + checks * SPOKEN_S.check;
  return counted(Math.max(1, Math.round(seconds / 60)), "minute");
}

function centredRow(text: string, width: number, role: Span["role"]): Row {
  return [{ text: fit("", Math.max(0, (width - widthOf(text)) >> 1)) }, { text, role }];
}

function centredRows(text: string, width: number, role: Span["role"]): Row[] {
  return wrapWords(text, Math.min(WIDEST_TEXT, width)).map((line) => centredRow(line, width, role));
}

/** The end: the strongest figure, the path of verdicts, whether all are as the deck expects, and the page to hand out. */
export function recapBlocks(
  { frames, deck }: Pick<DemoState, "frames" | "deck">,
  room: FrameRoom,
  theme: Theme,
): Block[] {
  const head = figureRows(frames, room, theme);
  const page = deck === null ? [] : handOutRows(deck, room.width);
  // With the conclusion, and two blank rows.
  const list = Math.max(1, room.height - head.length - page.length - 3);
  const verdicts = frames.map((frame) => recapVerdicts(frame, theme));
  const column = Math.min(room.width >> 1, Math.max(11, ...verdicts.map((row) => spansWidth(row) + 2)));
  const whole = frames.map((frame, index) => {
    // Attempts of one step have one sentence.
    const said = frames[index - 1]?.index === frame.index ? "" : deckText(frame.say);
    return recapRows(frame, said, fitRow(verdicts[index]!, column, theme), room.width - 8, theme);
  });
  const isRoomy = whole.reduce((sum, rows) => sum + rows.length, 0) <= list;
  const shown = isRoomy ? whole : whole.slice(0, frames.length > list ? list - 1 : list);
  const left = frames.length - shown.length;
  const ellipsis = theme.sign("ellipsis");
  const rows = shown.flatMap((each) =>
    isRoomy ? each : each.slice(0, 1).map((row) => cutRow(row, each.length, ellipsis)),
  );
  return [
    head,
    left > 0 ? [...rows, [{ text: `and ${left} more` }]] : rows,
    [...conclusionRows(frames, theme), ...page],
  ];
}

/** How to write the page of a deck: its folder is nothing for an audience, nor a command line for one of another language. */
function handOutRows({ name, words }: Deck, width: number): Row[] {
  if (words.size > 0 || name === PIPED_DECK) return [];
  const file = shellWord(safe(name, { max: 80 }));
  const page = shellWord(`${safe(name, { max: 80 }).replace(/\.ya?ml$/, "")}.html`);
  const where = file === page.slice(0, -".html".length) ? "" : ", in the folder of the deck";
  const text = `To hand out${where}: verdict demo ${file} --export html=${page}`;
  return wrapWords(text, width).map((line) => [{ text: line, role: "heading" }]);
}

/** Whether all answers are as the deck expects; none where it expects nothing. */
export function conclusionRows(frames: readonly DemoFrame[], { sign, say }: Theme): Row[] {
  const given = frames.flatMap((frame) => (frame.kind === "check" ? expectationsOf(frame) : []));
  const all = given.length;
  const wrong = given.filter(({ expected, kind }) => expected !== null && expected !== kind).length;
  const n = given.filter(({ expected }) => expected !== null).length;
  if (n === 0) return [];
  if (wrong > 0) {
    const text = `${sign("error")} ${wrong} of ${all} verdicts differ from the expected verdicts.`;
    return [[{ text, role: "error" }]];
  }
  if (n === all) return [[{ text: `${sign("done")} ${say("as_expected", { all })}`, role: "heading" }]];
  return [[{ text: say("partly_expected", { n, all }) }]];
}

/** What each answer of a check should be, and what it is. */
function expectationsOf(
  frame: CheckFrame,
): { readonly expected: VerdictKind | null; readonly kind: VerdictKind }[] {
  return answersOf(frame).map(({ result }, at) => ({
    expected: (frame.sides[at] ?? frame).expected,
    kind: verdictKind(result),
  }));
}

/** What the last day with a proposal comes to under each of its rule sets, in big digits; else what the checks come to. */
function figureRows(frames: readonly DemoFrame[], { width, height }: FrameRoom, theme: Theme): Row[] {
  const days = frames.filter((frame) => frame.kind === "stream");
  const day = days.findLast((frame) => frame.day.proposed !== null)?.day;
  if (day === undefined) return answerRows(frames, { width, height }, theme);
  const { today, proposed } = daySums(day.payments).at(day.payments.length);
  const isLabelled = day.outcomes !== null;
  const [was, now] = isLabelled ? [today.goodBlocked, proposed.goodBlocked] : [today.block, proposed.block];
  const price = isLabelled ? priceRows(today, proposed, width, theme) : [];
  const label = theme.say(isLabelled ? "good_blocked" : "all_blocked");
  const figure = `${formatCount(was)} ${theme.sign("arrow")} ${formatCount(now)}`;
  const { role } = VERDICTS.block;
  // A number is not wrapped within its groups.
  const big = `${formatCount(was)}→${formatCount(now)}`.replaceAll(" ", "\u00a0");
  const lines = bigLines(big, { columns: width, rows: height >> 1 }, theme);
  if (lines.length === 0)
    return [
      [
        { text: `${label}  `, role: "heading" },
        { text: figure, role },
      ],
      ...price,
    ];
  return [
    [{ text: label, role: "heading" }],
    [],
    ...lines.map((text): Row => [{ text, role }]),
    [],
    ...price,
  ];
}

/** What fewer blocks cost, or more of them bring. */
function priceRows(today: SideSums, proposed: SideSums, width: number, theme: Theme): Row[] {
  const text = `${theme.say("fraud_passed")}  ${formatCount(today.badPassed)} ${theme.sign("arrow")} ${formatCount(proposed.badPassed)}`;
  return wrapWords(text, width).map((line) => [{ text: line }]);
}

/** How many checks got each verdict, in big digits, and the money of their payments. */
function answerRows(frames: readonly DemoFrame[], { width, height }: FrameRoom, theme: Theme): Row[] {
  const checks = frames.filter((frame) => frame.kind === "check");
  const answers = Map.groupBy(checks.flatMap(answersOf), ({ result }) => verdictKind(result));
  const kinds = VERDICT_KINDS.filter((kind) => answers.has(kind));
  // One payment with several answers is no sum of money.
  const hasMoney = checks.every(({ sides }) => sides.length === 0);
  const own = Math.floor((width + COLUMN_GAP) / kinds.length) - COLUMN_GAP;
  const columns = kinds.map((kind) => {
    const given = answers.get(kind)!;
    const { text, role } = verdictSpan(kind, theme.ascii, theme.say(kind));
    const digits = bigLines(String(given.length), { columns: own, rows: height >> 2 }, theme);
    const big = digits.map((line): Row => [{ text: line, role }]);
    const name: Row = [{ text: digits.length === 0 ? `${given.length} ${text}` : text, role }];
    return { width: own, rows: [...big, name, ...(hasMoney ? moneyRows(given, theme) : [])] };
  });
  return [
    [{ text: theme.say("what_came_out"), role: "heading" }],
    [],
    ...besideRows(columns, COLUMN_GAP, theme),
    ...(hasMoney ? onceRows(checks.flatMap(answersOf), width, theme) : []),
  ];
}

/** The money of the payments with one verdict; where it stands, of those that 3-D Secure is asked for. */
function moneyRows(given: readonly HistoryEntry[], { say }: Theme): Row[] {
  const places = Map.groupBy(given, ({ result, finalAction }) =>
    verdictKind(result) !== "3ds_or_block" || finalAction === "3ds" ? "3ds" : (finalAction ?? "open"),
  );
  if (places.size === 1 && places.has("3ds")) return [[{ text: moneyOf(given) }]];
  return [...places].map(([place, of]) => [
    { text: say(place === "continue" ? "money_open" : `money_${place}`, { money: moneyOf(of) }) },
  ]);
}

/** What the columns come to where they name a payment more than once. */
function onceRows(given: readonly HistoryEntry[], width: number, { say }: Theme): Row[] {
  const payments = paymentsOf(given).length;
  if (payments === given.length) return [];
  const text = say("once_each", { answers: given.length, payments, money: moneyOf(given) });
  return [[], ...wrapWords(text, width).map((line): Row => [{ text: line, role: "quiet" }])];
}

/** Each payment once, however often it was asked about. */
function paymentsOf(answers: readonly HistoryEntry[]): CheckRequest[] {
  const same = ({ order_id: order, amount, currency }: CheckRequest): unknown =>
    order === undefined ? {} : [order, amount, currency].join(" ");
  return [...new Map(answers.map(({ request }) => [same(request), request])).values()];
}

function moneyOf(answers: readonly HistoryEntry[]): string {
  const sums = Map.groupBy(paymentsOf(answers), ({ currency }) => currency);
  return [...sums]
    .map(([currency, of]) =>
      formatMoney(
        of.reduce((sum, { amount = 0 }) => sum + amount, 0),
        currency,
      ),
    )
    .join(", ");
}

/** The verdict, or the signs of several; how many payments a day had. */
function recapVerdicts(frame: DemoFrame, theme: Theme): Row {
  if (frame.kind === "stream") return [{ text: formatCount(frame.day.payments.length) }];
  if (frame.sides.length === 0) return verdictSpans(verdictKinds(frame.entries.at(-1)!), theme);
  return frame.sides.flatMap(({ entry }, index) => {
    const kind = verdictKind(entry.result);
    const sign = theme.ascii === "words" ? theme.say(kind) : verdictSign(kind, theme.ascii);
    return [{ text: index === 0 ? "" : "  " }, { text: sign, role: VERDICTS[kind].role }];
  });
}

/** Its number, its verdicts and what was said, which goes on below itself. */
function recapRows(frame: DemoFrame, said: string, verdicts: Row, width: number, theme: Theme): Row[] {
  const isAttempt = frame.kind === "check" && frame.attempts > 1;
  const number = isAttempt ? `${frame.index + 1}.${frame.entries.length}` : String(frame.index + 1);
  const wrong = frame.kind === "check" && frame.asExpected === false ? theme.sign("error") : " ";
  const fixed: Row = [{ text: `${fit(number, 5)} ` }, ...verdicts, { text: `${wrong} `, role: "error" }];
  const room = Math.max(12, width - spansWidth(verdicts));
  const [first = "", ...rest] = wrapWords(said, room);
  return [
    [...fixed, { text: first }],
    ...rest.map((text): Row => [{ text: fit("", spansWidth(fixed)) }, { text }]),
  ];
}

/** The first row of several, with a mark that it goes on. */
function cutRow(row: Row, of: number, ellipsis: string): Row {
  return of === 1 ? row : [...row, { text: ellipsis }];
}

export function failedBlocks(failed: string, canRestart: boolean, room: FrameRoom, theme: Theme): Block[] {
  const width = Math.min(WIDEST_TEXT, room.width);
  const next = canRestart
    ? `${theme.keyName("demo.restart")} starts it again, ${theme.keyName("demo.end")} ends it.`
    : `${theme.keyName("demo.leave")} leaves.`;
  return [
    [],
    rowsOf(`${theme.sign("error")} ${safe(failed, { max: 600 })}`, width, "error"),
    rowsOf(next, width, null),
  ];
}

function rowsOf(text: string, width: number, role: "heading" | "note" | "pass" | "error" | null): Row[] {
  return wrapWords(text, width).map((line) => [{ text: line, role }]);
}
