// The sequential model: today's counters and rules in this process, fed in the order of the decision numbers.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import { HEADER, type CheckRequest } from "#src/contract/wire/wire.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { decideCounted, explainRecord } from "#src/rules/decision/decision-record.ts";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import { loadStarter } from "../../rules/sample.ts";
import type { Reply } from "./callers.ts";

export interface Model {
  /** What an answer to the next check must say. */
  answer(check: CheckRequest, at: Milliseconds): Expected;
}

export interface Expected {
  readonly code: string;
  readonly message: string;
  readonly score: string;
  readonly rules: string | undefined;
  /** All but ids; computed when it is asked for, as it takes some milliseconds. */
  explain(): Omit<Explanation, "id" | "orderId" | "repeat">;
}

/** Most rules in a header, as in the HTTP server. */
const MOST_RULES = 64;

/** @param project as it was registered */
export async function sequentialModel(project: DecisionInput["project"]): Promise<Model> {
  const ruleSet = await loadStarter();
  const counters = createCounters();
  return {
    answer(request, now) {
      const input = { request, project, now };
      const keyed = attemptOf(ruleSet, input, counters);
      const { record, basis } = decideCounted(ruleSet, input, keyed, counters.record(now, keyed.attempt));
      const { recommendation: code, message } = record;
      const rules = basis.rules.length === 0 ? undefined : basis.rules.slice(0, MOST_RULES).join(" ");
      return {
        code,
        message,
        score: String(basis.score),
        rules,
        explain: () => explainRecord(ruleSet, record, counters.keysOf),
      };
    },
  };
}

/** The same facts of an answer that was not a repeat. */
export function saidBy({ text, headers }: Reply): Omit<Expected, "explain"> {
  const { code, message } = JSON.parse(text) as { code: string; message: string };
  return {
    code,
    message,
    score: String(headers[HEADER.score]),
    rules: headers[HEADER.rules] as string | undefined,
  };
}
