// A form of text, choice and secret fields with one button. Pure.

import { Secret } from "#src/contract/secret.ts";
import { nextAround } from "./list-selection.ts";
import { applyKey, editText, insertText, type TextEdit } from "#src/display/text-edit.ts";

/** A finding about a typed value: an error keeps the form from being sent. */
export interface Remark {
  readonly severity: "error" | "note";
  readonly text: string;
}

interface FieldBase {
  readonly path: string;
  readonly label: string;
  /** One sentence, shown while the field is edited and there is nothing else to say. */
  readonly help: string;
}

export interface TextField extends FieldBase {
  readonly kind: "text";
  /** What stands in it at first; empty by default. */
  readonly initial?: string;
  /** Shown in place of an empty text. */
  readonly placeholder?: string;
  readonly remark: (text: string) => Remark | null;
  /** It takes a file, whose name Tab completes. */
  readonly isPath?: true;
}

/** One of a few words, changed with left and right or chosen by the first letter. */
export interface ChoiceField extends FieldBase {
  readonly kind: "choice";
  readonly choices: readonly [string, ...string[]];
  readonly initial: string;
}

/** Typed and pasted without being shown; the form never gives it out as text. */
export interface SecretField extends FieldBase {
  readonly kind: "secret";
  readonly remark: (secret: Secret) => Remark | null;
}

export type EntryField = TextField | ChoiceField | SecretField;

/** The focus that is no field: Enter acts there, and letters are commands. */
export const SUBMIT = "submit";

export interface EntryForm {
  readonly fields: readonly EntryField[];
  readonly focus: string;
  readonly texts: Readonly<Record<string, TextEdit>>;
  readonly choices: Readonly<Record<string, string>>;
  /** Only while it is being entered; `withoutSecrets` forgets it. */
  readonly secrets: Readonly<Record<string, Secret>>;
  /** True once it was sent in vain: from then on empty fields are remarked upon, too. */
  readonly tried: boolean;
}

const NO_SECRET = new Secret("");

export function createForm(fields: readonly EntryField[], focus: string = SUBMIT): EntryForm {
  const texts = fields.filter((field) => field.kind === "text");
  const choices = fields.filter((field) => field.kind === "choice");
  return {
    fields,
    focus,
    texts: Object.fromEntries(texts.map((field) => [field.path, editText(field.initial ?? "")])),
    choices: Object.fromEntries(choices.map((field) => [field.path, field.initial])),
    secrets: {},
    tried: false,
  };
}

/** The field in focus; null on the button. */
export function focusedField(form: EntryForm): EntryField | null {
  return form.fields.find((field) => field.path === form.focus) ?? null;
}

export function focusOn(form: EntryForm, focus: string): EntryForm {
  return { ...form, focus };
}

/** The next or previous field; the button stands behind the last field and before the first one. */
export function moveFocus(form: EntryForm, delta: 1 | -1): EntryForm {
  const stops = [...form.fields.map((field) => field.path), SUBMIT];
  return focusOn(form, nextAround(stops, form.focus, delta) ?? SUBMIT);
}

/** Whether anything is typed into it. */
export function hasText(form: EntryForm): boolean {
  return form.fields.some(({ kind, path }) => kind === "text" && textOf(form, path) !== "");
}

/** Whether a field has another value than at first, or a secret. */
export function isTouched(form: EntryForm): boolean {
  return form.fields.some((field) => {
    if (field.kind === "secret") return secretOf(form, field.path).expose() !== "";
    if (field.kind === "choice") return choiceOf(form, field.path) !== field.initial;
    return textOf(form, field.path) !== (field.initial ?? "");
  });
}

export function textOf(form: EntryForm, path: string): string {
  return form.texts[path]?.text ?? "";
}

export function choiceOf(form: EntryForm, path: string): string {
  return form.choices[path] ?? "";
}

export function secretOf(form: EntryForm, path: string): Secret {
  return form.secrets[path] ?? NO_SECRET;
}

/** Types or pastes into the field in focus, as one edit. */
export function enterText(form: EntryForm, text: string): EntryForm {
  const field = focusedField(form);
  if (field?.kind === "secret") {
    // Blanks come along when a key is copied, and no key has any.
    const typed = secretOf(form, field.path).expose() + text.replace(/\s/gu, "");
    return withSecret(form, field.path, typed);
  }
  if (field?.kind === "choice") return chooseBy(form, field, text);
  if (field === null) return form;
  return withText(form, field.path, insertText(form.texts[field.path]!, text));
}

