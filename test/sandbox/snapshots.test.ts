// Snapshot, restore and reset of a sandbox that goes on serving.

import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { copyFile, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ADMIN, type SnapshotFacts } from "#src/contract/wire/sandbox-wire.ts";
import { createSharedLock } from "#src/sandbox/state/turns.ts";
import {
  call,
  CHECK,
  credentialOf,
  DAY,
  makeProject,
  registration,
  send,
  signedCall,
  startSandbox,
  temporaryFolder,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

const order = (id: string): object => ({ ...CHECK, order_id: id });

async function snapshot(sandbox: SandboxUnderTest, body: object): Promise<SnapshotFacts> {
  const answer = await sandbox.admin("POST", ADMIN.snapshots, body);
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text) as SnapshotFacts;
}

test("restore brings back projects, counts, decisions, stored answers and virtual time, as often as wanted", async () => {
  const sandbox = await startSandbox({ seed: 3 });
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  await sandbox.clock({ do: "freeze" });
  const first = await call(sandbox, "check", project, order("a"));
  await call(sandbox, "check", project, order("b"));
  const { virtualTime } = await sandbox.status();
  const facts = await snapshot(sandbox, { name: "before" });
  expect(facts).toMatchObject({ name: "before", projects: 1, decisions: 2, virtualTime });
  expect((await stat(facts.path)).mode & 0o777).toBe(0o600);
  expect(await readFile(facts.path, "latin1")).not.toContain(project.secret.expose());

  const went = async (): Promise<string[]> => {
    const third = await call(sandbox, "check", project, order("c"));
    await makeProject(sandbox, company, "later");
    await sandbox.clock({ do: "advance", byMs: 3 * DAY });
    return [String(third.body["code"]), String(third.headers["x-verdict-decision"])];
  };
  const once = await went();
  expect(once[0]).toBe("3ds_or_block");
  const used = signedCall(sandbox.port, "check", project, order("d"));
  await send(sandbox.port, used);

  for (let time = 0; time < 2; time += 1) {
    expect((await sandbox.admin("POST", ADMIN.restore, { name: "before" })).status).toBe(200);
    expect(await sandbox.status()).toMatchObject({
      projects: 1,
      decisions: 2,
      virtualTime,
      clockFrozen: true,
    });
    const repeat = await call(sandbox, "check", project, order("a"));
    expect(repeat.text).toBe(first.text);
    expect((await sandbox.explanation(repeat)).id).toBe(first.headers["x-verdict-decision"]);
    // Real time did not go back: what was used stays used.
    expect((await send(sandbox.port, used)).status).toBe(401);
    // The same happens again, with the same counts and, by the seed, the same ids.
    expect(await went()).toEqual(once);
  }
  // What was restored is also what a restart finds.
  await sandbox.admin("POST", ADMIN.restore, { name: "before" });
  await sandbox.stop();
  const next = await startSandbox({ seed: 3 }, sandbox.dir);
  expect(await next.status()).toMatchObject({ projects: 1, decisions: 2, virtualTime });
});

test("a snapshot goes to a file, is never overwritten, and is listed by name", async () => {
  const sandbox = await startSandbox();
  await makeProject(sandbox, await sandbox.company());
  const path = join(await temporaryFolder(), "one.snapshot");
  expect(await snapshot(sandbox, { path })).toMatchObject({ name: null, path, projects: 1 });
  const bytes = await readFile(path);
  expect((await sandbox.admin("POST", ADMIN.snapshots, { path })).body["message"]).toContain("already");
  expect(await readFile(path)).toEqual(bytes);
  await snapshot(sandbox, { name: "b" });
  await snapshot(sandbox, { name: "a" });
  const { snapshots } = JSON.parse((await sandbox.admin("GET", ADMIN.snapshots)).text) as {
    snapshots: SnapshotFacts[];
  };
  expect(new Set(snapshots.map(({ name }) => name))).toEqual(new Set(["a", "b"]));
  for (const wrong of [
    {},
    { name: "../x" },
    { name: "" },
    { path: "relative" },
    { path: "/nowhere/at/all" },
  ]) {
    const answer = await sandbox.admin("POST", ADMIN.snapshots, wrong);
    expect([400, 503]).toContain(answer.status);
  }
  expect((await call(sandbox, "register", await sandbox.company(), registration("y"))).status).toBe(200);
});

