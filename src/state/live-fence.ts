// Asks before many requests are sent: nothing on the sandbox, a confirmation on TEST, a typed word on LIVE.

import type { Profile } from "#src/contract/records/profile.ts";
import { shownAddress } from "#src/display/address.ts";
import type { Session } from "./session.ts";

export interface Batch {
  /** Of the question: `Start the replay`. */
  readonly title: string;
  /** What is done, without an end: `Send 40 checks worth 1 200.00 UAH`. */
  readonly what: string;
  /** What Yes does, in a word or two: `Start`. */
  readonly yes: string;
  /** Typed outside the sandbox; the name of the profile, and only on a live service, by default. */
  readonly typed?: string;
  readonly run: () => void;
}

/** Runs the batch at once on the sandbox; elsewhere after a confirmation, which on a live service is typed. */
export function askBeforeBatch(session: Pick<Session, "confirm">, profile: Profile, batch: Batch): void {
  const { title, what, yes, run } = batch;
  if (profile.environment === "SANDBOX") return run();
  const isLive = profile.environment === "LIVE";
  const typed = batch.typed ?? (isLive ? profile.name : undefined);
  const service = isLive ? "the LIVE service" : "the test service";
  session.confirm({
    title: isLive ? `LIVE: ${title}` : title,
    text: `${what} to ${service} at ${shownAddress(profile.baseUrl)}, profile ${profile.name}?`,
    yes,
    ...(typed === undefined ? {} : { typed }),
    onYes: run,
  });
}
