// The proxy that cuts: it must cut where it says, or the tests behind it prove nothing.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { endOfValue, startCuttingProxy, type CuttingProxy } from "./cutting-proxy.ts";

describe("the end of a value", () => {
  test.each([
    "+OK\r\n",
    "-ERR no\r\n",
    ":1\r\n",
    "_\r\n",
    "$3\r\nabc\r\n",
    "$-1\r\n",
    "*-1\r\n",
    "$0\r\n\r\n",
    "*2\r\n$1\r\na\r\n*1\r\n:7\r\n",
    "%1\r\n+a\r\n*0\r\n",
    ">2\r\n+message\r\n+x\r\n",
    "|1\r\n+a\r\n+b\r\n:1\r\n",
    "=7\r\ntxt:abc\r\n",
  ])("%j", (text) => {
    const bytes = Buffer.from(text);
    for (let length = 0; length < bytes.length; length += 1) {
      expect([length, endOfValue(bytes.subarray(0, length), 0)]).toEqual([length, -1]);
    }
    expect(endOfValue(Buffer.concat([bytes, Buffer.from("+more\r\n")]), 0)).toBe(bytes.length);
  });
});

/** A server that answers each command with its number, and a client of it through the proxy. */
async function through(): Promise<{
  readonly proxy: CuttingProxy;
  readonly served: string[];
  client(): Promise<{ readonly socket: Socket; readonly read: () => string }>;
}> {
  const served: string[] = [];
  const server = createServer((socket) => {
    let rest = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      for (let end = endOfValue(rest, 0); end !== -1; end = endOfValue(rest, 0)) {
        served.push(/\$\d+\r\n([A-Z]+)\r\n/.exec(rest.toString("latin1"))![1]!);
        rest = rest.subarray(end);
        socket.write(`:${served.length}\r\n`);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy = await startCuttingProxy({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  return {
    proxy,
    served,
    async client() {
      const socket = connect({ host: "127.0.0.1", port: proxy.port });
      let text = "";
      socket.on("error", () => undefined).on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
      await once(socket, "connect");
      return { socket, read: () => text };
    },
  };
}

function command(...words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;
}

test("before: the nth command does not arrive, and the connection is over", async () => {
  const { proxy, served, client } = await through();
  const { socket, read } = await client();
  const happened = proxy.cut({ when: "before", command: /EVALSHA/, nth: 2 });
  const closed = once(socket, "close");
  socket.write(command("GET", "a") + command("EVALSHA", "1") + command("EVALSHA", "2") + command("GET", "b"));
  await Promise.all([happened, closed]);
  await expect.poll(() => served).toEqual(["GET", "EVALSHA"]);
  expect(":1\r\n:2\r\n".startsWith(read())).toBe(true);
  const next = await client();
  next.socket.write(command("EVALSHA", "3"));
  await expect.poll(next.read).toBe(":3\r\n");
});

test("after: it is carried out, and its reply does not arrive; held, the connection stays open", async () => {
  const { proxy, served, client } = await through();
  const { socket, read } = await client();
  socket.write(command("GET", "a"));
  await expect.poll(read).toBe(":1\r\n");
  const happened = proxy.cut({ when: "after", command: /EVALSHA/, nth: 1 }, true);
  socket.write(command("GET", "b") + command("EVALSHA", "1"));
  await happened;
  expect(served).toEqual(["GET", "GET", "EVALSHA"]);
  await expect.poll(read).toBe(":1\r\n:2\r\n");
  expect(socket.readyState).toBe("open");
});

test.each(["toServer", "toClient"] as const)("%s: after so many bytes", async (when) => {
  const { proxy, served, client } = await through();
  const { socket, read } = await client();
  const whole = when === "toServer" ? command("GET", "a").length : ":1\r\n".length;
  const happened = proxy.cut({ when, bytes: whole + 2 });
  const closed = once(socket, "close");
  socket.write(command("GET", "a") + command("GET", "b"));
  await Promise.all([happened, closed]);
  await expect.poll(() => served).toEqual(when === "toServer" ? ["GET"] : ["GET", "GET"]);
  if (when === "toClient") expect(read()).toBe(":1\r\n:2");
});

test("silence passes nothing on, and nothing is lost when it ends; a refusal ends connections", async () => {
  const { proxy, served, client } = await through();
  const { socket, read } = await client();
  proxy.silence();
  socket.write(command("GET", "a"));
  const other = await client();
  other.socket.write(command("GET", "b"));
  await new Promise(setImmediate);
  expect(served).toEqual([]);
  proxy.restore();
  await expect.poll(() => [read(), other.read()].toSorted()).toEqual([":1\r\n", ":2\r\n"]);
  const closed = once(socket, "close");
  proxy.refuse();
  await closed;
  const refused = await client();
  await once(refused.socket, "close");
  proxy.restore();
  const again = await client();
  again.socket.write(command("GET", "c"));
  await expect.poll(again.read).toBe(":3\r\n");
});
