// Another program where the embedded sandbox was, and a home that was copied while its sandbox ran.

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ENDPOINT_FILE, type SandboxEndpoint } from "#src/contract/wire/sandbox-wire.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const CHECK = "check --set operation=payment --set amount=4999 --set currency=UAH --json";
const REGISTER = "register --merchant-id shop --name Shop --currency UAH --risk-level medium --wait";

let home: TestHome;
beforeEach(async () => {
  home = testHome();
  expect(await home.run(REGISTER)).toMatchObject({ code: 0 });
});
afterEach(() => home.remove());

const stateDir = (of: TestHome): string => join(of.env["VERDICT_HOME"]!, "state", "sandbox");
const endpointText = (of: TestHome): string => readFileSync(join(stateDir(of), ENDPOINT_FILE), "utf8");

/** Listens on a port and says yes to everything, as far as it can. */
async function impostor(port: number) {
  let heard = "";
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
      const body = `{"status":"success","code":"pass","message":"Continue."}`;
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`;
      socket.write(`${head}x-verdict-sandbox: 1\r\n\r\n${body}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => heard,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const connected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}

async function killSandbox(): Promise<SandboxEndpoint> {
  await home.run("sandbox clock");
  const endpoint = JSON.parse(endpointText(home)) as SandboxEndpoint;
  process.kill(endpoint.pid, "SIGKILL");
  // Not by its pid: in a container nobody may collect what has ended.
  await vi.waitFor(() => expect(canConnect(endpoint.port)).resolves.toBe(false));
  return endpoint;
}

/** Nothing but challenges, which are random: no token, no payment. */
const CHALLENGES =
  /^(?:GET \/_sandbox\/proof HTTP\/1\.1\r\nhost: [\d.:]+\r\nx-verdict-challenge: [\w-]{43}\r\n\r\n)*$/;

test("on the old ports of a sandbox that was killed nobody gets a payment, and a check starts another", async () => {
  const { port, adminPort } = await killSandbox();
  await using service = await impostor(port);
  await using plane = await impostor(adminPort);
  const ran = await home.run(`${CHECK} --set order_id=a --set payer.email=canary@shop.example`);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  for (const heard of [service.heard(), plane.heard()]) expect(heard).toMatch(CHALLENGES);
  expect((await home.json("sandbox status --json"))[0]).toMatchObject({ decisions: 1 });
});

test("where the file of a living sandbox names other ports, they get a challenge and no more", async () => {
  await home.run("sandbox clock");
  const endpoint = JSON.parse(endpointText(home)) as SandboxEndpoint;
  await using service = await impostor(0);
  await using plane = await impostor(0);
  const replace = (ports: Partial<SandboxEndpoint>): void =>
    writeFileSync(join(stateDir(home), ENDPOINT_FILE), JSON.stringify({ ...endpoint, ...ports }));

  replace({ port: service.port });
  const check = await home.run(`${CHECK} --set order_id=b --set payer.email=canary@shop.example`);
  expect(check.code).toBe(4);
  expect(check.stderr).toContain("another program now uses the port of the embedded sandbox");
  replace({ adminPort: plane.port });
  expect((await home.run("sandbox status --json")).stdout).toContain(`"running":false`);
  replace({});

  for (const heard of [service.heard(), plane.heard()]) {
    expect(heard).not.toBe("");
    expect(heard).toMatch(CHALLENGES);
  }
});

test("a copied home starts a sandbox of its own, and leaves the one of the original alone", async () => {
  const copy = testHome();
  try {
    await home.run("sandbox clock");
    cpSync(home.env["VERDICT_HOME"]!, copy.env["VERDICT_HOME"]!, { recursive: true });
    const before = endpointText(home);
    expect(endpointText(copy)).toBe(before);
    expect((await copy.json("sandbox status --json"))[0]).toMatchObject({ running: false });
    expect(await copy.run("sandbox reset --yes")).toMatchObject({ code: 0 });
    expect(JSON.parse(endpointText(copy)).pid).not.toBe(JSON.parse(before).pid);
    expect((await home.json("sandbox status --json"))[0]).toMatchObject({ projects: 1 });
    expect(await home.run(`${CHECK} --set order_id=c`)).toMatchObject({ code: 0 });
    expect(endpointText(home)).toBe(before);
  } finally {
    await copy.remove();
    rmSync(copy.folder, { recursive: true, force: true });
  }
});
