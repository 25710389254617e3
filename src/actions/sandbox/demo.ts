// Plays a deck on a temporary sandbox: registers its projects, freezes the clock, and sends one check per step.

import type { ActionContext } from "#src/actions/action-context.ts";
import { check } from "#src/actions/check/check.ts";
import { fetchCredential } from "#src/actions/register/fetch-credential.ts";
import { register } from "#src/actions/register/register.ts";
import { Fault } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { DEFAULT_CREDENTIAL_WAIT_S } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { FinalAction, Recommendation } from "#src/contract/wire/recommendation.ts";
import type { ClockChange } from "#src/contract/wire/sandbox-wire.ts";
import type { CheckRequest, RegistrationRequest, RiskLevel } from "#src/contract/wire/wire.ts";
import type { Outcomes } from "#src/contract/records/outcomes.ts";
import type { SweepResult } from "#src/contract/records/sweep.ts";
import type { FlipPoint } from "#src/contract/wire/explanation.ts";
import type { Deck, DeckSide, WatchedCounter } from "#src/replay/decks/deck.ts";

export type { Deck } from "#src/replay/decks/deck.ts";
export { frameCount } from "#src/replay/decks/deck.ts";

/** How the presenter's screen opens. */
export interface DemoOpening {
  /** Null to let the user choose one. */
  readonly deck: Deck | null;
  /** Seconds after which it advances automatically; null for never. */
  readonly autoS: number | null;
  /** Shows the presenter's notes. */
  readonly notes: boolean;
}

/** A context on a sandbox whose virtual clock can be moved. */
export type DemoContext = ActionContext & {
  sandbox(): { readonly admin: { changeClock(change: ClockChange): Promise<unknown> } } | null;
};

/** What all frames have. */
interface AnyFrame {
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
  readonly expected: Recommendation | null;
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
  /** What the audience may ask, as it stood before the check was counted. */
  readonly answers: FrameAnswers;
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

export interface Demo {
  /** Sends the next check, or decides the next day; null when there is none. To be called one after the other. @throws Fault when nothing could be sent */
  forward(signal: AbortSignal): Promise<DemoFrame | null>;
}

/**
 * Opens a deck on a fresh sandbox: registers its projects, fetches their credentials, and sets the clock to its start.
 * @throws Fault when a project cannot be registered, or the sandbox does not answer
 */
export async function openDemo(context: DemoContext, deck: Deck, signal: AbortSignal): Promise<Demo> {
  const registrations = deck.projects.map(({ registration }) => registration);
  await registerProjects(context, registrations, deck.startAt, signal);
  return playDeck(context, deck);
}

/**
 * Registers projects on a fresh sandbox and fetches their credentials; its clock stands at `startAt` afterwards, frozen, so
 * that results do not depend on the speed of what follows.
 * @throws Fault when a project cannot be registered, or the sandbox does not answer
 */
export async function registerProjects(
  context: DemoContext,
  registrations: readonly RegistrationRequest[],
  startAt: Milliseconds,
  signal: AbortSignal,
): Promise<void> {
  await context.service();
  await changeClock(context, { do: "freeze" });
  await changeClock(context, { do: "set", at: startAt });
  for (const registration of registrations) {
    const { result } = await register(context, { request: registration }, signal, () => undefined);
    if (!result.registered) throw stopped(signal, result.explanation);
  }
  await changeClock(context, { do: "advance", byMs: DEFAULT_CREDENTIAL_WAIT_S * 1000 });
  for (const registration of registrations) {
    const request = { merchant_id: registration.merchant_id, risk_level: registration.risk_level };
    const { result, notSaved } = await fetchCredential(
      context,
      { request, wait: false },
      signal,
      () => undefined,
    );
    if (notSaved !== null) throw notSaved.fault;
    if (result.credential === null) throw stopped(signal, result.explanation);
  }
  await changeClock(context, { do: "set", at: startAt });
}

/** Plays a deck whose projects are registered already, from the sandbox's present time on. */
export function playDeck(context: DemoContext, deck: Deck): Demo {
  const places = deck.steps.flatMap((step, index) => step.checks.map((_, attempt) => ({ index, attempt })));
  let next = 0;
  let entries: readonly HistoryEntry[] = [];

  return {
    async forward(signal) {
      const place = places[next];
      if (place === undefined) return null;
      const step = deck.steps[place.index]!;
      const planned = step.checks[place.attempt]!;
      if (planned.advanceMs > 0) await changeClock(context, { do: "advance", byMs: planned.advanceMs });
      next += 1;
      const { entry, notSaved } = await check(
        context,
        {
          request: planned.request,
          project: step.projectKey,
          canForce3ds: step.canForce3ds,
          warnings: [],
          repeats: null,
          record: true,
        },
        signal,
        () => undefined,
      );
      if (notSaved !== null) throw notSaved;
      entries = place.attempt === 0 ? [entry] : [...entries, entry];
      return {
        kind: "check",
        index: place.index,
        total: deck.steps.length,
        say: step.say,
        note: step.note,
        seconds: step.seconds,
        request: planned.request,
        entries,
        attempts: step.checks.length,
        expected: planned.expected,
        asExpected: planned.expected === null ? null : entry.result?.recommendation === planned.expected,
        finalAction: entry.finalAction,
        projectKey: step.projectKey,
        riskLevel: step.riskLevel,
        virtualTime: entry.result?.virtualTimeMs ?? (await context.service()).now(),
        rules: null,
        watch: step.watch,
        fault: null,
        sides: [],
        answers: { flips: [], amounts: null },
      };
    },
  };
}

async function changeClock(context: DemoContext, change: ClockChange): Promise<void> {
  const sandbox = context.sandbox();
  if (sandbox === null) throw new Fault("sandbox", "A deck runs on a sandbox, and this profile has none.");
  await sandbox.admin.changeClock(change);
}

function stopped(signal: AbortSignal, explanation: string): Fault {
  return signal.aborted
    ? new Fault("interrupted", "Stopped before anything was sent.")
    : new Fault("refused", explanation);
}
