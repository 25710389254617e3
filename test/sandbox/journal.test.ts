// The journal of requests: all of them, the nearest miss of a 401, no secret and no body, and a bound.

import { readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { ADMIN, type JournalPage } from "#src/contract/wire/sandbox-wire.ts";
import { openRequestJournal } from "#src/sandbox/state/request-journal.ts";
import { RequestTrace } from "#src/sandbox/http/request-trace.ts";
import { openLineFile } from "#src/sandbox/state/line-file.ts";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { sign } from "#src/signing/sign.ts";
import {
  alter,
  call,
  CHECK,
  credentialOf,
  makeProject,
  openTestStore,
  registration,
  send,
  startSandbox,
  temporaryFolder,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

async function page(sandbox: SandboxUnderTest, query = ""): Promise<JournalPage> {
  const answer = await sandbox.admin("GET", `${ADMIN.journal}${query}`);
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text) as JournalPage;
}

test("holds what was signed, what was decided and by which rules", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const nowMs = Date.now();
  const nonce = "00000000-0000-4000-8000-000000000001";
  const answer = await call(sandbox, "check", project, CHECK, { nowMs, nonce });
  const body = Buffer.from(JSON.stringify(CHECK));
  const { stringToSign } = sign(
    recipeById("http-signatures"),
    {
      method: "POST",
      url: new URL(`http://127.0.0.1:${sandbox.port}/v1/check`),
      headers: { "content-type": "application/json" },
      body,
    },
    project,
    { nowMs, nonce },
    "check",
  );
  const entry = (await page(sandbox)).entries.at(-1)!;
  expect(entry).toEqual({
    number: entry.number,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    virtual_time: expect.stringMatching(/^\d{4}-.*Z$/),
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    call: "check",
    method: "POST",
    path: "/v1/check",
    body_bytes: body.length,
    status: 200,
    latency_ms: expect.any(Number),
    error: null,
    reason: null,
    key_id: project.keyId,
    project_id: project.projectId,
    string_to_sign: stringToSign,
    decision: answer.headers["x-verdict-decision"],
    recommendation: "pass",
    repeat: false,
    magic: null,
    faults: [],
  });
  expect((await sandbox.explanation(answer)).id).toBe(entry.decision);
});

test("names the nearest miss of every 401, which the caller is not told", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const { last } = await page(sandbox);
  const other = JSON.stringify({ ...CHECK, amount: 1 });
  const misses = [
    await call(sandbox, "check", project, CHECK, { sentBody: other }),
    await call(sandbox, "check", project, CHECK, { nowMs: Date.now() - 400_000 }),
    await call(sandbox, "check", { ...project, secret: new Secret("0".repeat(64)) }, CHECK),
    await call(sandbox, "check", project, CHECK, {
      headers: (all) => Object.fromEntries(Object.entries(all).filter(([name]) => name !== "authorization")),
    }),
  ];
  const { entries } = await page(sandbox, `?after=${last}`);
  expect(entries.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(entries[0]!.reason).toBe("the digest of the body differs");
  expect(entries[1]!.reason).toMatch(/^the time is 40\d s in the past$/);
  expect(new Set(entries.map(({ reason }) => reason)).size).toBe(4);
  expect(entries[2]!.string_to_sign).toContain("(request-target): post /v1/check");
  expect(entries[2]!.key_id).toBe(project.keyId);
  for (const [index, { text }] of misses.entries()) {
    expect(text).not.toContain(entries[index]!.reason!);
    expect(text).not.toContain("string");
  }
});

test("keeps neither secrets nor bodies, whatever the recipe signs", async () => {
  const bodyToken: Recipe = {
    ...recipeById("jwt"),
    recipe: "token of the body",
    time: { header: "x-time", format: "unix-s", skew_s: 300 },
    nonce: { header: "x-nonce", format: "uuid4" },
    canonical: { style: "jwt", header: '{"alg":"HS256"}', claims: "{body}", components: [] },
  };
  for (const recipe of [...PRESETS, bodyToken]) {
    const id = recipe.recipe;
    const sandbox = await startSandbox({ recipe, credentialDelayS: 0 });
    const company = await sandbox.company();
    const changes = { recipe };
    await call(sandbox, "register", company, registration("shop"), changes);
    const wanted = { merchant_id: "shop", risk_level: "medium" };
    const project = credentialOf(await call(sandbox, "credential", company, wanted, changes));
    const canary = { ...CHECK, description: "canary-of-a-body" };
    // At every place in the groups of three.
    const inBase64 = ["", "x", "xy"].map((before) =>
      Buffer.from(`${before}canary-of-a-body`).toString("base64").slice(4, 20),
    );
    expect((await call(sandbox, "check", project, canary, changes)).status).toBe(200);
    const text = JSON.stringify((await page(sandbox)).entries);
    await sandbox.stop();
    for (const kept of [
      text,
      await readFile(join(sandbox.dir, "state", "state.db"), "latin1"),
      JSON.stringify(sandbox.logged),
    ]) {
      for (const secret of [
        "canary",
        ...inBase64,
        project.secret.expose(),
        company.secret.expose(),
        sandbox.adminToken,
      ]) {
        expect([id, kept.includes(secret)]).toEqual([id, false]);
      }
    }
  }
});

