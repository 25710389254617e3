// The sandbox by TLS: its certificate is exchanged while it serves, and its administrative plane opens to a network by TLS alone.

import { chmodSync, writeFileSync } from "node:fs";
import { request as httpsRequest, Agent } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { once } from "node:events";
import { beforeAll, expect, test, vi } from "vitest";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import type { SandboxOptions } from "#src/sandbox/sandbox-options.ts";
import { makeAuthority, type Authority } from "../client/certificates.ts";
import {
  registration,
  send,
  signedCall,
  startSandbox,
  temporaryFolder,
  type Answer,
  type SandboxUnderTest,
  type Sending,
} from "./sandbox-under-test.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
let authority: Authority;
beforeAll(async () => {
  authority = await makeAuthority();
});

interface Files {
  readonly cert: string;
  readonly key: string;
  readonly token: string;
  /** Writes another pair in their place. */
  renew(issuer?: Authority): Promise<void>;
}

async function files(): Promise<Files> {
  const folder = await temporaryFolder();
  const [cert, key, token] = [join(folder, "cert.pem"), join(folder, "key.pem"), join(folder, "token")];
  const renew = async (issuer = authority): Promise<void> => {
    const made = await issuer.issue();
    writeFileSync(cert, made.certificate);
    writeFileSync(key, made.key, { mode: 0o600 });
  };
  await renew();
  writeFileSync(token, TOKEN, { mode: 0o600 });
  return { cert, key, token, renew };
}

async function startSecure(
  options: Partial<SandboxOptions> = {},
): Promise<{ sandbox: SandboxUnderTest; made: Files }> {
  const made = await files();
  const sandbox = await startSandbox({ tls: { cert: made.cert, key: made.key }, ...options });
  return { sandbox, made };
}

async function get(port: number, sending: Partial<Sending>, agent: Agent | false = false): Promise<Answer> {
  const { path = "/health", method = "GET", headers = {}, body } = sending;
  const request = httpsRequest({
    host: "127.0.0.1",
    port,
    path,
    method,
    headers: headers as Record<string, string>,
    agent,
    ca: authority.certificate,
  });
  request.end(body);
  const [response] = (await once(request, "response")) as [import("node:http").IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString("utf8");
  return { status: response.statusCode!, headers: response.headers, text, body: {} };
}

/** The serial number of the certificate that a new connection is shown. */
async function shown(port: number): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, ca: authority.certificate });
  await once(socket, "secureConnect");
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

test("a signed call is answered by TLS, and plain HTTP is not answered there", async () => {
  const { sandbox } = await startSecure();
  const sending = signedCall(sandbox.port, "register", await sandbox.company(), registration("m"));
  expect((await get(sandbox.port, sending)).status).toBe(200);
  expect((await sandbox.status()).tls).toBe(true);
  const socket = connectPlain({ host: "127.0.0.1", port: sandbox.port });
  socket.write("GET /health HTTP/1.1\r\nhost: x\r\n\r\n");
  let said = "";
  socket.on("data", (bytes: Buffer) => (said += bytes.toString("latin1"))).on("error", () => undefined);
  await once(socket, "close");
  expect(said).not.toContain("HTTP");
});

test("TLS 1.1 is refused", async () => {
  const { sandbox } = await startSecure();
  const socket = connect({
    host: "127.0.0.1",
    port: sandbox.port,
    ca: authority.certificate,
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  });
  const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toMatch(/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/);
});

test("a new certificate is for new connections, and cuts none", async () => {
  const { sandbox, made } = await startSecure();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets: Socket[] = [];
  agent.on("free", (socket: Socket) => sockets.push(socket));
  expect((await get(sandbox.port, {}, agent)).status).toBe(200);
  const before = await shown(sandbox.port);
  await made.renew();
  expect(await shown(sandbox.port)).toBe(before);
  sandbox.reloadTls();
  expect(await shown(sandbox.port)).not.toBe(before);
  expect((await get(sandbox.port, {}, agent)).status).toBe(200);
  await vi.waitFor(() => expect(sockets).toHaveLength(2));
  expect(sockets[0]).toBe(sockets[1]);
  expect(sandbox.logged.filter(({ event }) => event === "tls_reloaded")).toHaveLength(1);
  agent.destroy();
});

test("a pair that cannot be used keeps the one before, and the log says why", async () => {
  const { sandbox, made } = await startSecure();
  const before = await shown(sandbox.port);
  const reasons = (): (string | undefined)[] =>
    sandbox.logged.filter(({ event }) => event === "fault").map(({ reason }) => reason);
  writeFileSync(made.cert, (await authority.issue()).certificate);
  sandbox.reloadTls();
  writeFileSync(made.cert, "no certificate");
  sandbox.reloadTls();
  // As while another program writes it.
  writeFileSync(made.cert, "");
  sandbox.reloadTls();
  await made.renew();
  writeFileSync(made.key, "");
  sandbox.reloadTls();
  await made.renew();
  chmodSync(made.key, 0o604);
  sandbox.reloadTls();
  expect(reasons()).toEqual([
    expect.stringMatching(/cannot be used together \(key values mismatch\).* The one before stays in use\.$/),
    expect.stringMatching(/cannot be used together \(no start line\)/),
    expect.stringMatching(/cannot be used together/),
    expect.stringMatching(/cannot be used together/),
    expect.stringMatching(/private key .* may be read by every account; make it private with chmod 600\. /),
  ]);
  expect(await shown(sandbox.port)).toBe(before);
});

