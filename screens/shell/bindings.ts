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
import type { Binding } from "#src/keys/binding.ts";
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
  /** Panes that can have all of it, one after the other. */
  readonly panes?: number;
}[] = [
  { name: "check", key: "1", label: "Check", panes: 3 },
  { name: "register", key: "2", label: "Register" },
  { name: "vault", key: "3", label: "Vault" },
  { name: "history", key: "4", label: "History", panes: 1 },
  { name: "replay", key: "5", label: "Replay", panes: 1 },
  { name: "demo", key: "6", label: "Demo", said: "demo: present a deck" },
  { name: "rules", key: "7", label: "Rules", said: "screen Rules of the sandbox", panes: 1 },
  { name: "profiles", key: "8", label: "Profiles" },
];

export function screenBinding(name: ScreenName): string {
  return `shell.${name}`;
}

const SHELL_BINDINGS: readonly Binding[] = [
  ...SCREENS.map(({ name, key, label, said = `screen ${label}` }) => ({
    id: screenBinding(name),
    keys: [key],
    scope: "shell",
    label: said,
    group: "Everywhere",
  })),
  {
    id: "shell.project",
    keys: ["P"],
    scope: "shell",
    label: "switch project",
    group: "Everywhere",
    footer: 91,
    opensText: true,
  },
  {
    id: "shell.palette",
    keys: [":"],
    scope: "shell",
    label: "palette",
    group: "Everywhere",
    footer: 90,
    opensText: true,
  },
  { id: "shell.zoom", keys: ["+"], scope: "shell", label: "zoom a pane, and back", group: "Everywhere" },
  {
    id: "shell.presenter",
    keys: ["p"],
    scope: "shell",
    label: "presenter mode, on and off",
    group: "Everywhere",
  },
  {
    id: "shell.messages",
    keys: ["M"],
    scope: "shell",
    label: "messages",
    group: "Everywhere",
    footer: 92,
  },
  { id: "shell.help", keys: ["?", "f1"], scope: "shell", label: "help", group: "Everywhere", footer: 95 },
  { id: "shell.quit", keys: ["q"], scope: "shell", label: "quit", group: "Everywhere", footer: 99 },
  {
    id: "shell.suspend",
    keys: ["ctrl+z"],
    scope: "shell",
    label: "suspend",
    group: "Everywhere",
    global: true,
  },
  {
    id: "shell.interrupt",
    keys: ["ctrl+c"],
    scope: "shell",
    label: "leave",
    group: "Everywhere",
    footer: 100,
    global: true,
  },
];

const LOCK_GROUP = "Vault with a passphrase";

/** A scope of their own: with a key file there is nothing to lock. */
const LOCK_BINDINGS: readonly Binding[] = [
  {
    id: "lock.unlock",
    keys: ["u"],
    scope: "lock",
    label: "unlock the vault",
    group: LOCK_GROUP,
    footer: 0,
  },
  { id: "lock.lock", keys: ["L"], scope: "lock", label: "lock the vault", group: LOCK_GROUP, footer: 80 },
];

const HELP_BINDINGS: readonly Binding[] = [
  { id: "help.find", keys: ["/"], scope: "help", label: "find", group: "Help", footer: 0, opensText: true },
  ...pagerBindings("help.find", "Help, finding", { down: 2 }),
  {
    id: "help.find.leave",
    keys: ["esc"],
    scope: "help.find",
    label: "all keys",
    group: "Help, finding",
    footer: 1,
  },
  ...pagerBindings("help", "Help", { down: 1, up: 2 }),
  {
    id: "help.close",
    keys: ["esc", "q", "?", "f1"],
    scope: "help",
    label: "close",
    group: "Help",
    footer: 3,
  },
];

const MESSAGES_BINDINGS: readonly Binding[] = [
  {
    id: "messages.turn",
    keys: ["tab"],
    scope: "messages",
    label: "other pane",
    group: "Messages",
    footer: 2,
  },
  {
    id: "messages.close",
    keys: ["esc", "M", "q"],
    scope: "messages",
    label: "back",
    group: "Messages",
    footer: 3,
  },
  ...pagerBindings("messages", "Messages", { down: 1 }),
];

const PALETTE_BINDINGS: readonly Binding[] = [
  { id: "palette.down", keys: ["down", "tab"], scope: "palette", label: "next", group: "Palette", footer: 2 },
  {
    id: "palette.up",
    keys: ["up", "shift+tab"],
    scope: "palette",
    label: "previous",
    group: "Palette",
    footer: 3,
  },
  { id: "palette.run", keys: ["enter"], scope: "palette", label: "do it", group: "Palette", footer: 1 },
  { id: "palette.close", keys: ["esc"], scope: "palette", label: "close", group: "Palette", footer: 4 },
];

const PROJECT_BINDINGS: readonly Binding[] = [
  { id: "projects.use", keys: ["enter"], scope: "projects", label: "use it", group: "Projects", footer: 1 },
  {
    id: "projects.down",
    keys: ["down", "tab"],
    scope: "projects",
    label: "next",
    group: "Projects",
    footer: 2,
  },
  {
    id: "projects.up",
    keys: ["up", "shift+tab"],
    scope: "projects",
    label: "previous",
    group: "Projects",
    footer: 3,
  },
  { id: "projects.close", keys: ["esc"], scope: "projects", label: "leave", group: "Projects", footer: 4 },
];

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
