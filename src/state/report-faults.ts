// Reports faults of store verbs as toasts; any other error is a defect and is rethrown.

import { systemFault } from "#src/app/system-fault.ts";
import { Fault } from "#src/contract/fault.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { safe } from "#src/display/safe.ts";
import type { Session } from "./session.ts";

/** Commands that faults name, and what does the same in the console. */
const IN_CONSOLE: readonly (readonly [command: RegExp, place: (keyName: KeyName) => string])[] = [
  [/"verdict vault add [^"]*"/, (keyName) => `${keyName("vault.add")} on Vault (${keyName("shell.vault")})`],
  [/"verdict vault list"/, (keyName) => `Vault (${keyName("shell.vault")})`],
  [/"verdict project list"/, (keyName) => `Register (${keyName("shell.register")})`],
  [/"verdict profile (?:list|use)"/, (keyName) => `Profiles (${keyName("shell.profiles")})`],
  [/"verdict run list"/, (keyName) => `Replay (${keyName("shell.replay")})`],
];

/** The sentence of a fault with keys in place of commands for a shell, where a key does the same. */
export function inConsole(message: string, keyName: KeyName): string {
  return IN_CONSOLE.reduce((text, [command, place]) => text.replace(command, () => place(keyName)), message);
}

/**
 * Runs an asynchronous verb.
 * @param sentenceOf the sentence for a fault; by default its own message, with keys in place of commands
 * @returns null for a fault, which was shown as a toast
 */
export async function reportFaults<T>(
  session: Pick<Session, "say" | "keyName">,
  run: () => Promise<T>,
  sentenceOf: (fault: Fault) => string = (fault) => inConsole(fault.message, session.keyName),
): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    session.say(sentenceOf(faultOf(error)), "error");
    return null;
  }
}

/** The sentence of the fault that something throws; null when it throws none. */
export async function problemIn(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    return faultOf(error).message;
  }
}

/** The fault that an error is. @throws the error itself when it is a defect */
export function faultOf(error: unknown): Fault {
  const fault = systemFault(error);
  if (!(fault instanceof Fault)) throw error;
  return fault;
}

/** The sentence shown in place of content that failed to load: a fault's message, or that it is a defect. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Fault) return error.message;
  return `Internal error: ${safe(error instanceof Error ? error.message : String(error))}`;
}
