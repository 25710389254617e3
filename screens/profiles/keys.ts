// The keys of the Profiles screen.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";
import { buttonBindings, choiceBindings, fieldBindings } from "#src/keys/form-bindings.ts";
import { moveBindings, throughRows } from "#src/keys/move-bindings.ts";

const SCOPE = "profiles";
const GROUP = "Profiles";
const FORM_GROUP = "Profiles, in a form";
const FORM = "profiles.form";

export const PROFILES_BINDINGS: readonly Binding[] = [
  ...bindingsOf(SCOPE, GROUP, [
    { id: "profiles.use", keys: ["enter"], label: "use", footer: 1 },
    { id: "profiles.add", keys: ["a"], label: "add", footer: 2 },
    { id: "profiles.edit", keys: ["e"], label: "edit", footer: 3 },
    { id: "profiles.confirm", keys: ["c"], label: "confirm recipe", footer: 4 },
    { id: "profiles.readOnly", keys: ["r"], label: "read-only", footer: 5 },
    { id: "profiles.remove", keys: ["d", "delete"], label: "remove", footer: 6 },
    { id: "profiles.find", keys: ["/"], label: "find", footer: 7, opensText: true },
  ]),
  ...moveBindings(SCOPE, GROUP, throughRows("profile", "five")),
  ...buttonBindings(FORM, FORM_GROUP),
  { id: "profiles.discard", keys: ["x"], scope: FORM, group: FORM_GROUP, label: "discard", footer: 4 },
  ...fieldBindings("profiles.field", FORM_GROUP),
  ...fieldBindings("profiles.choice", FORM_GROUP),
  ...choiceBindings("profiles.choice", FORM_GROUP),
];
