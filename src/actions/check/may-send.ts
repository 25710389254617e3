// Whether anything may be sent at all: the one place where a read-only or a rolled back profile says no.

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import type { Client } from "#src/client/client.ts";
import { Fault } from "#src/contract/fault.ts";
import { whyNotSend, type Profile } from "#src/contract/records/profile.ts";

type Sending = Pick<Profile, "name" | "readOnly" | "rolledBack">;

/**
 * Before anything is written down that means to send.
 * @throws Fault("read_only"), Fault("corrupt") for a profile that was rolled back
 */
export function insistOnSending(profile: Sending): void {
  const why = whyNotSend(profile);
  if (why !== null) throw new Fault(profile.rolledBack === true ? "corrupt" : "read_only", why);
}

/** The service, to be sent to. @throws Fault("read_only" | "corrupt") before it is opened, and whatever opening it throws */
export async function serviceToSendTo(context: Pick<ActionContext, "profile" | "service">): Promise<Service> {
  insistOnSending(context.profile);
  return await beforeSending(() => context.service());
}

/**
 * Does what a request needs on disk before it leaves.
 * @throws what `prepare` throws; for a file that fails, with the word that nothing was sent
 */
export async function beforeSending<T>(prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== "storage" && error.code !== "corrupt")) throw error;
    throw new Fault(error.code, `Nothing was sent: ${error.message}`, { cause: error });
  }
}

/** A client that sends only what the profile lets it. Each call rejects as `insistOnSending` throws. */
export function guardedClient(client: Client, profile: Sending): Client {
  if (whyNotSend(profile) === null) return client;
  const refuse = async (): Promise<never> => {
    insistOnSending(profile);
    throw new TypeError("a profile that may send");
  };
  return { check: refuse, register: refuse, credential: refuse, close: () => client.close() };
}
