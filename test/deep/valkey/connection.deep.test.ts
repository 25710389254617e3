// The connection to a server of states, and how it fails.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { connectValkey, type Valkey, type ValkeyOptions } from "#src/sandbox/valkey/connection.ts";
import { script } from "#src/sandbox/valkey/scripts.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { makeAuthority } from "../../client/certificates.ts";
import { freePort, isWithoutServer, startServer, type TestServer } from "./server.ts";

const SCRIPT = script("return ARGV[1]");
const BUDGET_MS = 250;
/** Of an answer that is still in time. */
const LATE_MS = 20;

async function started(...more: string[]): Promise<TestServer> {
  const server = await startServer(more);
  onTestFinished(() => server.stop());
  return server;
}

async function connected(server: TestServer, more: Partial<ValkeyOptions> = {}): Promise<Valkey> {
  const address = readStateAddress(`unix:${server.socket}`);
  const valkey = await connectValkey({ address, password: null, ...more });
  onTestFinished(() => valkey.close());
  return valkey;
}

const write = (valkey: Valkey) => valkey.send(["SET", "v:a", "1"]);
/** As a processor that is given to others, or a collection of garbage. */
function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const isReady = (valkey: Valkey) => expect.poll(() => valkey.problem).toBeNull();

describe.skipIf(isWithoutServer())("a server of states", () => {
  it("takes commands and scripts, also when it has forgotten them, and answers with bytes", async () => {
    const server = await started();
    const valkey = await connected(server);
    const bytes = Buffer.from([0, 255, 13, 10]);
    expect(await valkey.run(SCRIPT, [], [bytes])).toEqual(bytes);
    await valkey.send(["SCRIPT", "FLUSH"]);
    expect(await valkey.run(SCRIPT, ["v:a"], [bytes])).toEqual(bytes);
    expect(await valkey.send(["MGET", "v:none"])).toEqual([null]);
    expect(await valkey.send(["INCR", "v:n"])).toBe(1);
  });

  it("brings messages, also after its end", async () => {
    const server = await started();
    const valkey = await connected(server);
    const heard: string[] = [];
    await valkey.subscribe("v:news", (message) => heard.push(message));
    let again = 0;
    valkey.onAgain(() => (again += 1));
    await valkey.send(["PUBLISH", "v:news", "first"]);
    await expect.poll(() => heard).toEqual(["first"]);
    await server.kill();
    await server.start();
    await expect.poll(() => again).toBe(1);
    await valkey.send(["PUBLISH", "v:news", "second"]);
    await expect.poll(() => heard).toEqual(["first", "second"]);
  });

  it("that has gone is a fault at once, and none when it is back", async () => {
    const server = await started();
    const valkey = await connected(server);
    await server.kill();
    await expect(write(valkey)).rejects.toMatchObject({
      code: "storage",
      message: expect.stringMatching(/does not answer/),
    });
    expect(valkey.problem).not.toBeNull();
    await server.start();
    await isReady(valkey);
    await write(valkey);
  });

  it("is not called silent for the time in which this process itself was held up", async () => {
    const server = await started();
    const valkey = await connected(server);
    for (const before of [0, 1, 5, 50]) {
      process.kill(server.pid, "SIGSTOP");
      const answer = write(valkey);
      await wait(before);
      holdUp(2 * BUDGET_MS);
      await wait(LATE_MS);
      process.kill(server.pid, "SIGCONT");
      await answer;
    }
    expect(valkey.problem).toBeNull();
  });

  it("that is silent is a fault within the time that a caller has", async () => {
    const server = await started();
    const valkey = await connected(server);
    process.kill(server.pid, "SIGSTOP");
    const start = performance.now();
    await expect(write(valkey)).rejects.toThrow("in time");
    expect(performance.now() - start).toBeLessThan(2 * BUDGET_MS);
    process.kill(server.pid, "SIGCONT");
    await isReady(valkey);
    await write(valkey);
  });

  it("that was never there is a fault with its address", async () => {
    const address = readStateAddress(`valkey://127.0.0.1:${await freePort()}`);
    const connecting = connectValkey({ address, password: null });
    await expect(connecting).rejects.toMatchObject({
      code: "storage",
      message: expect.stringContaining(address.text),
    });
  });

  it("without memory is a fault until it has some", async () => {
    const server = await started();
    const valkey = await connected(server);
    await server.ask("CONFIG", "SET", "maxmemory", "1");
    await expect(write(valkey)).rejects.toThrow("no memory left");
    expect(valkey.problem).not.toBeNull();
    await server.ask("CONFIG", "SET", "maxmemory", "0");
    await isReady(valkey);
  });

  it("that lacks its replicas is a fault", async () => {
    const server = await started("--min-replicas-to-write", "1");
    await expect(connected(server)).rejects.toThrow("fewer replicas");
  });

  it("that is a replica is a fault", async () => {
    const server = await started();
    const valkey = await connected(server);
    await server.ask("REPLICAOF", "127.0.0.1", String(await freePort()));
    await expect(write(valkey)).rejects.toThrow("is a replica");
    await server.ask("REPLICAOF", "NO", "ONE");
    await isReady(valkey);
  });

  it("wants user and password where it has some", async () => {
    const server = await started(
      "--user",
      "default",
      "off",
      "--user",
      "verdict",
      "on",
      ">pass-1",
      "~v:*",
      "&v:*",
      "+@all",
    );
    const address = readStateAddress(`unix://verdict@${server.socket}`);
    const password = new Secret("pass-1");
    await expect(connected(server)).rejects.toThrow("password");
    await expect(connected(server, { address, password: new Secret("pass-2") })).rejects.toThrow(
      "refuses the user",
    );
    const valkey = await connected(server, { address, password });
    await expect(valkey.send(["SET", "other", "1"])).rejects.toThrow("does not allow");
    await isReady(valkey);
  });

  describe("with TLS", () => {
    async function secured() {
      const authority = await makeAuthority();
      const { certificate, key } = await authority.issue();
      const folder = mkdtempSync(join(tmpdir(), "verdict-tls-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, "cert"), certificate);
      writeFileSync(join(folder, "key"), key);
      const port = await freePort();
      const files = ["--tls-cert-file", join(folder, "cert"), "--tls-key-file", join(folder, "key")];
      await started(
        "--tls-port",
        String(port),
        "--tls-auth-clients",
        "no",
        "--tls-ca-cert-file",
        join(folder, "cert"),
        ...files,
      );
      return { authority, port };
    }

    const connecting = (scheme: string, port: number, ca?: string) =>
      connectValkey({ address: readStateAddress(`${scheme}://127.0.0.1:${port}`), password: null, ca });

    it("is trusted by its authority alone", async () => {
      const { authority, port } = await secured();
      const valkey = await connecting("valkeys", port, authority.certificate);
      onTestFinished(() => valkey.close());
      await write(valkey);
      const { certificate } = await makeAuthority("Another authority");
      for (const ca of [undefined, certificate]) {
        await expect(connecting("rediss", port, ca)).rejects.toThrow("--state-ca");
      }
    });

    it("is not talked to without it", async () => {
      const { port } = await secured();
      await expect(connecting("valkey", port)).rejects.toThrow("does not answer");
    });
  });
});
