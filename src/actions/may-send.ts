// Whether anything may be sent at all: the one place where a read-only profile says no.

import type { Client } from "#src/client/client.ts";
import { Fault } from "#src/contract/fault.ts";
import { whyNotSend, type Profile } from "#src/contract/profile.ts";
import type { ActionContext, Service } from "./action-context.ts";

/**
 * Before anything is written down that means to send.
 * @throws Fault("read_only")
 */
export function insistOnSending(profile: Pick<Profile, "name" | "readOnly">): void {
  const why = whyNotSend(profile);
  if (why !== null) throw new Fault("read_only", why);
}

/** The service, to be sent to. @throws Fault("read_only") before it is opened, and whatever opening it throws */
export async function serviceToSendTo(context: Pick<ActionContext, "profile" | "service">): Promise<Service> {
  insistOnSending(context.profile);
  return await context.service();
}

/** A client that sends nothing. Each call rejects with Fault("read_only"). */
export function closedClient(client: Client, profile: Profile): Client {
  const refuse = (): Promise<never> =>
    Promise.reject(new Fault("read_only", whyNotSend({ ...profile, readOnly: true })!));
  return { check: refuse, register: refuse, credential: refuse, close: () => client.close() };
}
