// Many values tried because of one typed line: the line, the work with its progress, the result, and the line again.

import { createStore } from "zustand/vanilla";
import { textLine } from "#src/display/span.ts";
import type { Page, PageRoom, PageView, ScreenName } from "./page.ts";
import { problemIn, reportFaults } from "./report-faults.ts";
import type { Question, Session } from "./session.ts";

export interface TrialState<Progress, Result> {
  /** Null while none runs. */
  readonly progress: Progress | null;
  /** The one that runs was cancelled. */
  readonly cancelled: boolean;
  /** Of the last one that ended. */
  readonly result: Result | null;
}

export interface TrialOptions<Plan, Progress, Result> extends Question {
  /** The screen over which the progress lies, and then the result. */
  readonly screen: ScreenName;
  /** What is said instead of beginning another one. */
  readonly underWay: string;
  /** @throws Fault for a line that cannot be read */
  readonly read: (line: string) => Plan;
  /** Whether it may begin; says why not. It may by default. */
  readonly agree?: (plan: Plan) => Promise<boolean>;
  readonly begun: (plan: Plan) => Progress;
  /** @returns null for one that was cancelled and has nothing to tell */
  readonly run: (
    plan: Plan,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ) => Promise<Result | null>;
  /** How far it is. */
  readonly told: (
    progress: Progress,
    cancelled: boolean,
  ) => { readonly text: string } & Pick<PageView, "share">;
  readonly lines: (result: Result, room: PageRoom) => PageView["lines"];
  /** Tries the next thing, where that is known. */
  readonly next?: () => void;
  /** Opens the rule file at what the result is about. */
  readonly edit?: (result: Result) => void;
}

/** The verbs never reject for a fault, which is shown as a toast; the line is then there to be corrected. */
export function createTrial<Plan, Progress, Result>(
  session: Session,
  options: TrialOptions<Plan, Progress, Result>,
) {
  const { screen, underWay, read, agree, begun, run, told, lines, next, edit, ...question } = options;
  const store = createStore<TrialState<Progress, Result>>(() => ({
    progress: null,
    cancelled: false,
    result: null,
  }));
  let stop = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  /** What was asked for last, to be changed. */
  let last: string | null = null;

  const isUnderWay = (): boolean => {
    if (store.getState().progress === null) return false;
    session.say(underWay, "note");
    return true;
  };

  const page: Page<TrialState<Progress, Result>> = {
    screen,
    store,
    view({ progress, cancelled, result }, room) {
      if (progress === null)
        return {
          title: question.label,
          lines: result === null ? [] : lines(result, room),
          keys: {
            ask: () => void ask(last ?? ""),
            next,
            edit: edit === undefined || result === null ? undefined : () => edit(result),
          },
        };
      const { text, share } = told(progress, cancelled);
      const title = `${question.label}, under way`;
      return { title, lines: [textLine(text)], share, keys: { close: () => void cancel() } };
    },
  };

  const work = async (plan: Plan): Promise<Result | null> => {
    stop = new AbortController();
    session.show(page);
    store.setState({ progress: begun(plan), cancelled: false });
    const result = await reportFaults(session, () =>
      run(plan, stop.signal, (progress) => store.setState({ progress })),
    );
    if (result === null) session.closePage(page);
    store.setState({ progress: null, ...(result === null ? {} : { result }) });
    return result;
  };

  const start = async (line: string): Promise<void> => {
    last = line;
    const plan = read(line);
    if (isUnderWay() || (agree !== undefined && !(await agree(plan)))) return;
    const working = work(plan);
    ended = working;
    if ((await working) === null && !stop.signal.aborted) await ask(line);
  };

  const ask = async (initial: string): Promise<void> => {
    if (isUnderWay()) return;
    const line = await session.askUntil({ ...question, initial }, (typed) =>
      typed === "" ? null : problemIn(() => read(typed)),
    );
    if (line) await start(line);
  };

  /** Ends the one that runs; false when none does. */
  const cancel = (): boolean => {
    if (store.getState().progress === null) return false;
    stop.abort();
    store.setState({ cancelled: true });
    return true;
  };

  return {
    store,
    /** Asks for a line, and tries what it says. */
    ask,
    /** Tries what a line says. @throws Fault as `read` */
    start,
    /** Null before the first. */
    last: () => last,
    page,
    cancel,
    /** Resolves when none runs any more. */
    async end() {
      stop.abort();
      await ended;
    },
  };
}
