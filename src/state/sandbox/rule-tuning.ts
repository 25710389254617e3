// Tuning a rule in the console: asks for a number of it, its values and the payments, and shows what each value does.

import { unitsByProfile } from "#src/app/amount-units.ts";
import type { Context } from "#src/app/context.ts";
import { usage } from "#src/contract/fault.ts";
import type { RuleFacts } from "#src/contract/records/rule-facts.ts";
import { readTuneValues, type Tuning } from "#src/contract/records/tuning.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { counted } from "#src/display/count.ts";
import { tunePage } from "#src/display/tune-lines.ts";
import { pathCompletion } from "#src/state/path-completion.ts";
import type { Session } from "#src/state/session.ts";
import { createTrial } from "#src/state/trial.ts";
import type { Rules } from "./rules.ts";

export interface TuningProgress {
  readonly param: string;
  readonly taken: number;
  readonly fraction: number | null;
}

interface TuningPlan {
  readonly param: string;
  readonly values: number[];
  readonly source: string;
}

const SOURCE = "history:since:30d";
const PLACEHOLDER = `a number, its values and the payments: BIN_BURST.limit 4..40 over ${SOURCE}`;

export function createRuleTuning(context: Context, session: Session, rules: Pick<Rules, "edit">) {
  const { keyName } = session;
  const labelled = `${keyName("history.label")} on History (${keyName("shell.history")}) sets labels`;
  const {
    ask,
    start: _start,
    last,
    ...trial
  } = createTrial<TuningPlan, TuningProgress, Tuning>(session, {
    label: "Tune",
    screen: "rules",
    placeholder: PLACEHOLDER,
    complete: pathCompletion(session, /(?<=\sover\s+)\S*$/),
    underWay: `A tuning is already in progress; ${keyName("page.close")} stops that.`,
    read: readLine,
    begun: ({ param }) => ({ param, taken: 0, fraction: null }),
    async run({ param, values, source }, signal, onProgress) {
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
        if (event.type === "progress") onProgress({ ...event, param });
      });
      return tuning.catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return null;
      });
    },
    told: ({ param, taken, fraction }) => ({
      text: `Trying values of ${param} on ${counted(taken, "payment")}; ${keyName("page.close")} stops`,
      share: fraction,
    }),
    lines: (tuning, { width, ascii }) => tunePage(tuning, { width, ascii, labelled }),
    edit: ({ param }) => void rules.edit(param),
  });
  return {
    ...trial,
    /** Asks for a number of the rule, its values and the payments, and tries them; what was asked for last without a rule. */
    ask: (rule?: Pick<RuleFacts, "code" | "params" | "weights">) =>
      void ask(rule === undefined ? (last() ?? "") : proposedLine(rule)),
  };
}

export type RuleTuning = ReturnType<typeof createRuleTuning>;

function readLine(line: string): TuningPlan {
  const [, param, values, source] = /^(\S+)\s+(\S+)\s+(?:over\s+)?(\S.*)$/.exec(line) ?? [];
  if (param === undefined) throw usage`Name ${PLACEHOLDER}.`;
  return { param, values: readTuneValues(values!), source: source! };
}

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
