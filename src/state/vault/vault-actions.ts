// What can be done with the vault as a whole: its passphrase, age files out of it and into it, and whether it is sound.

import { createStore, type StoreApi } from "zustand/vanilla";
import { restoreKey } from "#src/actions/register/add-key.ts";
import type { Context } from "#src/app/context.ts";
import { Fault } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { askNewPassphrase, askPath, askText } from "#src/state/asked-text.ts";
import { guarded } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import { untilDrawn } from "#src/state/timers.ts";
import { KIND_WORD } from "./key-forms.ts";
import { formerKey, keptText, ownerOf, selectedKey, type Keyring } from "./keyring.ts";
import { hasPassphrase, type VaultLock } from "./vault-lock.ts";

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

export interface VaultActions {
  readonly store: StoreApi<VaultActionsState>;
  open(): void;
  close(): void;
  select(move: 1 | -1): void;
  /** What the menu offers now. */
  list(): readonly VaultAction[];
  /** Does what is selected. Never rejects. */
  run(): Promise<void>;
}

type Vault = Awaited<ReturnType<Context["vault"]>>;
type VaultImport = Awaited<ReturnType<Vault["importAge"]>>;

const STOPPED = "Nothing was imported.";
const BY_IDENTITY =
  'The file was sealed for recipients and not by a passphrase; "verdict vault import --identity" opens it.';

