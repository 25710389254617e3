// verdict vault export and import: age files of entries.

import { sayDone } from "#src/cli/done.ts";
import type { Context } from "#src/app/context.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { vaultImportJson } from "#src/cli/json-shapes.ts";
import { readDocument } from "#src/app/read-input.ts";
import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import { Secret } from "#src/contract/secret.ts";
import { shownAddress } from "#src/display/address.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { knownPassphrase, newPassphrase, pipedLines } from "./passphrase-input.ts";
import { noStandardOutput } from "#src/cli/option.ts";
import { findEntry } from "./vault-entry.ts";
import type { VAULT_EXPORT, VAULT_IMPORT } from "./vault-options.ts";

type Vault = Awaited<ReturnType<Context["vault"]>>;
type VaultImport = Awaited<ReturnType<Vault["importAge"]>>;

export const exportVault: CommandRun<typeof VAULT_EXPORT> = async (invocation) => {
  const { options } = invocation;
  const target = invocation.args[0]!;
  if (target === "-") throw noStandardOutput("The argument");
  const recipients = options.recipient;
  const vault = await (await invocation.context()).vault();
  const ids = options.only.map((wanted) => findEntry(vault, wanted).id);
  await vault.ensureOpen();
  const { entries } = await vault.exportAge(
    target,
    recipients.length > 0
      ? { recipients }
      : { passphrase: await newPassphrase(invocation, "of the file", await pipedLines(invocation)) },
    { armored: options.armor, ...(ids.length === 0 ? {} : { ids }) },
  );
  sayDone(
    invocation,
    { file: target, key_ids: entries.map(({ keyId }) => keyId) },
    `${counted(entries.length, "entry", "entries")} written to ${safe(target)}. "verdict vault import" takes the file, and "age -d" shows what is in it.`,
  );
};

export const importVault: CommandRun<typeof VAULT_IMPORT> = async (invocation) => {
  const { options, output, signal } = invocation;
  const file = await readDocument(
    invocation.args[0]!,
    () => invocation.stdin,
    signal,
    "an age file that verdict has exported",
  );
  const vault = await (await invocation.context()).vault();
  await vault.ensureOpen();
  const plan = await vault.importAge(
    file,
    options.identity === undefined
      ? {
          passphrase: async () => knownPassphrase(invocation, "of the file", await pipedLines(invocation)),
        }
      : { identities: await readIdentities(invocation, options.identity) },
  );
  const replace = options.replace;
  const counts = countOf(plan, replace);
  if (!options.json) describe(invocation, plan, replace);
  const goesOn = counts.taken > 0 && !options.dryRun && (await confirm(invocation, questionOf(counts)));
  const done = goesOn ? await plan.apply({ replace }) : 0;
  if (options.json) {
    for (const item of plan.items) output.json(vaultImportJson(item, goesOn && isTaken(item, replace)));
  } else if (goesOn) {
    output.line(`${counted(done, "entry", "entries")} imported.`);
  } else {
    output.line(options.dryRun ? "Nothing was imported: this was a dry run." : "Nothing was imported.");
  }
};

async function readIdentities({ stdin, signal }: Invocation, file: string): Promise<Secret> {
  const bytes = await readDocument(file, () => stdin, signal, "a file of age identities");
  return new Secret(Buffer.from(bytes).toString("utf8"));
}

interface Counts {
  readonly taken: number;
  readonly replaced: number;
}

function isTaken({ state }: VaultImport["items"][number], replace: boolean): boolean {
  return state === "new" || (replace && state === "other");
}

function countOf({ items }: VaultImport, replace: boolean): Counts {
  const taken = items.filter((item) => isTaken(item, replace));
  return { taken: taken.length, replaced: taken.filter(({ state }) => state === "other").length };
}

function questionOf({ taken, replaced }: Counts): string {
  const what = `Import ${counted(taken, "entry", "entries")}`;
  return replaced === 0 ? `${what}?` : `${what}, ${replaced} of them in place of what is in the vault?`;
}

function describe({ output }: Invocation, { items }: VaultImport, replace: boolean): void {
  const words = {
    new: "new",
    same: "is in the vault already",
    other: replace
      ? "takes the place of another one, which is kept"
      : "left out: another one is in the vault",
  };
  const rows = items.map((item) => [
    KIND_WORD[item.kind],
    words[item.state],
    safe(item.profile),
    safe(ownerOf(item)),
    shownAddress(item.kind === "integration_key" ? item.projectsUrl : item.baseUrl),
  ]);
  output.table(["KIND", "STATE", "PROFILE", "FOR", "BOUND TO"], rows);
  if (!replace && items.some(({ state }) => state === "other")) {
    output.line("Nothing in the vault is overwritten without --replace.");
  }
}
