// The layers of a form: where typed text, pastes and editing keys go.

import type { Layer } from "#src/keys/layers.ts";
import type { Row } from "./rows.ts";

/** The verbs of a form, which every store with a form offers. */
export interface FormVerbs {
  move(delta: 1 | -1): void;
  focus(path: string): void;
  key(name: string): boolean;
  enter(text: string): void;
  leave(): boolean;
  submit(): Promise<void>;
}

/** The part of a form that routes its keys; the focus is the path of a field, or anything else for the button. */
interface FocusedForm {
  readonly fields: readonly { readonly path: string; readonly kind: "text" | "choice" | "secret" }[];
  readonly focus: string;
}

/** The focus while a letter stands in front of each field. */
export const JUMP = "jump";
/** The home row first. */
const LETTERS = "asdfghjklqwertyuiopzxcvbnm";

/** The row of a stop with its letter in place of the pointer. */
export function jumpRow([first, ...rest]: Row, stop: number): Row {
  const after = first === undefined ? [] : [{ ...first, text: first.text.slice(1) }];
  return [{ text: LETTERS[stop] ?? " ", role: "accent" }, ...after, ...rest];
}

/** @param go gets the index of the stop, -1 for a letter of none or Esc, and what was typed behind the letter */
export function jumpLayer(go: (stop: number, rest: string) => void): Layer {
  return {
    scope: "jump",
    level: 2,
    modal: true,
    handlers: { "jump.leave": () => go(-1, "") },
    text: (typed) => go(LETTERS.indexOf(typed[0]!), typed.slice(1)),
    paste: () => go(-1, ""),
  };
}

/** The layer of a form that covers its screen, while the focus is on its button. */
export function buttonLayer(scope: string, verbs: FormVerbs): Layer {
  return {
    scope,
    level: 1,
    handlers: {
      [`${scope}.submit`]: () => void verbs.submit(),
      [`${scope}.next`]: () => verbs.move(1),
      [`${scope}.previous`]: () => verbs.move(-1),
      [`${scope}.leave`]: () => verbs.leave(),
      [`${scope}.jump`]: () => verbs.focus(JUMP),
    },
  };
}

/**
 * The layer of the field in focus; null on the button, where letters are commands.
 * @param screen scope of the screen: `<screen>.field` for texts and secrets, `<screen>.choice` for words to choose from
 */
export function formLayer(screen: string, form: FocusedForm | null, verbs: FormVerbs): Layer | null {
  if (form?.focus === JUMP) {
    return jumpLayer((stop, rest) => {
      const field = form.fields[stop];
      if (field === undefined) return void verbs.leave();
      verbs.focus(field.path);
      if (rest !== "") verbs.enter(rest);
    });
  }
  const field = form?.fields.find(({ path }) => path === form.focus);
  if (field === undefined) return null;
  const scope = `${screen}.${field.kind === "choice" ? "choice" : "field"}`;
  const handlers = {
    [`${scope}.next`]: () => verbs.move(1),
    [`${scope}.previous`]: () => verbs.move(-1),
    [`${scope}.leave`]: () => verbs.leave(),
  };
  const text = (typed: string): void => verbs.enter(typed);
  if (field.kind === "choice") {
    const choice = {
      [`${scope}.left`]: () => verbs.key("left"),
      [`${scope}.right`]: () => verbs.key("right"),
    };
    // Letters choose a word here: as commands they would discard the other fields. A paste matches no word.
    return { scope, level: 2, handlers: { ...handlers, ...choice }, text, paste: () => undefined };
  }
  return {
    scope,
    level: 2,
    handlers,
    text,
    paste: text,
    key: (name) => verbs.key(name),
  };
}
