// How verbs of the stores fail: a fault, or what the system says of a file, is said; anything else is a defect and is passed on.

import { systemFault } from "#src/app/system-fault.ts";
import { Fault } from "#src/contract/fault.ts";
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