export function createVaultActions(
  context: Context,
  session: Session,
  lock: VaultLock,
  keyring: Keyring,
): VaultActions {
  const store = createStore<VaultActionsState>(() => ({
    open: false,
    selected: 0,
    working: null,
    report: null,
  }));
  const { getState, setState } = store;

  function list(): readonly VaultAction[] {
    const keys = keyring.store.getState();
    const selected = selectedKey(keys);
    const some = keys.entries.length + keys.elsewhere > 0;
    const passphrase: VaultAction[] = hasPassphrase(lock.store.getState())
      ? [
          { id: "changePassphrase", label: "Change the passphrase" },
          { id: "removePassphrase", label: "Remove the passphrase: a key file instead" },
        ]
      : [{ id: "setPassphrase", label: "Set a passphrase" }];
    const out: VaultAction[] = some ? [{ id: "exportAll", label: "Export everything as an age file" }] : [];
    if (selected !== null) {
      const owner = `the ${KIND_WORD[selected.kind]} of ${ownerOf(selected)}`;
      out.push({ id: "exportOne", label: `Export ${owner} alone` });
    }
    const former = formerKey(keys);
    const back: VaultAction[] =
      former === null
        ? []
        : [
            {
              id: "restore",
              label: `Put back the former ${KIND_WORD[former.kind]} of ${ownerOf(former)}, key id ${former.keyId}`,
            },
          ];
    return [
      ...passphrase,
      ...back,
      ...out,
      { id: "import", label: "Import an age file" },
      { id: "verify", label: "Verify every entry" },
    ];
  }

  /** Runs what takes a while with the vault open. @returns null where it stays locked or fails, which is said */
  async function withVault<T>(working: string, run: (vault: Vault) => Promise<T>): Promise<T | null> {
    if (!lock.isOpen() && !(await lock.open())) return null;
    setState({ working });
    // The key of an age file is derived in one go, with nothing drawn for as long as that takes.
    await untilDrawn();
    const done = await guarded(session, async () => run(await context.vault()));
    setState({ working: null });
    return done;
  }

  async function protect(next: Secret | null): Promise<void> {
    const done = await withVault("Sealing every entry anew", async (vault) => {
      await vault.setPassphrase(next);
      return true;
    });
    await lock.load();
    await keyring.load();
    if (done === null) return;
    session.say(
      next === null
        ? "The vault is protected by its key file again."
        : "The vault is protected by the passphrase now; nobody can restore one that is forgotten.",
      "done",
    );
    setState({ open: false });
  }

  async function setPassphrase(): Promise<void> {
    if (!lock.isOpen() && !(await lock.open())) return;
    const next = await askNewPassphrase(session, "of the vault");
    if (next !== null) await protect(next);
  }

  async function restore(): Promise<void> {
    const former = formerKey(keyring.store.getState());
    if (former === null) return;
    const done = await withVault("Putting the former key back", () => restoreKey(context, former.id));
    await keyring.load();
    if (done === null) return;
    setState({ open: false });
    session.say(
      `The ${KIND_WORD[former.kind]} of ${ownerOf(former)}, key id ${former.keyId}, signs again.${keptText(done.former)}`,
      "done",
    );
  }

  function removePassphrase(): void {
    session.confirm({
      title: "Remove the passphrase",
      text: "Protect the vault by a key file again? It protects copies of the data folder, and not against root or whoever uses your account.",
      yes: "Remove",
      onYes: () => void protect(null),
    });
  }

  async function exportEntries(ids: readonly string[] | undefined): Promise<void> {
    if (!lock.isOpen() && !(await lock.open())) return;
    const path = await askPath(session, "Name of the new age file:", "vault.age");
    if (path === null) return;
    const passphrase = await askNewPassphrase(session, "of the file");
    if (passphrase === null) return;
    const done = await withVault("Writing the age file", (vault) =>
      vault.exportAge(path, { passphrase }, ids === undefined ? {} : { ids }),
    );
    if (done === null) return;
    setState({ open: false });
    session.say(`${entriesOf(done.entries.length)} written to ${path}; "age -d" opens it, too.`, "done");
  }

  async function importFile(): Promise<void> {
    if (!lock.isOpen() && !(await lock.open())) return;
    const path = await askPath(session, "Age file to import:", "vault.age");
    if (path === null) return;
    const plan = await guarded(
      session,
      async () => {
        const { readAgeFile } = await import("#src/actions/read-age-file.ts");
        const bytes = await readAgeFile(path);
        const vault = await context.vault();
        return vault.importAge(bytes, { passphrase: askFilePassphrase });
      },
      (fault) => (fault.message.includes("--identity") ? BY_IDENTITY : fault.message),
    );
    setState({ working: null });
    if (plan !== null) offer(plan);
  }

  async function askFilePassphrase(): Promise<Secret> {
    const typed = await askText(session, { label: "Passphrase of the file:", masked: true });
    if (typed === null) throw new Fault("interrupted", STOPPED);
    setState({ working: "Opening the age file" });
    await untilDrawn();
    return new Secret(typed);
  }

  /** What is new first, then by a question of its own what would replace another key. */
  function offer(plan: VaultImport): void {
    const fresh = plan.items.filter(({ state }) => state === "new");
    const others = plan.items.filter(({ state }) => state === "other");
    const same = plan.items.length - fresh.length - others.length;
    if (fresh.length + others.length === 0) {
      session.say(`The vault has everything of the file already: ${entriesOf(same)}.`, "done");
      return;
    }
    const replaceThen = (): void => {
      if (others.length === 0) return;
      session.confirm({
        title: "Replace keys",
        text: `The vault has other keys for ${namesOf(others)}. Put those of the file in their place? The ones before stay in the vault.`,
        yes: "Replace",
        onYes: () => void apply(plan, true),
      });
    };
    if (fresh.length === 0) return replaceThen();
    session.confirm({
      title: "Import",
      text: `Import ${entriesOf(fresh.length)}: ${namesOf(fresh)}?${same === 0 ? "" : ` ${entriesOf(same)} of the file are in the vault already.`}`,
      yes: "Import",
      onYes: () => void apply(plan, false).then((done) => (done ? replaceThen() : undefined)),
    });
  }

  async function apply(plan: VaultImport, replace: boolean): Promise<boolean> {
    const count = await withVault("Importing", () => plan.apply({ replace }));
    await keyring.load();
    if (count === null) return false;
    setState({ open: false });
    session.say(`${entriesOf(count)} imported.`, "done");
    return true;
  }

  async function verify(): Promise<void> {
    const check = await withVault("Opening every entry", (vault) => vault.verify());
    if (check === null) return;
    const sound = check.entries.filter(({ problem }) => problem === null).length;
    setState({
      report: {
        sound: check.problems.length === 0,
        sentence:
          check.entries.length === 0
            ? "The vault is empty."
            : `${sound} of ${entriesOf(check.entries.length)} opened and sound.`,
        problems: check.problems,
      },
    });
  }

  const verbs: Readonly<Record<VaultActionId, () => Promise<void> | void>> = {
    setPassphrase,
    changePassphrase: setPassphrase,
    removePassphrase,
    restore,
    exportAll: () => exportEntries(undefined),
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
    select(move) {
      const last = list().length - 1;
      setState(({ selected }) => ({ selected: Math.min(Math.max(0, selected + move), last), report: null }));
    },
    list,
    async run() {
      const { working, selected } = getState();
      if (working !== null) return session.say(`${working}; wait for its end.`, "note");
      setState({ report: null });
      const action = list()[selected];
      if (action !== undefined) await verbs[action.id]();
    },
  };
}

function entriesOf(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}

/** More names nobody reads before answering. */
const MOST_NAMES = 3;

function namesOf(items: VaultImport["items"]): string {
  const names = items
    .slice(0, MOST_NAMES)
    .map((item) => `the ${KIND_WORD[item.kind]} of ${ownerOfItem(item)}`);
  const rest = items.length - names.length;
  return `${names.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}

function ownerOfItem(item: VaultImport["items"][number]): string {
  return `${item.kind === "integration_key" ? item.companyId : item.projectKey} (profile ${item.profile})`;
}
