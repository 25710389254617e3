// A connection to a server of states that is cut anywhere: what was answered was done once, and nobody waits.

import { describe, expect, it, onTestFinished } from "vitest";
import { connectValkey } from "#src/sandbox/valkey/connection.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { isWithoutServer, startServer } from "./server.ts";

const AT_ONCE = 8;
const FAULT_MS = 250;

describe.skipIf(isWithoutServer())("a connection", () => {
  it.each(["toServer", "toClient"] as const)("cut %s after any byte", async (when) => {
    const server = await startServer();
    const proxy = await startCuttingProxy({ path: server.socket });
    const address = readStateAddress(`valkey://127.0.0.1:${proxy.port}`);
    const valkey = await connectValkey({ address, password: null });
    onTestFinished(async () => {
      valkey.close();
      await proxy.close();
      await server.stop();
    });
    const values: number[] = [];
    let faults = 0;
    let slowest = 0;
    for (let bytes = 1; bytes < 320; bytes += 3) {
      const state = { cut: false };
      void proxy.cut({ when, bytes }).then(() => (state.cut = true));
      const began = performance.now();
      const replies = await Promise.allSettled(
        Array.from({ length: AT_ONCE }, () => valkey.send(["INCR", "v:n"])),
      );
      slowest = Math.max(slowest, performance.now() - began);
      for (const reply of replies) {
        if (reply.status === "fulfilled") values.push(reply.value as number);
        else {
          expect(reply.reason).toMatchObject({ code: "storage" });
          faults += 1;
        }
      }
      // Connecting again passes bytes, too, and may be cut itself.
      const isOver = async (): Promise<boolean> => {
        await valkey.send(["PING"]).catch(() => undefined);
        return state.cut && valkey.problem === null;
      };
      await expect.poll(isOver, { interval: 1 }).toBe(true);
    }
    expect(new Set(values).size).toBe(values.length);
    const done = Number(String(await valkey.send(["GET", "v:n"])));
    expect(done).toBeGreaterThanOrEqual(values.length);
    expect(done).toBeLessThanOrEqual(values.length + faults);
    expect(faults).toBeGreaterThan(100);
    expect(slowest).toBeLessThan(FAULT_MS);
    process.stdout.write(`${when}: ${values.length} answered, ${faults} faults, ${slowest.toFixed(0)} ms\n`);
  });
});
