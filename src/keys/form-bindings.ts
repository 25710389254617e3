// The key bindings of every form: of its button, its text fields and its choices.

import { bindingsOf, type Binding } from "./binding.ts";

/** For the button of a form. */
export function buttonBindings(scope: string, group: string): Binding[] {
  return [
    { id: `${scope}.submit`, keys: ["enter"], scope, group, label: "save", footer: 1 },
    { id: `${scope}.next`, keys: ["tab", "down"], scope, group, label: "first field", footer: 2 },
    { id: `${scope}.previous`, keys: ["shift+tab", "up"], scope, group, label: "last field" },
    { id: `${scope}.leave`, keys: ["esc"], scope, group, label: "back", footer: 3 },
    jumpBinding(scope, group, 5),
  ];
}

/** Shows the letters of the fields. */
export function jumpBinding(scope: string, group: string, footer: number): Binding {
  const id = `${scope}.jump`;
  return { id, keys: ["'"], scope, group, label: "jump to a field", footer, opensText: true };
}

/** While the letters are shown, which are no keys of the table. */
export const JUMP_BINDINGS: readonly Binding[] = bindingsOf("jump", "Jump", [
  { id: "jump.leave", keys: ["esc"], label: "stay; a letter jumps", footer: 1 },
]);

/** For every field. */
export function fieldBindings(scope: string, group: string): Binding[] {
  return [
    { id: `${scope}.next`, keys: ["tab", "enter", "down"], scope, group, label: "next field", footer: 2 },
    { id: `${scope}.previous`, keys: ["shift+tab", "up"], scope, group, label: "previous field", footer: 3 },
    { id: `${scope}.leave`, keys: ["esc"], scope, group, label: "to the button", footer: 4 },
  ];
}

/** For a field with a choice of words, in addition. */
export function choiceBindings(scope: string, group: string): Binding[] {
  return [
    { id: `${scope}.right`, keys: ["right"], scope, group, label: "change", footer: 1 },
    { id: `${scope}.left`, keys: ["left"], scope, group, label: "previous choice" },
  ];
}
