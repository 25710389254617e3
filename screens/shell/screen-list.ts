// The screens of the console.

import type { ScreenName } from "#src/state/page.ts";
import { FORM_BESIDE, TWO_PANES } from "#src/ui/rows.ts";

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
  /** Columns from which two panes stand side by side, with a divider that can be moved. */
  readonly besideFrom?: number;
}[] = [
  { name: "check", key: "1", label: "Check", panes: 3, besideFrom: FORM_BESIDE },
  { name: "register", key: "2", label: "Register", panes: 1 },
  {
    name: "vault",
    key: "3",
    label: "Vault",
    also: "delete, export, keys, credentials, passphrase",
    panes: 1,
  },
  {
    name: "history",
    key: "4",
    label: "History",
    also: "export, compare, labels, notes",
    panes: 1,
    besideFrom: TWO_PANES,
  },
  {
    name: "replay",
    key: "5",
    label: "Replay",
    also: "compare, export, delete, runs, flips",
    panes: 2,
    besideFrom: TWO_PANES,
  },
  { name: "demo", key: "6", label: "Demo", said: "demo: present a deck" },
  {
    name: "rules",
    key: "7",
    label: "Rules",
    said: "screen Rules of the sandbox",
    also: "hits, counters",
    panes: 1,
    besideFrom: TWO_PANES,
  },
  {
    name: "profiles",
    key: "8",
    label: "Profiles",
    also: "delete, environments, recipes",
    panes: 2,
    besideFrom: TWO_PANES,
  },
  {
    name: "labels",
    key: "9",
    label: "Labels",
    also: "fraud, chargebacks, precision",
    panes: 1,
    besideFrom: TWO_PANES,
  },
];

export function screenBinding(name: ScreenName): string {
  return `shell.${name}`;
}
