// A server, workers that share their state on it, and a project: what the tests of many machines start from.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import type { Identity } from "#src/signing/sign.ts";
import { makeProject, temporaryFolder } from "../../sandbox/sandbox-under-test.ts";
import { startServer, type TestServer } from "./server.ts";
import { startWorker, type Worker, type WorkerOptions } from "./worker-processes.ts";

export interface Team {
  readonly server: TestServer;
  readonly folder: string;
  /** A worker that ends is replaced here by the next of its place. */
  readonly workers: Worker[];
  readonly project: Identity;
  /** The project as rules see it. */
  readonly facts: DecisionInput["project"];
  ports(): number[];
  /** Starts the worker of this place, after the one before it has ended. */
  replace(place: number, more?: Partial<WorkerOptions>): Promise<Worker>;
}

export interface TeamOptions {
  readonly workers: number;
  readonly server?: readonly string[];
  /** Whom the server lets in; everybody by default. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Words before the server's command. */
  readonly within?: readonly string[];
  /** What stands between workers and the server; called once it runs. */
  readonly prepare?: (server: TestServer) => Promise<void>;
  /** Address of the state by the place of a worker; by default the server's own. */
  readonly stateOf?: (place: number, server: TestServer) => string;
  readonly more?: (place: number) => Partial<WorkerOptions>;
}

const RISK_LEVEL = "medium";
const CURRENCY = 980;

export async function startTeam(options: TeamOptions): Promise<Team> {
  const { login, within = [] } = options;
  const server = await startServer(options.server, { port: true, within, login });
  onTestFinished(() => server.stop());
  await options.prepare?.(server);
  const folder = await temporaryFolder();
  const keyFile = join(folder, "state.key");
  writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  const passwordFile = join(folder, "password");
  if (login !== undefined) writeFileSync(passwordFile, login.password, { mode: 0o600 });
  const as = login === undefined ? "" : `${login.user}@`;
  const stateOf = options.stateOf ?? ((_place, { port }) => `valkey://${as}127.0.0.1:${port}`);
  const start = async (place: number, more: Partial<WorkerOptions> = {}): Promise<Worker> => {
    const worker = await startWorker({
      state: stateOf(place, server),
      keyFile,
      home: join(folder, `worker-${place}`),
      ...(login === undefined ? {} : { options: ["--state-password-file", passwordFile] }),
      ...options.more?.(place),
      ...more,
    });
    onTestFinished(() => worker.kill());
    return worker;
  };
  // The first makes the company that all share.
  const first = await start(0);
  const others = Array.from({ length: options.workers - 1 }, (_, place) => start(place + 1));
  const workers = [first, ...(await Promise.all(others))];
  const project = await makeProject(first, await first.company(), "shop", RISK_LEVEL);
  return {
    server,
    folder,
    workers,
    project,
    facts: { projectId: project.projectId!, riskLevel: RISK_LEVEL, currency: CURRENCY },
    ports: () => workers.map(({ port }) => port),
    async replace(place, more) {
      const worker = await start(place, more);
      workers[place] = worker;
      return worker;
    },
  };
}
