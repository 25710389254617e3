// The keys of the screen for a credential that could not be saved.

import type { Binding } from "#src/keys/binding.ts";

const SCOPE = "rescue";
const GROUP = "Credential not saved";

export const UNSAVED_CREDENTIAL_BINDINGS: readonly Binding[] = [
  { id: "rescue.retry", keys: ["r"], scope: SCOPE, group: GROUP, label: "save again", footer: 1 },
  { id: "rescue.file", keys: ["f"], scope: SCOPE, group: GROUP, label: "save as a file", footer: 2 },
  {
    id: "rescue.reveal",
    keys: ["v"],
    scope: SCOPE,
    group: GROUP,
    label: "reveal for 10 s",
    footer: 3,
    exposes: true,
  },
  { id: "rescue.giveUp", keys: ["esc"], scope: SCOPE, group: GROUP, label: "give it up", footer: 4 },
];
