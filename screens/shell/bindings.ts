// The key table of the console: the keys of the shell, of every screen and of every widget.

import { CHECK_BINDINGS } from "#screens/check/keys.ts";
import { DEMO_BINDINGS } from "#screens/demo/keys.ts";
import { HISTORY_BINDINGS } from "#screens/history/keys.ts";
import { PROFILES_BINDINGS } from "#screens/profiles/keys.ts";
import { REGISTER_BINDINGS } from "#screens/register/keys.ts";
import { REPLAY_BINDINGS } from "#screens/replay/keys.ts";
import { UNSAVED_CREDENTIAL_BINDINGS } from "#screens/unsaved-credential/keys.ts";
import { RULES_BINDINGS } from "#screens/rules/keys.ts";
import { VAULT_BINDINGS } from "#screens/vault/keys.ts";
import { bindingsOf, type Binding } from "#src/keys/binding.ts";
import { JUMP_BINDINGS } from "#src/keys/form-bindings.ts";
import { pagerBindings } from "#src/keys/move-bindings.ts";
import type { ScreenName } from "#src/state/session.ts";
import { CONFIRM_BINDINGS, PROMPT_BINDINGS, TYPED_CONFIRM_BINDINGS } from "#src/ui/dialog-keys.ts";

/** The screens in the order of their keys, which is that of the tabs. */
export const SCREENS: readonly {
  readonly name: ScreenName;
  readonly key: string;
  readonly label: string;
  /** In help and palette, where the label does not say enough. */
  readonly said?: string;
  readonly also?: string;
  /** Panes that can have all of it, one after the other. */
  readonly panes?: number;
}[] = [
  { name: "check", key: "1", label: "Check", panes: 3 },
  { name: "register", key: "2", label: "Register", panes: 1 },
  {
    name: "vault",
    key: "3",
    label: "Vault",
    also: "delete, export, keys, credentials, passphrase",
    panes: 1,
  },
  { name: "history", key: "4", label: "History", also: "export, compare, labels, notes", panes: 1 },
  { name: "replay", key: "5", label: "Replay", also: "compare, export, delete, runs, flips", panes: 2 },
  { name: "demo", key: "6", label: "Demo", said: "demo: present a deck" },
  {
    name: "rules",
    key: "7",
    label: "Rules",
    said: "screen Rules of the sandbox",
    also: "hits, counters",
    panes: 1,
  },
  { name: "profiles", key: "8", label: "Profiles", also: "delete, environments, recipes", panes: 2 },
];

export function screenBinding(name: ScreenName): string {
  return `shell.${name}`;
}

const SHELL_BINDINGS: readonly Binding[] = bindingsOf("shell", "Everywhere", [
  ...SCREENS.map(({ name, key, label, said = `screen ${label}`, also }) => ({
    id: screenBinding(name),
    keys: [key],
    label: said,
    ...(also === undefined ? {} : { also }),
  })),
  { id: "shell.project", keys: ["P"], label: "switch project", footer: 91, opensText: true },
  { id: "shell.palette", keys: [":"], label: "palette", footer: 90, opensText: true },
  { id: "shell.zoom", keys: ["+"], label: "zoom a pane, on and off" },
  { id: "shell.presenter", keys: ["p"], label: "presenter mode, on and off" },
  { id: "shell.messages", keys: ["M"], label: "messages", also: "log, journal, errors", footer: 92 },
  { id: "shell.help", keys: ["?", "f1"], label: "help", footer: 95 },
  { id: "shell.quit", keys: ["q"], label: "quit", footer: 99 },
  { id: "shell.redraw", keys: ["ctrl+l"], label: "draw the screen again", global: true },
  { id: "shell.suspend", keys: ["ctrl+z"], label: "suspend", global: true },
  { id: "shell.interrupt", keys: ["ctrl+c"], label: "leave", footer: 100, global: true },
]);

const LOCK_GROUP = "Vault with a passphrase";

/** A scope of their own: with a key file there is nothing to lock. */
const LOCK_BINDINGS: readonly Binding[] = bindingsOf("lock", LOCK_GROUP, [
  { id: "lock.unlock", keys: ["u"], label: "unlock the vault", footer: 0 },
  { id: "lock.lock", keys: ["L"], label: "lock the vault", footer: 80 },
]);

const HELP_BINDINGS: readonly Binding[] = [
  ...bindingsOf("help", "Help", [
    { id: "help.find", keys: ["/"], label: "find", footer: 0, opensText: true },
  ]),
  ...pagerBindings("help.find", "Help, finding", { down: 2 }),
  ...bindingsOf("help.find", "Help, finding", [
    { id: "help.find.leave", keys: ["esc"], label: "all keys", footer: 1 },
  ]),
  ...pagerBindings("help", "Help", { down: 1, up: 2 }),
  ...bindingsOf("help", "Help", [
    { id: "help.close", keys: ["esc", "q", "?", "f1"], label: "close", footer: 3 },
  ]),
];

const MESSAGES_BINDINGS: readonly Binding[] = [
  ...bindingsOf("messages", "Messages", [
    { id: "messages.turn", keys: ["tab"], label: "other pane", footer: 2 },
    { id: "messages.close", keys: ["esc", "M", "q"], label: "back", footer: 3 },
  ]),
  ...pagerBindings("messages", "Messages", { down: 1 }),
];

const PALETTE_BINDINGS: readonly Binding[] = bindingsOf("palette", "Palette", [
  { id: "palette.down", keys: ["down", "tab"], label: "next", footer: 2 },
  { id: "palette.up", keys: ["up", "shift+tab"], label: "previous", footer: 3 },
  { id: "palette.run", keys: ["enter"], label: "do it", footer: 1 },
  { id: "palette.close", keys: ["esc"], label: "close", footer: 1.5 },
]);

const PROJECT_BINDINGS: readonly Binding[] = bindingsOf("projects", "Projects", [
  { id: "projects.use", keys: ["enter"], label: "use it", footer: 1 },
  { id: "projects.down", keys: ["down", "tab"], label: "next", footer: 2 },
  { id: "projects.up", keys: ["up", "shift+tab"], label: "previous", footer: 3 },
  { id: "projects.close", keys: ["esc"], label: "leave", footer: 1.5 },
]);

export const BINDINGS: readonly Binding[] = [
  ...CHECK_BINDINGS,
  ...REGISTER_BINDINGS,
  ...VAULT_BINDINGS,
  ...UNSAVED_CREDENTIAL_BINDINGS,
  ...HISTORY_BINDINGS,
  ...REPLAY_BINDINGS,
  ...RULES_BINDINGS,
  ...PROFILES_BINDINGS,
  ...DEMO_BINDINGS,
  ...CONFIRM_BINDINGS,
  ...TYPED_CONFIRM_BINDINGS,
  ...PROMPT_BINDINGS,
  ...JUMP_BINDINGS,
  ...PALETTE_BINDINGS,
  ...PROJECT_BINDINGS,
  ...HELP_BINDINGS,
  ...MESSAGES_BINDINGS,
  ...LOCK_BINDINGS,
  ...SHELL_BINDINGS,
];
