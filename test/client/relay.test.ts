// The relay between an integration and its service: bytes on both sides of it, and what it refuses to pass on.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { CANCELLED } from "#src/client/failure.ts";
import { UnreadableAnswer } from "#src/client/status-line.ts";
import { startRelay, type NotForwarded, type Relay, type SeenCheck } from "#src/client/relay.ts";
import { PLAIN_NETWORK } from "#src/client/routes.ts";

const ANSWER =
  'HTTP/1.1 200 Fine\r\nServer: x\r\nX-Two: 1\r\nx-two: 2\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{"status":"good"}';

interface Around {
  readonly port: number;
  readonly relay: Relay;
  /** All that the service received. */
  received(): string;
  readonly checks: SeenCheck[];
  readonly refused: NotForwarded[];
  others(): number;
  /** Sends bytes on a new connection. @returns all that comes until it is closed, or `enough` of it */
  send(bytes: string, enough?: RegExp): Promise<string>;
  open(): Socket;
  end(): Promise<void>;
}

/** @param serve answers once the received bytes end a request; by default ANSWER for each */
async function around(
  serve: (socket: Socket, received: string) => void = (socket) => socket.write(ANSWER),
): Promise<Around> {
  let received = "";
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      received += data.toString("latin1");
      serve(socket, received);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [checks, refused]: [SeenCheck[], NotForwarded[]] = [[], []];
  let others = 0;
  const relay = await startRelay({
    host: "127.0.0.1",
    port: 0,
    endpoints: [
      { call: "check", url: new URL(`${origin}/api/v1/check`) },
      { call: "register", url: new URL(`${origin}/projects`) },
    ],
    network: PLAIN_NETWORK,
    now: () => 1_000,
    onCheck: (seen) => checks.push(seen),
    onOther: () => (others += 1),
    onNotForwarded: (what) => refused.push(what),
  });
  const sockets = new Set<Socket>();
  const open = (): Socket => {
    const socket = connect(relay.port, "127.0.0.1").on("error", () => undefined);
    sockets.add(socket);
    return socket;
  };
  const end = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await relay.end(0);
    server.close();
  };
  onTestFinished(end);
  return {
    port: relay.port,
    relay,
    received: () => received,
    checks,
    refused,
    others: () => others,
    open,
    end,
    async send(bytes, enough = /(?!)/) {
      const socket = open();
      let text = "";
      socket.write(bytes, "latin1");
      await new Promise<void>((resolve) => {
        socket.on("close", resolve);
        socket.on("data", (data) => {
          text += data.toString("latin1");
          if (enough.test(text)) resolve();
        });
      });
      return text;
    },
  };
}

const request = (body: string, headers = "", path = "/api/v1/check"): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:8788\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

/** The service answers once, whatever comes. */
const once1 =
  (answer: string, then: (socket: Socket) => void = () => undefined) =>
  (socket: Socket): void => {
    if (socket.bytesWritten === 0) socket.write(answer, "latin1", () => then(socket));
  };

/** Without the lines that each connection has for itself. */
const plain = (message: string): string => message.replaceAll(/\r\n(?:Connection|Keep-Alive): [^\r]*/gi, "");

/** The data of chunks, which may be cut elsewhere than they were. */
const dechunked = (message: string): string => {
  const [head = "", ...rest] = message.split("\r\n\r\n");
  return `${head}\r\n\r\n${rest.join("\r\n\r\n").replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/gi, "")}`;
};

