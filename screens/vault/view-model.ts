// The Vault screen as rows, from the state and the size of the area; secrets are masked here. Pure.

import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatClockOrDay, formatCountdown } from "#src/display/time.ts";
import { shownForm } from "#src/state/entry-form.ts";
import { KIND_WORD } from "#src/state/vault/key-forms.ts";
import type { SecretCopyState } from "#src/state/vault/secret-copy.ts";
import { hasPassphrase, type VaultLockState } from "#src/state/vault/vault-lock.ts";
import { fit, fitTail, window } from "#src/ui/fit.ts";
import { formRows } from "#src/ui/form-view.ts";
import type { PaneHead } from "#src/ui/pane.tsx";
import { AXIS, fillRows, fitRow, hitRow, markedRow, textRows, type Row, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import {
  type KeyringEntry,
  type KeyringState,
  ownerOf,
  selectedKey,
} from "#src/state/vault/keyring-state.ts";
import type { CredentialTest, KeyUses } from "#src/state/vault/credential-test.ts";
import { protectionText } from "./protection-text.ts";

export interface VaultRenderOptions {
  readonly theme: Theme;
  /** Name of the profile whose entries are shown. */
  readonly profile: string;
  readonly lock: VaultLockState;
  /** The secret that is in the clipboard. */
  readonly held: SecretCopyState["held"];
  /** Local time, in ms since the epoch. */
  readonly now: number;
}

export interface VaultView {
  readonly head: PaneHead;
  /** The entries and the details of the selected one, the form, or the first step of an empty vault. */
  readonly rows: readonly Row[];
}

export function vaultView(state: KeyringState, size: Size, options: VaultRenderOptions): VaultView {
  const { columns, rows } = size;
  const { theme } = options;
  const body = Math.max(0, rows - 1);
  if (state.adding !== null) {
    const action = state.working === null ? "Save in the vault" : "Saving";
    const drawn = formRows(shownForm(state.adding), { action, width: columns, height: body, theme });
    return { head: { title: "Add a key by hand", width: columns }, rows: drawn };
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
    return { head, rows: fillRows(drawn, columns, body) };
  }
  const detail = detailRows(entry, state, columns, options);
  const below = Math.max(DETAIL_ROWS, detail.length);
  const at = state.entries.indexOf(entry);
  const visible = window(state.entries.length, Math.max(1, body - below - 2), at);
  const list = state.entries.slice(visible.from, visible.to).map((each, index) => {
    const row = entryRow(each, each === entry, state.uses, columns, options);
    return hitRow(markedRow(row, each === entry), visible.from + index - at);
  });
  const above = [headRow(columns, theme), ...list, fitRow([], columns, theme)].slice(0, body);
  return { head, rows: [...above, ...withProtection(detail, options, columns, body - above.length)] };
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

const KEY_WIDTH = 12;
const USED_WIDTH = 10;
const TEST_WIDTH = 19;
const GAP = "  ";
/** Width from which the list has the last test. */
const WITH_TEST = 70;
/** Longest name in the list: from there on columns spread no further. */
const LONGEST_NAME = 60;

function columnsRow(
  first: Row[number],
  texts: readonly string[],
  test: Row[number],
  width: number,
  theme: Theme,
): Row {
  const [keyId = "", used = ""] = texts;
  const cells = [fit(keyId, KEY_WIDTH), fit(used, USED_WIDTH)].join(GAP);
  return fitRow(
    [first, { text: `${GAP}${cells}${GAP}` }, ...(width >= WITH_TEST ? [test] : [])],
    width,
    theme,
  );
}

function nameWidth(width: number): number {
  const rest = KEY_WIDTH + USED_WIDTH + 3 * GAP.length + (width >= WITH_TEST ? TEST_WIDTH : 0) + 1;
  return Math.max(8, Math.min(LONGEST_NAME, width - rest));
}

function headRow(width: number, theme: Theme): Row {
  const row = columnsRow(
    { text: fit("  For", nameWidth(width)) },
    ["Key id", "Last used"],
    { text: "Last test" },
    width,
    theme,
  );
  return row.map((span) => ({ ...span, role: "quiet" }));
}

/** One key: whose it is, the end of its id, its last use and its last test. */
function entryRow(
  entry: KeyringEntry,
  selected: boolean,
  uses: KeyUses,
  width: number,
  { theme, now }: VaultRenderOptions,
): Row {
  const ellipsis = theme.sign("ellipsis");
  const name = safe(ownerOf(entry), { max: 120 });
  const owner = entry.kind === "integration_key" ? `company ${name}` : name;
  const use = uses.byKey[entry.keyId];
  const never = uses.whole ? "never" : "not lately";
  const none = entry.kind === "integration_key" ? "-" : uses.whole ? "not tested" : "not lately";
  const test = use?.test ?? null;
  const sign = { works: theme.sign("done"), refused: theme.sign("error"), open: "?" };
  return columnsRow(
    {
      text:
        fit(selected ? theme.sign("pointer") : "", AXIS) + fitTail(owner, nameWidth(width) - AXIS, ellipsis),
    },
    [
      fitTail(safe(entry.keyId), KEY_WIDTH, ellipsis),
      entry.kind === "integration_key" ? "-" : use === undefined ? never : formatClockOrDay(use.at, now),
    ],
    test === null
      ? { text: none, role: "quiet" }
      : {
          text: `${sign[test.verdict]} ${test.verdict}, ${formatClockOrDay(test.at, now)}`,
          role: TEST_ROLE[test.verdict],
        },
    width,
    theme,
  );
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
    return [fitRow([{ text: `  secret ${MASK}, locked` }], width, theme)];
  }
  if (entry.fingerprint === null) {
    const text = "It does not open: it was changed after it was sealed; remove it and enter the key again.";
    return textRows(text, width, theme, { role: "error", limit: 2 });
  }
  const dot = theme.sign("separator");
  if (revealed === null || revealed.id !== entry.id) {
    return [fitRow([{ text: `  secret ${MASK} ${dot} fingerprint ${entry.fingerprint}` }], width, theme)];
  }
  // The user asked to see it: show all of it, wrapped.
  const secret = safe(revealed.secret.expose(), { max: 1_000 });
  const room = Math.max(1, width - 2);
  const parts = Array.from({ length: Math.ceil(secret.length / room) }, (_, index) =>
    secret.slice(index * room, (index + 1) * room),
  );
  const title: Row = [
    { text: "  secret, " },
    { text: `hidden again in ${revealed.secondsLeft} s`, role: "warning" },
  ];
  return [
    fitRow(title, width, theme),
    ...parts.map((part) => fitRow([{ text: fit("", AXIS) }, { text: part, role: "heading" }], width, theme)),
  ];
}

const TEST_ROLE: Readonly<Record<CredentialTest["verdict"], Role>> = {
  works: "pass",
  refused: "error",
  open: "doubt",
};

function testRows(entry: KeyringEntry, { working, tests }: KeyringState, width: number, theme: Theme): Row[] {
  if (working === entry.id)
    return textRows("Testing: one check is on its way.", width, theme, { role: "heading" });
  const test = tests[entry.id];
  if (test === undefined) return [];
  return textRows(safe(test.sentence, { max: 600 }), width, theme, {
    role: TEST_ROLE[test.verdict],
    limit: 3,
  });
}
