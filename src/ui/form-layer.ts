// The layers of a form: where typed text, pastes and editing keys go.

import type { Layer } from "#src/keys/layers.ts";

/** The verbs of a form, which every store with a form offers. */
export interface FormVerbs {
  move(delta: 1 | -1): void;
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
    },
  };
}

/**
 * The layer of the field in focus; null on the button, where letters are commands.
 * @param screen scope of the screen: `<screen>.field` for texts and secrets, `<screen>.choice` for words to choose from
 */
export function formLayer(screen: string, form: FocusedForm | null, verbs: FormVerbs): Layer | null {
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
