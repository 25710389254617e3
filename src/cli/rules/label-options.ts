// Options of back-tests that say what became of the payments.

import type { LabelChoice } from "#src/actions/rules/payment-labels.ts";
import type { LABELLING } from "#src/cli/option-specs.ts";
import type { Values } from "#src/cli/option.ts";
import { usage, whole } from "#src/contract/fault.ts";
import { isLabel, LABELS, type Label } from "#src/contract/records/label.ts";

/** @throws Fault("usage") for a tag that stands for no outcome or for two, and for no time */
export function readLabelChoice(options: Partial<Values<typeof LABELLING>>): LabelChoice {
  const tags = new Map<string, Label>();
  for (const [tag, label] of (options.labelTag ?? []).map(readTag)) {
    const before = tags.get(tag) ?? label;
    if (before !== label) {
      throw usage`--label-tag says that "${tag}" stands for ${before} and for ${label}; leave one out.`;
    }
    tags.set(tag, label);
  }
  return {
    file: options.labels ?? null,
    map: options.labelMap,
    tags,
    asOf: options.asOf ?? null,
    restGood: options.unlabelled === "good",
  };
}

/** `fraud`, or `stolen=fraud`. */
function readTag(text: string): readonly [string, Label] {
  const [, tag = text, label = text] = /^(.+)=([^=]*)$/.exec(text) ?? [];
  if (isLabel(label)) return [tag, label];
  throw usage`--label-tag takes a tag and the label that it stands for, such as stolen=fraud, not "${text}"; labels are ${whole(LABELS.join(", "))}.`;
}
