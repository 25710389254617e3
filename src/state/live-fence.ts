// Asks before many requests are sent: nothing on the sandbox, a confirmation on TEST, a typed word on LIVE.

import type { Profile } from "#src/contract/records/profile.ts";
import { shownAddress } from "#src/display/address.ts";
import type { Session } from "./session.ts";

export interface Batch {
  /** What is done, without an end: `Send 40 checks worth 1 200.00 UAH`. */
  readonly what: string;
  /** What Yes does, in a word or two: `start`. */
  readonly yes: string;
  /** Typed outside the sandbox; the name of the profile, and only on a live service, by default. */
  readonly typed?: string;
}

/** @returns whether it may be sent: at once on the sandbox; elsewhere after a confirmation, which on a live service is typed */
export async function agreeToBatch(
  session: Pick<Session, "agree">,
  profile: Profile,
  { what, yes, typed }: Batch,
): Promise<boolean> {
  if (profile.environment === "SANDBOX") return true;
  const isLive = profile.environment === "LIVE";
  const word = typed ?? (isLive ? profile.name : undefined);
  const service = isLive ? "the LIVE service" : "the test service";
  return session.agree({
    text: `${what} to ${service} at ${shownAddress(profile.baseUrl)}, profile ${profile.name}?`,
    yes,
    ...(word === undefined ? {} : { typed: word }),
  });
}
