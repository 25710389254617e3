// Workers as processes, as the how-to page starts them, and the pipeline of examples/workers on top.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM } from "../../cli/verdict-process.ts";
import { isWithoutServer, startServer } from "./server.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const PAGE = readFileSync(join(root, "docs/how-to/run-several-workers.md"), "utf8");
const VERDICT = `${process.execPath} ${PROGRAM}`;

interface ProcessUnderTest {
  readonly child: ChildProcess;
  readonly url: string;
}

/** @param settings of `verdict serve`, as variables */
async function startProcess(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<ProcessUnderTest> {
  const variables = Object.entries(settings).map(([name, value]) => [`VERDICT_SERVE_${name}`, value]);
  const child = spawn(process.execPath, [PROGRAM, "--home", join(folder, "home"), "serve", "--json"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...(Object.fromEntries(variables) as Record<string, string>) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, url: (JSON.parse(said.toString()) as { url: string }).url };
}

/** Gives each connection to the next of them. @returns its address */
async function startBalancer(urls: readonly string[]): Promise<string> {
  let turn = 0;
  const balancer = createServer((client) => {
    const { port } = new URL(urls[(turn += 1) % urls.length]!);
    const worker = connect(Number(port), "127.0.0.1");
    for (const each of [client, worker]) each.on("error", () => undefined);
    client.pipe(worker).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(balancer, "listening");
  onTestFinished(() => void balancer.close());
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
}

/** @returns its exit code, and what it says of the run of all shards; of a failure, all that it says */
async function runShards(
  env: NodeJS.ProcessEnv,
  begins: (pid: number) => void,
): Promise<[code: number, said: string]> {
  const ran = spawn("sh", [join(root, "examples/workers/shards.sh")], { env });
  begins(ran.pid!);
  let said = "";
  for (const stream of [ran.stdout, ran.stderr])
    stream.on("data", (text: Buffer) => {
      said += text.toString();
    });
  const [code] = (await once(ran, "close")) as [number];
  return [code, /^(200 payments) checked$/m.exec(said)?.[1] ?? said];
}

describe.skipIf(isWithoutServer())("workers as processes", () => {
  it("take what the page says, and four shards replay at once on tenants of their own", async () => {
    const folder = mkdtempSync(join(tmpdir(), "verdict-workers-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const write = (name: string, bytes: Buffer | string): string => {
      writeFileSync(join(folder, name), bytes, { mode: 0o600 });
      return join(folder, name);
    };
    const password = randomBytes(16).toString("hex");
    const users = PAGE.match(/^user .*$/gm)!
      .join("\n")
      .replace("PASSWORD", password);
    const server = await startServer(["--aclfile", write("users.acl", `${users}\n`)]);
    onTestFinished(() => server.stop());
    const settings = {
      STATE: `unix://verdict@${server.socket}`,
      STATE_KEY_FILE: write("state.key", randomBytes(32)),
      STATE_PASSWORD_FILE: write("password", `${password}\n`),
      ADMIN_PORT: "0",
      PORT: "0",
    };
    const one = await startProcess(folder, { ...settings, LOCAL_DIR: join(folder, "one") });
    const two = await startProcess(folder, settings);

    const env = {
      PATH: process.env["PATH"],
      VERDICT,
      ADMIN: `${VERDICT} --home ${join(folder, "home")}`,
      STATE: join(folder, "one"),
      URL: await startBalancer([one.url, two.url]),
    };
    // A machine under load may keep the server silent for longer than a call may wait: then items are refused with 503.
    let last = 0;
    const run = (): ReturnType<typeof runShards> => runShards(env, (pid) => (last = pid));
    await expect.poll(run, { timeout: 110_000, interval: 0 }).toEqual([0, "200 payments"]);

    const ask = (...words: string[]): string => {
      const args = ["--home", join(folder, "home"), "sandbox", ...words, "--state", join(folder, "one")];
      const asked = spawnSync(process.execPath, [PROGRAM, ...args, "--json"], { env: {}, encoding: "utf8" });
      expect(asked.stderr).toBe("");
      return asked.stdout;
    };
    expect(JSON.parse(ask("status"))).toMatchObject({
      members: [{ pid: expect.any(Number) }, { pid: expect.any(Number) }],
    });
    // A run that failed leaves its own to their time.
    const tenants = ask("tenant", "list");
    expect(tenants).toContain("default");
    expect(tenants).not.toContain(`ci-${last}-`);
    for (const { child } of [one, two]) {
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    }
  }, 120_000);
});

const [COMPOSE, ...READS] = [
  "docker-compose",
  "--file",
  join(root, "examples/workers/compose.yaml"),
  "config",
  "--quiet",
];

it.skipIf(spawnSync(COMPOSE, ["--version"]).status !== 0)("Compose reads the example", () => {
  const { status, stderr } = spawnSync(COMPOSE, READS, { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});