/** The word that begins with the letter typed; a blank goes on to the next word, and everything else says nothing. */
function chooseBy(form: EntryForm, field: ChoiceField, text: string): EntryForm {
  const [first = ""] = text.toLowerCase();
  if (first === " ") return withChoice(form, field, 1);
  const chosen =
    first === "" ? undefined : field.choices.find((each) => each.toLowerCase().startsWith(first));
  return chosen === undefined ? form : { ...form, choices: { ...form.choices, [field.path]: chosen } };
}

/** Applies a key to the field in focus. @returns null when the field has no use for it */
export function pressKey(form: EntryForm, key: string): EntryForm | null {
  const field = focusedField(form);
  if (field?.kind === "text") {
    const edit = applyKey(form.texts[field.path]!, key);
    return edit === null ? null : withText(form, field.path, edit);
  }
  if (field?.kind === "secret") {
    const typed = secretOf(form, field.path).expose();
    if (key === "backspace") return withSecret(form, field.path, typed.slice(0, -1));
    return key === "ctrl+u" || key === "ctrl+w" ? withSecret(form, field.path, "") : null;
  }
  if (field?.kind === "choice") {
    if (key === "left") return withChoice(form, field, -1);
    return key === "right" ? withChoice(form, field, 1) : null;
  }
  return null;
}

/** What to say about a field: nothing about an empty one before the form was tried. */
export function remarkOn(form: EntryForm, field: EntryField): Remark | null {
  if (field.kind === "choice") return null;
  if (!form.tried && isEmpty(form, field)) return null;
  return judge(form, field);
}

/** The form as tried, with the focus on its first wrong field; null when nothing is wrong. */
export function firstWrong(form: EntryForm): EntryForm | null {
  const wrong = form.fields.find((field) => judge(form, field)?.severity === "error");
  return wrong === undefined ? null : { ...form, tried: true, focus: wrong.path };
}

/** What keeps the form from being sent, in one sentence: all that is missing, else what is wrong first; null when nothing does. */
export function whatIsWrong(form: EntryForm): string | null {
  const wrong = form.fields.filter((field) => judge(form, field)?.severity === "error");
  const [first] = wrong;
  if (first === undefined) return null;
  const missing = wrong.filter((field) => isEmpty(form, field)).map(({ label }) => label);
  if (missing.length === 0)
    // The form says what is wrong with it.
    return `${first.label} is not right yet; change it.`;
  const [head, ...others] = missing.map((label, index) =>
    index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1),
  );
  const last = others.pop();
  return last === undefined
    ? `${head} is missing; fill it in.`
    : `${[head, ...others].join(", ")} and ${last} are missing; fill them in.`;
}

/** The form as it is drawn: of a secret only how long it is. */
export function shownForm(form: EntryForm) {
  const fields = form.fields.map((field) => ({
    ...field,
    placeholder: placeholderOf(field),
    value: shownValue(form, field),
    remark: remarkOn(form, field),
  }));
  return { fields, focus: form.focus, tried: form.tried };
}

/** In an empty field: its own, else whether it may stay so. */
function placeholderOf(field: EntryField): string {
  if (field.kind === "choice") return "";
  if (field.kind === "text" && field.placeholder !== undefined) return field.placeholder;
  const remark = field.kind === "text" ? field.remark("") : field.remark(NO_SECRET);
  return remark?.severity === "error" ? "required" : "none";
}

function shownValue(form: EntryForm, field: EntryField): { readonly text: string; readonly cursor: number } {
  if (field.kind === "text") return form.texts[field.path]!;
  if (field.kind === "choice") return { text: choiceOf(form, field.path), cursor: 0 };
  const { length } = secretOf(form, field.path).expose();
  return { text: "*".repeat(length), cursor: length };
}

/** The form without the secrets that were typed into it. */
export function withoutSecrets(form: EntryForm): EntryForm {
  return { ...form, secrets: {} };
}

function judge(form: EntryForm, field: EntryField): Remark | null {
  if (field.kind === "choice") return null;
  return field.kind === "text"
    ? field.remark(textOf(form, field.path))
    : field.remark(secretOf(form, field.path));
}

function isEmpty(form: EntryForm, field: EntryField): boolean {
  return field.kind === "secret"
    ? secretOf(form, field.path).expose() === ""
    : textOf(form, field.path) === "";
}

/** The form with another text in a field. */
export function withText(form: EntryForm, path: string, edit: TextEdit): EntryForm {
  return { ...form, texts: { ...form.texts, [path]: edit } };
}

function withSecret(form: EntryForm, path: string, typed: string): EntryForm {
  return { ...form, secrets: { ...form.secrets, [path]: new Secret(typed) } };
}

function withChoice(form: EntryForm, field: ChoiceField, delta: 1 | -1): EntryForm {
  const { choices, path, initial } = field;
  const next = nextAround(choices, choiceOf(form, path), delta) ?? initial;
  return { ...form, choices: { ...form.choices, [path]: next } };
}
