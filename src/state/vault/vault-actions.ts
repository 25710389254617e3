// Actions on the whole vault: passphrase, age files, verification.

import { createStore } from "zustand/vanilla";
import { restoreKey } from "#src/actions/register/add-key.ts";
import type { Context } from "#src/app/context.ts";
import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import { Secret } from "#src/contract/secret.ts";
import { askNewPassphrase } from "#src/state/asked-text.ts";
import { movedIndex } from "#src/state/list-selection.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { untilDrawn } from "#src/state/timers.ts";
import { createAgeFiles, entriesOf, type VaultWork } from "./age-files.ts";
import { formerKey, keptText, selectedKey, type KeyringState } from "./keyring-state.ts";
import type { Keyring } from "./keyring.ts";
import { hasPassphrase, isOpened, type VaultLock } from "./vault-lock.ts";

export type VaultActionId =
  | "setPassphrase"
  | "changePassphrase"
  | "removePassphrase"
  | "restore"
  | "exportAll"
  | "exportOne"
  | "import"
  | "verify";

export interface VaultAction {
  readonly id: VaultActionId;
  /** In the words of the menu. Untrusted text in it is not escaped. */
  readonly label: string;
}

/** What an action has found; untrusted text in it is escaped already. */
export interface VaultReport {
  readonly sound: boolean;
  readonly sentence: string;
  readonly problems: readonly string[];
}

export interface VaultActionsState {
  /** The menu is open. */
  readonly open: boolean;
  readonly selected: number;
  /** What is under way, in a few words; null when nothing is. */
  readonly working: string | null;
  readonly report: VaultReport | null;
}

/** What the menu offers for what is selected in the vault. */
function vaultMenu(keys: KeyringState, isPassphrase: boolean): readonly VaultAction[] {
  const selected = selectedKey(keys);
  const former = formerKey(keys);
  const offered: readonly (VaultAction | null)[] = [
    ...(isPassphrase
      ? ([
          { id: "changePassphrase", label: "Change the passphrase" },
          { id: "removePassphrase", label: "Remove the passphrase: a key file instead" },
        ] as const)
      : ([{ id: "setPassphrase", label: "Set a passphrase" }] as const)),
    former && {
      id: "restore",
      label: `Put back the former ${KIND_WORD[former.kind]} of ${ownerOf(former)}, key id ${former.keyId}`,
    },
    keys.entries.length + keys.elsewhere === 0
      ? null
      : { id: "exportAll", label: "Export everything as an age file" },
    selected && {
      id: "exportOne",
      label: `Export the ${KIND_WORD[selected.kind]} of ${ownerOf(selected)} alone`,
    },
    { id: "import", label: "Import an age file" },
    { id: "verify", label: "Verify every entry" },
  ];
  return offered.filter((action) => action !== null);
}

export function createVaultActions(context: Context, session: Session, lock: VaultLock, keyring: Keyring) {
  const store = createStore<VaultActionsState>(() => ({
    open: false,
    selected: 0,
    working: null,
    report: null,
  }));
  const { getState, setState } = store;

  const list = (): readonly VaultAction[] =>
    vaultMenu(keyring.store.getState(), hasPassphrase(lock.store.getState()));

  const work: VaultWork = {
    async run(working, run) {
      if (!(await isOpened(lock))) return null;
      setState({ working });
      // The key of an age file is derived in one go, with nothing drawn for as long as that takes.
      await untilDrawn();
      const done = await reportFaults(session, async () => run(await context.vault()));
      setState({ working: null });
      return done;
    },
    note: (working) => setState({ working }),
    finish(sentence) {
      setState({ open: false });
      session.say(sentence, "done");
    },
  };
  const { exportEntries, importFile } = createAgeFiles(context, session, lock, work, () => keyring.load());

  async function protect(next: Secret | null): Promise<void> {
    const done = await work.run("Sealing every entry again", async (vault) => {
      await vault.setPassphrase(next);
      return true;
    });
    await lock.load();
    await keyring.load();
    if (done === null) return;
    session.say(
      next === null
        ? "The vault is protected by its key file again."
        : "The vault is protected by the passphrase now; a forgotten one cannot be recovered.",
      "done",
    );
    setState({ open: false });
  }

  async function setPassphrase(): Promise<void> {
    if (!(await isOpened(lock))) return;
    const next = await askNewPassphrase(session, "of the vault");
    if (next !== null) await protect(next);
  }

  async function restore(): Promise<void> {
    const former = formerKey(keyring.store.getState());
    if (former === null) return;
    const done = await work.run("Putting the former key back", () => restoreKey(context, former.id));
    await keyring.load();
    if (done === null) return;
    work.finish(
      `The ${KIND_WORD[former.kind]} of ${ownerOf(former)}, key id ${former.keyId}, signs again.${keptText(done.former, session.keyName)}`,
    );
  }

  function removePassphrase(): void {
    session.confirm({
      title: "Remove the passphrase",
      text: "Protect the vault by a key file again? It protects copies of the data folder, but not against root or anyone with access to your account.",
      yes: "Remove",
      onYes: () => void protect(null),
    });
  }

  async function verify(): Promise<void> {
    const check = await work.run("Opening every entry", (vault) => vault.verify());
    if (check === null) return;
    const sound = check.entries.filter(({ problem }) => problem === null).length;
    const problems = [...check.fileProblems, ...check.problems];
    setState({
      report: {
        sound: problems.length === 0,
        sentence:
          check.entries.length === 0
            ? "The vault is empty."
            : `${sound} of ${entriesOf(check.entries.length)} opened and undamaged.`,
        problems,
      },
    });
  }

  const verbs: Readonly<Record<VaultActionId, () => Promise<void> | void>> = {
    setPassphrase,
    changePassphrase: setPassphrase,
    removePassphrase,
    restore,
    exportAll: () => exportEntries(),
    exportOne() {
      const entry = selectedKey(keyring.store.getState());
      return entry === null ? undefined : exportEntries([entry.id]);
    },
    import: importFile,
    verify,
  };

  return {
    store,
    open() {
      keyring.hide();
      setState({ open: true, selected: 0, report: null });
    },
    close: () => setState(({ report }) => (report === null ? { open: false } : { report: null })),
    select(move: 1 | -1) {
      setState(({ selected }) => ({ selected: movedIndex(selected, move, list().length), report: null }));
    },
    /** What the menu offers now. */
    list,
    /** Does what is selected. Never rejects. */
    async run() {
      const { working, selected } = getState();
      if (working !== null) return session.say(`${working}; wait for its end.`, "note");
      setState({ report: null });
      const action = list()[selected];
      if (action !== undefined) await verbs[action.id]();
    },
  };
}

export type VaultActions = ReturnType<typeof createVaultActions>;
