// News between workers: what was changed in the server by one of them, and when the others have taken it.

import { randomUUID } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { Patience } from "#src/sandbox/state/patience.ts";
import type { Valkey } from "./connection.ts";

const CHANGED = "v:changed";
const TAKEN = "v:taken";

/** Who changes something waits no longer for the others: one may be paused, or about to be found dead. */
const TAKEN_WITHIN_MS: Milliseconds = 1_000;

/** The list of tenants, as a subject; no tenant has this name. */
export const TENANT_LIST = "*";

export type Changes = Awaited<ReturnType<typeof openChanges>>;

/**
 * @param valkey a connection of its own: where somebody listens, the server cuts the connection when many answers wait there
 * @throws Fault `storage`
 */
export async function openChanges(valkey: Valkey) {
  const listeners = new Map<string, Set<() => Promise<void>>>();
  /** By the id of a message. */
  const waiting = new Map<string, { taken: number; onTaken: () => void }>();

  async function take(subject: string): Promise<void> {
    await Promise.all([...(listeners.get(subject) ?? [])].map((listener) => listener()));
  }

  /** Counts one who has taken a change of this worker, if it is one. */
  function isOwn(id: string): boolean {
    const found = waiting.get(id);
    if (found === undefined) return false;
    found.taken += 1;
    found.onTaken();
    return true;
  }

  await valkey.subscribe(CHANGED, (message) => {
    const [subject = "", id = ""] = message.split(" ");
    if (isOwn(id)) return;
    take(subject)
      .then(() => valkey.send(["PUBLISH", TAKEN, id]))
      // It takes it when it is connected again.
      .catch(() => undefined);
  });
  await valkey.subscribe(TAKEN, isOwn);
  valkey.onAgain(() => {
    for (const subject of listeners.keys()) void take(subject).catch(() => undefined);
  });

  return {
    /**
     * Called at each change of a tenant, or of TENANT_LIST, by another worker, and at each new connection.
     * @param listener resolves when this worker has taken it
     * @returns ends it
     */
    listen(subject: string, listener: () => Promise<void>): () => void {
      const mine = listeners.get(subject) ?? new Set();
      listeners.set(subject, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0) listeners.delete(subject);
      };
    },
    /**
     * @param change publishes the message on the channel, as one step with the change, and gives how many received it; this
     * worker has taken it then
     * @returns false where one of them has not taken it within a second
     */
    async announce(
      subject: string,
      change: (channel: string, message: string) => Promise<number>,
    ): Promise<boolean> {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      let receivers = Infinity;
      const entry = { taken: 0, onTaken: () => void (entry.taken >= receivers && resolve()) };
      waiting.set(id, entry);
      try {
        receivers = await change(CHANGED, `${subject} ${id}`);
        entry.onTaken();
        return await new Patience(TAKEN_WITHIN_MS).wait(promise).then(
          () => true,
          () => false,
        );
      } finally {
        waiting.delete(id);
      }
    },
  };
}
