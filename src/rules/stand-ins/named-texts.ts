// What a rule file names: texts in its lists, in the parameters of its rules and in their conditions.

import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { ListType } from "#src/rules/rule-file/lists.ts";
import type { Value } from "#src/rules/expressions/host-function.ts";

const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;

export type NamedTexts = ReturnType<typeof namedTexts>;

export function namedTexts({ rules, lists }: RuleSet) {
  const entries = [...lists.values()].flatMap((list) => list.entries);
  const ofRules = rules.map(({ params, expression }) => ({
    fields: expression.fields,
    texts: [
      ...RISK_LEVELS.flatMap((level) => Object.values(params[level]).flatMap(textsIn)),
      ...Array.from(expression.source.matchAll(QUOTED), ([, double, single]) => double ?? single ?? ""),
    ],
  }));
  return {
    all: new Set([...entries.map(({ text }) => text), ...ofRules.flatMap(({ texts }) => texts)]),
    /** Entries of this type in any list. */
    listed: (type: ListType): readonly string[] =>
      entries.flatMap((entry) => (entry.type === type ? entry.text : [])),
    /** Of the rules that read this field. */
    besides: (field: string): ReadonlySet<string> =>
      new Set(ofRules.flatMap(({ fields, texts }) => (fields.includes(field) ? texts : []))),
  };
}

function textsIn(value: Value): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
