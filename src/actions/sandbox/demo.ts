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
import type { Deck } from "#src/replay/decks/deck.ts";

export type { Deck } from "#src/replay/decks/deck.ts";
export { checkCount } from "#src/replay/decks/deck.ts";

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

/** The state of a step after one check, for display. */
export interface DemoFrame {
  /** Place of the step in the deck, from 0. */
  readonly index: number;
  /** Steps of the deck. */
  readonly total: number;
  readonly say: string;
  readonly note: string | null;
  readonly request: CheckRequest;
  /** The checks of this step so far, each with its explanation; the last one is shown. */
  readonly entries: readonly HistoryEntry[];
  /** Checks of the step; more than `entries` while it is repeated. */
  readonly attempts: number;
  /** The verdict that the deck expects of the last one; null for none. */
  readonly expected: Recommendation | null;
  /** Null where nothing is expected. */
  readonly asExpected: boolean | null;
  /** Null while it is open. */
  readonly finalAction: FinalAction | null;
  readonly projectKey: string;
  readonly riskLevel: RiskLevel;
  readonly virtualTime: Milliseconds;
}

export interface Demo {
  /** Sends the next check; null when there is none. To be called one after the other. @throws Fault when nothing could be sent */
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
        index: place.index,
        total: deck.steps.length,
        say: step.say,
        note: step.note,
        request: planned.request,
        entries,
        attempts: step.checks.length,
        expected: planned.expected,
        asExpected: planned.expected === null ? null : entry.result?.recommendation === planned.expected,
        finalAction: entry.finalAction,
        projectKey: step.projectKey,
        riskLevel: step.riskLevel,
        virtualTime: entry.result?.virtualTimeMs ?? (await context.service()).now(),
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
