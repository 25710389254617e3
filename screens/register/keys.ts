// The keys of the Register screen. Letters are commands while the focus is on the button.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";
import { buttonBindings, choiceBindings, fieldBindings, jumpBinding } from "#src/keys/form-bindings.ts";
import { moveBindings, throughRows } from "#src/keys/move-bindings.ts";

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
  {
    id: "register.use",
    keys: ["enter"],
    scope: "register.row",
    group: GROUP,
    label: "use the project",
    footer: 1,
  },
  ...bindingsOf(SCREEN, GROUP, [
    { id: "register.next", keys: ["tab"], label: "edit the form", footer: 2 },
    { id: "register.previous", keys: ["shift+tab"], label: "edit from the end" },
  ]),
  jumpBinding(SCREEN, GROUP, 4),
  ...bindingsOf(SCREEN, GROUP, [
    { id: "register.fetch", keys: ["f"], label: "fetch now", footer: 3, sends: true },
    { id: "register.byHand", keys: ["m"], label: "enter by hand", footer: 0 },
  ]),
  ...moveBindings(SCREEN, GROUP, throughRows("project", "five")),
  ...buttonBindings(BY_HAND, FORM_GROUP),
  ...fieldBindings(FIELD, FORM_GROUP),
  ...fieldBindings(CHOICE, FORM_GROUP),
  ...choiceBindings(CHOICE, FORM_GROUP),
];
