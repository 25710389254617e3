// When a server says that what was written is on its disk.

import { describe, expect, it } from "vitest";
import type { Valkey } from "#src/sandbox/valkey/connection.ts";
import type { Reply } from "#src/sandbox/valkey/replies.ts";
import { openDurability } from "#src/sandbox/valkey/durability.ts";

const KNOWS_WAITAOF: Reply = [[2]];

/** A server that answers WAITAOF when it is told to. */
function server(known: Reply) {
  const waiting: ((reply: Reply | Error) => void)[] = [];
  let closed = false;
  const valkey = {
    send: (args: readonly string[]) => {
      if (args[0] === "COMMAND") return Promise.resolve(known);
      if (args[0] === "SET") return Promise.resolve(Buffer.from("OK"));
      return new Promise<Reply>((resolve, reject) =>
        waiting.push((reply) => (reply instanceof Error ? reject(reply) : resolve(reply))),
      );
    },
    close: () => (closed = true),
  } as unknown as Valkey;
  const answer = (reply: Reply | Error): void => waiting.shift()!(reply);
  return { valkey, waiting, answer, isClosed: () => closed };
}

async function opened(known = KNOWS_WAITAOF, first: Reply | Error = [1, 0]) {
  const told: string[] = [];
  const fake = server(known);
  const opening = openDurability(
    fake.valkey,
    async () => fake.valkey,
    (sentence) => told.push(sentence),
  );
  if (known === KNOWS_WAITAOF) {
    await expect.poll(() => fake.waiting.length).toBe(1);
    fake.answer(first);
  }
  return { ...fake, told, durability: await opening };
}

describe("what was written", () => {
  it("is confirmed at once by a server that cannot tell, which the documentation says", async () => {
    const { durability, told, waiting } = await opened([null]);
    await durability();
    expect([told, waiting]).toEqual([[], []]);
  });

  it("is confirmed at once where the server has no file to write to, and that is told", async () => {
    const { durability, told, isClosed } = await opened(KNOWS_WAITAOF, new Error("appendonly is disabled."));
    await durability();
    expect(told).toEqual([expect.stringContaining("may be lost in a power cut: appendonly is disabled.")]);
    expect(isClosed()).toBe(true);
  });

  it("waits for the disk, and what is written meanwhile waits for the next time, together", async () => {
    const { durability, waiting, answer } = await opened();
    const done: string[] = [];
    const confirm = (name: string) => durability().then(() => done.push(name));
    const first = confirm("a");
    await expect.poll(() => waiting.length).toBe(1);
    const rest = ["b", "c", "d"].map(confirm);
    answer([1, 0]);
    await first;
    await expect.poll(() => waiting.length).toBe(1);
    expect(done).toEqual(["a"]);
    answer([1, 0]);
    await Promise.all(rest);
    expect([done.length, waiting.length]).toEqual([4, 0]);
  });

  it("is refused when the disk takes too long, and tried again by the next", async () => {
    const { durability, waiting, answer } = await opened();
    const refused = expect(durability()).rejects.toMatchObject({ code: "storage" });
    await expect.poll(() => waiting.length).toBe(1);
    answer([0, 0]);
    await refused;
    const next = durability();
    await expect.poll(() => waiting.length).toBe(1);
    answer([1, 0]);
    await next;
  });
});
