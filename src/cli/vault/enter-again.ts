// After a profile got another address: its keys are bound to the one before, and are entered again or named with the command for it.

import type { Piped } from "#src/cli/option-specs.ts";
import { enterKeyAgain } from "#src/actions/register/add-key.ts";
import type { Context } from "#src/app/context.ts";
import { askLine, readSecret } from "#src/cli/ask.ts";
import type { Invocation } from "#src/cli/command.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";
import { shownAddress } from "#src/display/address.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { type Entry, kindOf, ownerOf } from "./vault-entry.ts";

const STOPPED = "Stopped; the profile is saved, the key is as it was.";

/** @param before the profile before the change; null for a new one, whose name may have been that of a removed profile */
export async function enterKeysAgain(
  invocation: Invocation<Piped>,
  opened: Context,
  profile: Profile,
  before: Profile | null,
): Promise<void> {
  const { output, stdin } = invocation;
  const vault = await opened.vault();
  for (const entry of vault.list().filter((each) => each.profile === profile.name)) {
    const [bound, now, was] =
      entry.kind === "integration_key"
        ? [entry.projectsUrl, profile.projectsUrl, before?.projectsUrl]
        : [entry.baseUrl, profile.baseUrl, before?.baseUrl];
    if (bound === now || was === now) continue;
    output.complain(
      `The ${kindOf(entry)} of ${safe(ownerOf(entry))}, key id ${safe(entry.keyId)}, is bound to ${shownAddress(bound)} and is not used for ${shownAddress(now)}.`,
    );
    const isWanted =
      stdin.isTTY === true &&
      !/^n(o)?$/i.test(await askLine(invocation, "Enter its secret again now? [Y/n] ", STOPPED));
    if (!isWanted) {
      output.complain(`Enter it again with "${addCommand(entry)}".`);
      continue;
    }
    await vault.ensureOpen();
    const secret = await readSecret(invocation, STOPPED);
    await enterKeyAgain({ ...opened, profile, addresses: () => profile }, entry, secret);
    output.complain(`The ${kindOf(entry)} is now used for ${shownAddress(now)}.`);
  }
}

function addCommand(entry: Entry): string {
  const options = {
    profile: entry.profile,
    "key-id": entry.keyId,
    ...(entry.kind === "integration_key" ? { "company-id": entry.companyId } : projectOptions(entry)),
    ...(entry.algorithm === DEFAULT_ALGORITHM ? {} : { algorithm: entry.algorithm }),
  };
  const words = Object.entries(options).map(([name, value]) => `--${name} ${shellWord(value)}`);
  return ["verdict vault add", kindOf(entry).replace(" ", "-"), ...words].join(" ");
}

function projectOptions({ projectId, projectKey }: Extract<Entry, { kind: "project_credential" }>) {
  const at = projectKey.lastIndexOf("/");
  const labels = { "merchant-id": projectKey.slice(0, at), "risk-level": projectKey.slice(at + 1) };
  return { "project-id": projectId, ...(projectKey === projectId ? {} : labels) };
}
