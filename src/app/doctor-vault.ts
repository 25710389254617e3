// Findings of `verdict doctor` about the vault: its protection, and whether its key lies next to it; of its entries on request.

import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { counted } from "#src/display/count.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import type { openVault } from "#src/vault/vault.ts";
import type { Verification } from "./doctor-entries.ts";
import type { Home } from "./home.ts";

const PROTECTION = {
  key_file:
    "A key file opens the vault without a question: that protects copies of the data folder, not against root, your own programs, or a copy of both folders.",
  passphrase: "A passphrase opens the vault.",
  passphrase_command: "A command gives the passphrase that opens the vault.",
} as const;

const finding = findingsOf("vault");

interface VaultSurroundings {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Opens every entry; null leaves all of them locked. */
  readonly verification: Verification | null;
}

/**
 * @param isDamaged true for a damaged document, which is not read here because reading would repair it
 * @throws Fault("interrupted") while a passphrase is typed
 */
export async function vaultFindings(
  { home, env, verification }: VaultSurroundings,
  isDamaged: (path: string) => boolean,
  onProblem: OnProblem,
): Promise<Finding[]> {
  const documentPath = join(home.data, "vault.json");
  const keyPath = join(home.state, "vault.key");
  const settingsPath = join(home.config, "vault.json");
  if ([documentPath, keyPath, settingsPath].some(isDamaged)) {
    return [finding("note", "The vault was not opened, because a file of it is damaged.")];
  }
  const { openVault } = await import("#src/vault/vault.ts");
  const { passphraseCommandRunner } = await import("#src/vault/passphrase-command.ts");
  try {
    const vault = await openVault({
      documentPath,
      keyPath,
      settingsPath,
      newId: () => "",
      onProblem,
      runCommand: passphraseCommandRunner(env),
      ...(verification?.askPassphrase && { askPassphrase: verification.askPassphrase }),
    });
    const protection = await vault.protection();
    const entries = vault.list();
    if (entries.length + vault.former().length === 0) return [finding("ok", "The vault holds nothing yet.")];
    const count = counted(entries.length, "key");
    const findings = [finding("ok", `The vault holds ${count}. ${PROTECTION[protection]}`)];
    if (protection === "key_file" && (await liesBeside(documentPath, keyPath, home))) {
      findings.push(
        finding(
          "note",
          `The vault and its key are in one folder, ${escapeText(await commonFolder(documentPath, keyPath))}: a copy of that folder opens the vault.`,
          'Set a passphrase with "verdict vault passphrase --set", or leave out --home and VERDICT_HOME.',
        ),
      );
    }
    return [...findings, ...(verification === null ? [] : await entryFindings(vault, verification))];
  } catch (error) {
    if (error instanceof Fault && error.code !== "interrupted") return [finding("problem", error.message)];
    throw error;
  }
}

async function entryFindings(
  vault: Awaited<ReturnType<typeof openVault>>,
  { askPassphrase }: Verification,
): Promise<Finding[]> {
  if ((await vault.protection()) === "passphrase" && askPassphrase === undefined) {
    const next = 'Run "verdict doctor --verify" on a terminal, which asks for the passphrase.';
    return [
      finding("note", "The entries of the vault were not opened, because they need a passphrase.", next),
    ];
  }
  const { entries, problems } = await vault.verify();
  const sound = entries.filter(({ problem }) => problem === null).length;
  return [
    ...problems.map((problem) => finding("problem", problem)),
    finding(
      sound === entries.length ? "ok" : "problem",
      `${sound} of ${counted(entries.length, "entry", "entries")} opened and undamaged.`,
    ),
  ];
}

/** True when both are below one folder that is likely to be copied as a whole, also through links. */
async function liesBeside(documentPath: string, keyPath: string, home: Home): Promise<boolean> {
  if ("VERDICT_HOME" in home.environment) return true;
  const [data, state] = await Promise.all([documentPath, keyPath].map((path) => realpath(dirname(path))));
  return `${state!}/`.startsWith(`${data!}/`) || `${data!}/`.startsWith(`${state!}/`);
}

async function commonFolder(documentPath: string, keyPath: string): Promise<string> {
  const [data, state] = await Promise.all([documentPath, keyPath].map((path) => realpath(dirname(path))));
  let common = data!;
  while (!`${state!}/`.startsWith(`${common}/`) && dirname(common) !== common) common = dirname(common);
  return common;
}
