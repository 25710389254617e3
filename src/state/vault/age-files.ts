// Exports vault entries to age files and imports them, step by step.

import type { Context } from "#src/app/context.ts";
import { Fault, whole } from "#src/contract/fault.ts";
import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import { Secret } from "#src/contract/secret.ts";
import { askNewPassphrase, askPath, askText } from "#src/state/asked-text.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { untilDrawn } from "#src/state/timers.ts";
import { isOpened, type VaultGate } from "./vault-lock.ts";

type Vault = Awaited<ReturnType<Context["vault"]>>;
type VaultImport = Awaited<ReturnType<Vault["importAge"]>>;

const STOPPED = "Nothing was imported.";
const BY_IDENTITY =
  'The file was sealed for recipients and not by a passphrase; "verdict vault import --identity" opens it.';

/** How the menu of the vault shows what takes a while. */
export interface VaultWork {
  /** Runs something with the vault open. @returns null where it stays locked or fails, with a toast */
  run<T>(working: string, run: (vault: Vault) => Promise<T>): Promise<T | null>;
  /** Names what is under way; null for nothing. */
  note(working: string | null): void;
  /** Closes the menu and says what was done. */
  finish(sentence: string): void;
}

/** @param reload reads the vault again */
export function createAgeFiles(
  context: Context,
  session: Session,
  lock: VaultGate,
  work: VaultWork,
  reload: () => Promise<void>,
) {
  async function exportEntries(ids?: readonly string[]): Promise<void> {
    if (!(await isOpened(lock))) return;
    const path = await askPath(session, "Name of the new age file:", "vault.age");
    if (path === null) return;
    const passphrase = await askNewPassphrase(session, "of the file");
    if (passphrase === null) return;
    const done = await work.run("Writing the age file", (vault) =>
      vault.exportAge(path, { passphrase }, ids === undefined ? {} : { ids }),
    );
    if (done === null) return;
    work.finish(`${entriesOf(done.entries.length)} written to ${path}; "age -d" opens it, too.`);
  }

  async function importFile(): Promise<void> {
    if (!(await isOpened(lock))) return;
    const path = await askPath(session, "Age file to import:", "vault.age");
    if (path === null) return;
    const plan = await reportFaults(
      session,
      async () => {
        const { readAgeFile } = await import("#src/actions/read-age-file.ts");
        const bytes = await readAgeFile(path);
        const vault = await context.vault();
        return vault.importAge(bytes, { passphrase: askFilePassphrase });
      },
      (fault) => (fault.message.includes("--identity") ? BY_IDENTITY : fault.message),
    );
    work.note(null);
    if (plan !== null) offer(plan);
  }

  async function askFilePassphrase(): Promise<Secret> {
    const typed = await askText(session, { label: "Passphrase of the file:", masked: true });
    if (typed === null) throw new Fault("interrupted", whole(STOPPED));
    work.note("Opening the age file");
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
        text: `The vault has other keys for ${namesOf(others)}. Replace them with the keys of the file? The vault keeps the replaced keys.`,
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
    const count = await work.run("Importing", () => plan.apply({ replace }));
    await reload();
    if (count === null) return false;
    work.finish(`${entriesOf(count)} imported.`);
    return true;
  }

  return {
    /** Asks for a file and a passphrase, and writes entries there. @param ids of the entries; all unless given */
    exportEntries,
    /** Asks for a file, and what of it the vault takes over. */
    importFile,
  };
}

/** `1 entry`, `3 entries` */
export function entriesOf(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}

/** Names listed in a question. */
const MOST_NAMES = 3;

function namesOf(items: VaultImport["items"]): string {
  const names = items
    .slice(0, MOST_NAMES)
    .map((item) => `the ${KIND_WORD[item.kind]} of ${ownerOf(item)} (profile ${item.profile})`);
  const rest = items.length - names.length;
  return `${names.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}
