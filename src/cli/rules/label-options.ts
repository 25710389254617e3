// Options of back-tests that say what became of the payments.

import { labelOrigins, type LabelChoice, type LabelUse } from "#src/actions/rules/payment-labels.ts";
import type { LABELLING } from "#src/cli/option-specs.ts";
import type { Values } from "#src/cli/option.ts";
import { usage, whole } from "#src/contract/fault.ts";
import { isLabel, LABELS, type Label } from "#src/contract/records/label.ts";
import { worthOf } from "#src/contract/records/outcome-shares.ts";
import type { Outcomes } from "#src/contract/records/outcomes.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { formatUtc } from "#src/display/time.ts";

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
    tags,
    asOf: options.asOf ?? null,
    restGood: options.unlabelled === "good",
  };
}

/** `fraud`, or `stolen=fraud`. */
function readTag(text: string): readonly [string, Label] {
  const [, tag = text, label = text] = /^(.+)=([^=]*)$/.exec(text) ?? [];
  if (isLabel(label)) return [tag, label];
  throw usage`--label-tag takes a tag and the outcome that it stands for, such as stolen=fraud, not "${text}"; outcomes are ${whole(LABELS.join(", "))}.`;
}

/** How many payments have a label, from where, and which labels were of no use; indented, for below a heading. */
export function labelLines(
  { file, asOf }: LabelChoice,
  use: LabelUse,
  total: number,
  outcomes: Outcomes | null,
): string[] {
  const labelled = total - use.none - use.assumed;
  if (labelled + use.assumed + use.idleTags.length === 0 && file === null) return [];
  const name = file === null ? "" : safe(file, { max: 60 });
  const origins = labelOrigins(name || null, use).join(", ");
  const noGood = outcomes !== null && worthOf(outcomes.current, "good").count === 0 && use.none > 0;
  return [
    `${formatCount(labelled)} of them ${labelled === 1 ? "has" : "have"} a label${origins && `: ${origins}`}`,
    use.assumed > 0 && `${formatCount(use.assumed)} without a label are taken for good (--unlabelled)`,
    use.unused > 0 && `${counted(use.unused, "label")} of ${name} met no payment`,
    use.idleTags.length > 0 &&
      `No payment has the tag ${use.idleTags.map((tag) => `"${safe(tag, { max: 40 })}"`).join(", ")} (--label-tag)`,
    use.late > 0 &&
      `${counted(use.late, "label")} of ${name} left out: known after ${formatUtc(asOf ?? 0)} UTC (--as-of)`,
    use.missed > 0 &&
      `${counted(use.missed, "label")} of identical repeats left out: too many payments stood between`,
    noGood && "No payment is labelled good: --unlabelled good makes those without a label good.",
  ].flatMap((line) => (line === false ? [] : `  ${line}`));
}
