// After a profile got another address: its keys are bound to the one before, and are entered again or named with the command for it.

import { saveKey } from "#src/actions/register/add-key.ts";
import type { Context } from "#src/app/context.ts";
import { askLine, typeSecret } from "#src/cli/ask.ts";
import type { Invocation } from "#src/cli/command.ts";
import { KIND_WORD, labelOf, ownerOf } from "#src/contract/records/key.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";
import { shownAddress } from "#src/display/address.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";
import type { Entry } from "./vault-entry.ts";

const STOPPED = "Stopped; the profile is saved, the key is as it was.";

/** @param before the profile before the change; null for a new one, whose name may have been that of a removed profile */
export async function enterKeysAgain(
  invocation: Invocation,
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
      `The ${KIND_WORD[entry.kind]} of ${safe(ownerOf(entry))}, key id ${safe(entry.keyId)}, is bound to ${shownAddress(bound)} and is not used for ${shownAddress(now)}.`,
    );
    const isWanted =
      stdin.isTTY === true &&
      !/^n(o)?$/i.test(await askLine(invocation, "Enter its secret again now? [Y/n] ", STOPPED));
    if (!isWanted) {
      output.complain(`Enter it again with "${addCommand(entry)}".`);
      continue;
    }
    await vault.ensureOpen();
    const secret = await typeSecret(invocation, STOPPED);
    await saveKey({ ...opened, profile, addresses: () => profile }, { ...entry, secret }, entry.id);
    output.complain(`The ${KIND_WORD[entry.kind]} is now used for ${shownAddress(now)}.`);
  }
}

function addCommand(entry: Entry): string {
  const label = labelOf(entry);
  const options = {
    profile: entry.profile,
    "key-id": entry.keyId,
    ...(entry.kind === "integration_key"
      ? { "company-id": entry.companyId }
      : { "project-id": entry.projectId }),
    ...(label === null ? {} : { "merchant-id": label.merchantId, "risk-level": label.riskLevel }),
    ...(entry.algorithm === DEFAULT_ALGORITHM ? {} : { algorithm: entry.algorithm }),
  };
  const words = Object.entries(options).map(([name, value]) => `--${name} ${shellWord(value)}`);
  return ["verdict vault add", ...words].join(" ");
}
