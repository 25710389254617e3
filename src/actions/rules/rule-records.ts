// What the rules did to the checks of the history since some time: hits, what they caught, and whom they disturbed.

import type { ActionContext } from "#src/actions/action-context.ts";
import { readMoment } from "#src/actions/history/find-history.ts";
import { usualRates } from "#src/actions/replay/compare-runs.ts";
import { isBad } from "#src/contract/records/label.ts";
import type { EurPerUnit } from "#src/contract/records/flip.ts";
import { addWeighed } from "#src/contract/records/outcome-shares.ts";
import type { ByKind, RuleWorth } from "#src/contract/records/outcomes.ts";
import { NO_RECORD, type DecidedGroup, type RuleRecords } from "#src/contract/records/rule-record.ts";

/**
 * @param since a day, a time or an age, as in `since:` of the filter language
 * @returns records of the checks of the profile, their money in EUR by the usual rates, about
 * @throws Fault("usage") for a `since` that is none
 */
export async function readRuleRecords(context: ActionContext, since: string): Promise<RuleRecords> {
  const { name: profile, amountUnit } = context.profile;
  const at = readMoment(context, "Since", since);
  const groups = await (await context.history()).decided(profile, at);
  return { since: at, ...ruleRecords(groups, await usualRates(amountUnit)) };
}

/** Adds up groups. Pure. */
export function ruleRecords(groups: readonly DecidedGroup[], rates: EurPerUnit): Omit<RuleRecords, "since"> {
  const rules = new Map<string, RuleWorth>();
  const labelled = { bad: 0, good: 0, unlabelled: 0 };
  for (const { rules: codes, label, currency, count, amount } of groups) {
    const part = label === null ? "unlabelled" : isBad(label) ? "bad" : "good";
    labelled[part] += count;
    const these = { count, eur: amount * (rates.get(currency ?? -1) ?? 0) };
    const add = (to: ByKind): ByKind => ({ ...to, [part]: addWeighed([to[part], these]) });
    for (const code of codes) {
      const { hits, alone } = rules.get(code) ?? NO_RECORD;
      rules.set(code, { hits: add(hits), alone: codes.length === 1 ? add(alone) : alone });
    }
  }
  const { bad, good, unlabelled } = labelled;
  return { checks: bad + good + unlabelled, labelled, rules };
}
