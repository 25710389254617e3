// The relay in front of a service on another machine: verified TLS through the proxy, and the name that the service gets.

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { readNetwork } from "#src/app/network.ts";
import { startRelay, type NotForwarded } from "#src/client/relay.ts";
import { makeAuthority, type Authority } from "./certificates.ts";
import { answerConnect, OPEN_WAY, startProxy, type ProxyBehaviour } from "./tls-service.ts";

let authority: Authority;
let folder: string;
let ca: string;
beforeAll(async () => {
  authority = await makeAuthority();
  folder = mkdtempSync(join(tmpdir(), "verdict-relay-"));
  ca = join(folder, "authority.pem");
  writeFileSync(ca, authority.certificate);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A relay to https://service.example, which only the proxy finds. */
async function throughProxy(host = "service.example", behaviour: ProxyBehaviour = OPEN_WAY) {
  const { certificate, key } = await authority.issue({ host });
  const hosts: (string | undefined)[] = [];
  const service = createServer({ cert: certificate, key }, ({ headers }, response) => {
    hosts.push(headers.host);
    response.writeHead(200, { "content-length": 2 }).end("{}");
  });
  service.on("tlsClientError", () => undefined).listen(0, "127.0.0.1");
  await once(service, "listening");
  const proxy = await startProxy((service.address() as AddressInfo).port, behaviour);
  const refused: NotForwarded[] = [];
  const relay = await startRelay({
    host: "127.0.0.1",
    port: 0,
    endpoints: [{ call: "check", url: new URL("https://service.example/v1/check") }],
    network: readNetwork({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }, { ca }),
    now: () => 0,
    onCheck: () => undefined,
    onOther: () => undefined,
    onNotForwarded: (what) => refused.push(what),
  });
  onTestFinished(async () => {
    await relay.end(0);
    service.closeAllConnections();
    service.close();
    await proxy[Symbol.asyncDispose]();
  });
  /** @returns the status line */
  async function check(named: string): Promise<string> {
    const socket = connect(relay.port, "127.0.0.1");
    socket.write(`POST /v1/check HTTP/1.1\r\nhOST: ${named}\r\nContent-Length: 2\r\n\r\n{}`);
    const [data] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    return data.toString().split("\r\n", 1)[0]!;
  }
  return { check, hosts, refused, proxy };
}

it("gives the service its own name in place of this machine's, and no other in place of what was signed", async () => {
  const { check, hosts, refused, proxy } = await throughProxy();
  for (const named of ["127.0.0.1:8788", "localhost", "[::1]:8788", "service.example", "Service.Example:443"])
    expect(await check(named)).toBe("HTTP/1.1 200 OK");
  expect(hosts).toEqual([
    "service.example",
    "service.example",
    "service.example",
    "service.example",
    "Service.Example:443",
  ]);
  expect(await check("other.example")).toMatch(/^HTTP\/1.1 421 /);
  expect(refused).toMatchObject([{ status: 421 }]);
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(["CONNECT service.example:443"]));
});

it.each([
  ["a certificate of another name", "other.example", OPEN_WAY],
  ["a proxy that refuses", "service.example", answerConnect(403)],
] as const)("sends nothing behind %s", async (_what, host, behaviour) => {
  const { check, hosts, refused } = await throughProxy(host, behaviour);
  expect(await check("127.0.0.1")).toMatch(/^HTTP\/1.1 502 /);
  expect(hosts).toEqual([]);
  expect(refused).toMatchObject([{ status: 502 }]);
});

it.each([
  ["certificates are not checked", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
  ["the proxy cannot be read", { HTTPS_PROXY: "socks5://proxy.example" }],
])("does not start where %s", async (_what, env) => {
  const starting = startRelay({
    host: "127.0.0.1",
    port: 0,
    endpoints: [{ call: "check", url: new URL("https://service.example/v1/check") }],
    network: readNetwork(env, {}),
    now: () => 0,
    onCheck: () => expect.unreachable(),
    onOther: () => expect.unreachable(),
    onNotForwarded: () => expect.unreachable(),
  });
  await expect(starting).rejects.toMatchObject({ code: "not_sent" });
});
