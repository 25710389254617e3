// A form of the console as rows: fields with their remarks, the button, and a line of help.

import { safe } from "#src/display/safe.ts";
import { JUMP, LETTERS } from "#src/keys/form-commands.ts";
import { fieldSpans, type FieldLineProps } from "./field-line.tsx";
import { fit } from "./fit.ts";
import { AXIS, fillRows, fitRow, hitRow, textRows, type Row } from "./rows.ts";
import type { Theme } from "./theme.ts";

export interface ShownField {
  readonly path: string;
  readonly label: string;
  /** One sentence, shown while the field is edited and there is nothing else to say. */
  readonly help: string;
  readonly kind: "text" | "choice" | "secret";
  /** The text, or the chosen word; for a secret one star per character. */
  readonly value: FieldLineProps["value"];
  /** The words to choose from. */
  readonly choices?: readonly string[];
  /** In an empty text or secret. */
  readonly placeholder: string;
  readonly remark: { readonly severity: "error" | "note"; readonly text: string } | null;
}

/** A form as it is drawn. */
export interface ShownForm {
  readonly fields: readonly ShownField[];
  /** The path of the field in focus; anything else is the button. */
  readonly focus: string;
  /** True once it was submitted with errors. */
  readonly tried: boolean;
}

export interface FormOptions {
  /** On the button. */
  readonly action: string;
  /** Enter is for something else than the button. */
  readonly idle?: boolean;
  readonly width: number;
  /** Rows for everything; the fields come first. */
  readonly height: number;
  readonly theme: Theme;
}

/** Rows below the fields and the button: what is wrong with the field in focus, or what it is for. */
const HELP_ROWS = 2;

/** How many rows a form needs to show all of itself. */
export function formHeight(form: { readonly fields: readonly unknown[] }): number {
  return form.fields.length + 1 + HELP_ROWS;
}

/** The rows of a form, exactly `options.height`. A low form keeps the field in focus in view. */
export function formRows(form: ShownForm, options: FormOptions): Row[] {
  const { width, height, theme } = options;
  const fields = form.fields.map((field) => hitRow(fieldRow(form, field, options), field.path));
  const stops = [...fields, hitRow(buttonRow(form, options), "submit")];
  const help = textRows(helpText(form, theme), width, theme, { limit: HELP_ROWS, role: helpRole(form) });
  const room = Math.max(1, Math.min(stops.length, height - HELP_ROWS));
  const focused = form.fields.findIndex(({ path }) => path === form.focus);
  const at = focused === -1 ? stops.length - 1 : focused;
  const from = Math.min(Math.max(0, at - room + 1), stops.length - room);
  const shown = form.focus === JUMP ? stops.map(jumpRow) : stops;
  return fillRows([...shown.slice(from, from + room), ...help], width, height);
}

function fieldRow(form: ShownForm, field: ShownField, { width, theme }: FormOptions): Row {
  const selected = form.focus === field.path;
  const note = field.remark && { text: safe(field.remark.text), role: field.remark.severity };
  const props: FieldLineProps = {
    label: field.label,
    labelWidth: Math.max(...form.fields.map(({ label }) => label.length)),
    selected,
    editing: selected && field.kind !== "choice",
    value: field.kind === "choice" ? choiceWords(field, theme) : field.value,
    placeholder: field.placeholder,
    masked: field.kind === "secret",
    note,
    valueWidth: 20,
    width,
  };
  return fieldSpans(props, theme);
}

/** Widest list of words that is shown side by side. */
const WORDS_SHOWN = 44;

function choiceWords({ value, choices = [] }: ShownField, theme: Theme): FieldLineProps["value"] {
  const chosen = value.text;
  const words = choices.map((choice) => (choice === chosen ? `[${choice}]` : ` ${choice} `)).join("");
  // A longer list could have the chosen word out of sight.
  const few = words.length <= WORDS_SHOWN;
  const place = `${choices.indexOf(chosen) + 1} of ${choices.length}`;
  if (theme.ascii === "words") return { text: `${chosen}, ${place}`, cursor: 0 };
  return { text: few ? words : `[${chosen}] ${place}`, cursor: 0 };
}

function buttonRow(form: ShownForm, { action, width, theme, idle = false }: FormOptions): Row {
  const focused = focusedField(form) === undefined && !idle;
  const pointer = fit(focused ? theme.sign("pointer") : "", AXIS);
  const text = `${pointer}${buttonText(action, theme)}`;
  return fitRow([{ text: fit(text, width), role: focused ? "bar" : "heading" }], width, theme);
}

/** A screen reader says what it is. */
export function buttonText(action: string, theme: Theme): string {
  return theme.ascii === "words" ? `button ${action}` : theme.color ? action : `[ ${action} ]`;
}

function helpText(form: ShownForm, theme: Theme): string {
  const field = focusedField(form);
  if (field === undefined) {
    const wrong = form.tried ? firstWrong(form) : undefined;
    return wrong === undefined ? "" : `${wrong.label} ${safe(wrong.remark!.text)}.`;
  }
  const { remark } = field;
  if (remark?.severity === "error") return `${field.label} ${safe(remark.text)}.`;
  if (remark !== null && field.kind === "text" && field.value.text !== "") return `${safe(remark.text)}.`;
  const [left, right] = theme.ascii === "words" ? ["Left", "Right"] : theme.ascii ? ["<", ">"] : ["←", "→"];
  const keys = field.kind === "choice" ? ` ${left} and ${right} change it.` : "";
  return `${field.help}${keys}`;
}

function helpRole(form: ShownForm): "error" | null {
  const field = focusedField(form) ?? firstWrong(form);
  return form.tried && field?.remark?.severity === "error" ? "error" : null;
}

function focusedField({ fields, focus }: ShownForm): ShownField | undefined {
  return fields.find(({ path }) => path === focus);
}

function firstWrong({ fields }: ShownForm): ShownField | undefined {
  return fields.find(({ remark }) => remark?.severity === "error");
}

/** The row of a stop with its letter in place of the pointer. */
export function jumpRow([first, ...rest]: Row, stop: number): Row {
  const after = first === undefined ? [] : [{ ...first, text: first.text.slice(1) }];
  return [{ text: LETTERS[stop] ?? " ", role: "accent" }, ...after, ...rest];
}
