// verdict sandbox tenant and company, against a sandbox of "verdict serve".

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { runSandbox } from "#src/sandbox/run-sandbox.ts";
import type { RunningSandbox } from "#src/sandbox/sandbox-options.ts";
import { sandboxOptions } from "../sandbox/sandbox-options.ts";
import { call, registration } from "../sandbox/sandbox-under-test.ts";
import { homeOfTests } from "./in-process.ts";

const home = homeOfTests();
let sandbox: RunningSandbox;
let at: string;

beforeAll(async () => {
  const options = sandboxOptions(home.folder);
  sandbox = await runSandbox(options);
  at = `--state ${options.stateDir}`;
});

afterAll(async () => {
  await sandbox.stop();
});

/** What a command prints; it succeeds. */
async function said(words: string): Promise<string> {
  const { code, stdout, stderr } = await home.run(`${words} ${at}`);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return stdout;
}

interface Keys {
  readonly tenant: string;
  readonly admin_token: string;
  readonly companies: {
    readonly company_id: string;
    readonly integration_keys: {
      readonly key_id: string;
      readonly secret: string;
      readonly algorithm: string;
    }[];
  }[];
}

test("a tenant is created with a private file of its keys, which sign, and is listed, shown, reset and removed", async () => {
  const out = join(home.folder, "keys.json");
  const created = await said(`sandbox tenant create ci-42 --ttl 2h --companies 2 --output ${out}`);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const keys = JSON.parse(readFileSync(out, "utf8")) as Keys;
  const [company] = keys.companies;
  const [key] = company!.integration_keys;
  expect(created).not.toContain(key!.secret);
  expect(created).not.toContain(keys.admin_token);

  const identity = {
    keyId: key!.key_id,
    algorithm: key!.algorithm,
    companyId: company!.company_id,
    secret: new Secret(key!.secret),
  };
  const answer = await call(sandbox, "register", identity, registration("shop"));
  expect([answer.status, answer.headers["x-verdict-tenant"]]).toEqual([200, "ci-42"]);

  expect(await said("sandbox tenant list")).toMatch(/default.*\n.*ci-42/);
  expect(await said("sandbox tenant list ci-42")).toMatch(/projects\s+1 of 1000/);
  expect(await said("sandbox status --tenant ci-42")).toContain("ci-42");
  await said("sandbox clock freeze --tenant ci-42");
  expect(await said("sandbox clock")).not.toContain("frozen");
  expect(await said("sandbox clock --tenant ci-42")).toContain("frozen");
  await said("sandbox reset --tenant ci-42 --yes");
  expect(await said("sandbox tenant list ci-42")).toMatch(/projects\s+0 of 1000/);
  expect(await said("sandbox tenant remove ci-42 --yes")).toContain("ci-42");
  expect(await said("sandbox tenant list")).not.toContain("ci-42");
});

test("a tenant whose keys cannot be written is removed again", async () => {
  const out = join(home.folder, "k".repeat(300));
  const { code, stderr } = await home.run(`sandbox tenant create keyless --output ${out} ${at}`);
  expect([code, stderr]).toEqual([74, expect.stringContaining("its name is too long")]);
  expect(await said("sandbox tenant list")).not.toContain("keyless");
});

test("the rules of a file decide in it", async () => {
  const rules = join(home.folder, "own.yaml");
  writeFileSync(rules, `${(await home.run("rules print starter")).stdout}# own\n`);
  await said(`sandbox tenant create ruled --rules ${rules}`);
  expect(await said("sandbox tenant list")).toMatch(/ruled.*own/);
});

test("a company gets another key, and the sandbox another company", async () => {
  const [first] = await home.json(`sandbox company add --json ${at}`);
  const [second] = await home.json(`sandbox company add ${String(first!["company_id"])} --json ${at}`);
  expect(second!["company_id"]).toBe(first!["company_id"]);
  expect(second!["key_id"]).not.toBe(first!["key_id"]);
  const panel = await said("sandbox panel");
  for (const { key_id: keyId } of [first!, second!]) expect(panel).toContain(String(keyId));
});

test.each([
  ["sandbox tenant create Wrong", "lower-case letters"],
  ["sandbox tenant create a --ttl soon", "--ttl"],
  ["sandbox tenant create a --ttl 500d", "--ttl"],
  ["sandbox tenant create a --most-projects 1000000001", "--most-projects"],
  ["sandbox status --tenant a\rb", "lower-case letters"],
  ["sandbox tenant create default", "already"],
  ["sandbox tenant create a --output /", "already"],
  ["sandbox tenant create a --rules nowhere.yaml", "nowhere.yaml"],
  ["sandbox tenant list nobody", "tenant list"],
  ["sandbox tenant remove nobody --yes", "tenant list"],
  ["sandbox tenant remove default --yes", "reset it"],
  ["sandbox status --tenant nobody", "tenant"],
])("%s is answered with one sentence", async (words, part) => {
  const { code, stderr } = await home.run(`${words} ${at}`);
  expect(code).not.toBe(0);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain(part);
  expect((await home.run(`sandbox tenant list ${at}`)).stdout).not.toMatch(/^a /m);
});
