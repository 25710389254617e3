// A deck as plain text: what is said, the masked payment, the verdict with its reaction, and why.

import type { CheckFrame, DemoFrame, StreamFrame } from "#src/actions/sandbox/demo.ts";
import type { Output } from "#src/cli/output.ts";
import { layOut, wrapped as wrappedWords } from "#src/cli/table.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SideShares } from "#src/contract/records/outcome-shares.ts";
import type { Share } from "#src/contract/records/outcomes.ts";
import { MILDEST_FIRST } from "#src/contract/wire/recommendation.ts";
import type { Said } from "#src/display/audience-words.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { decisionOf, type Decision } from "#src/display/decision.ts";
import { moreReasons, scoreText } from "#src/display/explanation-lines.ts";
import { shareText } from "#src/display/outcome-words.ts";
import { deckSize, paymentFacts, unexpectedText, deckText } from "#src/display/deck-lines.ts";
import { separatorText } from "#src/display/sign.ts";
import { formatUtc } from "#src/display/time.ts";
import { paintedVerdict } from "#src/display/verdict.ts";
import type { Deck } from "#src/replay/decks/deck.ts";
import { daySides } from "./day-sums.ts";

/** Longer lines are tiring to read, however wide the terminal is. */
const WIDEST = 100;
/** More reasons nobody reads. */
const STRONGEST = 4;
const INDENT = "   ";

export function deckHeading(deck: Deck, output: Output): string[] {
  return [
    output.style.paint("heading", deckText(deck.title)),
    ...wrapped(`${deckText(deck.summary)} (${deckSize(deck)}, on a sandbox of its own)`, "", output),
  ];
}

/** The lines of a frame; what is said stands above the first check of a step. */
export function frameLines(frame: DemoFrame, shown: Shown): string[] {
  return frame.kind === "check" ? checkLines(frame, shown) : dayLines(frame, shown);
}

interface Shown {
  readonly output: Output;
  readonly notes: boolean;
  /** Words of the deck. */
  readonly say: Said;
}

function checkLines(frame: CheckFrame, shown: Shown): string[] {
  const { output, say } = shown;
  const { rules, fault, sides } = frame;
  const told = [
    ...(rules === null ? [] : [say("rules", { name: deckText(rules) })]),
    ...(fault === null ? [] : [say("fault", { what: fault })]),
  ];
  return [
    ...(frame.entries.length === 1 ? saidLines(frame, shown) : []),
    ...told.map((line) => INDENT + line),
    `${INDENT}${paymentLine(frame, shown)}`,
    ...(sides.length === 0
      ? verdictLines(frame.entries.at(-1)!, shown)
      : sides.flatMap(({ title, entry }) => [
          `${INDENT}${output.style.paint("heading", deckText(title))}`,
          ...verdictLines(entry, shown),
        ])),
    ...expectationLine(frame, output),
  ];
}

function verdictLines(entry: HistoryEntry, { output, say }: Shown): string[] {
  const decision = decisionOf(entry, say);
  const { kinds, score, ruling } = decision;
  const [reaction, ...settled] = decision.reactions;
  const repeat = decision.repeat ? " The answer to an identical request, not counted again." : "";
  const more = [...settled, score && `${say("score")} ${scoreText(score)}.${repeat}`, ruling];
  return [
    `${INDENT}${paintedVerdict(kinds[0], output.style, say(kinds[0]))}  ${reaction}`,
    ...more.flatMap((text) => (text === null ? [] : [`${INDENT}  ${text}`])),
    ...reasonLines(decision, output),
  ];
}

/** The sums of a day, and what they say. */
function dayLines(frame: StreamFrame, shown: Shown): string[] {
  const { output, say } = shown;
  const { style } = output;
  const { payments, changes, sentences } = frame.day;
  const sides = daySides(frame.day);
  const [first, last] = [payments[0], payments.at(-1)];
  const time = first === undefined ? "" : `, ${formatUtc(first.at)} to ${formatUtc(last!.at)} UTC`;
  const shares = (what: string, of: (shares: SideShares) => Share): string[] => [
    what,
    ...sides.map((side) => (side.shares === null ? "" : shareText(of(side.shares)))),
  ];
  const rows = [
    ...MILDEST_FIRST.map((kind) => [
      paintedVerdict(kind, style, say(kind)),
      ...sides.map(({ verdicts }) => formatCount(verdicts[kind])),
    ]),
    ...(frame.day.outcomes === null
      ? []
      : [
          shares(say("good_blocked"), ({ goodBlocked }) => goodBlocked),
          shares(say("fraud_passed"), ({ badPassed }) => badPassed),
          shares(say("fraud_secured"), ({ badSecured }) => badSecured),
          shares("Fraud blocked", ({ caught }) => caught),
          shares(say("block_right"), ({ precision }) => precision),
        ]),
  ];
  const headings = ["", ...sides.map(({ rules }) => deckText(rules))];
  return [
    ...saidLines(frame, shown),
    `${INDENT}${counted(payments.length, "payment")}${time}`,
    ...layOut(style, headings, rows, [1, 2]).map((line) => INDENT + line),
    ...(changes.length === 0 ? [] : wrapped(`The rules differ: ${changes.join("; ")}.`, INDENT, output)),
    ...sentences.flatMap((sentence) => wrapped(sentence, INDENT, output)),
  ];
}

function saidLines({ index, say, note }: DemoFrame, { output, notes }: Shown): string[] {
  const number = `${index + 1}. `;
  const [first = "", ...rest] = wrapped(deckText(say), INDENT, output);
  return [
    "",
    ...[number + first.slice(INDENT.length), ...rest].map((line) => output.style.paint("heading", line)),
    ...(notes && note !== null ? wrapped(`Note: ${deckText(note)}`, INDENT, output) : []),
  ];
}

function paymentLine(frame: CheckFrame, { output: { style }, say }: Shown): string {
  const attempt =
    frame.attempts > 1 ? [say("attempt", { n: frame.entries.length, all: frame.attempts })] : [];
  return [...attempt, ...paymentFacts(frame, say)].join(separatorText(style.ascii));
}

function reasonLines({ reasons, silence }: Decision, output: Output): string[] {
  if (silence !== null) return wrapped(silence, `${INDENT}  `, output);
  const more = reasons.length - STRONGEST;
  return [
    ...reasons.slice(0, STRONGEST).map(({ effect, text }) => `${INDENT}  ${effect.padStart(5)}  ${text}`),
    ...(more > 0 ? [`${INDENT}         ${moreReasons(reasons.slice(STRONGEST))}`] : []),
  ];
}

function expectationLine(frame: CheckFrame, { style }: Output): string[] {
  return frame.asExpected === false ? [`${INDENT}  ${style.paint("error", unexpectedText(frame))}`] : [];
}

/** A text on lines with an indent, none wider than the terminal where that can be. */
export function wrapped(text: string, indent: string, { columns }: Output): string[] {
  const width = Math.max(20 + indent.length, Math.min(WIDEST, columns));
  return wrappedWords(indent, text.split(" "), width, " ");
}
