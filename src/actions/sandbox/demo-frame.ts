// The frames of a deck as they are shown: a check with what may be asked of it, or a day of payments.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Outcomes } from "#src/contract/records/outcomes.ts";
import type { SweepResult } from "#src/contract/records/sweep.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { FlipPoint } from "#src/contract/wire/explanation.ts";
import type { FinalAction, Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest, RiskLevel } from "#src/contract/wire/wire.ts";
import { maskedWords } from "#src/display/masked-words.ts";
import { presentedState } from "#src/display/presented-state.ts";
import type { VerdictKind } from "#src/display/verdict.ts";
import type { DeckSide, WatchedCounter } from "#src/replay/decks/deck.ts";

export { maskOf } from "#src/replay/decks/masked-deck.ts";

/** What all frames have. */
export interface AnyFrame {
  /** Place of the step in the deck, from 0. */
  readonly index: number;
  /** Steps of the deck. */
  readonly total: number;
  readonly say: string;
  readonly note: string | null;
  /** Seconds that it is shown when the deck advances by itself; null for as long as there is something to read. */
  readonly seconds: number | null;
}

/** The state of a step after one check, for display. */
export interface CheckFrame extends AnyFrame {
  readonly kind: "check";
  readonly request: CheckRequest;
  /** The checks of this step so far, each with its explanation; the last one is shown. With sides, those of the first side. */
  readonly entries: readonly HistoryEntry[];
  /** Checks of the step; more than `entries` while it is repeated. */
  readonly attempts: number;
  /** The verdict that the deck expects of the last one; null for none. */
  readonly expected: VerdictKind | null;
  /** Null where nothing is expected; with sides, of all of them. */
  readonly asExpected: boolean | null;
  /** Null while it is open. */
  readonly finalAction: FinalAction | null;
  readonly projectKey: string;
  readonly riskLevel: RiskLevel;
  readonly virtualTime: Milliseconds;
  /** Name of the rules that came into force with this step; null where they did not change. */
  readonly rules: string | null;
  /** The counters to show, in this order; null for the fullest ones. */
  readonly watch: readonly WatchedCounter[] | null;
  /** What was made to go wrong, in words; null for nothing. */
  readonly fault: string | null;
  /** The same payment, answered side by side; empty for one answer. */
  readonly sides: readonly FrameSide[];
  /** What the audience may ask, of each side or of the only answer, as it stood before the check was counted. */
  readonly answers: readonly FrameAnswers[];
}

export interface FrameSide extends DeckSide {
  readonly entry: HistoryEntry;
}

/** Answers to questions about a frame, computed beforehand: nothing of the deck's place is lost by asking. */
export interface FrameAnswers {
  /** What would flip the verdict, the nearest first; empty where nothing would, or where there is no verdict. */
  readonly flips: readonly FlipPoint[];
  /** The same payment with other amounts; null where it has no amount or the sandbox would not answer. */
  readonly amounts: SweepResult | null;
}

/** A day of payments, decided by one or two rule sets before it runs past. */
export interface StreamFrame extends AnyFrame {
  readonly kind: "stream";
  readonly overMs: Milliseconds;
  readonly day: DecidedDay;
}

export interface DecidedDay {
  /** Names of the rules; `proposed` is null where only one rule set is shown. */
  readonly today: string;
  readonly proposed: string | null;
  /** Every rule that differs, in words: `BIN_BURST from 20 last fours instead of 6`; empty where it is the same. */
  readonly changes: readonly string[];
  /** In the order of their time. */
  readonly payments: readonly DayPayment[];
  /** Places in `payments` at which it stops by itself. */
  readonly stops: readonly number[];
  /** The judgement of the whole day; null where no payment has a label. */
  readonly outcomes: Outcomes | null;
  /** What the change does, in sentences that a person can sign. */
  readonly sentences: readonly string[];
}

export interface DayPayment {
  readonly at: Milliseconds;
  readonly request: CheckRequest;
  readonly today: Recommendation;
  /** The same as `today` where only one rule set is shown. */
  readonly proposed: Recommendation;
  /** By its label; null for none. */
  readonly worth: "good" | "bad" | null;
  /** About; null for a currency without a rate. */
  readonly eur: number | null;
  /** Why the verdicts differ, in words; null where they do not. */
  readonly why: string | null;
}

export type DemoFrame = CheckFrame | StreamFrame;

/** The frame with everything personal masked: in no other form is one drawn, written or followed. @param mask of the deck */
export function maskedFrame(frame: DemoFrame, mask: (text: string) => string): DemoFrame {
  const said = { say: mask(frame.say), note: frame.note && mask(frame.note) };
  // Notes and names of rules are hidden elsewhere: there they are a merchant's, and of no story.
  if (frame.kind === "check")
    return { ...presentedState(frame), ...said, rules: frame.rules && mask(frame.rules) };
  const { day } = frame;
  return {
    ...frame,
    ...said,
    day: {
      ...day,
      today: mask(day.today),
      proposed: day.proposed && mask(day.proposed),
      changes: day.changes.map(mask),
      sentences: day.sentences.map(mask),
      payments: day.payments.map((payment) => ({
        ...payment,
        why: payment.why && maskedWords(payment.why, [payment.request]),
      })),
    },
  };
}

/** The checks whose verdict is not what the deck expects. */
export function unexpectedChecks(frames: readonly DemoFrame[]): CheckFrame[] {
  return frames.filter((frame) => frame.kind === "check").filter(({ asExpected }) => asExpected === false);
}