test("there are no more than a hundred snapshots with names", async () => {
  const sandbox = await startSandbox();
  const { path } = await snapshot(sandbox, { name: "first" });
  const copies = Array.from({ length: 99 }, (_, i) => join(dirname(path), `copy-${i}.snapshot`));
  for (const copy of copies) await copyFile(path, copy);
  const { status, body } = await sandbox.admin("POST", ADMIN.snapshots, { name: "last" });
  expect([status, body["message"]]).toEqual([400, expect.stringContaining(dirname(path))]);
  await snapshot(sandbox, { path: join(sandbox.dir, "outside.snapshot") });
  await rm(copies[0]!);
  await snapshot(sandbox, { name: "last" });
});

test("a damaged, cut or foreign snapshot changes nothing", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  await call(sandbox, "check", project, CHECK);
  const good = await snapshot(sandbox, { name: "good" });
  const whole = await readFile(good.path);
  const foreign = await startSandbox();
  const folder = await temporaryFolder();
  const changed = (sql: string): Buffer => {
    const path = join(folder, "changed.db");
    writeFileSync(path, whole);
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    return readFileSync(path);
  };
  const broken: Record<string, Buffer> = {
    cut: whole.subarray(0, whole.length - 4_096),
    empty: Buffer.alloc(0),
    nonsense: Buffer.from("{}\n".repeat(2_000)),
    "without its facts": changed("DELETE FROM value WHERE name = 'snapshot'"),
    "with another decision": changed("UPDATE decision SET bytes = zeroblob(99)"),
    "with a value elsewhere": changed(
      "UPDATE value SET bytes = (SELECT bytes FROM value WHERE name = 'clock') WHERE name LIKE 'project %'",
    ),
    "with a trigger": changed("CREATE TRIGGER t AFTER INSERT ON value BEGIN DELETE FROM decision; END"),
    newer: changed("PRAGMA user_version = 9"),
  };
  for (const [name, content] of Object.entries(broken)) {
    const path = join(folder, name);
    await writeFile(path, content);
    const answer = await sandbox.admin("POST", ADMIN.restore, { path });
    expect([name, answer.status, String(answer.body["message"]).includes("not a whole snapshot")]).toEqual([
      name,
      400,
      true,
    ]);
  }
  const other = await foreign.admin("POST", ADMIN.restore, { path: good.path });
  expect([other.status, other.body["message"]]).toEqual([400, expect.stringContaining("another sandbox")]);
  expect((await sandbox.admin("POST", ADMIN.restore, { name: "none" })).body["message"]).toContain(
    "no snapshot",
  );
  expect(await sandbox.status()).toMatchObject({ projects: 1, decisions: 1, writable: true });
  expect((await call(sandbox, "check", project, order("x"))).status).toBe(200);
});

test("what is no regular file is refused at once, and a large file before it is read whole", async () => {
  const sandbox = await startSandbox();
  const folder = await temporaryFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const link = join(folder, "link");
  await symlink("/dev/zero", link);
  for (const path of [pipe, link, "/dev/zero", folder]) {
    const answer = await sandbox.admin("POST", ADMIN.restore, { path });
    expect([path, answer.status, answer.body["message"]]).toEqual([
      path,
      400,
      expect.stringContaining("not a regular file"),
    ]);
  }
  const long = join(folder, "long");
  await writeFile(long, "");
  await truncate(long, 400 * 1024 * 1024);
  const before = process.memoryUsage.rss();
  const answer = await sandbox.admin("POST", ADMIN.restore, { path: long });
  expect(answer.body["message"]).toContain("not a whole snapshot");
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
  // Nor does a list of snapshots wait for one.
  const good = await snapshot(sandbox, { name: "good" });
  execFileSync("mkfifo", [join(dirname(good.path), "pipe.snapshot")]);
  const listed = JSON.parse((await sandbox.admin("GET", ADMIN.snapshots)).text) as { snapshots: object[] };
  expect(listed.snapshots).toHaveLength(1);
});

test("reset forgets projects, decisions, faults and the high-water mark; integration keys stay", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  await call(sandbox, "check", project, CHECK);
  await sandbox.clock({ do: "advance", byMs: 2 * DAY });
  await sandbox.admin("POST", ADMIN.faults, { on: "check", effect: { do: "garbage" }, rate: 1, count: null });
  expect((await sandbox.admin("POST", ADMIN.reset, { keepProjects: false })).status).toBe(200);
  const now = await sandbox.status();
  expect(now).toMatchObject({ projects: 0, decisions: 0, faults: [], clockFrozen: false });
  expect(Math.abs(now.virtualTime - Date.now())).toBeLessThan(60_000);
  expect((await call(sandbox, "check", project, CHECK)).status).toBe(401);
  const again = await makeProject(sandbox, company);
  expect((await call(sandbox, "check", again, CHECK)).body["code"]).toBe("pass");
  await sandbox.stop();
  const next = await startSandbox({}, sandbox.dir);
  expect(await next.status()).toMatchObject({ projects: 1, decisions: 1, faults: [] });
});

