// Reports faults of store verbs as toasts; any other error is a defect and is rethrown.

import { systemFault } from "#src/app/system-fault.ts";
import { Fault } from "#src/contract/fault.ts";
import { safe } from "#src/display/safe.ts";
import type { Session } from "./session.ts";

/**
 * Runs an asynchronous verb.
 * @param sentenceOf the sentence for a fault; its own message by default
 * @returns null for a fault, which was shown as a toast
 */
export async function reportFaults<T>(
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

/** The sentence shown in place of content that failed to load: a fault's message, or that it is a defect. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Fault) return error.message;
  return `Something unexpected went wrong: ${safe(error instanceof Error ? error.message : String(error))}`;
}
