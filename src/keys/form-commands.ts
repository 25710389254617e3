// The commands of every form: of its button, of its text fields and choices, and of the letters that jump to a field.

import { commands, key, type Command, type CommandList, type Commands } from "./command.ts";
import type { Layer } from "./layers.ts";

/** The verbs of a form, which every store with a form offers. */
export interface FormVerbs {
  move(delta: 1 | -1): void;
  tab(): void;
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
export const LETTERS = "asdfghjklqwertyuiopzxcvbnm";

/** Shows the letters of the fields. */
export function jumpCommand<Scene>(
  footer: number,
  focus: (scene: Scene, path: string) => void,
): Command<Scene> {
  return key("'", "jump to a field", footer, (scene) => focus(scene, JUMP), { opensText: true });
}

/** Gets the index of the stop, -1 for a letter of none or Esc, and what was typed behind the letter. */
type Jump = (stop: number, rest: string) => void;

/** While the letters are shown, which are no keys of the table. */
export const JUMPS = commands<Jump>("jump", "Jump", 2, {
  leave: key("esc", "stay; a letter jumps", 1, (go) => go(-1, "")),
});

/** @param fields by whose letters it goes, the button behind them */
export function jumpLayer(
  fields: readonly { readonly path: string }[],
  verbs: Pick<FormVerbs, "leave" | "focus" | "enter">,
): Layer {
  const go: Jump = (stop, rest) => {
    const path = fields[stop]?.path;
    if (path === undefined) return void verbs.leave();
    verbs.focus(path);
    if (rest !== "") verbs.enter(rest);
  };
  return {
    ...JUMPS.layer(go),
    modal: true,
    text: (typed) => go(LETTERS.indexOf(typed[0]!), typed.slice(1)),
    paste: () => go(-1, ""),
  };
}

/** The commands of a form that covers its screen, while the focus is on its button. */
export function buttonCommands<Scene extends FormVerbs>(
  submit: Partial<Command<Scene>> = {},
): CommandList<Scene> {
  return {
    submit: { keys: ["enter"], label: "save", footer: 1, run: (form) => form.submit(), ...submit },
    next: key("tab down", "first field", 2, (form) => form.move(1)),
    previous: key("shift+tab up", "last field", null, (form) => form.move(-1)),
    leave: key("esc", "back", 3, (form) => form.leave()),
    jump: jumpCommand(5, (form, path) => form.focus(path)),
  };
}

const FIELD: CommandList<FormVerbs> = {
  tab: key("tab", "next field", 2, (form) => form.tab()),
  next: key("enter down", "next field", null, (form) => form.move(1)),
  previous: key("shift+tab up", "previous field", 3, (form) => form.move(-1)),
  leave: key("esc", "to the button", 4, (form) => form.leave()),
};

const CHOICE: CommandList<FormVerbs> = {
  ...FIELD,
  right: key("right", "change", 1, (form) => form.key("right")),
  left: key("left", "previous choice", null, (form) => form.key("left")),
};

/** The commands of the fields of a form: of texts and secrets, and of words to choose from. */
export interface FieldCommands extends Pick<Commands<never>, "bindings"> {
  /** The layer of the field in focus; null on the button, where letters are commands. */
  layer(form: FocusedForm | null, verbs: FormVerbs): Layer | null;
}

/** @param screen the scopes are `<screen>.field` and `<screen>.choice` */
export function fieldCommands(screen: string, group: string): FieldCommands {
  const inText = commands(`${screen}.field`, group, 2, FIELD);
  const inChoice = commands(`${screen}.choice`, group, 2, CHOICE);
  return {
    bindings: [...inText.bindings, ...inChoice.bindings],
    layer(form, verbs) {
      if (form?.focus === JUMP) return jumpLayer(form.fields, verbs);
      const field = form?.fields.find(({ path }) => path === form.focus);
      if (field === undefined) return null;
      const text = (typed: string): void => verbs.enter(typed);
      // Letters choose a word here: as commands they would discard the other fields. A paste matches no word.
      if (field.kind === "choice") return { ...inChoice.layer(verbs), text, paste: () => undefined };
      return { ...inText.layer(verbs), text, paste: text, key: (name) => verbs.key(name) };
    },
  };
}