test("reset can keep projects: their credentials go on signing, their counts are gone, their windows are open again", async () => {
  const sandbox = await startSandbox({ credentialDelayS: 1 });
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  for (const id of ["a", "b", "c"]) await call(sandbox, "check", project, order(id));
  await sandbox.clock({ do: "advance", byMs: 2 * DAY });
  const wanted = { merchant_id: "shop", risk_level: "medium" };
  expect((await call(sandbox, "credential", company, wanted)).status).toBe(410);
  await sandbox.admin("POST", ADMIN.reset, { keepProjects: true });
  expect(await sandbox.status()).toMatchObject({ projects: 1, decisions: 0 });
  expect((await call(sandbox, "check", project, order("d"))).body["code"]).toBe("pass");
  // The sandbox counts from real time now; the registration lies a moment ahead of it.
  await expect
    .poll(async () => (await call(sandbox, "credential", company, wanted)).status, { timeout: 30_000 })
    .toBe(200);
  expect(credentialOf(await call(sandbox, "credential", company, wanted)).keyId).toBe(project.keyId);
  expect((await sandbox.admin("POST", ADMIN.reset, {})).status).toBe(400);
});

test("a restored state is private, whatever the snapshot was, and its key may be all that was left", async () => {
  const first = await startSandbox();
  const project = await makeProject(first, await first.company());
  for (const id of ["a", "b"]) await call(first, "check", project, order(id));
  const path = join(await temporaryFolder(), "moved.snapshot");
  await snapshot(first, { path });
  await first.stop();
  chmodSync(path, 0o644);
  await rm(join(first.dir, "state", "state.db"));

  const next = await startSandbox({}, first.dir);
  expect((await next.admin("POST", ADMIN.restore, { path })).status).toBe(200);
  expect(statSync(join(first.dir, "state", "state.db")).mode & 0o777).toBe(0o600);
  const third = await call(next, "check", project, order("c"));
  expect((await next.explanation(third)).counters).toContainEqual(expect.objectContaining({ value: 3 }));
  for (let i = 0; i < 5; i += 1) await call(next, "check", project, order(`d-${i}`));
  await next.stop();
  expect(await (await startSandbox({}, first.dir)).status()).toMatchObject({ decisions: 8, writable: true });
});

test("checks that arrive during a swap wait for it, and none is lost", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const checks = Array.from({ length: 60 }, (_, number) =>
    call(sandbox, "check", project, { ...order(`o-${number}`), payer: { payer_id: `p-${number}` } }),
  );
  const taken = await Promise.all(["x", "y", "z"].map((name) => snapshot(sandbox, { name })));
  expect(taken.map(({ name }) => name)).toEqual(["x", "y", "z"]);
  for (const answer of await Promise.all(checks)) {
    expect(answer.status).toBe(200);
    expect((await sandbox.explanation(answer)).recommendation).toBe(answer.body["code"]);
  }
  expect((await sandbox.status()).decisions).toBe(60);
});

test("an exclusive holder waits for the shared ones, and the others wait for it", async () => {
  const lock = createSharedLock();
  const seen: string[] = [];
  const inside = Promise.withResolvers<void>();
  const first = lock.shared(async () => {
    await inside.promise;
    seen.push("first out");
  });
  const exclusive = [1, 2].map((number) =>
    lock.exclusive(async () => {
      seen.push(`exclusive ${number} in`);
      await Promise.resolve();
      seen.push(`exclusive ${number} out`);
    }),
  );
  const late = lock.shared(async () => void seen.push("late"));
  inside.resolve();
  await Promise.all([first, ...exclusive, late]);
  expect(seen[0]).toBe("first out");
  for (const number of [1, 2]) {
    expect(seen.indexOf(`exclusive ${number} out`)).toBe(seen.indexOf(`exclusive ${number} in`) + 1);
  }
  await expect(lock.exclusive(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lock.shared(async () => "open")).toBe("open");
});
