// The Vault screen as rows of text: pure, from what the store remembers and the size of the area. What is masked is decided here.

import { keyName } from "#src/display/key-name.ts";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatCountdown } from "#src/display/time.ts";
import { shownForm } from "#src/state/entry-form.ts";
import { KIND_WORD } from "#src/state/vault/key-forms.ts";
import {
  ownerOf,
  selectedKey,
  type CredentialTest,
  type KeyringEntry,
  type KeyringState,
} from "#src/state/vault/keyring.ts";
import type { SecretCopyState } from "#src/state/vault/secret-copy.ts";
import { hasPassphrase, type VaultLockState } from "#src/state/vault/vault-lock.ts";
import { window } from "#src/ui/fit.ts";
import { formRows } from "#src/ui/form-view.ts";
import type { PaneHead } from "#src/ui/pane.tsx";
import { fillRows, fitRow, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { stillTableHeight, type StillTableProps } from "#src/ui/still-table.tsx";
import type { Theme } from "#src/ui/theme.ts";
import { protectionText } from "./protection-text.ts";

export interface VaultLook {
  readonly theme: Theme;
  /** Name of the profile whose entries are shown. */
  readonly profile: string;
  readonly lock: VaultLockState;
  /** The secret that stands in the clipboard. */
  readonly held: SecretCopyState["held"];
}

export interface VaultView {
  readonly head: PaneHead;
  /** Null while there is nothing to list, or a key is being entered. */
  readonly table: StillTableProps | null;
  readonly tableHeight: number;
  /** Below the table: all about the selected entry; or the form; or what to do about an empty vault. */
  readonly rows: readonly Row[];
}

export function vaultView(state: KeyringState, size: Size, look: VaultLook): VaultView {
  const { columns, rows } = size;
  const { theme } = look;
  const body = Math.max(0, rows - 1);
  if (state.adding !== null) {
    const action = state.working === null ? "Save in the vault" : "Saving";
    const drawn = formRows(shownForm(state.adding), { action, width: columns, height: body, theme });
    return { head: { title: "Add a key by hand", width: columns }, table: null, tableHeight: 0, rows: drawn };
  }
  const head: PaneHead = {
    title: `Vault ${theme.sign("separator")} ${safe(look.profile)}`,
    note: [lockNote(look.lock), noteOf(state)].filter(Boolean).join(`  `),
    width: columns,
  };
  const entry = selectedKey(state);
  if (entry === null) {
    const drawn = [
      ...textRows(emptyText(state), columns, theme),
      fitRow([], columns, theme),
      ...textRows(protectionText(look.lock), columns, theme, { role: "quiet" }),
    ];
    return { head, table: null, tableHeight: 0, rows: fillRows(drawn, columns, body) };
  }
  const detail = detailRows(entry, state, columns, look);
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
    rows: withProtection(detail, look, columns, Math.max(0, body - tableHeight)),
  };
}

/** The protection stands in the last rows, as far as the entry leaves them. */
function withProtection(
  detail: readonly Row[],
  { lock, theme }: VaultLook,
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

/** Locked, or about to be; nothing with a key file. */
function lockNote(lock: VaultLockState): string {
  if (!hasPassphrase(lock)) return "";
  if (lock.unlocking) return "unlocking";
  if (lock.locked) return "locked";
  return lock.locksIn === null ? "open" : `locks in ${formatCountdown(lock.locksIn)}`;
}

/** What the detail of an entry takes at least, so that the table does not move when something is said there. */
const DETAIL_ROWS = 5;

function noteOf({ entries, elsewhere, selectedId }: KeyringState): string | undefined {
  const at = entries.findIndex(({ id }) => id === selectedId);
  const others = elsewhere === 0 ? "" : `${elsewhere} in other profiles`;
  if (at < 0) return others === "" ? undefined : others;
  return `${at + 1} of ${entries.length}${others === "" ? "" : `, ${others}`}`;
}

function emptyText({ loaded, elsewhere }: KeyringState): string {
  if (!loaded) return "Reading the vault.";
  const others = elsewhere === 0 ? "The vault is empty" : "The vault has no key of this profile";
  return `${others}: a registered project puts its credential here by itself, and ${keyName("vault.add", "a")} adds a key by hand.`;
}

/** From this width on there is room for the algorithm in the table; below it stands in the detail alone. */
const WITH_ALGORITHM = 90;
/** Below this width the stars of the secrets would take the room of the names. */
const WITH_SECRET = 70;
/** Longer names say nothing more in a table. */
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

/** Everything about an entry, its secret last when it is in the open. */
function detailRows(entry: KeyringEntry, state: KeyringState, width: number, look: VaultLook): Row[] {
  const { theme } = look;
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
    ...secretRows(entry, state, width, look),
    ...copyRows(entry, look, width),
    ...testRows(entry, state, width, theme),
  ];
}

function copyRows(entry: KeyringEntry, { held, theme }: VaultLook, width: number): Row[] {
  if (held?.id !== entry.id) return [];
  const text = `Sent to your terminal's clipboard; cleared in ${held.secondsLeft} s.`;
  return textRows(text, width, theme, { role: "warning" });
}

function secretRows(
  entry: KeyringEntry,
  { revealed }: KeyringState,
  width: number,
  { theme, lock }: VaultLook,
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
  // The user asked to see it: all of it, over as many rows as it takes.
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
