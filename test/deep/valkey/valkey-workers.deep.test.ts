// Workers that share one sandbox: what is ordered at one of them happens at all.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runTurnText } from "#src/contract/wire/run-turn.ts";
import { ADMIN, type SandboxPanel } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { UNKNOWN_DECISION } from "#src/sandbox/service/call-route.ts";
import { testRules } from "../../sandbox/rules.ts";
import { create } from "../../sandbox/isolation.ts";
import {
  call,
  CHECK,
  makeProject,
  registration,
  send,
  temporaryFolder,
} from "../../sandbox/sandbox-under-test.ts";
import { unrefused } from "./callers.ts";
import { isWithoutServer } from "./server.ts";
import { startWorkers } from "./workers.ts";

describe.skipIf(isWithoutServer())("workers", () => {
  it("a fault that is ordered three times is met three times by eight clients at two workers", async () => {
    const workers = await startWorkers();
    const both = [await workers.start(), await workers.start()] as const;
    const project = await makeProject(both[0], await both[0].company());
    const order = {
      on: "check",
      rate: 1,
      count: 3,
      effect: { do: "status", status: 500, retryAfterS: null },
    };
    expect((await both[0].admin("POST", ADMIN.faults, order)).status).toBe(200);
    const client = async (place: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let i = 0; i < 10; i += 1) {
        const body = { ...CHECK, order_id: `o-${place}-${i}` };
        const ask = () => unrefused(() => call(both[(place + i) % 2]!, "check", project, body));
        let sent = await ask();
        // A busy machine may leave open whether it was decided; the fault that was ordered says nothing of that.
        while (JSON.stringify(sent.body).includes(UNKNOWN_DECISION)) sent = await ask();
        statuses.push(sent.status);
      }
      return statuses;
    };
    const statuses = (await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(client))).flat();
    expect(statuses.filter((status) => status === 500)).toHaveLength(3);
    expect(statuses.filter((status) => status === 200)).toHaveLength(77);
    expect((await both[1].admin("GET", ADMIN.faults)).body).toMatchObject({ faults: [{ made: 3 }] });
    expect((await both[1].admin("DELETE", ADMIN.faults)).status).toBe(200);
    expect((await both[0].status()).faults).toEqual([]);
  });

  it("decide a check of a run while the answer to the one before is sent slowly", async () => {
    const worker = await (await startWorkers()).start();
    const project = await makeProject(worker, await worker.company());
    const slow = { on: "check", rate: 1, count: 1, effect: { do: "slow_body", overMs: 2_000 } };
    expect((await worker.admin("POST", ADMIN.faults, slow)).status).toBe(200);
    const ended: number[] = [];
    const check = async (number: number): Promise<void> => {
      const headers = (signed: Record<string, string>): Record<string, string> => ({
        ...signed,
        [HEADER.turn]: runTurnText({ run: "r", number, lowest: 1 }),
      });
      const answer = await call(worker, "check", project, { ...CHECK, order_id: `o-${number}` }, { headers });
      expect(answer.status).toBe(200);
      ended.push(number);
    };
    const first = check(1);
    await expect.poll(async () => (await worker.status()).decisions).toBe(1);
    await Promise.all([first, check(2)]);
    expect(ended).toEqual([2, 1]);
  });

  it("pass no quota together", async () => {
    const workers = await startWorkers();
    const both = [await workers.start(), await workers.start()] as const;
    const { admin } = await create(both[0], "red", { quota: { projects: 4, decisions: 12 } });
    const owner = await admin.company();
    const project = await makeProject({ ...both[0], ...admin }, owner);
    const registered = await Promise.all(
      Array.from({ length: 12 }, (_, i) => call(both[i % 2]!, "register", owner, registration(`shop-${i}`))),
    );
    const checked = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        call(both[i % 2]!, "check", project, { ...CHECK, order_id: `order-${i}` }),
      ),
    );
    const done = (answers: readonly { readonly status: number }[]): number =>
      answers.filter(({ status }) => status === 200).length;
    expect([done(registered), done(checked)]).toEqual([3, 12]);
    expect(new Set([...registered, ...checked].map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  it("rules that are saved at one worker decide at the other, and each decision keeps its own", async () => {
    const workers = await startWorkers();
    const [one, two] = [await workers.start(), await workers.start()];
    const project = await makeProject(one, await one.company());
    const before = await call(two, "check", project, { ...CHECK, order_id: "before" });
    const text = `${(await testRules()).text}# own\n`;
    const saved = await one.admin("POST", ADMIN.rulesText, { text });
    expect(saved.status).toBe(200);
    const after = await call(two, "check", project, { ...CHECK, order_id: "after" });
    expect((await one.explanation(after)).ruleSetHash).toBe(saved.body["hash"]);
    expect((await one.explanation(before)).ruleSetHash).toBe((await testRules()).hash);
    const { ruleSetHash } = await two.status();
    expect(ruleSetHash).toBe(saved.body["hash"]);
    const membersOf = async () => (await two.status()).members;
    await expect
      .poll(async () => (await membersOf()).map((member) => member.ruleSetHash))
      .toEqual([ruleSetHash, ruleSetHash]);
    expect(new Set((await membersOf()).map(({ world }) => world)).size).toBe(1);
  });

  it("a worker with a rule file of its own decides by it, and the members show that", async () => {
    const workers = await startWorkers();
    const file = join(await temporaryFolder(), "rules.yaml");
    writeFileSync(file, `${(await testRules()).text}# a file\n`);
    const one = await workers.start();
    const two = await workers.start({ rulesFile: file });
    expect((await two.status()).ruleFile).toBe(file);
    const hashes = (await one.status()).members.map(({ ruleSetHash }) => ruleSetHash);
    expect(new Set(hashes).size).toBe(2);
  });

  it("clock, keys and journal are the same at each, and requests of a worker that has gone stay", async () => {
    const workers = await startWorkers();
    const [one, two] = [await workers.start(), await workers.start()];
    const at = Date.parse("2026-03-16T12:00:00Z");
    await one.clock({ do: "freeze" });
    await one.clock({ do: "set", at });
    expect((await two.status()).virtualTime).toBe(at);
    await two.admin("POST", ADMIN.companies, {});
    expect(await one.panel()).toEqual((await two.panel()) satisfies SandboxPanel);
    const project = await makeProject(one, await two.company(1));
    const answer = await call(two, "check", project, CHECK);
    expect([answer.status, (await call(one, "check", project, CHECK)).headers["x-verdict-repeat"]]).toEqual([
      200,
      "1",
    ]);
    await two.stop();
    const { entries } = (await one.admin("GET", ADMIN.journal)).body as { entries: { call: string }[] };
    expect(entries.map((entry) => entry.call)).toEqual(["register", "credential", "check", "check"]);
    expect((await one.status()).members).toHaveLength(1);
  });

  it("the first one's seed and start are the state's", async () => {
    const workers = await startWorkers();
    const startAt = Date.parse("2026-03-16T12:00:00Z");
    const one = await workers.start({ seed: 7, startAt });
    const two = await workers.start({ seed: 8, startAt: 0 });
    expect((await two.status()).virtualTime - startAt).toBeLessThan(60_000);
    const alone = await startWorkers();
    expect(await (await alone.start({ seed: 7 })).panel()).toEqual(await one.panel());
    expect(await two.panel()).toEqual(await one.panel());
  });

  it("while the server is away they live, are not ready and refuse, and go on when it is back", async () => {
    const workers = await startWorkers();
    const one = await workers.start();
    const project = await makeProject(one, await one.company());
    await workers.server.kill();
    const started = performance.now();
    const refused = await call(one, "check", project, CHECK);
    expect([refused.status, refused.body["error"]]).toEqual([503, "unavailable"]);
    expect(performance.now() - started).toBeLessThan(1_000);
    const unknown = await call(one, "check", { ...project, keyId: "hmac-sha256-0123456789abcdef" }, CHECK);
    expect(unknown.status).toBe(503);
    expect((await send(one.port, { path: "/ready" })).status).toBe(503);
    expect((await send(one.port, { path: "/health" })).status).toBe(200);
    await workers.server.start();
    await expect.poll(async () => (await send(one.port, { path: "/ready" })).status).toBe(200);
    expect((await call(one, "check", project, CHECK)).status).toBe(200);
  });

  it("a worker leaves its members and its folder when it ends, and stops also while the server is away", async () => {
    const workers = await startWorkers();
    const [one, two] = [await workers.start(), await workers.start()];
    expect(one.keysFile).toContain("integration-keys.json");
    expect(await readdir(join(one.dir, "state"))).toContain("endpoint.json");
    await one.stop();
    expect(await readdir(one.dir)).toEqual([]);
    await workers.server.kill();
    await two.stop();
    expect(await readdir(two.dir)).toEqual([]);
  });

  it("the folder of a worker that was killed goes at the next start, and no other one", async () => {
    const workers = await startWorkers();
    const folder = await temporaryFolder();
    const left = async (name: string, file: string): Promise<void> => {
      await mkdir(join(folder, name), { mode: 0o700 });
      writeFileSync(join(folder, name, file), "{}");
    };
    await left("killed", "endpoint.json");
    await left("starting", "sandbox.log");
    await workers.start({ stateDir: join(folder, "one") });
    await workers.start({ stateDir: join(folder, "two") });
    expect((await readdir(folder)).sort()).toEqual(["one", "starting", "two"]);
  });

  it("one with another key, or with a file that others can read, does not start", async () => {
    const workers = await startWorkers();
    await workers.start();
    const address = `unix:${workers.server.socket}`;
    const keyFile = join(await temporaryFolder(), "other.key");
    const start = () => workers.start({ server: { address, keyFile, leaveNothing: true } });
    await expect(start()).rejects.toThrow("is not there; make one with");
    writeFileSync(keyFile, randomBytes(31), { mode: 0o600 });
    await expect(start()).rejects.toThrow("must have 32 bytes");
    writeFileSync(keyFile, randomBytes(32));
    await expect(start()).rejects.toThrow("use the key file of the other workers");
    writeFileSync(join(keyFile, "../open.key"), randomBytes(32), { mode: 0o644 });
    const open = { address, keyFile: join(keyFile, "../open.key"), leaveNothing: true };
    await expect(workers.start({ server: open })).rejects.toThrow("chmod 600");
  });
});
