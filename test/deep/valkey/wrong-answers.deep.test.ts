// Each answer of the server in turn is of another kind than was asked for: a caller gets no verdict, and a start one sentence.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Fault } from "#src/contract/fault.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import {
  call,
  CHECK,
  makeProject,
  registration,
  startSandbox,
  temporaryFolder,
  type SandboxUnderTest,
} from "../../sandbox/sandbox-under-test.ts";
import { isUnknown } from "./callers.ts";
import { startCuttingProxy, type CuttingProxy } from "./cutting-proxy.ts";
import { isWithoutServer, startServer } from "./server.ts";

const ANSWERS: Readonly<Record<string, string>> = {
  "an error": "-ERR \u001b[2Jno\r\n",
  nothing: "_\r\n",
  "an empty text": "$0\r\n\r\n",
  "a text that is no JSON": "$5\r\n{null\r\n",
  "null as a text": "$4\r\nnull\r\n",
  "a number": ":7\r\n",
  "a big number": "(3492890328409238509324850943850943825024385\r\n",
  "a double": ",3.5\r\n",
  "a truth": "#t\r\n",
  "an empty list": "*0\r\n",
  "a list of lists": "*2\r\n*1\r\n*0\r\n*0\r\n",
  "a map": "%1\r\n$1\r\na\r\n$1\r\nb\r\n",
  "a set": "~1\r\n$1\r\na\r\n",
};

/** Every command of data, but for the one that asks whether the server can be written. */
const COMMAND = /^(?!.*(?:v:probe|HELLO|SUBSCRIBE))/s;
/** More than a start, and than any of the rounds below, sends. */
const COMMANDS_OF_START = 40;
const COMMANDS_OF_ROUND = 24;

async function prepared() {
  const server = await startServer([], { port: true });
  onTestFinished(() => server.stop());
  const proxy = await startCuttingProxy({ port: server.port, host: "127.0.0.1" });
  onTestFinished(() => proxy.close());
  const keyFile = join(await temporaryFolder(), "state.key");
  writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  const start = (port: number): Promise<SandboxUnderTest> =>
    startSandbox({ server: { address: `valkey://127.0.0.1:${port}`, keyFile, leaveNothing: true } });
  return { server, proxy, start };
}

/** @returns 1 where there was such a command, else 0 */
async function falsified(proxy: CuttingProxy, nth: number, reply: string, work: () => Promise<void>) {
  let happened = 0;
  void proxy.cut({ when: "falsify", command: COMMAND, nth, reply }).then(() => (happened = 1));
  await work();
  await new Promise(setImmediate);
  return happened;
}

describe.skipIf(isWithoutServer())("a server that answers something else", () => {
  it.each(Object.entries(ANSWERS))("to a start: %s", async (name, reply) => {
    const { server, proxy, start } = await prepared();
    const first = await start(server.port);
    await makeProject(first, await first.company());
    let met = 0;
    for (let nth = 1; nth <= COMMANDS_OF_START; nth += 3) {
      met += await falsified(proxy, nth, reply, async () => {
        const failure: unknown = await start(proxy.port).then(
          (sandbox) => sandbox.stop().catch((error: unknown) => error),
          (error: unknown) => error,
        );
        if (failure === undefined) return;
        expect(failure, `${name} to command ${nth}`).toBeInstanceOf(Fault);
        expect(["storage", "usage", "corrupt"]).toContain((failure as Fault).code);
        expect((failure as Fault).message).toMatch(/^[\u0020-\u007e]+$/);
      });
    }
    expect(met).toBeGreaterThan(5);
  });

  it.each(Object.entries(ANSWERS))("to callers: %s", async (name, reply) => {
    const { proxy, start } = await prepared();
    const sandbox = await start(proxy.port);
    const owner = await sandbox.company();
    const project = await makeProject(sandbox, owner);
    let round = 0;
    let met = 0;
    const calls: Readonly<Record<string, () => Promise<{ readonly status: number; readonly text: string }>>> =
      {
        register: () => call(sandbox, "register", owner, registration(`shop-${round}`)),
        credential: () => call(sandbox, "credential", owner, { merchant_id: "shop", risk_level: "medium" }),
        check: () => call(sandbox, "check", project, { ...CHECK, order_id: `order-${round}` }),
        repeat: () => call(sandbox, "check", project, { ...CHECK, order_id: `order-${round}` }),
        status: () => sandbox.admin("GET", ADMIN.status),
        panel: () => sandbox.admin("GET", ADMIN.panel),
        rules: () => sandbox.admin("GET", ADMIN.rules),
        journal: () => sandbox.admin("GET", ADMIN.journal),
        snapshots: () => sandbox.admin("GET", ADMIN.snapshots),
        faults: () => sandbox.admin("GET", ADMIN.faults),
        tenants: () => sandbox.admin("GET", ADMIN.tenants),
      };
    for (let nth = 1; nth <= COMMANDS_OF_ROUND; nth += 1) {
      round += 1;
      met += await falsified(proxy, nth, reply, async () => {
        for (const [what, send] of Object.entries(calls)) {
          const answer = await send();
          // The server has stored a decision, and said something else.
          if (isUnknown(answer)) continue;
          const { status, text } = answer;
          // What is not there is unknown: only nothing at all says that.
          const known = name === "nothing" ? [200, 503, 401, 404, 400] : [200, 503, 404];
          expect(known, `${name} to command ${nth}, ${what}: ${text}`).toContain(status);
        }
      });
    }
    expect(met).toBeGreaterThan(10);
  });
});
