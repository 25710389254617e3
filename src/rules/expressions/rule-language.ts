// The language of conditions: the fields of an attempt and the functions of rules, bound to the expression engine.

import { FIELD_GROUPS, PLAIN_FIELDS, fieldReader, type Situation } from "#src/rules/decision/situation.ts";
import { createCountFunctions, type CountList } from "./count-functions.ts";
import { loadExpressionLanguage, type ExpressionLanguage } from "./expression.ts";
import { RULE_FUNCTIONS } from "./rule-functions.ts";

/**
 * One language per rule file, so that the indexes of counts are those of the file.
 * @param counts collects every count that a condition reads
 */
export function loadRuleLanguage(counts: CountList): Promise<ExpressionLanguage<Situation>> {
  return loadExpressionLanguage({
    variables: PLAIN_FIELDS,
    objects: FIELD_GROUPS,
    functions: [...createCountFunctions(counts), ...RULE_FUNCTIONS],
    reader: fieldReader,
  });
}
