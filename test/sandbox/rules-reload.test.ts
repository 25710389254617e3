// Rules that are replaced while the sandbox runs, and what they did.

import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ADMIN, type RulesReading, type RulesText } from "#src/contract/wire/sandbox-wire.ts";
import { ActiveRules } from "#src/sandbox/state/active-rules.ts";
import { ruleFilePlace } from "#src/sandbox/state/rule-file-place.ts";
import type { SandboxOptions } from "#src/sandbox/sandbox-options.ts";
import {
  call,
  CHECK,
  makeProject,
  startSandbox,
  temporaryFolder,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

/** Blocks one payer; the mode of the other rule is as told. */
function rules(blocked: string, mode = "live"): string {
  return `
name: rules that block ${blocked}
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
sample: { at: "2026-03-01T12:00:00Z", project_currency: 980, request: { operation: payment } }
rules:
  - code: BLOCKED
    text: "this payer is blocked"
    when: payer.payer_id == "${blocked}"
    effect: block
    needs: [payer.payer_id]
  - code: PAYMENT
    text: "a payment"
    when: operation == "payment"
    score: 1
    mode: ${mode}
`;
}

const WRONG = "name: broken\nrules: [";
const STARTER: Partial<SandboxOptions> = { ruleSet: undefined };

async function reading(sandbox: SandboxUnderTest): Promise<RulesReading> {
  return JSON.parse((await sandbox.admin("GET", ADMIN.rules)).text) as RulesReading;
}

function rulesPath({ dir }: { readonly dir: string }): string {
  return join(dir, "state", "rules.yaml");
}

test("other rules decide an identical check again", async () => {
  const sandbox = await startSandbox({ ...STARTER });
  const project = await makeProject(sandbox, await sandbox.company());
  await sandbox.clock({ do: "freeze" });
  const ask = async (): Promise<readonly unknown[]> => {
    const { body, headers } = await call(sandbox, "check", project, { ...CHECK, payer: { payer_id: "p" } });
    return [body["code"], headers["x-verdict-repeat"]];
  };
  const use = (text: string): Promise<unknown> => sandbox.admin("POST", ADMIN.rulesText, { text });
  expect(await ask()).toEqual(["pass", undefined]);
  expect(await ask()).toEqual(["pass", "1"]);
  await use(rules("p"));
  expect(await ask()).toEqual(["block", undefined]);
  expect(await ask()).toEqual(["block", "1"]);
});

test("a rule file is read when it changes, a wrong one changes nothing, and without one the starter rules decide", async () => {
  const sandbox = await startSandbox(STARTER);
  const project = await makeProject(sandbox, await sandbox.company());
  let number = 0;
  const checked = async (payer: string): Promise<unknown> => {
    number += 1;
    const body = { ...CHECK, order_id: `o-${number}`, payer: { payer_id: payer } };
    return (await call(sandbox, "check", project, body)).body["code"];
  };
  const starter = await reading(sandbox);
  expect(starter).toMatchObject({ fromFile: false, error: null, file: rulesPath(sandbox) });
  expect(await checked("eve")).toBe("pass");

  await writeFile(rulesPath(sandbox), rules("eve"));
  await expect.poll(async () => (await reading(sandbox)).fromFile, { timeout: 30_000 }).toBe(true);
  expect(await checked("eve")).toBe("block");

  await writeFile(rulesPath(sandbox), WRONG);
  await expect.poll(async () => (await reading(sandbox)).error, { timeout: 30_000 }).not.toBeNull();
  expect(await checked("eve")).toBe("block");
  const { ruleError, ruleFile } = await sandbox.status();
  expect(ruleError).toMatch(/rules\.yaml/);
  expect(ruleFile).toBe(rulesPath(sandbox));

  await rm(rulesPath(sandbox));
  expect((await sandbox.admin("POST", ADMIN.reloadRules)).status).toBe(200);
  expect(await reading(sandbox)).toMatchObject({ fromFile: false, error: null, hash: starter.hash });
  expect(await checked("eve")).toBe("pass");
  expect(sandbox.logged.filter(({ event }) => event === "rules_read").length).toBeGreaterThanOrEqual(3);
});

test("hits are counted by rule and mode; repeats are not", async () => {
  const dir = await temporaryFolder();
  const sandbox = await startSandbox(STARTER, dir);
  const project = await makeProject(sandbox, await sandbox.company());
  const saved = await sandbox.admin("POST", ADMIN.rulesText, { text: rules("eve", "shadow") });
  expect(saved.status, saved.text).toBe(200);
  for (const payer_id of ["eve", "bob", "eve", undefined]) {
    const order_id = `o-${String(payer_id)}`;
    await call(sandbox, "check", project, { ...CHECK, order_id, payer: { payer_id } });
  }
  expect((await reading(sandbox)).rules).toMatchObject([
    { code: "BLOCKED", mode: "live", hits: 1, shadowHits: 0, notEvaluated: 1 },
    { code: "PAYMENT", mode: "shadow", hits: 0, shadowHits: 3, notEvaluated: 0 },
  ]);
});

test("rules are saved only when nothing is wrong with them, kept over a restart, and can be given up", async () => {
  const sandbox = await startSandbox(STARTER);
  const text = async (): Promise<RulesText> =>
    JSON.parse((await sandbox.admin("GET", ADMIN.rulesText)).text) as RulesText;
  const starter = await text();
  expect(starter.fromFile).toBe(false);
  expect(starter.text).toContain("CARD_EXPIRED");

  const refused = await sandbox.admin("POST", ADMIN.rulesText, { text: WRONG });
  expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_request"]);
  expect(refused.body["message"]).toMatch(/line|:\d+/);
  const named = await sandbox.admin("POST", ADMIN.rulesText, { text: WRONG, name: "my \u001b draft.yaml" });
  expect(named.body["message"]).toMatch(/^my \\x1b draft\.yaml:\d+:\d+: /);
  for (const body of [{}, { text: 5 }]) {
    expect((await sandbox.admin("POST", ADMIN.rulesText, body)).status).toBe(400);
  }
  expect(await text()).toEqual(starter);

  await sandbox.admin("POST", ADMIN.rulesText, { text: rules("eve") });
  expect(await text()).toEqual({ text: rules("eve"), fromFile: true });
  expect(await readFile(rulesPath(sandbox), "utf8")).toBe(rules("eve"));
  await sandbox.stop();

  const next = await startSandbox(STARTER, sandbox.dir);
  expect((await reading(next)).name).toBe("rules that block eve");
  expect((await next.admin("DELETE", ADMIN.rulesText)).status).toBe(200);
  expect((await reading(next)).fromFile).toBe(false);
});

test("the starter file itself can be saved as one's own", async () => {
  const sandbox = await startSandbox(STARTER);
  const { text } = JSON.parse((await sandbox.admin("GET", ADMIN.rulesText)).text) as RulesText;
  const saved = await sandbox.admin("POST", ADMIN.rulesText, { text });
  expect(saved.status, saved.text).toBe(200);
  expect((await reading(sandbox)).fromFile).toBe(true);
});

test("a rule file may have 1,048,576 characters, however they are written, and not one more", async () => {
  const sandbox = await startSandbox(STARTER);
  const most = 1_048_576;
  const save = (text: string) => sandbox.admin("POST", ADMIN.rulesText, { text });
  /** Filled with a comment of characters of three bytes, quotes and line ends. */
  const filled = (length: number): string => {
    const start = rules("eve");
    const line = `# ${"€".repeat(60)}${'"'.repeat(60)}\n`;
    return (start + line.repeat(Math.ceil(length / line.length))).slice(0, length - 1) + "\n";
  };
  const saved = await save(filled(most));
  expect(saved.status, saved.text).toBe(200);
  expect((await reading(sandbox)).name).toBe("rules that block eve");
  const refused = await save(filled(most + 1));
  expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_request"]);
  expect(refused.body["message"]).toContain("longer than 1048576 characters");
  expect((await save(filled(5 * most))).body["error"]).toBe("body_too_large");
  expect((await stat(rulesPath(sandbox))).size).toBe(Buffer.byteLength(filled(most)));
});

test("rules that decided before their file went wrong go on after a restart, until the file is right again or gone", async () => {
  const first = await startSandbox(STARTER);
  await first.admin("POST", ADMIN.rulesText, { text: rules("eve") });
  const { hash } = await reading(first);
  await writeFile(rulesPath(first), WRONG);
  await first.admin("POST", ADMIN.reloadRules);
  await first.stop();

  const second = await startSandbox(STARTER, first.dir);
  expect(await reading(second)).toMatchObject({
    fromFile: true,
    hash,
    error: { message: expect.any(String) },
  });
  await second.stop();
  await writeFile(rulesPath(first), rules("bob"));
  const third = await startSandbox(STARTER, first.dir);
  expect(await reading(third)).toMatchObject({ fromFile: true, name: "rules that block bob", error: null });
  await third.stop();
  await rm(rulesPath(first));
  const fourth = await startSandbox(STARTER, first.dir);
  expect((await reading(fourth)).fromFile).toBe(false);
  await fourth.stop();
  await writeFile(rulesPath(first), WRONG);
  const last = await startSandbox(STARTER, first.dir);
  expect(await reading(last)).toMatchObject({ fromFile: false, error: { message: expect.any(String) } });
});

test("a rule file that is wrong at the start leaves the starter rules; one that was named must be right", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox(STARTER, dir);
  await first.stop();
  await writeFile(rulesPath({ dir }), WRONG);
  const sandbox = await startSandbox(STARTER, dir);
  expect(await reading(sandbox)).toMatchObject({ fromFile: false, error: { message: expect.any(String) } });

  const rulesFile = join(dir, "mine.yaml");
  const other = await temporaryFolder();
  await expect(startSandbox({ ...STARTER, rulesFile }, other)).rejects.toMatchObject({ code: "usage" });
  await writeFile(rulesFile, WRONG);
  await expect(startSandbox({ ...STARTER, rulesFile }, other)).rejects.toThrow(/mine\.yaml/);
  await writeFile(rulesFile, rules("eve"));
  const named = await startSandbox({ ...STARTER, rulesFile }, other);
  expect(await reading(named)).toMatchObject({ fromFile: true, file: rulesFile });
  expect((await named.admin("DELETE", ADMIN.rulesText)).status).toBe(400);
});

test("of several saves at once the file and the active rules end at the same one", async () => {
  const file = join(await temporaryFolder(), "rules.yaml");
  const place = ruleFilePlace(file, { text: undefined, save: async () => undefined });
  const watched = await ActiveRules.open({ place, realNow: Date.now, onReload: () => undefined });
  onTestFinished(() => watched.close());
  await Promise.all(["a", "b", "c"].map((payer) => watched.save(rules(payer))));
  expect(watched.current.text).toBe(await readFile(file, "utf8"));
  await expect(watched.save(WRONG)).rejects.toThrow(/^rules\.yaml:\d+/);
  await Promise.all([watched.remove(), watched.reload()]);
  expect([watched.fromFile, watched.error, watched.current.name]).toEqual([null, null, "starter"]);
});

test("rules that the disk does not take are refused as such", async () => {
  const sandbox = await startSandbox({ ...STARTER });
  await mkdir(rulesPath(sandbox));
  const { status, text } = await sandbox.admin("POST", ADMIN.rulesText, { text: rules("p") });
  expect([status, JSON.parse(text)]).toMatchObject([503, { error: "unavailable" }]);
});
