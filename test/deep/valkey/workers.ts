// Workers that share a sandbox on one server, in this process.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SandboxOptions } from "#src/sandbox/sandbox-options.ts";
import type { StateServer } from "#src/sandbox/valkey/state-address.ts";
import { startSandbox, temporaryFolder, type SandboxUnderTest } from "../../sandbox/sandbox-under-test.ts";
import { startServer, type TestServer } from "./server.ts";

export interface Workers {
  readonly server: TestServer;
  /** Of the administrative plane of each. */
  readonly adminToken: string;
  /** Starts another one. */
  start(options?: Partial<SandboxOptions>, server?: Partial<StateServer>): Promise<SandboxUnderTest>;
}

/** A server for one test. */
export async function startWorkers(serverOptions: readonly string[] = []): Promise<Workers> {
  const server = await startServer(serverOptions);
  onTestFinished(() => server.stop());
  const folder = await temporaryFolder();
  const secretFile = (name: string, bytes: Buffer | string): string => {
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
    return join(folder, name);
  };
  const keyFile = secretFile("state.key", randomBytes(32));
  const adminToken = randomBytes(32).toString("hex");
  const adminTokenFile = secretFile("admin-token", adminToken);
  return {
    server,
    adminToken,
    async start(options, other) {
      const address = `unix:${server.socket}`;
      const shared = { server: { address, keyFile, leaveNothing: true, ...other }, adminTokenFile };
      return startSandbox({ ...shared, ...options });
    },
  };
}
