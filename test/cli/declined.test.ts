// A question that is answered with no: every command says the same, as JSON as well, and ends with 0.

import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSandbox } from "#src/sandbox/run-sandbox.ts";
import type { RunningSandbox } from "#src/sandbox/sandbox-options.ts";
import { sandboxOptions } from "../sandbox/sandbox-options.ts";
import { homeOfTests, pointAt } from "./in-process.ts";
import { writeOwnRecipe } from "./own-recipe.ts";

const BODY = '{"operation":"payment","order_id":"o-1","amount":100,"currency":980}';
const home = homeOfTests();
let sandbox: RunningSandbox;
let at: string;
let names: Record<string, string>;

beforeAll(async () => {
  const options = sandboxOptions(home.folder);
  sandbox = await runSandbox(options);
  at = `--state ${options.stateDir}`;
  await pointAt(home, "http://127.0.0.1:9");
  await home.run("profile add spare --base-url http://127.0.0.1:9");
  writeOwnRecipe(join(home.folder, "config"), "mine");
  await home.run("payload save one -", BODY);
  await home.run("check -", BODY);
  await home.run("label set o-1 fraud");
  await home.run(`sandbox tenant create ci-42 ${at}`);
  await home.run(`sandbox snapshot early ${at}`);
  await home.run("replay one");
  const [key] = await home.json("vault list --json");
  const [run] = await home.json("run list --json");
  names = { KEY: String(key!["id"]), RUN: String(run!["run"]) };
});
afterAll(async () => {
  await sandbox.stop();
});

/** A terminal on which n is typed, and which stays open. */
function no(): Readable {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  terminal.write("n\n");
  return terminal;
}

describe.each([
  ["payload remove one", { name: "one", removed: false }],
  ["recipe remove mine", { recipe: "mine", removed: false }],
  ["profile remove spare", { profile: "spare", removed: false }],
  ["vault remove KEY", { removed: false }],
  ["run remove RUN", { removed: false }],
  ["label remove o-1", { order_id: "o-1", removed: false }],
  ["history prune --before 2100-01-01", { removed: 0 }],
  ["sandbox tenant remove ci-42 AT", { tenant: "ci-42", removed: false }],
  ["sandbox reset --tenant ci-42 AT", { reset: false }],
  ["sandbox reset AT", { reset: false }],
  ["sandbox restore early AT", { restored: false }],
])("%s", (words, facts) => {
  it.each(["", " --json"])("%s", async (more) => {
    const line = words.replace("AT", at).replaceAll(/\b[A-Z]+\b/g, (name) => names[name] ?? name);
    const { code, stdout, stderr } = await home.runFrom(no(), `${line}${more}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Nothing was \w+\.\n$/) });
    if (more === "") expect(stdout).toBe("");
    else expect(JSON.parse(stdout)).toMatchObject({ schema: 1, ...facts });
  });
});

it.each([
  ["payload remove one", "There is no terminal"],
  ["payload remove one --no-input", "--no-input is set"],
])("%s without an answer says why nothing is asked", async (words, why) => {
  const stdin = words.includes("--no-input") ? no() : Readable.from([]);
  const { code, stderr } = await home.runFrom(stdin, words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  expect(stderr).toContain("--yes");
});

it.each(["sandbox", "test"])("profile remove %s refuses before it asks", async (name) => {
  const { code, stderr } = await home.run(`profile remove ${name}`);
  expect(code).toBe(2);
  expect(stderr).not.toContain("--yes");
});

it("vault passphrase says the protection as JSON after each change", async () => {
  const set = await home.run("vault passphrase --set --secret-stdin --json", "correct horse battery staple");
  expect(JSON.parse(set.stdout)).toEqual({ schema: 1, protection: "passphrase" });
  const command = await home.run(
    "vault passphrase --secret-stdin --json --command echo correct horse battery staple",
    "correct horse battery staple",
  );
  expect(JSON.parse(command.stdout)).toEqual({ schema: 1, protection: "passphrase_command" });
  const removed = await home.run("vault passphrase --remove --yes --json");
  expect(JSON.parse(removed.stdout)).toEqual({ schema: 1, protection: "key_file" });
});
