// A form of the console as rows: fields with their remarks, the button, and a line of help.

import {
  choiceOf,
  focusedField,
  remarkOn,
  secretOf,
  SUBMIT,
  textOf,
  type EntryField,
  type EntryForm,
} from "#src/state/entry-form.ts";
import { safe } from "#src/display/safe.ts";
import { fieldSpans, type FieldLineProps } from "#src/ui/field-line.tsx";
import type { Theme } from "#src/ui/theme.ts";
import { fillRows, fitRow, textRows, type Row } from "./rows.ts";

export interface FormLook {
  /** On the button. */
  readonly action: string;
  readonly width: number;
  /** Rows for everything; the fields come first. */
  readonly height: number;
  readonly theme: Theme;
}

/** Rows below the fields and the button: what is wrong with the field in focus, or what it is for. */
const HELP_ROWS = 2;

/** How many rows a form needs to show all of itself. */
export function formHeight(form: EntryForm): number {
  return form.fields.length + 1 + HELP_ROWS;
}

/** The rows of a form, exactly `look.height`. A low form keeps the field in focus in view. */
export function formRows(form: EntryForm, look: FormLook): Row[] {
  const { width, height, theme } = look;
  const stops = [...form.fields.map((field) => fieldRow(form, field, look)), buttonRow(form, look)];
  const help = textRows(helpText(form, theme), width, theme, { limit: HELP_ROWS, role: helpRole(form) });
  const room = Math.max(1, Math.min(stops.length, height - 1));
  const at =
    form.focus === SUBMIT ? stops.length - 1 : form.fields.findIndex(({ path }) => path === form.focus);
  const from = Math.min(Math.max(0, at - room + 1), stops.length - room);
  return fillRows([...stops.slice(from, from + room), ...help], width, height);
}

function fieldRow(form: EntryForm, field: EntryField, { width, theme }: FormLook): Row {
  const selected = form.focus === field.path;
  const remark = remarkOn(form, field);
  const note = remark && { text: safe(remark.text), role: remark.severity };
  const props: FieldLineProps = {
    label: field.label,
    labelWidth: Math.max(...form.fields.map(({ label }) => label.length)),
    selected,
    editing: selected && field.kind !== "choice",
    value: valueOf(form, field),
    ...(field.kind === "text" && field.placeholder !== undefined ? { placeholder: field.placeholder } : {}),
    masked: field.kind === "secret",
    note,
    valueWidth: 20,
    width,
  };
  return fieldSpans(props, theme);
}

/** Columns of the words to choose from, up to which they stand side by side. */
const WORDS_SHOWN = 44;

/** What the field line draws; of a secret only how long it is. */
function valueOf(form: EntryForm, field: EntryField): FieldLineProps["value"] {
  if (field.kind === "text") return form.texts[field.path]!;
  if (field.kind === "secret") {
    const length = secretOf(form, field.path).expose().length;
    return { text: "*".repeat(length), cursor: length };
  }
  const chosen = choiceOf(form, field.path);
  const words = field.choices.map((choice) => (choice === chosen ? `[${choice}]` : ` ${choice} `)).join("");
  // Of many the chosen one could stand out of sight.
  const few = words.length <= WORDS_SHOWN;
  const place = `${field.choices.indexOf(chosen) + 1} of ${field.choices.length}`;
  return { text: few ? words : `[${chosen}] ${place}`, cursor: 0 };
}

function buttonRow(form: EntryForm, { action, width, theme }: FormLook): Row {
  const focused = form.focus === SUBMIT;
  const pointer = focused ? theme.sign("pointer") : " ";
  return fitRow([{ text: `${pointer}[ ${action} ]`, role: focused ? "accent" : null }], width, theme);
}

function helpText(form: EntryForm, theme: Theme): string {
  const field = focusedField(form);
  if (field === null) {
    const wrong = form.tried
      ? form.fields.find((each) => remarkOn(form, each)?.severity === "error")
      : undefined;
    return wrong === undefined ? "" : `${wrong.label} ${safe(remarkOn(form, wrong)!.text)}.`;
  }
  const remark = remarkOn(form, field);
  if (remark?.severity === "error") return `${field.label} ${safe(remark.text)}.`;
  if (remark !== null && textOf(form, field.path) !== "") return `${safe(remark.text)}.`;
  const keys =
    field.kind === "choice" ? ` ${theme.ascii ? "<" : "←"} and ${theme.ascii ? ">" : "→"} change it.` : "";
  return `${field.help}${keys}`;
}

function helpRole(form: EntryForm): "error" | null {
  const field = focusedField(form) ?? form.fields.find((each) => remarkOn(form, each)?.severity === "error");
  return field !== undefined && form.tried && remarkOn(form, field)?.severity === "error" ? "error" : null;
}