test("the log says that a certificate has expired", async () => {
  const { sandbox, made } = await startSecure({ realNow: () => Date.parse("2199-01-01") });
  sandbox.reloadTls();
  const reason = `The certificate ${made.cert} has expired; put a new one there.`;
  expect(sandbox.logged.filter(({ event }) => event === "fault").map((entry) => entry.reason)).toEqual([
    reason,
    reason,
  ]);
});

const WRONG_KEYS: [string, (made: Files) => Promise<Partial<Files>>, RegExp][] = [
  [
    "readable by everyone",
    async (made) => {
      chmodSync(made.key, 0o644);
      return {};
    },
    /may be read by every account/,
  ],
  [
    "of another pair",
    async (made) => {
      writeFileSync(made.cert, (await authority.issue()).certificate);
      return {};
    },
    /key values mismatch/,
  ],
  ["missing", async (made) => ({ key: `${made.key}.none` }), /is not there; correct its path/],
];

test.each(WRONG_KEYS)("a key that is %s is refused at the start", async (_, change, why) => {
  const made = await files();
  const starting = startSandbox({ tls: { ...made, ...(await change(made)) } });
  await expect(starting).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(why) as string,
  });
});

test("beyond the limit, connections that finish no handshake give way to requests", async () => {
  const { sandbox } = await startSecure({ limits: { connections: 4, drainMs: 100 } });
  const idle = Array.from({ length: 4 }, () => connectPlain({ host: "127.0.0.1", port: sandbox.port }));
  const ends = idle.map((socket) =>
    once(
      socket.on("error", () => undefined),
      "close",
    ),
  );
  await Promise.all(idle.map((socket) => once(socket, "connect")));
  await vi.waitFor(async () => expect((await sandbox.status()).connections.open).toBe(4));
  expect((await get(sandbox.port, {})).status).toBe(200);
  await Promise.any(ends);
  await sandbox.stop();
  await Promise.all(ends);
});

test.each(["TLS", "plain HTTP"])(
  "a request that is being answered by %s is not cut at the limit",
  async (by) => {
    const limits = { connections: 2 };
    const sandbox = await (by === "TLS" ? (await startSecure({ limits })).sandbox : startSandbox({ limits }));
    await sandbox.admin("POST", ADMIN.faults, {
      on: "register",
      effect: { do: "latency", latency: { shape: "fixed", ms: 500 } },
      rate: 1,
      count: null,
    });
    const { port } = sandbox;
    const sending = signedCall(port, "register", await sandbox.company(), registration("m"));
    const slow = by === "TLS" ? get(port, sending) : send(port, sending);
    await vi.waitFor(async () => expect((await sandbox.status()).faults[0]!.made).toBe(1));
    for (let number = 0; number < 4; number += 1) {
      const other = connectPlain({ host: "127.0.0.1", port }).on("error", () => undefined);
      await once(other, "connect");
    }
    await vi.waitFor(async () => expect((await sandbox.status()).connections.open).toBe(2));
    expect((await slow).status).toBe(200);
  },
);

test("the plane for other machines needs TLS and a token of its own, and this machine's is another", async () => {
  const made = await files();
  for (const options of [
    { adminHost: "0.0.0.0" },
    { adminHost: "localhost" },
    { adminHost: "::1", adminTokenFile: made.token },
    { adminHost: "::", adminTokenFile: made.token },
    { adminHost: "192.0.2.1", tls: made },
  ]) {
    await expect(startSandbox(options)).rejects.toThrow(
      /The administrative plane opens on \S+ only with TLS and a token of yours: add --tls-cert/,
    );
  }
  const sandbox = await startSandbox({ tls: made, adminHost: "0.0.0.0", adminTokenFile: made.token });
  const far = (path: string, token: string, more: Partial<Sending> = {}): Promise<Answer> =>
    get(sandbox.secureAdminPort!, {
      path,
      ...more,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  expect((await far(ADMIN.status, TOKEN)).status).toBe(200);
  expect((await far(ADMIN.status, sandbox.adminToken)).status).toBe(401);
  expect((await far(ADMIN.proof, TOKEN)).status).toBe(404);
  expect((await sandbox.admin("GET", ADMIN.status)).status).toBe(200);
  const snapshot = (order: object): Promise<Answer> =>
    far(ADMIN.snapshots, TOKEN, { method: "POST", body: JSON.stringify(order) });
  const anywhere = await snapshot({ path: join(sandbox.dir, "anywhere.snapshot") });
  expect([anywhere.status, anywhere.text]).toEqual([400, expect.stringContaining("has a name, and no path")]);
  expect((await snapshot({ name: "far" })).status).toBe(200);
  const before = await shown(sandbox.secureAdminPort!);
  await made.renew();
  sandbox.reloadTls();
  expect(await shown(sandbox.secureAdminPort!)).not.toBe(before);
});

test("an empty address is none, and not all of them", async () => {
  await expect(startSandbox({ host: "" })).rejects.toThrow(/cannot listen on :0: it is no address/);
});

test("without TLS the token of a file opens this machine's plane, beside the one of the start", async () => {
  const { token } = await files();
  const sandbox = await startSandbox({ adminTokenFile: token });
  expect(sandbox.secureAdminPort).toBeNull();
  for (const adminToken of [TOKEN, sandbox.adminToken]) {
    const headers = { authorization: `Bearer ${adminToken}` };
    const answer = await fetch(`http://127.0.0.1:${sandbox.adminPort}${ADMIN.status}`, { headers });
    expect(answer.status).toBe(200);
  }
});

test("a token file that is not there is refused, with the command that makes one", async () => {
  await expect(startSandbox({ adminTokenFile: "/nowhere/token" })).rejects.toThrow(
    "The token file /nowhere/token is not there; make one with (umask 077; openssl rand -hex 32 > FILE).",
  );
});
