// A deck as plain text: what is said, the masked payment, the verdict with its reaction, and why.

import type { CheckFrame, DemoFrame, StreamFrame } from "#src/actions/sandbox/demo.ts";
import type { Output } from "#src/cli/output.ts";
import { layOut, wrapped as wrappedWords } from "#src/cli/table.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SideShares } from "#src/contract/records/outcome-shares.ts";
import type { Share } from "#src/contract/records/outcomes.ts";
import { MILDEST_FIRST } from "#src/contract/wire/recommendation.ts";
import { AUDIENCE_WORDS } from "#src/display/audience-words.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { decisionOf, type Decision } from "#src/display/decision.ts";
import { scoreText } from "#src/display/explanation-lines.ts";
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
}

function checkLines(frame: CheckFrame, shown: Shown): string[] {
  const { output } = shown;
  const { rules, fault, sides } = frame;
  const told = [
    ...(rules === null ? [] : [`From here on, the rules ${deckText(rules)} decide.`]),
    ...(fault === null ? [] : [`On purpose: ${fault}.`]),
  ];
  return [
    ...(frame.entries.length === 1 ? saidLines(frame, shown) : []),
    ...told.map((line) => INDENT + line),
    `${INDENT}${paymentLine(frame, output)}`,
    ...(sides.length === 0
      ? verdictLines(frame.entries.at(-1)!, output)
      : sides.flatMap(({ title, entry }) => [
          `${INDENT}${output.style.paint("heading", deckText(title))}`,
          ...verdictLines(entry, output),
        ])),
    ...expectationLine(frame, output),
  ];
}

function verdictLines(entry: HistoryEntry, output: Output): string[] {
  const decision = decisionOf(entry);
  const { kinds, score, ruling } = decision;
  const [reaction, ...settled] = decision.reactions;
  const repeat = decision.repeat ? " The answer to an identical request, not counted again." : "";
  const more = [...settled, score && `Score ${scoreText(score)}.${repeat}`, ruling];
  return [
    `${INDENT}${paintedVerdict(kinds[0], output.style)}  ${reaction}`,
    ...more.flatMap((text) => (text === null ? [] : [`${INDENT}  ${text}`])),
    ...reasonLines(decision, output),
  ];
}

/** The sums of a day, and what they say. */
function dayLines(frame: StreamFrame, shown: Shown): string[] {
  const { output } = shown;
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
      paintedVerdict(kind, style),
      ...sides.map(({ verdicts }) => formatCount(verdicts[kind])),
    ]),
    ...(frame.day.outcomes === null
      ? []
      : [
          shares(AUDIENCE_WORDS.good_blocked, ({ goodBlocked }) => goodBlocked),
          shares(AUDIENCE_WORDS.fraud_passed, ({ badPassed }) => badPassed),
          shares(AUDIENCE_WORDS.fraud_secured, ({ badSecured }) => badSecured),
          shares("Fraud blocked", ({ caught }) => caught),
          shares(AUDIENCE_WORDS.block_right, ({ precision }) => precision),
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

function paymentLine(frame: CheckFrame, { style }: Output): string {
  const attempt = frame.attempts > 1 ? [`attempt ${frame.entries.length} of ${frame.attempts}`] : [];
  return [...attempt, ...paymentFacts(frame)].join(separatorText(style.ascii));
}

function reasonLines({ reasons, silence }: Decision, output: Output): string[] {
  if (silence !== null) return wrapped(silence, `${INDENT}  `, output);
  const more = reasons.length - STRONGEST;
  return [
    ...reasons.slice(0, STRONGEST).map(({ effect, text }) => `${INDENT}  ${effect.padStart(5)}  ${text}`),
    ...(more > 0 ? [`${INDENT}         and ${more} more`] : []),
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
