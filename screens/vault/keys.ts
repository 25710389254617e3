// The keys of the Vault screen.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";
import { buttonBindings, choiceBindings, fieldBindings } from "#src/keys/form-bindings.ts";
import { moveBindings, throughRows } from "#src/keys/move-bindings.ts";

const SCOPE = "vault";
const GROUP = "Vault";
const FORM_GROUP = "Vault, in a form";
const ACTIONS = "vault.actions";
const ACTIONS_GROUP = "Vault as a whole";

export const VAULT_BINDINGS: readonly Binding[] = [
  ...bindingsOf(SCOPE, GROUP, [
    { id: "vault.reveal", keys: ["v"], label: "reveal for 10 s", footer: 1, exposes: true },
    { id: "vault.add", keys: ["a"], label: "add a key", footer: 2 },
    { id: "vault.test", keys: ["t"], label: "test", footer: 4, sends: true },
    { id: "vault.copy", keys: ["y"], label: "copy for 30 s", footer: 3, exposes: true },
    { id: "vault.remove", keys: ["d", "delete"], label: "remove", footer: 6 },
    { id: "vault.actions", keys: ["x"], label: "actions", footer: 5 },
    { id: "vault.hide", keys: ["esc"], label: "hide", footer: 0 },
  ]),
  ...moveBindings(SCOPE, GROUP, throughRows("key", "five")),
  ...bindingsOf(ACTIONS, ACTIONS_GROUP, [
    { id: "vault.actions.run", keys: ["enter"], label: "do it", footer: 1 },
    { id: "vault.actions.down", keys: ["j", "down"], label: "next", footer: 3 },
    { id: "vault.actions.up", keys: ["k", "up"], label: "previous", footer: 4 },
    { id: "vault.actions.close", keys: ["esc", "x"], label: "back", footer: 2 },
  ]),
  ...buttonBindings("vault.form", FORM_GROUP),
  ...fieldBindings("vault.field", FORM_GROUP),
  ...fieldBindings("vault.choice", FORM_GROUP),
  ...choiceBindings("vault.choice", FORM_GROUP),
];