describe("what the relay passes on", () => {
  it("is method, target, names and values of headers in their order and case, and the body", async () => {
    const { send, received, checks } = await around();
    const headers = 'X-Key-ID: k\r\nx-KEY-id: K\r\nAuthorization: Signature a="b"\r\nX-Latin: caf\xe9\r\n';
    const sent = request('{"a":"\xe9"}', headers, "/api/v1/check?b=2&a=%41");
    const answer = await send(sent, /good/);
    expect(plain(received())).toBe(sent);
    expect(plain(answer)).toBe(ANSWER);
    await expect.poll(() => checks.length).toBe(1);
    expect(checks[0]).toMatchObject({
      at: 1_000,
      body: Buffer.from('{"a":"\xe9"}', "latin1"),
      exchange: { kind: "answer", answer: { status: 200, ending: "complete" } },
    });
  });

  it("holds for any headers and bodies, on connections that are kept", async () => {
    const whole = ANSWER.length;
    let sentLength = 0;
    const { open, received, checks } = await around((socket, text) => {
      if (plain(text).length === sentLength) socket.write(ANSWER);
    });
    const socket = open();
    let answers = 0;
    socket.on("data", (data) => (answers += plain(data.toString("latin1")).length));
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/).map((text) => `X-${text}`);
    const value = fc.stringMatching(/^[!-~\xa1-\xff](?:[ -~\xa1-\xff]{0,40}[!-~\xa1-\xff])?$/);
    const lines = fc.array(fc.tuple(name, value), { maxLength: 12 });
    const body = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCodePoint(code)),
      maxLength: 300,
    });
    let all = "";
    let count = 0;
    await fc.assert(
      fc.asyncProperty(lines, body, async (pairs, text) => {
        const sent = request(text, pairs.map(([key, held]) => `${key}: ${held}\r\n`).join(""));
        all += sent;
        sentLength = all.length;
        count += 1;
        socket.write(sent, "latin1");
        await expect.poll(() => answers, { interval: 1 }).toBe(count * whole);
        expect(plain(received())).toBe(all);
      }),
      { numRuns: 60 },
    );
    await expect.poll(() => checks.length).toBe(count);
  });

  it("is a body in chunks with its trailers, and of any size", async () => {
    const head =
      "POST /api/v1/check HTTP/1.1\r\nHost: localhost:1\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n";
    const { send, received, checks } = await around((socket, text) => {
      if (text.endsWith("0\r\nX-T: 1\r\n\r\n")) socket.write(ANSWER);
    });
    await send(`${head}3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\nX-T: 1\r\n\r\n`, /good/);
    expect(plain(dechunked(received()))).toBe(`${head}{"a":1}X-T: 1\r\n\r\n`);
    await expect.poll(() => checks[0]?.body?.toString()).toBe('{"a":1}');

    const long = await around((socket, text) => void (text.endsWith("z") && socket.write(ANSWER)));
    const limit = `${"y".repeat(64 * 1024 - 1)}z`;
    await long.send(request(limit), /good/);
    await long.send(request(`x${limit}`), /good/);
    expect(plain(long.received())).toBe(request(limit) + request(`x${limit}`));
    await expect.poll(() => long.checks.map(({ body }) => body?.length ?? null)).toEqual([64 * 1024, null]);
  });

  it("goes on while it is sent, in both directions", async () => {
    const { open, received } = await around((socket, text) => {
      if (text.endsWith("one")) socket.write(ANSWER.slice(0, -5));
      if (text.endsWith("two")) socket.write(ANSWER.slice(-5));
    });
    const client = open();
    let text = "";
    client.on("data", (data) => (text += data.toString()));
    client.write(request("one-two").slice(0, -4));
    await expect.poll(() => plain(text)).toBe(ANSWER.slice(0, -5));
    expect(received().endsWith("one")).toBe(true);
    client.write("-two");
    await expect.poll(() => plain(text)).toBe(ANSWER);
  });

  it("waits for 100 Continue as the integration does", async () => {
    const { open } = await around((socket, text) => {
      socket.write(text.endsWith("{}") ? ANSWER : "HTTP/1.1 100 Continue\r\n\r\n");
    });
    const client = open();
    let text = "";
    client.on("data", (data) => (text += data.toString()));
    client.write(request("{}", "Expect: 100-continue\r\n").slice(0, -2));
    await expect.poll(() => text).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    client.write("{}");
    await expect.poll(() => plain(text)).toBe(`HTTP/1.1 100 Continue\r\n\r\n${ANSWER}`);
  });

  it("answers requests that were sent at once in their order", async () => {
    const { send, received, checks } = await around((socket, text) => {
      const last = /\{"n":\d\}$/.exec(text)?.[0];
      if (last !== undefined) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n${last}`);
    });
    const sent = [1, 2, 3].map((n) => request(`{"n":${n}}`));
    const answers = await send(sent.join(""), /\{"n":3\}/);
    expect(answers.match(/\{.*?\}/g)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    for (const each of sent) expect(plain(received())).toContain(each);
    await expect.poll(() => checks.length).toBe(3);
  });

  it("makes the service wait for an integration that reads slowly", async () => {
    const size = 16 * 1024 * 1024;
    let written = 0;
    const { open } = await around((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      const piece = Buffer.alloc(256 * 1024);
      const more = (): void => {
        while (written < size) {
          written += piece.length;
          if (!socket.write(piece)) return void socket.once("drain", more);
        }
      };
      more();
    });
    const client = open().pause();
    client.write(request("{}"));
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = written > 0 && written === before;
          before = written;
          return isStill;
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(written).toBeLessThan(size);
    client.resume();
    await expect.poll(() => client.bytesRead, { timeout: 20_000 }).toBeGreaterThan(size);
  });

  it("keeps an answer without a length without one, so that a cut is still seen", async () => {
    const { send, checks } = await around(
      once1('HTTP/1.1 200 OK\r\nX: 1\r\n\r\n{"a":1}', (socket) => socket.end()),
    );
    expect(plain(await send(request("{}")))).toBe('HTTP/1.1 200 OK\r\nX: 1\r\n\r\n{"a":1}');
    await expect.poll(() => checks[0]?.exchange).toMatchObject({ answer: { ending: "unframed" } });
  });

  it.each([
    ["inside a body with a length", ANSWER.slice(0, -3), true],
    ["inside chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}", true],
    ["before an answer", "", false],
    ["inside its headers", "HTTP/1.1 200 OK\r\nConte", false],
  ])("cuts what the service cuts %s", async (_where, answer, answering) => {
    const { send, checks } = await around(once1(answer, (socket) => socket.destroy()));
    const text = await send(request("{}"));
    expect(plain(dechunked(text)).trimEnd()).toBe(answering ? dechunked(answer) : "");
    await expect.poll(() => checks[0]?.exchange).toMatchObject({ kind: "failure", written: true, answering });
  });

  it("takes a check that the integration cut as cut", async () => {
    const inside = await around(() => undefined);
    const client = inside.open();
    client.write(request('{"a":1}').slice(0, -3));
    await expect.poll(inside.received).toContain('{"a"');
    client.destroy();
    await expect.poll(() => inside.checks[0]?.exchange.kind).toBe("failure");
    const behind = await around(() => undefined);
    const other = behind.open();
    other.write(request("{}"));
    await expect.poll(behind.received).toContain("{}");
    other.destroy();
    await expect.poll(() => behind.checks[0]?.exchange).toMatchObject({ kind: "failure", cause: CANCELLED });
  });

  it("reads no answer that is not HTTP as one", async () => {
    const { send, checks } = await around(once1("SMTP ready\r\n\r\n"));
    expect(await send(request("{}"))).toBe("");
    await expect.poll(() => checks[0]?.exchange).toMatchObject({ cause: expect.any(UnreadableAnswer) });
  });

  it("survives an answer that Node reads and does not send", async () => {
    const { send, checks } = await around(once1("HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}"));
    expect(await send(request("{}"))).toBe("");
    await expect.poll(() => checks[0]?.exchange.kind).toBe("failure");
  });

  it("passes no answer on that came before its request", async () => {
    const early = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly";
    let service: Socket | undefined;
    const { send } = await around((socket, text) => {
      if (text.endsWith("one")) socket.write(ANSWER, () => (service = socket));
      if (text.endsWith("two")) socket.write(ANSWER);
    });
    expect(await send(request("one"), /good/)).toContain("good");
    await expect.poll(() => service).toBeDefined();
    service!.write(early);
    // The relay closes a connection on which comes what it did not ask for.
    await new Promise((resolve) => void service!.once("close", resolve).unref());
    expect(await send(request("two"), /good|early/)).toContain("good");
  });

  it("survives an integration that leaves in the middle of anything", async () => {
    const { open, refused } = await around(() => undefined);
    const client = open();
    client.write("CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: 10.0.0.1:443\r\n\r\n", () =>
      client.resetAndDestroy(),
    );
    await expect.poll(() => refused).toMatchObject([{ status: 405 }]);
  });

  it("has no chunks for an integration of HTTP/1.0", async () => {
    const { send } = await around(
      once1("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
    );
    const text = await send(request("{}").replace("HTTP/1.1", "HTTP/1.0"));
    expect(plain(text)).toBe("HTTP/1.1 200 OK\r\n\r\n{}");
  });

  it("leaves headers of a connection to it, but for those that end a message", async () => {
    const { send, received } = await around();
    const own = "Connection: close, X-Own, Content-Length\r\nX-Own: 1\r\nKeep-Alive: 9\r\nUpgrade: h2c\r\n";
    expect(await send(request("{}", own))).toContain("good");
    expect(plain(received())).toBe(request("{}"));
  });

  it("forwards other calls, and shows nothing of them", async () => {
    const { send, others, checks } = await around();
    await send(request("{}", "", "/projects"), /good/);
    await send("GET /api/v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", /good/);
    expect(others()).toBe(2);
    expect(checks).toEqual([]);
  });
});

describe("the relay refuses, and opens no connection for", () => {
  it.each([
    ["another path", "POST /v1/check HTTP/1.1\r\nHost: localhost\r\n\r\n", 404],
    ["a path that means the same", "POST /api/v1/%63heck HTTP/1.1\r\nHost: localhost\r\n\r\n", 404],
    ["a path with a card number", "GET /pay/4111111111111111 HTTP/1.1\r\nHost: localhost\r\n\r\n", 404],
    ["a whole address", "POST http://10.0.0.1/api/v1/check HTTP/1.1\r\nHost: localhost\r\n\r\n", 404],
    ["CONNECT", "CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: 10.0.0.1:443\r\n\r\n", 405],
    [
      "a name that was bent to this machine",
      "POST /api/v1/check HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      421,
    ],
    ["a request without Host", "POST /api/v1/check HTTP/1.1\r\n\r\n", 400],
    [
      "two lengths",
      "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
    [
      "a length and chunks",
      "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
    ],
    ["what is not HTTP", "hello\r\n\r\n", 400],
    ["too many headers", `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("%s", async (_what, bytes, status) => {
    const { send, refused, received } = await around();
    const text = await send(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text.toLowerCase()).toContain("connection: close");
    expect(received()).toBe("");
    expect(text + JSON.stringify(refused)).not.toContain("4111");
    // Node's own server has answered these.
    expect(refused).toMatchObject(status === 400 || status === 431 ? [] : [{ status }]);
  });

  it("a service that is not there", async () => {
    const { send, refused, checks, end } = await around();
    await end();
    const gone = await startRelay({
      host: "127.0.0.1",
      port: 0,
      endpoints: [{ call: "check", url: new URL("http://127.0.0.1:1/v1/check") }],
      network: PLAIN_NETWORK,
      now: () => 0,
      onCheck: (seen) => checks.push(seen),
      onOther: expect.unreachable,
      onNotForwarded: (what) => refused.push(what),
    });
    onTestFinished(() => gone.end(0));
    const socket = connect(gone.port, "127.0.0.1");
    socket.write(request("{}", "", "/v1/check"));
    const [data] = (await once(socket, "data")) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1.1 502 /);
    expect(refused).toMatchObject([{ status: 502, why: expect.stringContaining("ECONNREFUSED") }]);
    expect(checks).toEqual([]);
    expect(send).toBeTypeOf("function");
  });
});

describe("the end of the relay", () => {
  it("waits for the call that runs, and accepts no other", async () => {
    let service: Socket | undefined;
    const { open, port, relay } = await around((socket) => void (service = socket));
    const client = open();
    let text = "";
    client.on("data", (data) => (text += data.toString()));
    client.write(request("{}"));
    await expect.poll(() => service).toBeDefined();
    const ended = relay.end(10_000);
    await setImmediate();
    const [error] = (await once(connect(port, "127.0.0.1"), "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNREFUSED");
    service!.write(ANSWER);
    await ended;
    await expect.poll(() => text).toContain("good");
  });
});
