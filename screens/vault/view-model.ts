// The Vault screen as rows, from the state and the size of the area; secrets are masked here. Pure.

import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import { placeText } from "#src/display/count.ts";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { formatClockOrDay, formatCountdown, formatDateTime } from "#src/display/time.ts";
import { shownForm } from "#src/state/entry-form.ts";
import type { SecretCopyState } from "#src/state/vault/secret-copy.ts";
import { hasPassphrase, type VaultLockState } from "#src/state/vault/vault-lock.ts";
import { filledBand } from "#src/ui/arranged.ts";
import { fit, fitTail, widthOf } from "#src/ui/fit.ts";
import { formRows } from "#src/ui/form-view.ts";
import { listRows, type ListColumn } from "#src/ui/list.ts";
import { filteredTitle } from "#src/ui/listing-view.ts";
import { LONGEST, Page } from "#src/ui/page.ts";
import type { Band, PaneHead } from "#src/ui/pane.tsx";
import { AXIS, fillRows, fitRow, textRows, type Row, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { type KeyringEntry, type KeyringState, selectedKey } from "#src/state/vault/keyring-state.ts";
import type { CredentialTest, KeyUses } from "#src/state/vault/key-uses.ts";
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

/** Those of `entries`, which are listed, and the details of the selected one, the form, or the first step of an empty vault. */
export function vaultView(state: KeyringState, size: Size, options: VaultRenderOptions): Band[] {
  const { columns: width, rows, zoom } = size;
  const { theme } = options;
  const body = Math.max(0, rows - 1);
  if (state.adding !== null) {
    const action = state.working === null ? "Save in the vault" : "Saving";
    const drawn = formRows(shownForm(state.adding), { action, width, height: body, theme });
    return [filledBand({ title: "Add a key by hand", width }, drawn, body)];
  }
  const head: PaneHead = {
    title: filteredTitle(`Vault ${theme.sign("separator")} ${safe(options.profile)}`, state.filter, theme),
    note: [lockNote(options.lock), noteOf(state)].filter(Boolean).join(`  `),
    width,
  };
  const entry = selectedKey(state);
  if (entry === null) {
    const drawn = [
      ...textRows(emptyText(state, theme), width, theme),
      fitRow([], width, theme),
      ...textRows(protectionText(options.lock, theme.keyName), width, theme, { role: "quiet" }),
    ];
    return [filledBand(head, drawn, body)];
  }
  const detail = detailRows(entry, state, width, options);
  // With its title.
  const below = zoom === 1 ? 0 : 1 + Math.max(DETAIL_ROWS, detail.length);
  const list = {
    items: state.entries,
    selected: state.entries.indexOf(entry),
    columns: keyColumns(state, options),
    sort: state.sort,
    gap: 2,
  };
  const { rows: listed } = listRows(list, { columns: width, rows: body - below - 1 }, theme);
  const above = [...listed, fitRow([], width, theme)].slice(0, body);
  const left = body - above.length;
  if (zoom === 1) return [filledBand(head, [...above, ...withProtection([], options, width, left)], body)];
  const about: PaneHead = {
    title: safe(ownerOf(entry), { max: 120 }),
    cut: "start",
    note: KIND_WORD[entry.kind],
    width,
    focused: false,
  };
  const height = Math.max(0, left - 1);
  return [
    filledBand(head, above, above.length),
    filledBand(about, withProtection(detail, options, width, height), height),
  ];
}

/** The protection fills the last rows that the entry leaves free. */
function withProtection(
  detail: readonly Row[],
  { lock, theme }: VaultRenderOptions,
  width: number,
  height: number,
): Row[] {
  const text = textRows(
    protectionText(lock, theme.keyName),
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

/** Least rows of the details, so that those of an integration key do not move the table. */
const DETAIL_ROWS = 8;

function noteOf({ entries, elsewhere, selectedId }: KeyringState): string | undefined {
  const at = entries.findIndex(({ id }) => id === selectedId);
  const others = elsewhere === 0 ? "" : `${elsewhere} in other profiles`;
  if (at < 0) return others === "" ? undefined : others;
  return `${placeText(at + 1, entries.length)}${others === "" ? "" : `, ${others}`}`;
}

function emptyText({ loaded, filter, elsewhere }: KeyringState, { keyName }: Theme): string {
  if (!loaded) return "Reading the vault.";
  if (filter !== "") return `No key matches the filter; ${keyName("vault.hide")} shows all.`;
  const others = elsewhere === 0 ? "The vault is empty" : "The vault has no key of this profile";
  return `${others}. The credential of a registered project is saved here automatically; ${keyName("vault.add")} adds a key by hand.`;
}

/** The last test and the registration need room; the details have both. */
function keyColumns(
  { entries, uses, registered }: KeyringState,
  options: VaultRenderOptions,
): ListColumn<KeyringEntry>[] {
  const { theme, now } = options;
  return [
    {
      title: "For",
      said: "",
      by: "owner",
      share: 0.6,
      least: 6,
      most: Math.max(...entries.map((entry) => widthOf(startOf(entry) + safe(ownerOf(entry))))),
      cell(entry, width) {
        const start = startOf(entry);
        const name = safe(ownerOf(entry), { max: 120 });
        return start + fitTail(name, width - widthOf(start), theme.sign("ellipsis")).trim();
      },
    },
    { title: "Key id", share: 1, least: 12, most: 40, cut: "start", cell: ({ keyId }) => safe(keyId) },
    {
      title: "Registered",
      width: 10,
      from: 78,
      cell(entry) {
        const at = entry.kind === "integration_key" ? undefined : registered[entry.projectKey];
        return at === undefined ? "-" : formatClockOrDay(at, now);
      },
    },
    { title: "Last used", by: "last", width: 10, cell: (entry) => usedText(entry, uses, options) },
    { title: "Last test", width: 19, from: 70, cell: (entry) => [testSpan(entry, uses, options)] },
  ];
}

function startOf({ kind }: KeyringEntry): string {
  return kind === "integration_key" ? "all of " : "";
}

function usedText(
  { kind, keyId }: KeyringEntry,
  { byKey, whole }: KeyUses,
  { now }: VaultRenderOptions,
): string {
  const use = byKey[keyId];
  if (kind === "integration_key") return "-";
  if (use !== undefined) return formatClockOrDay(use.at, now);
  return unfound(keyId) ?? (whole ? "never" : "not recent");
}

/** Presenter mode hides the id by which the uses of a key are found. */
function unfound(keyId: string): string | null {
  return keyId === MASK ? "hidden" : null;
}

function testSpan(
  { kind, keyId }: KeyringEntry,
  { byKey, whole }: KeyUses,
  { theme, now }: VaultRenderOptions,
): Row[number] {
  const test = byKey[keyId]?.test ?? null;
  if (test === null) {
    const none = unfound(keyId) ?? (whole ? "not tested" : "not recent");
    return { text: kind === "integration_key" ? "-" : none, role: "quiet" };
  }
  const sign = { works: theme.sign("done"), refused: theme.sign("error"), open: theme.sign("open") };
  const text = `${sign[test.verdict]} ${test.verdict}, ${formatClockOrDay(test.at, now)}`;
  return { text, role: TEST_ROLE[test.verdict] };
}

/** The selected entry, each value in a row of its own, and the work on it. */
function detailRows(
  entry: KeyringEntry,
  state: KeyringState,
  width: number,
  options: VaultRenderOptions,
): Row[] {
  const { theme } = options;
  const page = new Page(width - AXIS - 1, theme);
  page.field("Key id", safe(entry.keyId, { max: LONGEST }));
  page.field("Algorithm", safe(entry.algorithm));
  secretField(page, entry, state, options);
  if (entry.kind === "integration_key") page.field("Bound to", safe(entry.projectsUrl, { max: LONGEST }));
  else {
    page.field("Bound to", safe(entry.baseUrl, { max: LONGEST }));
    page.field("Project id", safe(entry.projectId, { max: LONGEST }));
    const at = state.registered[entry.projectKey];
    page.field("Registered", at === undefined ? "not known here" : formatDateTime(at));
    page.field("Last used", usedText(entry, state.uses, options));
    page.field("Last test", testSpan(entry, state.uses, options).text);
  }
  return [
    ...page.rows.map((row) => fitRow([{ text: fit("", AXIS) }, ...row], width, theme)),
    ...copyRows(entry, options, width),
    ...testRows(entry, state, width, theme),
  ];
}

function copyRows(entry: KeyringEntry, { held, theme }: VaultRenderOptions, width: number): Row[] {
  if (held?.id !== entry.id) return [];
  const text = `Sent to your terminal's clipboard; cleared in ${held.secondsLeft} s.`;
  return textRows(text, width, theme, { role: "warning" });
}

function secretField(
  page: Page,
  entry: KeyringEntry,
  { revealed }: KeyringState,
  { theme, lock }: VaultRenderOptions,
): void {
  if (lock.locked) return page.field("Secret", `${MASK}, locked`);
  if (entry.fingerprint === null) {
    const text =
      "The entry cannot be decrypted, because it was changed on disk; remove the entry and enter the key again.";
    return page.field("Secret", text, "error");
  }
  if (revealed === null || revealed.id !== entry.id) {
    return page.field("Secret", `${MASK} ${theme.sign("separator")} fingerprint ${entry.fingerprint}`);
  }
  // The user asked to see it: show all of it, wrapped.
  page.field("Secret", `hidden again in ${revealed.secondsLeft} s`, "warning");
  page.indented(safe(revealed.secret.expose(), { max: 1_000 }), 0, "heading");
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
