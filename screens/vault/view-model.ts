// The Vault screen as rows, from the state and the size of the area; secrets are masked here. Pure.

import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatCountdown } from "#src/display/time.ts";
import { shownForm } from "#src/state/entry-form.ts";
import { KIND_WORD } from "#src/state/vault/key-forms.ts";
import type { SecretCopyState } from "#src/state/vault/secret-copy.ts";
import { hasPassphrase, type VaultLockState } from "#src/state/vault/vault-lock.ts";
import { window } from "#src/ui/fit.ts";
import { formRows } from "#src/ui/form-view.ts";
import type { PaneHead } from "#src/ui/pane.tsx";
import { fillRows, fitRow, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { stillTableHeight, type StillTableProps } from "#src/ui/still-table.tsx";
import type { Theme } from "#src/ui/theme.ts";
import {
  type KeyringEntry,
  type KeyringState,
  ownerOf,
  selectedKey,
} from "#src/state/vault/keyring-state.ts";
import type { CredentialTest } from "#src/state/vault/credential-test.ts";
import { protectionText } from "./protection-text.ts";

export interface VaultRenderOptions {
  readonly theme: Theme;
  /** Name of the profile whose entries are shown. */
  readonly profile: string;
  readonly lock: VaultLockState;
  /** The secret that is in the clipboard. */
  readonly held: SecretCopyState["held"];
}

export interface VaultView {
  readonly head: PaneHead;
  /** Null without entries, or while a key is entered. */
  readonly table: StillTableProps | null;
  readonly tableHeight: number;
  /** Below the table: the details of the selected entry, the form, or the first step of an empty vault. */
  readonly rows: readonly Row[];
}

export function vaultView(state: KeyringState, size: Size, options: VaultRenderOptions): VaultView {
  const { columns, rows } = size;
  const { theme } = options;
  const body = Math.max(0, rows - 1);
  if (state.adding !== null) {
    const action = state.working === null ? "Save in the vault" : "Saving";
    const drawn = formRows(shownForm(state.adding), { action, width: columns, height: body, theme });
    return { head: { title: "Add a key by hand", width: columns }, table: null, tableHeight: 0, rows: drawn };
  }
  const head: PaneHead = {
    title: `Vault ${theme.sign("separator")} ${safe(options.profile)}`,
    note: [lockNote(options.lock), noteOf(state)].filter(Boolean).join(`  `),
    width: columns,
  };
  const entry = selectedKey(state);
  if (entry === null) {
    const drawn = [
      ...textRows(emptyText(state, theme), columns, theme),
      fitRow([], columns, theme),
      ...textRows(protectionText(options.lock), columns, theme, { role: "quiet" }),
    ];
    return { head, table: null, tableHeight: 0, rows: fillRows(drawn, columns, body) };
  }
  const detail = detailRows(entry, state, columns, options);
  const below = Math.max(DETAIL_ROWS, detail.length);
  const capacity = Math.max(1, Math.floor((body - below - stillTableHeight(0)) / 2));
  const at = state.entries.indexOf(entry);
  const visible = window(state.entries.length, capacity, at);
  const shown = state.entries.slice(visible.from, visible.to);
  const tableHeight = stillTableHeight(shown.length);
  return {
    head,
    table: {
      headings: headings(columns),
      rows: shown.map((each) => cells(each, columns)),
      selected: at - visible.from,
      width: columns,
    },
    tableHeight,
    rows: withProtection(detail, options, columns, Math.max(0, body - tableHeight)),
  };
}

/** The protection fills the last rows that the entry leaves free. */
function withProtection(
  detail: readonly Row[],
  { lock, theme }: VaultRenderOptions,
  width: number,
  height: number,
): Row[] {
  const text = textRows(
    protectionText(lock),
    width,
    theme,
    lock.locked ? { role: "warning" } : { role: "quiet" },
  );
  const room = height - detail.length;
  if (room < text.length) return fillRows(detail, width, height);
  return [...fillRows(detail, width, height - text.length), ...text];
}

/** Locked, or the time until it locks; empty with a key file. */
function lockNote(lock: VaultLockState): string {
  if (!hasPassphrase(lock)) return "";
  if (lock.unlocking) return "unlocking";
  if (lock.locked) return "locked";
  return lock.locksIn === null ? "open" : `locks in ${formatCountdown(lock.locksIn)}`;
}

/** Least rows of the details, so that messages there do not move the table. */
const DETAIL_ROWS = 5;

function noteOf({ entries, elsewhere, selectedId }: KeyringState): string | undefined {
  const at = entries.findIndex(({ id }) => id === selectedId);
  const others = elsewhere === 0 ? "" : `${elsewhere} in other profiles`;
  if (at < 0) return others === "" ? undefined : others;
  return `${at + 1} of ${entries.length}${others === "" ? "" : `, ${others}`}`;
}

function emptyText({ loaded, elsewhere }: KeyringState, { keyName }: Theme): string {
  if (!loaded) return "Reading the vault.";
  const others = elsewhere === 0 ? "The vault is empty" : "The vault has no key of this profile";
  return `${others}: a registered project puts its credential here by itself, and ${keyName("vault.add")} adds a key by hand.`;
}

/** Width from which the table has the algorithm; otherwise only the details have it. */
const WITH_ALGORITHM = 90;
/** Width from which the table has a column for the masked secrets. */
const WITH_SECRET = 70;
/** Longest name in the table. */
const LONGEST_CELL = 60;

function headings(columns: number): string[] {
  return [
    "kind",
    "for",
    "key id",
    ...(columns >= WITH_ALGORITHM ? ["algorithm"] : []),
    ...(columns >= WITH_SECRET ? ["secret"] : []),
  ];
}

function cells(entry: KeyringEntry, columns: number): string[] {
  const cell = (text: string): string => safe(text, { max: LONGEST_CELL });
  return [
    KIND_WORD[entry.kind],
    cell(ownerOf(entry)),
    cell(entry.keyId),
    ...(columns >= WITH_ALGORITHM ? [cell(entry.algorithm)] : []),
    ...(columns >= WITH_SECRET ? [MASK] : []),
  ];
}

/** The details of an entry, the revealed secret last. */
function detailRows(
  entry: KeyringEntry,
  state: KeyringState,
  width: number,
  options: VaultRenderOptions,
): Row[] {
  const { theme } = options;
  const dot = ` ${theme.sign("separator")} `;
  const what =
    entry.kind === "integration_key"
      ? `company ${safe(entry.companyId)}`
      : `${safe(entry.projectKey)}${dot}project id ${safe(entry.projectId)}`;
  const bound = entry.kind === "integration_key" ? entry.projectsUrl : entry.baseUrl;
  const facts = `key id ${safe(entry.keyId)}${dot}${safe(entry.algorithm)}${dot}bound to ${safe(bound)}`;
  return [
    ...textRows(`${KIND_WORD[entry.kind]} of ${what}`, width, theme, { limit: 2, role: "heading" }),
    ...textRows(facts, width, theme, { limit: 2 }),
    ...secretRows(entry, state, width, options),
    ...copyRows(entry, options, width),
    ...testRows(entry, state, width, theme),
  ];
}

function copyRows(entry: KeyringEntry, { held, theme }: VaultRenderOptions, width: number): Row[] {
  if (held?.id !== entry.id) return [];
  const text = `Sent to your terminal's clipboard; cleared in ${held.secondsLeft} s.`;
  return textRows(text, width, theme, { role: "warning" });
}

function secretRows(
  entry: KeyringEntry,
  { revealed }: KeyringState,
  width: number,
  { theme, lock }: VaultRenderOptions,
): Row[] {
  if (lock.locked) {
    return [fitRow([{ text: ` secret ${MASK}, locked` }], width, theme)];
  }
  if (entry.fingerprint === null) {
    const text = "It does not open: it was changed after it was sealed; remove it and enter the key again.";
    return textRows(text, width, theme, { role: "error", limit: 2 });
  }
  const dot = theme.sign("separator");
  if (revealed === null || revealed.id !== entry.id) {
    return [fitRow([{ text: ` secret ${MASK} ${dot} fingerprint ${entry.fingerprint}` }], width, theme)];
  }
  // The user asked to see it: show all of it, wrapped.
  const secret = safe(revealed.secret.expose(), { max: 1_000 });
  const room = Math.max(1, width - 2);
  const parts = Array.from({ length: Math.ceil(secret.length / room) }, (_, index) =>
    secret.slice(index * room, (index + 1) * room),
  );
  const title: Row = [
    { text: " secret, " },
    { text: `hidden again in ${revealed.secondsLeft} s`, role: "warning" },
  ];
  return [
    fitRow(title, width, theme),
    ...parts.map((part) => fitRow([{ text: " " }, { text: part, role: "accent" }], width, theme)),
  ];
}

const TEST_ROLE: Readonly<Record<CredentialTest["verdict"], Role>> = {
  works: "pass",
  refused: "error",
  open: "doubt",
};

function testRows(entry: KeyringEntry, { working, tests }: KeyringState, width: number, theme: Theme): Row[] {
  if (working === entry.id)
    return textRows("Testing: one check is on its way.", width, theme, { role: "accent" });
  const test = tests[entry.id];
  if (test === undefined) return [];
  return textRows(safe(test.sentence, { max: 600 }), width, theme, {
    role: TEST_ROLE[test.verdict],
    limit: 3,
  });
}
