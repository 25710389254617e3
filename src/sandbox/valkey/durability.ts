// Whether what was written would survive a power cut of the server.

import { storage } from "#src/contract/fault.ts";
import type { Valkey } from "./connection.ts";
import { listOf } from "./replies.ts";

/** Valkey and Redis from 7.2 on can tell; before, `appendfsync always` is the only way. */
const CONFIRM = ["WAITAOF", "1", "0", "1000"];

/** Resolves when the server has what was written before on its disk. At once from a server that cannot tell. */
export type Durability = () => Promise<void>;

/**
 * @param connect makes a connection of its own, as a server that waits for its disk answers nothing else there
 * @param onUnable receives a sentence when the server has no append-only file
 * @throws Fault `storage`
 */
export async function openDurability(
  valkey: Pick<Valkey, "send">,
  connect: () => Promise<Valkey>,
  onUnable: (sentence: string) => void,
): Promise<Durability> {
  const unable: Durability = async () => undefined;
  const [found] = listOf(await valkey.send(["COMMAND", "INFO", CONFIRM[0]!]));
  if (found === null) return unable;
  const own = await connect();

  async function confirm(): Promise<void> {
    // It waits for the last write of its own connection.
    const [, reply] = await Promise.all([own.send(["SET", "v:probe", "1", "PX", "1000"]), own.send(CONFIRM)]);
    if (listOf(reply)[0] === 1) return;
    throw storage`The server has not written to its disk within a second; see its log.`;
  }

  try {
    await confirm();
  } catch (error) {
    own.close();
    onUnable(
      `The server cannot say what is on its disk, so a registration may be lost in a power cut: ${(error as Error).message}`,
    );
    return unable;
  }

  let running: Promise<void> = Promise.resolve();
  /** For all that was written while another one is running. */
  let next: Promise<void> | null = null;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return (running = confirm());
      });
    return next;
  };
}
