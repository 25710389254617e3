// Refuses to send through a read-only profile or one that was rolled back.

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import type { Client } from "#src/client/client.ts";
import { Fault, sentence, whole } from "#src/contract/fault.ts";
import { whyNotSend, type Profile } from "#src/contract/records/profile.ts";

type Sending = Pick<Profile, "name" | "readOnly" | "rolledBack">;

/**
 * To be called before an intent to send is written.
 * @throws Fault("read_only"), Fault("corrupt") for a profile that was rolled back
 */
export function requireSendable(profile: Sending): void {
  const why = whyNotSend(profile);
  if (why !== null) throw new Fault(profile.rolledBack === true ? "corrupt" : "read_only", whole(why));
}

/** Opens the service for sending. @throws Fault("read_only" | "corrupt") before it is opened, and faults of opening it */
export async function serviceToSendTo(context: Pick<ActionContext, "profile" | "service">): Promise<Service> {
  requireSendable(context.profile);
  return await beforeSending(() => context.service());
}

/**
 * Prepares the disk for a request.
 * @throws errors of `prepare`; storage faults say in addition that nothing was sent
 */
export async function beforeSending<T>(prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== "storage" && error.code !== "corrupt")) throw error;
    throw new Fault(error.code, sentence`Nothing was sent: ${whole(error.message)}`).causedBy(error);
  }
}

/** A client that checks the profile before each call, as it is then. Calls reject as `requireSendable` throws. */
export function guardedClient(client: Client, profile: Sending): Client {
  const guarded =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      requireSendable(profile);
      return await call(...given);
    };
  return {
    check: guarded(client.check),
    register: guarded(client.register),
    credential: guarded(client.credential),
    close: () => client.close(),
  };
}
