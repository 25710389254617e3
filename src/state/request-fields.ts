// Fields of a request in a form of the console, judged by the rules of the contract.

import type { Field } from "#src/contract/fields/field.ts";
import { checkField, readField } from "#src/contract/fields/validate.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import { choiceOf, type EntryField, type EntryForm, type Remark } from "./entry-form.ts";

const DEFAULT_RISK_LEVEL: RiskLevel = "medium";

/** The risk level chosen in a form that has one. */
export function riskLevelOf(form: EntryForm): RiskLevel {
  return RISK_LEVELS.find((level) => level === choiceOf(form, "risk_level")) ?? DEFAULT_RISK_LEVEL;
}

/** A field of a request as the form shows it: words to choose from, or a text judged by the field's own rules. */
export function entryField(field: Field): EntryField {
  const { path, label, help } = field;
  const [first, ...others] = field.choices ?? [];
  if (first === undefined)
    return { kind: "text", path, label, help, remark: (text) => fieldRemark(field, text) };
  return { kind: "choice", path, label, help, choices: [first, ...others], initial: DEFAULT_RISK_LEVEL };
}

/** The finding about a text typed for a field; null for an empty optional one. */
export function fieldRemark(field: Field, text: string): Remark | null {
  if (text === "") return field.required ? { severity: "error", text: "is required" } : null;
  const read = readField(field, text);
  if ("error" in read) return { severity: "error", text: withoutPath(field, read.error) };
  // No field of such a form looks at another one, and none at the clock.
  const context = { body: {}, now: 0, amountUnit: "minor" } as const;
  const finding = checkField(field, read.value, context)[0];
  if (finding !== undefined) {
    const severity = finding.severity === "error" ? "error" : "note";
    return { severity, text: withoutPath(field, finding.message) };
  }
  const hint = field.hint?.(read.value, context) ?? null;
  return hint === null ? null : { severity: "note", text: hint };
}

/** A finding names its field, and on the screen it stands beside it. */
function withoutPath(field: Field, message: string): string {
  const text = message.startsWith(`${field.path} `) ? message.slice(field.path.length + 1) : message;
  return text.replace(/\.$/u, "");
}
