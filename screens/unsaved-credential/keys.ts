// The keys of the screen for a credential that could not be saved.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";

const SCOPE = "rescue";
const GROUP = "Credential not saved";

export const UNSAVED_CREDENTIAL_BINDINGS: readonly Binding[] = [
  ...bindingsOf(SCOPE, GROUP, [
    { id: "rescue.retry", keys: ["r"], label: "save again", footer: 1 },
    { id: "rescue.file", keys: ["f"], label: "save as a file", footer: 2 },
    { id: "rescue.reveal", keys: ["v"], label: "reveal for 10 s", footer: 3, exposes: true },
    { id: "rescue.giveUp", keys: ["esc"], label: "discard", footer: 4 },
  ]),
];
