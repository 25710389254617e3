// A server of states that answers anything at all: every answer of another kind than was asked for is a fault of one sentence.

import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { Fault } from "#src/contract/fault.ts";
import { connectValkey, scan, type Valkey } from "#src/sandbox/valkey/connection.ts";
import { bytesOf, listOf, saidOf, textOf, wholeOf } from "#src/sandbox/valkey/replies.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { makeAuthority } from "../client/certificates.ts";

/** By what they are, as RESP 3 writes them. */
const ANSWERS: Readonly<Record<string, string>> = {
  "an error": "-ERR \u001b[2Jno\r\n",
  "an error of its own kind": "-CONSTRUCTOR no\r\n",
  "a long error": "!12\r\nERR \u001b[2Jbig!\r\n",
  nothing: "_\r\n",
  "nothing of RESP 2": "$-1\r\n",
  "an empty text": "$0\r\n\r\n",
  "a text": "$4\r\nnull\r\n",
  "a simple text": "+OK\r\n",
  "a number": ":7\r\n",
  "a number beyond 2^53": ":9007199254740993\r\n",
  "a big number": "(3492890328409238509324850943850943825024385\r\n",
  "a double": ",3.5\r\n",
  infinity: ",inf\r\n",
  "a truth": "#t\r\n",
  "an empty list": "*0\r\n",
  "a list in a list": "*1\r\n*1\r\n*0\r\n",
  "a list with an error": "*2\r\n$5\r\nworld\r\n-ERR no\r\n",
  "a list with a truth": "*1\r\n#f\r\n",
  "a map": "%1\r\n$1\r\na\r\n$1\r\nb\r\n",
  "a set": "~1\r\n$1\r\na\r\n",
  "a verbatim text": "=8\r\ntxt:null\r\n",
};

/** What reads an answer, and the answers that it takes. */
const READERS = {
  bytes: { read: (valkey) => valkey.send(["GET", "v:a"]).then(bytesOf), takes: /text$/ },
  text: { read: (valkey) => valkey.send(["GET", "v:a"]).then(textOf), takes: /text$/ },
  number: { read: (valkey) => valkey.send(["INCR", "v:a"]).then(wholeOf), takes: /^a number$/ },
  list: { read: (valkey) => valkey.send(["HKEYS", "v:a"]).then(listOf), takes: /list|set/ },
  script: {
    read: async (valkey) => {
      const reply = await valkey.run({ text: "", sha1: "" }, [], []);
      return saidOf(listOf(reply)[0], ["done"]);
    },
    takes: /^$/,
  },
  scan: { read: (valkey) => scan(valkey, ["SCAN"], [], async () => undefined), takes: /^$/ },
} satisfies Record<string, { read: (valkey: Valkey) => Promise<unknown>; takes: RegExp }>;

/** Greets as a server does, and gives one answer to all else but the probe. */
async function answering(): Promise<{ readonly valkey: Valkey; answer: string }> {
  const state = { answer: "" };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      const [command] = /HELLO|SET/i.exec(data.toString("latin1")) ?? [];
      socket.write(
        command === undefined ? state.answer : command === "SET" ? "+OK\r\n" : "%1\r\n+proto\r\n:3\r\n",
      );
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const address = readStateAddress(`valkey://127.0.0.1:${port}`);
  const valkey = await connectValkey({ address, password: null, silentMs: 20_000 });
  onTestFinished(() => {
    valkey.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return Object.assign(state, { valkey });
}

test.each(Object.keys(READERS) as (keyof typeof READERS)[])(
  "where a %s is asked for, everything else is a fault",
  async (kind) => {
    const server = await answering();
    const { read, takes } = READERS[kind];
    for (const [name, answer] of Object.entries(ANSWERS)) {
      server.answer = answer;
      const failure: unknown = await read(server.valkey).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) {
        expect(name).toMatch(takes);
        continue;
      }
      expect(failure, name).toBeInstanceOf(Fault);
      expect(failure, name).toMatchObject({ code: "storage" });
      expect((failure as Fault).message, name).toMatch(/^The server [\u0020-\u007e]+\.$/);
    }
  },
);

test("what is no answer at all loses the connection, and nothing else", async () => {
  const server = await answering();
  server.answer = "?what\r\n";
  await expect(server.valkey.send(["GET", "v:a"])).rejects.toMatchObject({ code: "storage" });
  server.answer = ":1\r\n";
  await expect.poll(() => server.valkey.problem).toBeNull();
  expect(await server.valkey.send(["INCR", "v:a"])).toBe(1);
});

test("a certificate of an unknown authority is refused, also where the check of all others is switched off", async () => {
  const { certificate, key } = await (await makeAuthority()).issue();
  const server = createTlsServer({ cert: certificate, key }).on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
  });
  const address = readStateAddress(`valkeys://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(connectValkey({ address, password: null })).rejects.toThrow("--state-ca");
});
