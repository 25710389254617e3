// The pages around the frames of a deck: the list of decks, the title, the recap and a failure. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { MILDEST_FIRST } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { deckSize, deckText, isEnglish, PIPED_DECK } from "#src/display/deck-lines.ts";
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
import type { CheckFrame, Deck, DemoFrame, StreamFrame } from "#src/state/sandbox/demo.ts";
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
const COLUMN_GAP = 2;

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
  { opening, progress, autoS, paused, goingTo }: DemoState,
  deck: Deck,
  room: FrameRoom,
  theme: Theme,
): Block[] {
  const ready = autoS === null || paused ? "begins" : "begins_by_itself";
  const state =
    goingTo !== null
      ? `${theme.say("step", { n: goingTo, all: deck.steps.length })} ${theme.sign("ellipsis")}`
      : !opening
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
  const english = isEnglish(deck);
  return [
    [],
    title.length > 0
      ? title.map((line) => centredRow(line, room.width, "heading"))
      : centred(deckText(deck.title), "heading"),
    centred(deckText(deck.summary), null),
    ...(english ? [centred(`${deckSize(deck)}, about ${minutesOf(deck)}`, "quiet")] : []),
    ...(english && room.height >= ROOMY ? [centred(place, "quiet")] : []),
    centred(state, opening ? "note" : "heading"),
    ...(english ? [centred("Notes on another terminal: verdict demo --follow", "quiet")] : []),
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
  // Where there is no room for each attempt, those of one step share a row.
  const groups =
    frames.length > list
      ? [...Map.groupBy(frames, ({ index }) => index).values()]
      : frames.map((frame) => [frame]);
  const verdicts = groups.map((group) => recapVerdicts(group, theme));
  const column = Math.min(room.width >> 1, Math.max(11, ...verdicts.map((row) => spansWidth(row) + 2)));
  const whole = groups.map((group, index) => {
    // Attempts of one step have one sentence.
    const said = groups[index - 1]?.[0]!.index === group[0]!.index ? "" : deckText(group[0]!.say);
    return recapRows(group, said, fitRow(verdicts[index]!, column, theme), room.width - 8, theme);
  });
  const isRoomy = whole.reduce((sum, rows) => sum + rows.length, 0) <= list;
  const shown = isRoomy ? whole : whole.slice(0, groups.length > list ? list - 1 : list);
  const left = groups.length - shown.length;
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
  if (!isEnglish({ words }) || name === PIPED_DECK) return [];
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

/** What the last day with a proposal comes to, beside today; else what the checks come to. */
function figureRows(frames: readonly DemoFrame[], room: FrameRoom, theme: Theme): Row[] {
  const days = frames.filter((frame) => frame.kind === "stream");
  const day = days.findLast((frame) => frame.day.proposed !== null)?.day;
  return day === undefined ? answerRows(frames, room, theme) : dayRows(day, room, theme);
}

/** Good payments blocked and fraud passed in the same size, which are the gain and its price; without labels the verdicts that differ. */
function dayRows(
  { payments, outcomes }: StreamFrame["day"],
  { width, height }: FrameRoom,
  theme: Theme,
): Row[] {
  const { say, sign } = theme;
  const { today, proposed, good, bad } = daySums(payments).at(payments.length);
  const figure = (name: Span, of: (side: SideSums) => number, among?: string): Figure => ({
    name,
    number: [today, proposed].map((side) => formatCount(of(side))).join("→"),
    below: among === undefined ? [] : [[{ text: among, role: "quiet" }]],
  });
  const { role } = VERDICTS.block;
  const changed = MILDEST_FIRST.filter((kind) => today[kind] !== proposed[kind]);
  const figures =
    outcomes === null
      ? (changed.length > 0 ? changed : (["block"] as const)).map((kind) =>
          figure(verdictSpan(kind, theme.ascii, say(kind)), (side) => side[kind]),
        )
      : [
          figure(
            { text: say("good_blocked"), role },
            (side) => side.goodBlocked,
            say("of_good", { all: formatCount(good) }),
          ),
          figure(
            { text: say("fraud_passed"), role },
            (side) => side.badPassed,
            say("of_fraud", { all: formatCount(bad) }),
          ),
        ];
  const title: Row = [
    { text: `${say("today")} ${sign("arrow")} ${say("proposed")}`, role: "heading" },
    { text: `  ${say("payments", { all: formatCount(payments.length) })}`, role: "quiet" },
  ];
  return [title, [], ...figureColumns(figures, { width, height: height >> 1 }, theme)];
}

/** A number in the colour of its name, and what belongs below. */
interface Figure {
  readonly name: Span;
  readonly number: string;
  readonly below: readonly Row[];
}

/** Figures side by side in big digits of one size, each with its name below. */
function figureColumns(figures: readonly Figure[], { width, height }: FrameRoom, theme: Theme): Row[] {
  const own = Math.floor((width + COLUMN_GAP) / figures.length) - COLUMN_GAP;
  const longest = Math.max(...figures.map(({ number }) => number.length));
  const columns = figures.map(({ name, number, below }) => {
    // A number is not wrapped within its groups, and one that is shorter is not larger.
    const text = number.replaceAll(" ", NO_BREAK).padEnd(longest, NO_BREAK);
    const digits = bigLines(text, { columns: own, rows: height }, theme);
    const small = `${number.replace("→", ` ${theme.sign("arrow")} `)} `;
    const { role } = name;
    const named: Row[] =
      digits.length > 0
        ? [...digits.map((line): Row => [{ text: line, role }]), [name]]
        : [[{ text: small, role }, name]];
    return { width: own, rows: [...named, ...below] };
  });
  return besideRows(columns, COLUMN_GAP, theme);
}

const NO_BREAK = "\u00a0";

/** How many checks got each verdict, in big digits, and the money of their payments. */
function answerRows(frames: readonly DemoFrame[], { width, height }: FrameRoom, theme: Theme): Row[] {
  const checks = frames.filter((frame) => frame.kind === "check");
  const answers = Map.groupBy(checks.flatMap(answersOf), ({ result }) => verdictKind(result));
  const kinds = VERDICT_KINDS.filter((kind) => answers.has(kind));
  // One payment with several answers is no sum of money.
  const hasMoney = checks.every(({ sides }) => sides.length === 0);
  const figures = kinds.map((kind): Figure => {
    const given = answers.get(kind)!;
    const name = verdictSpan(kind, theme.ascii, theme.say(kind));
    const below = hasMoney ? moneyRows(given, theme) : [];
    return { name, number: String(given.length), below };
  });
  return [
    [{ text: theme.say("what_came_out"), role: "heading" }],
    [],
    ...figureColumns(figures, { width, height: height >> 2 }, theme),
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
function recapVerdicts(group: readonly DemoFrame[], theme: Theme): Row {
  const [frame] = group;
  if (frame!.kind === "stream") return [{ text: formatCount(frame!.day.payments.length) }];
  const answers = group.flatMap((each) => (each.kind === "check" ? answersOf(each) : []));
  if (answers.length === 1) return verdictSpans(verdictKinds(answers[0]!), theme);
  return answers.flatMap(({ result }, index) => {
    const kind = verdictKind(result);
    const sign = theme.ascii === "words" ? theme.say(kind) : verdictSign(kind, theme.ascii);
    return [{ text: index === 0 ? "" : "  " }, { text: sign, role: VERDICTS[kind].role }];
  });
}

/** Its number, its verdicts and what was said, which goes on below itself. */
function recapRows(
  group: readonly DemoFrame[],
  said: string,
  verdicts: Row,
  width: number,
  theme: Theme,
): Row[] {
  const frame = group[0]!;
  const isAttempt = group.length === 1 && frame.kind === "check" && frame.attempts > 1;
  const number = isAttempt ? `${frame.index + 1}.${frame.entries.length}` : String(frame.index + 1);
  const isWrong = group.some((each) => each.kind === "check" && each.asExpected === false);
  const wrong = isWrong ? theme.sign("error") : " ";
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
