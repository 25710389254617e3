// verdict vault list, show, add, restore and remove: integration keys and project credentials, with secrets masked.

import { declined, sayDone } from "#src/cli/done.ts";
import { restoreKey, saveKey } from "#src/actions/register/add-key.ts";
import { confirm, readSecret } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { vaultEntryJson } from "#src/cli/json-shapes.ts";
import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import { shownAddress } from "#src/display/address.ts";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import { formatZoned } from "#src/display/time.ts";
import { type Entry, findEntry, formerText, namedKey } from "./vault-entry.ts";
import type { Asking, Json } from "#src/cli/option-specs.ts";
import type { VAULT_ADD, VAULT_SHOW } from "./vault-options.ts";

export const list: CommandRun<Json> = async ({ context, options, output, profile: asked }) => {
  const opened = await context();
  const vault = await opened.vault();
  const isChosen = asked !== undefined;
  const entries: Entry[] = [...vault.list(), ...vault.former()].filter(
    ({ profile }) => !isChosen || profile === opened.profile.name,
  );
  if (options.json) return entries.forEach((entry) => output.json(vaultEntryJson(entry)));
  if (entries.length === 0) {
    const what = isChosen
      ? `The vault has no key of the profile ${safe(opened.profile.name)}`
      : "The vault is empty";
    output.advise(
      `${what}; "verdict project register --wait" puts a credential into it, "verdict vault add" takes one by hand.`,
    );
    return;
  }
  const rows = entries.map((entry) => [
    entry.id,
    entry.replacedAt !== undefined ? `former ${KIND_WORD[entry.kind]}` : KIND_WORD[entry.kind],
    safe(entry.profile),
    safe(ownerOf(entry)),
    MASK,
    safe(entry.keyId),
  ]);
  output.table(["ID", "KIND", "PROFILE", "FOR", "SECRET", "KEY ID"], rows);
};

export const show: CommandRun<typeof VAULT_SHOW> = async (invocation) => {
  const { args, context, options, output } = invocation;
  const opened = await context();
  const entry = findEntry(await opened.vault(), args[0]!);
  if (options.reveal || options.raw) {
    const { revealEntry, writeRaw } = await import("./vault-secret.ts");
    return options.raw ? writeRaw(invocation, opened, entry) : revealEntry(invocation, opened, entry);
  }
  if (options.json) return output.json(vaultEntryJson(entry));
  output.table(
    ["entry", entry.id],
    [
      ["kind", KIND_WORD[entry.kind]],
      ["profile", safe(entry.profile)],
      entry.kind === "integration_key"
        ? ["company id", safe(entry.companyId)]
        : ["project", `${safe(entry.projectKey)} (project id ${safe(entry.projectId)})`],
      ["key id", safe(entry.keyId)],
      ["algorithm", safe(entry.algorithm)],
      ["bound to", shownAddress(entry.kind === "integration_key" ? entry.projectsUrl : entry.baseUrl)],
      ["secret", MASK],
      ...(entry.replacedAt !== undefined
        ? [["replaced", `${formatZoned(entry.replacedAt)}; it signs nothing`]]
        : []),
    ],
  );
};

export const add: CommandRun<typeof VAULT_ADD> = async (invocation) => {
  const keyOf = namedKey(invocation.options);
  const context = await invocation.context();
  // Before the secret is typed, which would be lost if the vault stayed locked.
  await (await context.vault()).ensureOpen();
  const key = keyOf(await readSecret(invocation));
  const { id, former } = await saveKey(context, key);
  const profile = context.profile.name;
  const kind: "integration_key" | "credential" = key.kind === "integration_key" ? key.kind : "credential";
  sayDone(
    invocation,
    {
      id,
      kind,
      profile,
      ...(key.kind === "project_credential" && { project: key.projectKey }),
      replaced: former?.id ?? null,
    },
    `The ${KIND_WORD[key.kind]} of ${safe(ownerOf(key))} is saved as ${id} in the profile ${safe(profile)}.`,
    former === null ? null : formerText(former),
  );
};

export const restore: CommandRun<Json> = async ({ args, context, options, output }) => {
  const opened = await context();
  const entry = findEntry(await opened.vault(), args[0]!);
  const { former } = await restoreKey(opened, entry.id);
  sayDone(
    { options, output },
    { id: entry.id, restored: true, replaced: former?.id ?? null },
    `The ${KIND_WORD[entry.kind]} of ${safe(ownerOf(entry))}, key id ${safe(entry.keyId)}, signs again.`,
    former === null ? null : formerText(former),
  );
};

export const remove: CommandRun<Asking> = async (invocation) => {
  const vault = await (await invocation.context()).vault();
  const entry = findEntry(vault, invocation.args[0]!);
  const question = `Remove the ${KIND_WORD[entry.kind]} of ${safe(ownerOf(entry))} in profile ${safe(entry.profile)} for good?`;
  if (!(await confirm(invocation, question))) {
    return declined(invocation, { id: entry.id, removed: false });
  }
  await vault.remove(entry.id);
  sayDone(
    invocation,
    { id: entry.id, removed: true },
    `Removed the ${KIND_WORD[entry.kind]} of ${safe(ownerOf(entry))}.`,
  );
};
