// The language of conditions: the fields of an attempt and the functions of rules, bound to the expression engine.

import { loadExpressionLanguage, type ExpressionLanguage, type Vocabulary } from "./expression.ts";
import { RULE_FUNCTIONS } from "./rule-functions.ts";
import { FIELD_GROUPS, PLAIN_FIELDS, type Situation } from "./situation.ts";

export const RULE_VOCABULARY: Vocabulary<Situation> = {
  variables: PLAIN_FIELDS,
  objects: FIELD_GROUPS,
  functions: RULE_FUNCTIONS,
  bindings: ({ variables }) => variables,
  memo: ({ memo }) => memo,
};

/** A language of its own for each rule file: what it numbers is then as small as the file. */
export function loadRuleLanguage(): Promise<ExpressionLanguage<Situation>> {
  return loadExpressionLanguage(RULE_VOCABULARY);
}
