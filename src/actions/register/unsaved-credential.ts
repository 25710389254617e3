// A credential that came and could not be saved: it is in memory only, and this is how it is not lost.

import type { ActionContext } from "#src/actions/action-context.ts";
import { fileIsThere } from "#src/actions/whole-file.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { ProjectCredential } from "#src/contract/wire/credential.ts";
import { checkRecipients, type AgeRecipients } from "#src/vault/age-file.ts";
import { writeExport } from "#src/vault/vault-export.ts";

export interface UnsavedCredential {
  /** That it came, and why it is not in the vault. */
  readonly fault: Fault;
  /** `<merchant_id>/<risk_level>` */
  readonly projectKey: string;
  readonly credential: ProjectCredential;
  /** Until when the service gives the same answer again, by the local clock; null where that is not known. */
  readonly againUntil: Milliseconds | null;
  /** Tries once more to save it in the vault. @throws Fault when that still does not work; it is not lost by that */
  save(): Promise<Project>;
  /**
   * Writes it into a new age file, which "verdict vault import" takes.
   * @throws Fault("usage") when a file of that name is there, Fault("bad_input") for an unusable recipient, Fault("storage")
   */
  writeTo(target: string, to: AgeRecipients): Promise<void>;
}

/** Makes what is left to do with a credential that the vault did not take. */
export function unsavedCredential(
  context: ActionContext,
  given: Pick<UnsavedCredential, "fault" | "projectKey" | "credential" | "againUntil" | "save">,
): UnsavedCredential {
  const { projectKey, credential } = given;
  return {
    ...given,
    writeTo: (target, to) =>
      writeExport(
        target,
        [
          {
            kind: "project_credential",
            profile: context.profile.name,
            projectKey,
            baseUrl: context.addresses().baseUrl,
            ...credential,
          },
        ],
        to,
        { at: context.now() },
      ),
  };
}

/**
 * Looks before anything is sent whether the age file could be written: afterwards it would be too late.
 * @throws Fault("usage") when a file of that name is there, Fault("bad_input") for an unusable recipient
 */
export async function checkAgeFile(target: string, recipients: readonly string[]): Promise<void> {
  await checkRecipients(recipients);
  const { lstat } = await import("node:fs/promises");
  const found = await lstat(target).catch(() => null);
  if (found !== null) throw fileIsThere(target);
}
