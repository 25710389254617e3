// Plays a deck on temporary sandboxes, frame by frame: each check of a step, and each day of payments that runs past.

import type { GrowingFile } from "#src/actions/growing-file.ts";
import { registerProjects, type RegisteredProject } from "#src/actions/register/register-projects.ts";
import { interrupted } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { faultText } from "#src/contract/wire/sandbox-fault.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { Deck, DeckCheck, DeckRules, DeckSide, DeckStep } from "#src/replay/decks/deck.ts";
import { askedBefore } from "./demo-answers.ts";
import { decideDay } from "./demo-day.ts";
import { bringIntoForce, sendCheck } from "./demo-sandbox.ts";
import {
  maskedFrame,
  maskOf,
  type AnyFrame,
  type CheckFrame,
  type DecidedDay,
  type DemoFrame,
  type FrameAnswers,
} from "./demo-frame.ts";
import { testedRules, withRuleNames } from "./demo-rules.ts";
import type { SandboxContext } from "./sandbox-access.ts";
import { changeClock } from "./sandbox-conditions.ts";

export type { Deck } from "#src/replay/decks/deck.ts";
export { frameCount } from "#src/replay/decks/deck.ts";
export type { CheckFrame, DayPayment, DecidedDay, DemoFrame, FrameSide, StreamFrame } from "./demo-frame.ts";

/** How the presenter's screen opens. */
export interface DemoOpening {
  /** Null to let the user choose one. */
  readonly deck: Deck | null;
  /** Seconds after which it advances automatically, or as long as a step takes to read; null for never. */
  readonly autoS: number | "reading" | null;
  /** Shows the presenter's notes. */
  readonly notes: boolean;
  /** Number of the step at which it begins, those before sent and not shown; null for its title. */
  readonly from?: number | null;
  /** Records the screen. */
  readonly record?: DemoRecord | undefined;
  /** Called when it has ended, and waited for. */
  readonly onEnd?: (ended: EndedDemo) => Promise<void>;
}

export interface DemoRecord {
  readonly file: GrowingFile;
  /** The size of a terminal that is made up, on which it is played in no time; null for the user's own terminal. */
  readonly size: { readonly columns: number; readonly rows: number } | null;
}

export interface EndedDemo {
  /** Those that were computed. */
  readonly frames: readonly DemoFrame[];
  /** File and length of the recording, or why it ends early, in a sentence; null for none. */
  readonly recorded: string | null;
}

export interface Demo {
  /**
   * Sends the next check, or shows the next day; null when there is none. To be called one after the other.
   * @throws Fault when nothing could be sent
   */
  forward(signal: AbortSignal): Promise<DemoFrame | null>;
}

/** A demo on sandboxes of its own. */
export interface OpenedDemo extends Demo {
  /** Ends its sandboxes and removes them; never rejects, and may be called twice. */
  end(): Promise<void>;
}

/** Opens a sandbox in a program that knows the rest. */
export type OpenSandbox = (
  seed: number,
  startAt: Milliseconds,
) => Promise<{ readonly context: SandboxContext; end(): Promise<void> }>;

/** The sandboxes of a deck. */
export interface DemoSandboxes {
  readonly main: SandboxContext;
  /** One for each rule file that stands side by side with others, by its text; it counts all payments of the deck by itself. */
  readonly beside: ReadonlyMap<DeckRules["text"], SandboxContext>;
}

/** A call takes no longer in a deck with faults: an audience does not wait half a minute for an answer that never comes. */
const DEADLINE_S = 2;

interface OpenOptions {
  /** False to leave out the answers to what an audience may ask, which take a hundred questions a check. */
  readonly asks?: boolean;
  /** Called with the share of a day that is decided, 0..1. */
  readonly onDecided?: (share: number) => void;
  /** Called for each sandbox, before anything is checked. */
  readonly onRegistered?: (projects: readonly RegisteredProject[]) => void;
}

/**
 * Tests the rules of a deck, then opens it on fresh sandboxes: registers its projects, fetches their credentials, sets the
 * clocks to its start, and decides its days.
 * @throws Fault("bad_input") for rules that are wrong, for a counter to watch that they do not have, and for a day that cannot
 *   be read; Fault when a project cannot be registered, or a sandbox does not answer
 */
