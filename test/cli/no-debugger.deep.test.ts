// SIGUSR1 opens Node's debugger to every local account: no process of ours may do that, and none may end by it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ENDPOINT_FILE, type SandboxEndpoint } from "#src/contract/wire/sandbox-wire.ts";
import { readyConsole } from "../console/stories/stage.ts";
import { pointAt } from "./in-process.ts";
import { startServing } from "./serving-process.ts";
import { PROGRAM, testHomeOfTests } from "./verdict-process.ts";

const home = testHomeOfTests();

/** Ports on which a process listens over IPv4. */
function portsOf(pid: number): number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1];
      } catch {
        return undefined;
      }
    }),
  );
  return readFileSync(`/proc/${pid}/net/tcp`, "utf8")
    .split("\n")
    .slice(1, -1)
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === "0A" && sockets.has(columns[9]))
    .map((columns) => Number.parseInt(columns[1]!.split(":")[1]!, 16));
}

async function answers(url: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) expect((await fetch(`${url}/health`)).status).toBe(200);
}

it.runIf(process.platform === "linux")("serve", async () => {
  const serving = await startServing(home);
  onTestFinished(() => void serving.child.kill("SIGKILL"));
  const before = portsOf(serving.child.pid!);
  expect(before).toEqual([Number(new URL(serving.url).port)]);
  serving.child.kill("SIGUSR1");
  await answers(serving.url);
  expect(portsOf(serving.child.pid!)).toEqual(before);
  expect(await serving.end("SIGTERM")).toBe(0);
  expect(serving.log()).not.toContain("Debugger");
});

it.runIf(process.platform === "linux")("the console, and the sandbox that it starts", async () => {
  const terminal = await readyConsole(home);
  const path = join(home.env["VERDICT_HOME"]!, "state", "sandbox", ENDPOINT_FILE);
  const sandbox = JSON.parse(readFileSync(path, "utf8")) as SandboxEndpoint;
  const before = portsOf(sandbox.pid);
  expect(before).toHaveLength(2);
  terminal.kill("SIGUSR1");
  process.kill(sandbox.pid, "SIGUSR1");
  await answers(`http://127.0.0.1:${sandbox.port}`);
  await terminal.type("?").until("Keys");
  expect(portsOf(sandbox.pid)).toEqual(before);
  expect(portsOf(terminal.pid)).toEqual([]);
});

it.runIf(process.platform === "linux")("a command", async () => {
  const service = createServer();
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void service.close());
  const connected = once(service, "connection") as Promise<[Socket]>;
  await pointAt(
    { run: async (args, input = "") => ({ ...(await home.run(args, { input })), code: 0 }) },
    `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  );
  const words = "check - --project shop/low --set order_id=o --set amount=100 --set currency=980".split(" ");
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: home.env, stdio: "pipe" });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stdin.end('{"operation":"payment"}');
  const [socket] = await connected;
  const closed = once(child, "close");
  child.kill("SIGUSR1");
  await once(socket, "data");
  expect(portsOf(child.pid!)).toEqual([]);
  const answer = '{"status":"success","code":"pass","message":"m"}';
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`,
  );
  expect((await closed)[0]).toBe(0);
  expect(said).not.toContain("Debugger");
  socket.destroy();
});
