// How verbs of the stores fail: a fault, or what the system says of a file, is said; anything else is a defect and is passed on.

import { systemFault } from "#src/app/system-fault.ts";
import { Fault } from "#src/contract/fault.ts";
import { safe } from "#src/display/safe.ts";
import type { Session } from "./session.ts";

/**
 * Runs an asynchronous verb.
 * @param sentenceOf what is said of a fault; its own message unless told
 * @returns null for a fault, which was said as a toast
 */
export async function guarded<T>(
  session: Pick<Session, "say">,
  run: () => Promise<T>,
  sentenceOf: (fault: Fault) => string = (fault) => fault.message,
): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    session.say(sentenceOf(faultOf(error)), "error");
    return null;
  }
}

/** The fault that an error is. @throws the error itself when it is a defect */
export function faultOf(error: unknown): Fault {
  const fault = systemFault(error);
  if (!(fault instanceof Fault)) throw error;
  return fault;
}

/** What is said of an error where it stands in place of what was to be shown: a fault's own message, or that it is a defect. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Fault) return error.message;
  return `Something unexpected went wrong: ${safe(error instanceof Error ? error.message : String(error))}`;
}
