// The keys of the Vault screen.

import type { Binding } from "#src/keys/binding.ts";
import { buttonBindings, choiceBindings, fieldBindings } from "#screens/register/keys.ts";

const SCOPE = "vault";
const GROUP = "Vault";

export const VAULT_BINDINGS: readonly Binding[] = [
  { id: "vault.reveal", keys: ["v"], scope: SCOPE, group: GROUP, label: "reveal for 10 s", footer: 1 },
  { id: "vault.add", keys: ["a"], scope: SCOPE, group: GROUP, label: "add a key", footer: 2 },
  { id: "vault.test", keys: ["t"], scope: SCOPE, group: GROUP, label: "test", footer: 3 },
  { id: "vault.remove", keys: ["d", "delete"], scope: SCOPE, group: GROUP, label: "remove", footer: 4 },
  { id: "vault.hide", keys: ["esc"], scope: SCOPE, group: GROUP, label: "hide", footer: 5 },
  { id: "vault.down", keys: ["j", "down"], scope: SCOPE, group: GROUP, label: "next key" },
  { id: "vault.up", keys: ["k", "up"], scope: SCOPE, group: GROUP, label: "previous key" },
  { id: "vault.first", keys: ["g", "home"], scope: SCOPE, group: GROUP, label: "first key" },
  { id: "vault.last", keys: ["G", "end"], scope: SCOPE, group: GROUP, label: "last key" },
  {
    id: "vault.pageDown",
    keys: ["pagedown", "ctrl+d"],
    scope: SCOPE,
    group: GROUP,
    label: "five keys down",
  },
  { id: "vault.pageUp", keys: ["pageup", "ctrl+u"], scope: SCOPE, group: GROUP, label: "five keys up" },
  ...buttonBindings("vault.form", GROUP),
  ...fieldBindings("vault.field", GROUP),
  ...fieldBindings("vault.choice", GROUP),
  ...choiceBindings("vault.choice", GROUP),
];
