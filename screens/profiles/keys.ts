// The keys of the Profiles screen.

import type { Binding } from "#src/keys/binding.ts";
import { buttonBindings, choiceBindings, fieldBindings } from "#src/keys/form-bindings.ts";
import { moveBindings, throughRows } from "#src/keys/move-bindings.ts";

const SCOPE = "profiles";
const GROUP = "Profiles";
const FORM_GROUP = "Profiles, in a form";
const FORM = "profiles.form";

export const PROFILES_BINDINGS: readonly Binding[] = [
  { id: "profiles.use", keys: ["enter"], scope: SCOPE, group: GROUP, label: "use", footer: 1 },
  { id: "profiles.add", keys: ["a"], scope: SCOPE, group: GROUP, label: "add", footer: 2 },
  { id: "profiles.edit", keys: ["e"], scope: SCOPE, group: GROUP, label: "edit", footer: 3 },
  { id: "profiles.confirm", keys: ["c"], scope: SCOPE, group: GROUP, label: "confirm recipe", footer: 4 },
  { id: "profiles.readOnly", keys: ["r"], scope: SCOPE, group: GROUP, label: "read-only", footer: 5 },
  { id: "profiles.remove", keys: ["d", "delete"], scope: SCOPE, group: GROUP, label: "remove", footer: 6 },
  { id: "profiles.find", keys: ["/"], scope: SCOPE, group: GROUP, label: "find", footer: 7, opensText: true },
  ...moveBindings(SCOPE, GROUP, throughRows("profile", "five")),
  ...buttonBindings(FORM, FORM_GROUP),
  { id: "profiles.discard", keys: ["x"], scope: FORM, group: FORM_GROUP, label: "throw away", footer: 4 },
  ...fieldBindings("profiles.field", FORM_GROUP),
  ...fieldBindings("profiles.choice", FORM_GROUP),
  ...choiceBindings("profiles.choice", FORM_GROUP),
];