test("holds what never became a request, and paths without their query", async () => {
  const sandbox = await startSandbox();
  await send(sandbox.port, { path: "/nothing?token=secret" });
  await send(sandbox.port, { path: "/%zz" });
  await new Promise<void>((resolve) => {
    const socket = connect(sandbox.port, "127.0.0.1");
    socket.on("close", () => resolve()).resume();
    socket.write("HELLO\r\n\r\n");
  });
  const { entries } = await page(sandbox);
  expect(entries.map(({ method, path, status, error }) => [method, path, status, error])).toEqual([
    ["GET", "/nothing", 404, "not_found"],
    ["GET", "/%zz", 404, expect.anything()],
    [null, null, 400, "invalid_request"],
  ]);
  expect(JSON.stringify(entries)).not.toContain("token");
});

test("gives the newest, or those after a number, and survives a restart", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  for (const path of ["/a", "/b", "/c"]) await send(first.port, { path });
  expect((await page(first, "?limit=2")).entries.map(({ path }) => path)).toEqual(["/b", "/c"]);
  expect(await page(first, "?limit=0")).toEqual({ entries: [], last: 3 });
  expect((await page(first, "?after=2")).entries.map(({ path }) => path)).toEqual(["/c"]);
  for (const query of ["?limit=x", "?limit=1001", "?after=-1", "?limit=1&limit=2"]) {
    expect((await first.admin("GET", `${ADMIN.journal}${query}`)).status).toBe(400);
  }
  await first.stop();
  expect((await stat(join(dir, "state", "state.db"))).mode & 0o777).toBe(0o600);

  const next = await startSandbox({}, dir);
  await send(next.port, { path: "/d" });
  const { entries, last } = await page(next);
  expect(entries.map(({ path, number }) => [path, number])).toEqual([
    ["/a", 1],
    ["/b", 2],
    ["/c", 3],
    ["/d", 4],
  ]);
  expect(last).toBe(4);
});

test("is bounded in memory and on disk", async () => {
  const store = await openTestStore();
  const journal = await openRequestJournal(store);
  const tenant = { name: "default", clock: { now: () => 0, realNow: () => 0 } };
  for (let number = 1; number <= 50_000; number += 1) {
    const trace = new RequestTrace("r", tenant, "GET", "/");
    trace.entry.string_to_sign = "s".repeat(1_000);
    journal.write(trace.end(200));
    if (number % 500 === 0) await store.settle();
  }
  journal.close();
  const { entries } = await journal.page(10_000, 0);
  expect([entries.length, entries[0]!.number]).toEqual([1_000, 49_001]);
  await store.settle();
  let first: number | undefined;
  for await (const { number } of store.rows("request")) first ??= number;
  expect(first).toBeGreaterThan(50_000 - 22_000);
  const again = await openRequestJournal(store);
  expect((await again.page(10_000, 0)).entries).toEqual(entries);
});

test("says of a caller who left what was known then", async () => {
  const store = await openTestStore(await temporaryFolder());
  const journal = await openRequestJournal(store);
  const trace = new RequestTrace(
    "r",
    { name: "default", clock: { now: () => 0, realNow: () => 0 } },
    "GET",
    "/",
  );
  journal.write(trace.end(null));
  trace.entry.decision = "dec-1-00000000";
  journal.close();
  await store.settle();
  expect((await journal.page(1, 0)).entries).toMatchObject([{ status: null, decision: null }]);
  expect((await (await openRequestJournal(store)).page(1, 0)).entries).toMatchObject([{ decision: null }]);
});

test("goes on behind a last entry that is damaged", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  for (const path of ["/a", "/b"]) await send(first.port, { path });
  await first.stop();
  alter(join(dir, "state"), "UPDATE request SET bytes = substr(bytes, 2)");
  const next = await startSandbox({}, dir);
  await send(next.port, { path: "/c" });
  await next.stop();
  const last = await startSandbox({}, dir);
  expect((await page(last)).entries.map(({ path }) => path)).toEqual(["/c"]);
});

test("a line file begins anew at its limit and keeps one generation", async () => {
  const path = join(await temporaryFolder(), "lines");
  const file = openLineFile(path, 50);
  for (let number = 0; number < 20; number += 1) {
    file.write(["line number", number]);
    file.flush();
  }
  file.close();
  const [now, before] = await Promise.all([readFile(path, "utf8"), readFile(`${path}.1`, "utf8")]);
  expect(`${before}${now}`.trimEnd().split("\n").at(-1)).toBe(`["line number",19]`);
  for (const text of [now, before]) expect(text.length).toBeLessThan(50 + 20);
  expect(before.trimEnd().split("\n").at(-1)).toMatch(/^\["line number",\d+\]$/);
});
