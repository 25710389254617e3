// Tuning a rule in the console: asks for a number of it, its values and the payments, and shows what each value does.

import { createStore } from "zustand/vanilla";
import { unitsByProfile } from "#src/app/amount-units.ts";
import type { Context } from "#src/app/context.ts";
import { Fault, usage } from "#src/contract/fault.ts";
import type { RuleFacts } from "#src/contract/records/rule-facts.ts";
import { readTuneValues, type Tuning } from "#src/contract/records/tuning.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";

export interface TuningProgress {
  readonly param: string;
  readonly taken: number;
  readonly fraction: number | null;
}

export interface RuleTuningState {
  /** The result, or the progress before it, lies over Rules. */
  readonly open: boolean;
  /** Null while none runs. */
  readonly progress: TuningProgress | null;
  /** Of the last one that ended. */
  readonly result: Tuning | null;
}

const SOURCE = "history:since:30d";
const PLACEHOLDER = `a number, its values and the payments: BIN_BURST.limit 4..40 over ${SOURCE}`;

export function createRuleTuning(context: Context, session: Session) {
  const store = createStore<RuleTuningState>(() => ({ open: false, progress: null, result: null }));
  let running: { readonly controller: AbortController; readonly ended: Promise<void> } | null = null;
  let last = "";

  const askLine = (initial: string): void =>
    session.ask({
      label: "Tune",
      initial,
      placeholder: PLACEHOLDER,
      onSubmit: (text) => {
        if (text.trim() !== "") take(text.trim());
      },
    });

  const take = (text: string): void => {
    if (running !== null)
      return session.say(
        `A tuning is already in progress; ${session.keyName("tune.close")} stops that.`,
        "note",
      );
    last = text;
    try {
      const [, param, values, source] = /^(\S+)\s+(\S+)\s+(?:over\s+)?(\S.*)$/.exec(text) ?? [];
      if (param === undefined) throw usage`Name ${PLACEHOLDER}.`;
      const controller = new AbortController();
      const ended = work(param, readTuneValues(values!), source!, controller.signal).finally(() => {
        running = null;
        store.setState({ progress: null });
      });
      running = { controller, ended };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      session.say(error.message, "error");
      askLine(text);
    }
  };

  const work = async (param: string, values: number[], source: string, signal: AbortSignal) => {
    store.setState({ open: true, progress: { param, taken: 0, fraction: null } });
    const result = await reportFaults(session, async () => {
      const { tuneSandboxRules } = await import("#src/actions/rules/tune.ts");
      const input = {
        param,
        values,
        sources: [source],
        limits: { maxGoodBlocked: null, minCaught: null },
        riskLevel: null,
        startAt: context.now(),
        stepMs: 60_000,
        unitOf: await unitsByProfile(context),
        strict: false,
        stdin: null,
      };
      const tuning = tuneSandboxRules(context, input, signal, (event) => {
        if (event.type === "progress") store.setState({ progress: { ...event, param } });
      });
      // A stopped one has nothing to tell.
      return tuning.catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return null;
      });
    });
    if (result !== null) return store.setState({ result });
    store.setState({ open: false });
    // The fault was shown; the line is there to be corrected.
    if (!signal.aborted) askLine(last);
  };

  return {
    store,
    /** Asks for a number of the rule, its values and the payments, and tries them; what was asked for last without a rule. */
    ask: (rule?: Pick<RuleFacts, "code" | "params" | "weights">) =>
      askLine(rule === undefined ? last : proposedLine(rule)),
    /** Stops the one that runs; false when none does. */
    cancel() {
      running?.controller.abort();
      return running !== null;
    },
    close: () => store.setState({ open: false }),
    /** Resolves when none runs any more. */
    async end() {
      running?.controller.abort();
      await running?.ended;
    },
  };
}

export type RuleTuning = ReturnType<typeof createRuleTuning>;

/** `BIN_BURST.limit 2..18 over history:since:30d`: the first number of the rule, around its present values. */
function proposedLine({ code, params, weights }: Parameters<RuleTuning["ask"]>[0] & object): string {
  const numbers = [
    ...params.map(({ name, values }) => [name, RISK_LEVELS.map((level) => Number(values[level]))] as const),
    ["score", weights === null ? [0] : Object.values(weights)] as const,
  ];
  const found = numbers.find(([, values]) => values.every((value) => value > 0));
  if (found === undefined) return `thresholds.block 50..120/5 over ${SOURCE}`;
  const [name, values] = found;
  return `${code}.${name} ${rangeAround(Math.min(...values), Math.max(...values))} over ${SOURCE}`;
}

/** From a third of the lowest value to three times the highest, in some twenty round steps. */
function rangeAround(lowest: number, highest: number): string {
  const raw = (highest * 3 - lowest / 3) / 20;
  const power = 10 ** Math.floor(Math.log10(raw));
  const round = [1, 2, 5, 10].find((factor) => factor * power >= raw)! * power;
  const step = Number.isInteger(lowest) ? Math.max(1, round) : round;
  const at = (value: number): number => Number((Math.max(1, Math.round(value / step)) * step).toFixed(6));
  return `${at(lowest / 3)}..${at(highest * 3)}${step === 1 ? "" : `/${Number(step.toFixed(6))}`}`;
}
