// The keys of the Vault screen.

import type { Binding } from "#src/keys/binding.ts";
import { buttonBindings, choiceBindings, fieldBindings } from "#src/keys/form-bindings.ts";
import { moveBindings, throughRows } from "#src/keys/move-bindings.ts";

const SCOPE = "vault";
const GROUP = "Vault";
const FORM_GROUP = "Vault, in a form";
const ACTIONS = "vault.actions";
const ACTIONS_GROUP = "Vault as a whole";

export const VAULT_BINDINGS: readonly Binding[] = [
  {
    id: "vault.reveal",
    keys: ["v"],
    scope: SCOPE,
    group: GROUP,
    label: "reveal for 10 s",
    footer: 1,
    exposes: true,
  },
  { id: "vault.add", keys: ["a"], scope: SCOPE, group: GROUP, label: "add a key", footer: 2 },
  { id: "vault.test", keys: ["t"], scope: SCOPE, group: GROUP, label: "test", footer: 4, sends: true },
  {
    id: "vault.copy",
    keys: ["y"],
    scope: SCOPE,
    group: GROUP,
    label: "copy for 30 s",
    footer: 3,
    exposes: true,
  },
  { id: "vault.remove", keys: ["d", "delete"], scope: SCOPE, group: GROUP, label: "remove", footer: 6 },
  { id: "vault.actions", keys: ["x"], scope: SCOPE, group: GROUP, label: "actions", footer: 5 },
  { id: "vault.hide", keys: ["esc"], scope: SCOPE, group: GROUP, label: "hide", footer: 0 },
  ...moveBindings(SCOPE, GROUP, throughRows("key", "five")),
  {
    id: "vault.actions.run",
    keys: ["enter"],
    scope: ACTIONS,
    group: ACTIONS_GROUP,
    label: "do it",
    footer: 1,
  },
  {
    id: "vault.actions.down",
    keys: ["j", "down"],
    scope: ACTIONS,
    group: ACTIONS_GROUP,
    label: "next",
    footer: 3,
  },
  {
    id: "vault.actions.up",
    keys: ["k", "up"],
    scope: ACTIONS,
    group: ACTIONS_GROUP,
    label: "previous",
    footer: 4,
  },
  {
    id: "vault.actions.close",
    keys: ["esc", "x"],
    scope: ACTIONS,
    group: ACTIONS_GROUP,
    label: "back",
    footer: 2,
  },
  ...buttonBindings("vault.form", FORM_GROUP),
  ...fieldBindings("vault.field", FORM_GROUP),
  ...fieldBindings("vault.choice", FORM_GROUP),
  ...choiceBindings("vault.choice", FORM_GROUP),
];
