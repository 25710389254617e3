// The keys of the Register screen. Letters are commands while the focus is on the button.

import type { Binding } from "#src/keys/binding.ts";

const GROUP = "Register";
const FORM_GROUP = "Register, in a form";
const SCREEN = "register";
const BY_HAND = "register.byHand";
const FIELD = "register.field";
const CHOICE = "register.choice";

export const REGISTER_BINDINGS: readonly Binding[] = [
  {
    id: "register.submit",
    keys: ["enter"],
    scope: SCREEN,
    group: GROUP,
    label: "register",
    footer: 1,
    sends: true,
  },
  { id: "register.next", keys: ["tab"], scope: SCREEN, group: GROUP, label: "edit the form", footer: 2 },
  { id: "register.previous", keys: ["shift+tab"], scope: SCREEN, group: GROUP, label: "edit from the end" },
  {
    id: "register.fetch",
    keys: ["f"],
    scope: SCREEN,
    group: GROUP,
    label: "fetch now",
    footer: 3,
    sends: true,
  },
  { id: "register.byHand", keys: ["m"], scope: SCREEN, group: GROUP, label: "enter by hand", footer: 0 },
  { id: "register.down", keys: ["j", "down"], scope: SCREEN, group: GROUP, label: "next project" },
  { id: "register.up", keys: ["k", "up"], scope: SCREEN, group: GROUP, label: "previous project" },
  { id: "register.first", keys: ["g", "home"], scope: SCREEN, group: GROUP, label: "first project" },
  { id: "register.last", keys: ["G", "end"], scope: SCREEN, group: GROUP, label: "last project" },
  {
    id: "register.pageDown",
    keys: ["pagedown", "ctrl+d"],
    scope: SCREEN,
    group: GROUP,
    label: "five projects down",
  },
  {
    id: "register.pageUp",
    keys: ["pageup", "ctrl+u"],
    scope: SCREEN,
    group: GROUP,
    label: "five projects up",
  },
  ...buttonBindings(BY_HAND, FORM_GROUP),
  ...fieldBindings(FIELD, FORM_GROUP),
  ...fieldBindings(CHOICE, FORM_GROUP),
  ...choiceBindings(CHOICE, FORM_GROUP),
];

/** What works on the button of a form that saves a key. */
export function buttonBindings(scope: string, group: string): Binding[] {
  return [
    { id: `${scope}.submit`, keys: ["enter"], scope, group, label: "save", footer: 1 },
    { id: `${scope}.next`, keys: ["tab", "down"], scope, group, label: "first field", footer: 2 },
    { id: `${scope}.previous`, keys: ["shift+tab", "up"], scope, group, label: "last field" },
    { id: `${scope}.leave`, keys: ["esc"], scope, group, label: "back", footer: 3 },
  ];
}

/** What works in a field of any form. */
export function fieldBindings(scope: string, group: string): Binding[] {
  return [
    { id: `${scope}.next`, keys: ["tab", "enter", "down"], scope, group, label: "next field", footer: 2 },
    { id: `${scope}.previous`, keys: ["shift+tab", "up"], scope, group, label: "previous field", footer: 3 },
    { id: `${scope}.leave`, keys: ["esc"], scope, group, label: "to the button", footer: 4 },
  ];
}

/** What works besides in a field that offers a few words. */
export function choiceBindings(scope: string, group: string): Binding[] {
  return [
    { id: `${scope}.right`, keys: ["right"], scope, group, label: "change", footer: 1 },
    { id: `${scope}.left`, keys: ["left"], scope, group, label: "change back" },
  ];
}
