// age files (age-encryption.org/v1): sealed by a passphrase or for recipients, binary or armored. Every age implementation opens them.

import { badInput, Fault, whole } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";

/** A passphrase, or recipients (`age1...`), of whom each opens the file with an identity. */
export type AgeRecipients = { readonly passphrase: Secret } | { readonly recipients: readonly string[] };

/**
 * The passphrase is asked for only if the file was sealed with one; the identities are the text of
 * an identity file (`AGE-SECRET-KEY-1...` a line, lines after `#` are remarks).
 */
export type AgeIdentity = { readonly passphrase: () => Promise<Secret> } | { readonly identities: Secret };

const ARMOR_START = "-----BEGIN AGE ENCRYPTED FILE-----";
const ARMOR_END = "-----END AGE ENCRYPTED FILE-----";
const INTRODUCTION = "age-encryption.org/v1\n";

/**
 * Seals bytes into an age file.
 * @param armored as ASCII text, for mail and the clipboard
 * @throws Fault("bad_input") for an invalid recipient
 */
export async function sealAge(plain: Uint8Array, to: AgeRecipients, armored: boolean): Promise<Buffer> {
  const { Encrypter, armor } = await import("age-encryption");
  const encrypter = new Encrypter();
  if ("passphrase" in to) encrypter.setPassphrase(to.passphrase.expose());
  else for (const recipient of to.recipients) addRecipient(encrypter, recipient);
  const sealed = await encrypter.encrypt(plain);
  return Buffer.from(armored ? armor.encode(sealed) : sealed);
}

/** Checks the recipients before anything is written. @throws Fault("bad_input") naming it */
export async function checkRecipients(recipients: readonly string[]): Promise<void> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) addRecipient(encrypter, recipient);
}

function addRecipient(encrypter: { addRecipient(recipient: string): void }, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw badInput`"${recipient}" is not an age recipient; "age-keygen" prints a recipient, which begins with age1.`;
  }
}

/**
 * Opens an age file.
 * @throws Fault("bad_input") for what is no age file, does not open, or was changed after it was sealed
 */
export async function openAge(bytes: Uint8Array, from: AgeIdentity): Promise<Buffer> {
  const { Decrypter, armor } = await import("age-encryption");
  requireNoMark(bytes);
  const sealed = isArmored(bytes)
    ? attempt(() => armor.decode(Buffer.from(bytes).toString("latin1")), armorProblem(bytes))
    : bytes;
  const byPassphrase = isSealedByPassphrase(sealed);
  const decrypter = new Decrypter();
  if ("passphrase" in from) {
    if (!byPassphrase) {
      throw badInput`The file was sealed for recipients and not by a passphrase; name the file of your identity with --identity.`;
    }
    decrypter.addPassphrase((await from.passphrase()).expose());
  } else {
    if (byPassphrase) {
      throw badInput`The file was sealed by a passphrase; open it without --identity.`;
    }
    for (const identity of identitiesIn(from.identities)) {
      attempt(
        () => decrypter.addIdentity(identity),
        "The identity file has a line that is not an age identity.",
      );
    }
  }
  try {
    return Buffer.from(await decrypter.decrypt(sealed));
  } catch (error) {
    const problem = error instanceof Error ? error.message : "";
    if (/no identity matched/.test(problem)) {
      throw new Fault(
        "bad_input",
        whole(
          byPassphrase
            ? "The passphrase of the file is wrong; try again."
            : "The file is sealed for other people: your identities do not open it.",
        ),
      );
    }
    if (/work factor/.test(problem)) {
      throw badInput`The scrypt work factor of the file is above 2^20, so verdict did not open it; encrypt the file again with a lower work factor.`;
    }
    throw new Fault("bad_input", whole(CUT)).causedBy(error);
  }
}

const CUT = "The age file is damaged or was cut short; take another copy of it.";
const NO_AGE = 'The file is no age file; give one that "verdict vault export" or age has made.';

/** @throws Fault("bad_input") for a byte order mark, which editors and shells of Windows put before a text */
function requireNoMark(bytes: Uint8Array): void {
  const [first, second, third] = bytes;
  const isUtf8 = first === 0xef && second === 0xbb && third === 0xbf;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!isUtf8 && !isUtf16) return;
  const coding = isUtf8 ? "UTF-8 with" : "UTF-16 with";
  throw badInput`The file was saved as ${coding} a byte order mark, so it is not a valid age file; use the original file.`;
}

/** Why an armored file cannot be read, as far as its text tells. */
function armorProblem(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  return text.includes(ARMOR_END) ? NO_AGE : CUT;
}

function isArmored(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).subarray(0, 256).toString("latin1").trimStart().startsWith(ARMOR_START);
}

/** By the first stanza of the header: a passphrase stands alone (age-encryption.org/v1, "scrypt recipient type"). */
function isSealedByPassphrase(sealed: Uint8Array): boolean {
  const head = Buffer.from(sealed.subarray(0, 64)).toString("latin1");
  if (!head.startsWith(INTRODUCTION)) throw new Fault("bad_input", whole(NO_AGE));
  return head.slice(INTRODUCTION.length).startsWith("-> scrypt ");
}

function identitiesIn(file: Secret): string[] {
  const lines = file
    .expose()
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length > 0) return lines;
  throw badInput`The identity file holds no identity; one begins with AGE-SECRET-KEY-1.`;
}

/** Errors of the library may contain their input, so their text is not shown. */
function attempt<R>(action: () => R, sentence: string): R {
  try {
    return action();
  } catch {
    throw new Fault("bad_input", whole(sentence));
  }
}