export async function openDemo(
  open: OpenSandbox,
  given: Deck,
  signal: AbortSignal,
  { asks = true, onDecided = () => undefined, onRegistered = () => undefined }: OpenOptions = {},
): Promise<OpenedDemo> {
  const rules = await testedRules(given);
  const deck = withRuleNames(given, rules);
  const besides = new Map(
    deck.steps.flatMap(({ sides }) =>
      sides.flatMap((side) => (side.rules === null ? [] : [[side.rules.text, side.rules]])),
    ),
  );
  const opened: { context: SandboxContext; end(): Promise<void> }[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(opened.map((each) => each.end()));
  };
  const openOne = async (inForce: DeckRules | null): Promise<SandboxContext> => {
    const sandbox = await open(deck.seed, deck.startAt);
    opened.push(sandbox);
    const { context } = sandbox;
    if (signal.aborted) throw interrupted`Stopped before anything was sent.`;
    if (deck.steps.some(({ fault }) => fault !== null))
      Object.assign(context.profile, { deadlineS: DEADLINE_S });
    const registrations = deck.projects.map(({ registration }) => registration);
    onRegistered(await registerProjects(context, registrations, deck.startAt, signal));
    if (inForce !== null) await bringIntoForce(context, inForce);
    return context;
  };
  try {
    const tried = await Promise.allSettled([null, ...besides.values()].map(openOne));
    const failed = tried.find((each) => each.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const [main, ...others] = tried.map((each) => (each as PromiseFulfilledResult<SandboxContext>).value);
    const beside = new Map([...besides.keys()].map((text, index) => [text, others[index]!]));
    const days = new Map<DeckStep, DecidedDay>();
    for (const step of deck.steps.filter(({ stream }) => stream !== null)) {
      days.set(step, await decideDay(main!, step, rules, deck.startAt, signal, onDecided));
    }
    return { ...playDeck({ main: main!, beside }, deck, { days, asks }), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Plays a deck whose projects are registered already, from the sandboxes' present time on.
 * @param options.days its days, by their steps
 * @param options.asks false to leave out the answers to what an audience may ask
 */
function playDeck(
  { main, beside }: DemoSandboxes,
  deck: Deck,
  { days, asks }: { readonly days: ReadonlyMap<DeckStep, DecidedDay>; readonly asks: boolean },
): Demo {
  const places = deck.steps.flatMap((step, index) =>
    (step.stream === null ? step.checks : [null]).map((check, attempt) => ({ step, index, check, attempt })),
  );
  const mask = maskOf(deck);
  let next = 0;
  let entries: readonly HistoryEntry[] = [];
  let prepared: ReturnType<typeof prepare> | null = null;

  return {
    async forward(signal) {
      const place = places[next];
      if (place === undefined) return null;
      const { step, index, check } = place;
      const answers = await (prepared ??= prepare(place, signal));
      [prepared, next] = [null, next + 1];
      const { say, note, seconds } = step;
      const any = { index, total: deck.steps.length, say, note, seconds };
      const frame: DemoFrame =
        check === null
          ? { kind: "stream", ...any, overMs: step.stream!.overMs, day: days.get(step)! }
          : { kind: "check", ...any, ...(await checked({ ...place, check }, signal)), answers };
      // While this frame is shown: a hundred questions take 0.2 s and more.
      if (next < places.length) (prepared = prepare(places[next]!, signal)).catch(() => undefined);
      return maskedFrame(frame, mask);
    },
  };

  /** All that comes before the check is counted. */
  async function prepare(
    { step, check, attempt }: (typeof places)[number],
    signal: AbortSignal,
  ): Promise<readonly FrameAnswers[]> {
    if (check === null) return [];
    const { advanceMs: byMs } = check;
    // A check that goes wrong does not tell the time.
    for (const each of byMs === 0 ? [] : [main, ...beside.values()])
      await changeClock(each, { do: "advance", byMs });
    if (step.rules !== null && attempt === 0) await bringIntoForce(main, step.rules);
    // There is no verdict to ask about where the answer is made to go wrong.
    if (!asks || step.fault !== null) return [];
    const { request } = check;
    return Promise.all(
      (step.sides.length === 0 ? [undefined] : step.sides).map((side) =>
        askedBefore(sandboxOf(side), { request, project: side?.projectKey ?? step.projectKey }, signal),
      ),
    );
  }

  async function checked(
    {
      step,
      check,
      attempt,
    }: { readonly step: DeckStep; readonly check: DeckCheck; readonly attempt: number },
    signal: AbortSignal,
  ): Promise<Omit<CheckFrame, keyof AnyFrame | "kind" | "answers">> {
    const { request } = check;
    // Each sandbox gets what the others get, so that all have counted the same story.
    const answered = new Map(
      await Promise.all(
        [main, ...beside.values()].map(
          async (sandbox) => [sandbox, await sendAll(sandbox, step, request, signal)] as const,
        ),
      ),
    );
    const entryOf = (side: DeckSide | undefined): HistoryEntry =>
      answered.get(sandboxOf(side))!.get(side?.projectKey ?? step.projectKey)!;
    const entry = entryOf(step.sides[0]);
    entries = attempt === 0 ? [entry] : [...entries, entry];
    const isLast = attempt === step.checks.length - 1;
    const sides = step.sides.map((side) => ({
      ...side,
      expected: isLast ? side.expected : null,
      entry: entryOf(side),
    }));
    const expectations = [{ expected: check.expected, entry }, ...sides].filter(
      (each) => each.expected !== null,
    );
    return {
      request,
      entries,
      attempts: step.checks.length,
      expected: expectations[0]?.expected ?? null,
      asExpected:
        expectations.length === 0
          ? null
          : expectations.every((each) => verdictKind(each.entry.result) === each.expected),
      finalAction: entry.finalAction,
      projectKey: step.projectKey,
      riskLevel: step.riskLevel,
      virtualTime: entry.result?.virtualTimeMs ?? (await sandboxOf(step.sides[0]).service()).now(),
      rules: step.rules?.name ?? null,
      watch: step.watch,
      fault: step.fault === null ? null : faultText({ effect: step.fault }),
      sides,
    };
  }

  function sandboxOf(side: DeckSide | undefined): SandboxContext {
    return side?.rules == null ? main : beside.get(side.rules.text)!;
  }
}

/** One payment to each project of a step. @returns the answers by project */
async function sendAll(
  sandbox: SandboxContext,
  { sides, projectKey, canForce3ds, fault }: DeckStep,
  request: CheckRequest,
  signal: AbortSignal,
): Promise<Map<string, HistoryEntry>> {
  const answers = new Map<string, HistoryEntry>();
  for (const project of new Set([projectKey, ...sides.map((side) => side.projectKey)])) {
    answers.set(project, await sendCheck(sandbox, { request, project, canForce3ds, fault }, signal));
  }
  return answers;
}
