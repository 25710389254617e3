// Findings of `verdict doctor` about the vault: its protection, and whether its key lies next to it. Unlocks nothing.

import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { counted } from "#src/display/count.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import type { Home } from "./home.ts";

const PROTECTION = {
  key_file:
    "A key file opens the vault without a question: that protects copies of the data folder, not against root, your own programs, or a copy of both folders.",
  passphrase: "A passphrase opens the vault.",
  passphrase_command: "A command gives the passphrase that opens the vault.",
} as const;

const finding = findingsOf("vault");

/** @param isDamaged true for a damaged document, which is not read here because reading would repair it */
export async function vaultFindings(
  home: Home,
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
  try {
    const vault = await openVault({ documentPath, keyPath, settingsPath, newId: () => "", onProblem });
    const protection = await vault.protection();
    const entries = vault.list();
    if (entries.length === 0) return [finding("ok", "The vault holds nothing yet.")];
    const count = counted(entries.length, "key");
    const findings = [finding("ok", `The vault holds ${count}. ${PROTECTION[protection]}`)];
    if (protection === "key_file" && (await liesBeside(documentPath, keyPath, home))) {
      findings.push(
        finding(
          "note",
          `The vault and its key lie below one folder, ${escapeText(await commonFolder(documentPath, keyPath))}: a copy of that folder opens the vault.`,
          'Set a passphrase with "verdict vault passphrase --set", or leave out --home and VERDICT_HOME.',
        ),
      );
    }
    return findings;
  } catch (error) {
    if (error instanceof Fault) return [finding("problem", error.message)];
    throw error;
  }
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
