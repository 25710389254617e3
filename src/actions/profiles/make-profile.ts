// Saves a profile together with its key, and takes it into use: all of it or nothing.

import type { ActionContext } from "#src/actions/action-context.ts";
import {
  addCredential,
  addIntegrationKey,
  keyByHand,
  type CredentialByHand,
  type SavedKey,
} from "#src/actions/register/add-key.ts";
import { Fault, storage, whole } from "#src/contract/fault.ts";
import { ROLLED_BACK, type Profile } from "#src/contract/records/profile.ts";
import type { IntegrationKey } from "#src/contract/wire/credential.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Profiles } from "#src/storage/documents/profiles.ts";

/** A credential signs the checks of one project; an integration key registers projects. */
export type NewKey =
  | { readonly kind: "credential"; readonly key: CredentialByHand }
  | { readonly kind: "integration-key"; readonly key: IntegrationKey };

export interface MadeProfile {
  /** The entry of the vault; null without a key. */
  readonly saved: SavedKey | null;
  /** Key of the project whose checks can be sent; null without a credential. */
  readonly project: string | null;
  /** Takes back all that was saved. @throws Fault("storage") */
  undo(): Promise<void>;
}

/**
 * @param profile the new profile
 * @param before the one of its name as it was shown, null for none
 * @param use whether it becomes the profile in use
 * @throws Fault("usage" | "bad_input") for an invalid profile or key, Fault("storage" | "corrupt" | "vault_locked"); then
 *   profiles, vault and projects are as they were
 */
export async function makeProfile(
  context: ActionContext & { profiles(): Promise<Profiles> },
  profile: Profile,
  before: Profile | null,
  key: NewKey | null,
  use: boolean,
): Promise<MadeProfile> {
  const profiles = await context.profiles();
  // Taking a profile into use would accept restored ones, which the user has not seen.
  const inUse = use ? await profiles.current() : null;
  if (inUse?.rolledBack === true) throw new Fault("corrupt", whole(ROLLED_BACK));
  const steps: (() => Promise<unknown>)[] = [];
  const undo = async (): Promise<void> => {
    for (const step of steps.splice(0).toReversed()) await step();
  };
  try {
    if (key !== null) await (await context.vault()).probe();
    await profiles.put(profile, before);
    steps.push(() => (before === null ? profiles.remove(profile.name) : profiles.put(before)));
    const saved = key === null ? null : await saveKey({ ...context, profile, addresses: () => profile }, key);
    if (saved !== null) steps.push(() => saved.undo());
    if (inUse !== null) {
      await profiles.use(profile.name);
      steps.push(() => profiles.use(inUse.name));
    }
    return { saved, project: key?.kind === "credential" ? keyByHand(key.key) : null, undo };
  } catch (error) {
    await undo().catch((failed: unknown) => {
      const why = failed instanceof Fault ? ` (${failed.message})` : "";
      const name = escapeText(profile.name, 64);
      throw storage`${whole(error instanceof Fault ? error.message : "The profile was not completed.")} What was saved before could not be taken back${whole(why)}; look with "verdict profile show ${name}" and "verdict vault list".`.causedBy(
        error,
      );
    });
    throw error;
  }
}

function saveKey(context: ActionContext, { kind, key }: NewKey): Promise<SavedKey> {
  return kind === "credential" ? addCredential(context, key) : addIntegrationKey(context, key);
}
