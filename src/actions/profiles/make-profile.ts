// Saves a new profile together with its key, and takes it into use: all of it or nothing.

import type { ActionContext } from "#src/actions/action-context.ts";
import { saveKey, type SavedKey } from "#src/actions/register/add-key.ts";
import { Fault, storage, whole } from "#src/contract/fault.ts";
import type { Key } from "#src/contract/records/key.ts";
import { ROLLED_BACK, type Profile } from "#src/contract/records/profile.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Profiles } from "#src/storage/documents/profiles.ts";

/**
 * @returns the entry of the vault; its `undo` takes back the profile, too
 * @throws Fault("usage" | "bad_input") for an invalid profile or key, Fault("storage" | "corrupt" | "vault_locked"); then
 *   profiles, vault and projects are as they were
 */
export async function makeProfile(
  context: ActionContext & { profiles(): Promise<Profiles> },
  profile: Profile,
  key: Key,
): Promise<SavedKey> {
  const profiles = await context.profiles();
  // Taking a profile into use would accept restored ones, which the user has not seen.
  const inUse = await profiles.current();
  if (inUse.rolledBack === true) throw new Fault("corrupt", whole(ROLLED_BACK));
  const steps: (() => Promise<unknown>)[] = [];
  const undo = async (): Promise<void> => {
    for (const step of steps.splice(0).toReversed()) await step();
  };
  try {
    await (await context.vault()).probe();
    await profiles.put(profile, null);
    steps.push(() => profiles.remove(profile.name));
    const saved = await saveKey({ ...context, profile, addresses: () => profile }, key);
    steps.push(() => saved.undo());
    await profiles.use(profile.name);
    steps.push(() => profiles.use(inUse.name));
    return { ...saved, undo };
  } catch (error) {
    await undo().catch((failed: unknown) => {
      const why = failed instanceof Fault ? ` (${failed.message})` : "";
      const name = escapeText(profile.name, 64);
      throw storage`${whole(error instanceof Fault ? error.message : "The profile was not completed.")} The steps before could not be undone${whole(why)}; look with "verdict profile show ${name}" and "verdict vault list".`.causedBy(
        error,
      );
    });
    throw error;
  }
}
