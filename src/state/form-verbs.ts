// Handles keys, typed text and Enter for the form that a store has open.

import {
  enterText,
  firstWrong,
  focusedField,
  focusOn,
  isTouched,
  moveFocus,
  pressKey,
  SUBMIT,
  textOf,
  whatIsWrong,
  withText,
  type EntryForm,
} from "./entry-form.ts";
import { editText } from "#src/display/text-edit.ts";
import { completedPath } from "./path-completion.ts";
import type { Session } from "./session.ts";

/** The store that a form belongs to. */
export interface FormOwner {
  readonly session: Pick<Session, "refusesTyping">;
  /** Null while no form is open. */
  form(): EntryForm | null;
  change(form: EntryForm): void;
  /** Esc on the button. @returns false when there is nothing to leave */
  close(): boolean;
  /** Enter on the button of a form without errors. */
  send(form: EntryForm): Promise<void>;
  /** Called with the reason why a form cannot be sent; its first wrong field gets the focus either way. */
  readonly complain?: (sentence: string) => void;
}

/** Closes a form that is not kept, after a question where something is typed into it. */
export function closeForm(session: Pick<Session, "agree">, form: EntryForm | null, close: () => void): true {
  const leave = async (): Promise<void> => {
    const question = { text: LOST, yes: "leave" };
    if (form === null || !isTouched(form) || (await session.agree(question))) close();
  };
  void leave();
  return true;
}

const LOST = "The text in the form will be lost. Leave anyway?";

export function formVerbs(owner: FormOwner) {
  const change = (changed: (form: EntryForm) => EntryForm): void => {
    const form = owner.form();
    if (form !== null) owner.change(changed(form));
  };
  /** Choices are seen. */
  const refuses = (form: EntryForm | null): boolean =>
    form !== null && Object.hasOwn(form.texts, form.focus) && owner.session.refusesTyping(form.focus);
  return {
    /** Moves the focus to the next field or the previous one; the button is one of the stops. */
    move: (delta: 1 | -1) => change((form) => moveFocus(form, delta)),
    /** Tab: completes a path, or goes to the next field. */
    tab() {
      const form = owner.form();
      const field = form && focusedField(form);
      const isPath = field?.kind === "text" && field.isPath === true;
      const whole = isPath ? completedPath(textOf(form!, field.path)) : null;
      if (whole === null) return change((before) => moveFocus(before, 1));
      if (!refuses(form)) change((before) => withText(before, before.focus, editText(whole)));
    },
    /** Moves the focus to a field, or to the button. */
    focus: (path: string) => change((form) => focusOn(form, path)),
    /** A key for the field in focus; false when it has no use for it. */
    key(name: string) {
      const form = owner.form();
      const next = form && pressKey(form, name);
      if (next !== null && !refuses(form)) owner.change(next);
      return next !== null;
    },
    /** Typed or pasted text for the field in focus. */
    enter: (text: string) => change((form) => (refuses(form) ? form : enterText(form, text))),
    /** Esc: from a field to the button, from there out of the form. False when there is nothing to leave. */
    leave() {
      const form = owner.form();
      if (form === null) return false;
      if (form.focus === SUBMIT) return owner.close();
      owner.change(focusOn(form, SUBMIT));
      return true;
    },
    /** Enter: the next field, or what the button does. */
    async submit() {
      const form = owner.form();
      if (form === null) return;
      if (form.focus !== SUBMIT) return owner.change(moveFocus(form, 1));
      const wrong = firstWrong(form);
      if (wrong === null) return await owner.send(form);
      owner.complain?.(whatIsWrong(form) ?? "");
      owner.change(wrong);
    },
  };
}
