// A server of states, or a Sentinel, that takes connections and says nothing.

import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectValkey } from "#src/sandbox/valkey/connection.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";

test.each(["valkey://127.0.0.1:PORT", "valkey+sentinel://127.0.0.1:PORT/sandbox"])(
  "%s is a fault, and not waited for",
  async (address) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const text = address.replace("PORT", String(port));
    await expect(connectValkey({ address: readStateAddress(text), password: null })).rejects.toMatchObject({
      code: "storage",
    });
    expect(sockets.length).toBeGreaterThan(0);
  },
);
