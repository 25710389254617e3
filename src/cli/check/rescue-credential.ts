// Rescues a received credential that could not be saved: by questions on a terminal, or by --rescue without one.

import type { RESCUE } from "./check-options.ts";
import { checkAgeFile, type UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import { askLine, isAttended } from "#src/cli/ask.ts";
import type { Invocation } from "#src/cli/command.ts";
import { newPassphrase } from "#src/cli/vault/passphrase-input.ts";
import { requireScreen, showSecret } from "#src/cli/vault/vault-secret.ts";
import { Fault, usage } from "#src/contract/fault.ts";
import { safe } from "#src/display/safe.ts";
import { formatZoned } from "#src/display/time.ts";

/** The age file for a credential that cannot be saved. */
interface Rescue {
  readonly file: string;
  /** Empty: sealed by a passphrase that is asked for. */
  readonly recipients: readonly string[];
}

/**
 * Reads --rescue and --recipient, and fails before anything is sent when they could not work.
 * @throws Fault("usage"), Fault("bad_input")
 */
export async function prepareRescue(invocation: Invocation<typeof RESCUE>): Promise<Rescue | null> {
  const { rescue: file, recipient: recipients } = invocation.options;
  if (file === undefined) return null;
  if (recipients.length === 0 && !isAttended(invocation)) {
    throw usage`--rescue needs a --recipient where there is no terminal to type a passphrase on; nothing was sent.`;
  }
  await checkAgeFile(file, recipients);
  return { file, recipients };
}

/**
 * Saves an unsaved credential if possible, and reports the result and the next step.
 * @returns true when the credential is in the vault after all
 */
export async function rescueCredential(
  invocation: Invocation,
  unsaved: UnsavedCredential,
  rescue: Rescue | null,
): Promise<boolean> {
  const { output } = invocation;
  output.complain(unsaved.fault.message);
  if (rescue !== null && (await attempt(invocation, () => intoFile(invocation, unsaved, rescue))))
    return false;
  if (isAttended(invocation)) return offer(invocation, unsaved);
  output.complain(`It was given up here; ${againWords(unsaved)}`);
  return false;
}

async function offer(invocation: Invocation, unsaved: UnsavedCredential): Promise<boolean> {
  const { output } = invocation;
  output.complain(`It is only in the memory of this program now; ${againWords(unsaved)}`);
  for (;;) {
    const answer = await askLine(
      invocation,
      "[r] save again, [f] save in an age file, [s] show the secret, [q] give it up: ",
      "Stopped; the credential was not saved.",
    );
    if (/^r/i.test(answer)) {
      if (await attempt(invocation, () => unsaved.save())) return true;
    } else if (/^f/i.test(answer)) {
      const file = await askLine(
        invocation,
        "Name of the new file: ",
        "Stopped; the credential was not saved.",
      );
      if (file === "") continue;
      if (await attempt(invocation, () => intoFile(invocation, unsaved, { file, recipients: [] })))
        return false;
    } else if (/^s/i.test(answer)) {
      await attempt(invocation, () => show(invocation, unsaved));
    } else if (/^q/i.test(answer)) {
      return false;
    }
  }
}

async function intoFile(invocation: Invocation, unsaved: UnsavedCredential, rescue: Rescue): Promise<void> {
  const { file, recipients } = rescue;
  await unsaved.writeTo(
    file,
    recipients.length > 0
      ? { recipients }
      : { passphrase: await newPassphrase(invocation, "of the file", null) },
  );
  invocation.output.complain(
    `The credential is in the age file ${safe(file)} and not in the vault; take it from there with "verdict vault import" once there is room.`,
  );
}

async function show(invocation: Invocation, unsaved: UnsavedCredential): Promise<void> {
  requireScreen(invocation);
  const { keyId, projectId, algorithm, secret } = unsaved.credential;
  const what = `Credential of ${safe(unsaved.projectKey)}: key id ${safe(keyId)}, project id ${safe(projectId)}, ${safe(algorithm)}, secret`;
  await showSecret(invocation, what, secret);
}

/** True on success; a fault is reported. */
async function attempt(invocation: Invocation, action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (!(error instanceof Fault) || error.code === "interrupted") throw error;
    invocation.output.complain(error.message);
    return false;
  }
}

function againWords({ againUntil }: UnsavedCredential): string {
  return againUntil === null
    ? 'the service gives it again within the 24 hours after its registration: run "verdict project credential" once more.'
    : `the service gives it again until ${formatZoned(againUntil)}: run "verdict project credential" once more.`;
}
