// verdict init: a working profile in one command, or nothing saved; and keys that are entered later.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  answer,
  PASS as PASSED,
  startHostileService,
  type HostileService,
} from "../client/hostile-service.ts";
import { inProcessHome, type InProcessHome } from "./in-process.ts";

const SECRET = "9f".repeat(32);
const KEY = "--key-id k-1 --project-id p-1 --secret-stdin";
const PASS = answer(200, PASSED);
const REFUSED = answer(401, '{"error":"unauthorized","message":"Bad signature."}');

let service: HostileService;
let home: InProcessHome;
beforeAll(async () => void (service = await startHostileService([PASS])));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  home = inProcessHome();
  service.play(PASS);
});
afterEach(() => home.remove());

const init = (words: string) => home.run(`init ${words}`, SECRET);

/** Names of profiles, the one in use, and key ids of the vault. */
async function saved() {
  const profiles = await home.json("profile list --json");
  const vault = await home.json("vault list --json");
  const recipes = join(home.folder, "config", "recipes");
  return {
    profiles: profiles.map((each) => each["name"]),
    inUse: profiles.find((each) => each["in_use"] === true)?.["name"],
    keys: vault.map((each) => each["key_id"]),
    recipes: existsSync(recipes) ? readdirSync(recipes) : [],
  };
}

test("one command makes a profile that works, and is in use", async () => {
  const ran = await init(`shop --base-url ${service.url} ${KEY}`);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toContain("The credential works: the service answered the test check with PASS.");
  expect(ran.stdout).toContain(`Profile shop is in use: TEST, checks go to ${service.url}/v1/check`);
  const next = /^Next: verdict (.*)$/m.exec(ran.stdout)![1]!;
  expect(service.requests).toHaveLength(1);
  expect(JSON.parse(service.requests[0]!.body)).toMatchObject({ operation: "verification", amount: 0 });
  expect(ran.stderr).toContain(service.requests[0]!.body);
  expect(await home.run(next)).toMatchObject({ code: 0, stdout: expect.stringContaining("PASS") });
  const checked = await home.run(
    "check - --json",
    '{"operation":"payment","order_id":"o","amount":1,"currency":980}',
  );
  expect(checked).toMatchObject({ code: 0 });
  expect(JSON.parse(checked.stdout)).toMatchObject({
    profile: "shop",
    project: "p-1",
    recommendation: "pass",
  });
  const [project] = await home.json("projects --json");
  expect(project).toMatchObject({
    project: "p-1",
    merchant_id: null,
    risk_level: null,
    credential_in_vault: true,
  });
  expect((await home.run("projects")).stdout).toMatch(/p-1 +ready +- +p-1 +in the vault/);
});

test.each(["localhost", "127.0.0.1"])(
  "an address without a scheme and with the path of the check is understood: %s",
  async (host) => {
    const port = new URL(service.url).port;
    const ran = await init(`shop --base-url ${host}:${port}/v1/check/ --no-check ${KEY}`);
    expect(ran.stdout).toContain(`checks go to http://${host}:${port}/v1/check,`);
  },
);

test("an address elsewhere becomes https, and one that cannot be meant is explained", async () => {
  expect((await init(`a --base-url check.example/api --no-check ${KEY}`)).stdout).toContain(
    "checks go to https://check.example/api/v1/check,",
  );
  for (const [address, says] of [
    ["http://check.example", /--base-url must start with https:/],
    ["https://u:p@check.example", /must not hold a user name or password/],
    ["https://check.example?a=b", /must not hold a query/],
    ["ftp://check.example", /must start with https:/],
  ] as const) {
    const ran = await init(`b --base-url ${address} --no-check ${KEY}`);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
  }
  expect((await saved()).profiles).toEqual(["sandbox", "a"]);
});

test("a service that answers 401 gets one check, and nothing is saved but its record", async () => {
  await init(`before --base-url ${service.url} --no-check ${KEY}`);
  const was = await saved();
  service.play(REFUSED);
  const ran = await init(`shop --base-url ${service.url} ${KEY}`);
  expect(ran).toMatchObject({ code: 5, stdout: "" });
  expect(ran.stderr).toContain('saying "Bad signature."');
  expect(ran.stderr).toContain("the recipe http-signatures, which is assumed, not confirmed");
  expect(ran.stderr).toContain("verdict recipe infer --request FILE");
  expect(ran.stderr).toContain("Nothing was saved");
  expect(service.requests).toHaveLength(1);
  expect(await saved()).toEqual(was);
  const [entry] = await home.json("history --json");
  expect(entry).toMatchObject({ outcome: "refused", profile: "shop" });
  const shown = await home.run(`history show ${String(entry!["id"])} --exchange`);
  expect(shown.stdout).toContain("> POST /v1/check HTTP/1.1");
  expect(shown.stdout).toContain('< {"error":"unauthorized","message":"Bad signature."}');
  expect(shown.stdout).toMatch(/> authorization: Signature keyId="k-1".*signature="\*{8}"/);
  const [json] = await home.json(`history show ${String(entry!["id"])} --exchange --json`);
  expect(json!["exchange"]).toMatchObject({ method: "POST", answer: { status: 401 } });
});

test.each([
  ["an outcome that is not known", answer(500, "{}"), 6],
  ["an answer that is no verdict", answer(200, '{"status":"success","code":"later"}'), 7],
])("%s proves nothing: nothing is saved", async (_, does, code) => {
  service.play(does);
  expect(await init(`shop --base-url ${service.url} ${KEY}`)).toMatchObject({ code });
  expect((await saved()).profiles).toEqual(["sandbox"]);
});

test("a LIVE service gets a check only after its name is given", async () => {
  const words = `--base-url ${service.url} --environment live ${KEY}`;
  const unasked = await init(`shop ${words}`);
  expect(unasked).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Nothing was sent to the LIVE service"),
  });
  expect(service.requests).toHaveLength(0);
  expect(await init(`other ${words} --confirm shop`)).toMatchObject({ code: 2 });
  expect(service.requests).toHaveLength(0);
  expect(await init(`other ${words} --confirm other`)).toMatchObject({ code: 0 });
  expect(service.requests).toHaveLength(1);
});

test.each([
  ["", "--base-url is missing"],
  ["shop --base-url URL", "--key-id is missing"],
  ["shop --base-url URL --key-id k", "--project-id is missing"],
  ["shop --base-url URL --key-id k --company-id c", "no terminal to type the secret on"],
  ["sandbox --base-url URL", "The name belongs to a profile"],
  ["Shop --base-url URL", "The name must be 1 to 64 of a-z"],
  ["shop --base-url URL --environment prod", "--environment must be test or live"],
  ["shop --base-url URL --key-id k --project-id p --merchant-id m", "--merchant-id needs --risk-level"],
  ["shop --base-url URL --key-id k --project-id p --recipe nope --secret-stdin", "nope"],
  ["shop --base-url URL --key-id k --project-id p --request none.http --secret-stdin", "none.http"],
])("without a terminal, what is missing or wrong is named: init %s", async (words, says) => {
  const ran = await init(words.replace("URL", service.url));
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  expect((await saved()).profiles).toEqual(["sandbox"]);
  expect(service.requests).toHaveLength(0);
});

test("an integration key is saved without a check", async () => {
  const ran = await init(`shop --base-url ${service.url} --key-id k-9 --company-id c-9 --secret-stdin`);
  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      "Next: verdict project register --profile shop --merchant-id ... --risk-level ... --name ... --currency ... --wait",
    ),
  });
  expect(service.requests).toHaveLength(0);
  expect((await saved()).keys).toEqual(["k-9"]);
});

const ACME = `recipe: acme
time: { header: x-acme-time, format: unix-ms, skew_s: 60 }
canonical: { style: template, text: "{method}\\n{target}\\n{time}\\n{body}" }
signature: { encoding: hex }
emit: { authorization: "ACME {key_id}/{signature}" }
`;

test.each([
  ["a known recipe", "kong", "new", "kong", []],
  ["a recipe of its own, saved under the name of the profile", "FILE", "new", "new", ["new.yaml"]],
  ["or with a number, where a recipe has that name", "FILE", "kong", "kong-2", ["kong-2.yaml"]],
])("a good request tells the recipe: %s", async (_, recipe, name, expected, documents) => {
  const file = join(home.folder, "acme.yaml");
  writeFileSync(file, ACME);
  await init(`old --base-url ${service.url} --no-check ${KEY}`);
  const good = join(home.folder, "good.sh");
  const payment = '{"operation":"payment","order_id":"o-1","amount":100,"currency":980}';
  const signed = await home.run(`sign - --recipe ${recipe.replace("FILE", file)}`, payment);
  writeFileSync(good, signed.stdout);
  service.play(REFUSED);
  expect(await init(`${name} --base-url ${service.url} --request ${good} ${KEY}`)).toMatchObject({ code: 5 });
  expect(await saved()).toMatchObject({ profiles: ["sandbox", "old"], inUse: "old", recipes: [] });
  service.play(PASS);
  const ran = await init(`${name} --base-url ${service.url} --request ${good} ${KEY}`);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`the recipe ${expected} (assumed)`) });
  expect(await saved()).toMatchObject({ inUse: name, recipes: documents });
});

test("a request that no recipe reproduces is explained, and nothing is saved", async () => {
  const bad = join(home.folder, "bad.http");
  writeFileSync(bad, "POST /v1/check HTTP/1.1\nhost: h\nauthorization: hmac nothing\n\n{}");
  const ran = await init(`shop --base-url ${service.url} --request ${bad} ${KEY}`);
  expect(ran).toMatchObject({ code: 2, stdout: expect.stringContaining("No recipe reproduces the request") });
  expect((await saved()).profiles).toEqual(["sandbox"]);
});

test("without an address, the one of a good request is taken, and its path", async () => {
  const port = new URL(service.url).port;
  const good = join(home.folder, "good.http");
  for (const [target, address] of [
    ["/risk/v1/check", "/risk/v1/check"],
    ["/evaluate?x=1", "/v1/check"],
    ["https://localhost:1/v1/check", null],
  ] as const) {
    writeFileSync(good, `POST ${target} HTTP/1.1\nhost: localhost:${port}\nauthorization: ${SECRET}\n\n{}`);
    const name = `shop${String((await saved()).profiles.length)}`;
    const ran = await init(`${name} --request ${good} --no-check ${KEY}`);
    expect(ran).toMatchObject({ code: 0 });
    const scheme = address === null ? "https" : "http";
    expect(ran.stdout).toContain(`checks go to ${scheme}://localhost:${port}${address ?? "/v1/check"}, `);
  }
  writeFileSync(good, `POST /reg/projects HTTP/1.1\nhost: localhost:${port}\nauthorization: ${SECRET}\n\n{}`);
  const company = `--request ${good} --key-id k --company-id c --secret-stdin`;
  expect(await init(`other ${company}`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--base-url is missing"),
  });
  expect(await init(`other --base-url ${service.url} ${company}`)).toMatchObject({ code: 0 });
  expect(await home.json("profile show other --json")).toMatchObject([
    { base_url: service.url, projects_url: `http://localhost:${port}/reg` },
  ]);
});

test("keys that another address leaves behind are named, each with the command that enters it again", async () => {
  await init(`shop --base-url https://old.example --key-id k1 --company-id c-1 --secret-stdin`);
  await home.run(
    "vault add --key-id k2 --project-id p'1 --merchant-id m --risk-level low --algorithm hmac-sha512 --secret-stdin",
    SECRET,
  );
  expect((await home.run("profile add shop --amount-unit major")).stderr).toBe("");
  const ran = await home.run(`profile add shop --base-url ${service.url}`);
  const commands = [...ran.stderr.matchAll(/"verdict (vault add [^"]*)"/g)].map(([, words]) => words!);
  expect(commands).toEqual([
    "vault add --profile shop --key-id k1 --company-id c-1",
    "vault add --profile shop --key-id k2 --project-id 'p'\\''1' --merchant-id m --risk-level low --algorithm hmac-sha512",
  ]);
  expect(await home.run("check --set order_id=o")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("verdict vault add"),
  });
  for (const words of commands) {
    const again = `${words.replace("'p'\\''1'", "p'1")} --secret-stdin`;
    expect(await home.run(again, SECRET)).toMatchObject({ code: 0 });
  }
  expect(await home.run("check --set order_id=o")).toMatchObject({ code: 0 });
  expect((await home.run(`profile add shop --base-url ${service.url}`)).stderr).toBe("");
  // The name of a removed profile, whose keys have stayed.
  await home.run("profile use sandbox");
  await home.run("profile remove shop --yes");
  const anew = await init(
    `shop --base-url https://new.example --no-check --key-id k3 --project-id p3 --secret-stdin`,
  );
  expect(anew.stderr.match(/is bound to/g)).toHaveLength(2);
});

test("vault add saves a credential or an integration key, by what the key belongs to", async () => {
  await home.run(`profile add mine --base-url ${service.url}`);
  const add = (words: string) =>
    home.run(`vault add --profile mine --secret-stdin --key-id ${words}`, SECRET);
  for (const [words, says] of [
    ["k-0", /add --project-id .*, or --company-id /],
    ["k-0 --merchant-id m --risk-level low", /add --project-id .*, or --company-id /],
    ["k-0 --company-id c --project-id p", /--company-id and --project-id exclude each other/],
    ["k-0 --company-id c --merchant-id m --risk-level low", /--merchant-id and --company-id exclude/],
  ] as const) {
    expect(await add(words)).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
  }
  expect(await home.json("vault list --json")).toEqual([]);
  expect((await add("k-1 --company-id c-1")).stdout).toContain("The integration key of c-1 is saved as ");
  expect((await add("k-2 --project-id p-2 --merchant-id m --risk-level high")).stdout).toContain(
    "The credential of m/high is saved as ",
  );
  const replaced = await add("k-3 --project-id p-3 --merchant-id m --risk-level high --json");
  expect(JSON.parse(replaced.stdout)).toMatchObject({
    kind: "credential",
    profile: "mine",
    project: "m/high",
    replaced: expect.any(String),
  });
  const checked = await home.run("check --profile mine --set order_id=o --json");
  expect(JSON.parse(checked.stdout)).toMatchObject({ project: "m/high", recommendation: "pass" });
});

test("vault add needs no merchant, and the project is named by its id", async () => {
  await home.run(`profile add mine --base-url ${service.url}`);
  const added = await home.run(
    "vault add --profile mine --key-id k --project-id prj/1 --secret-stdin",
    SECRET,
  );
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("The credential of prj/1 is saved"),
  });
  const checked = await home.run("check --profile mine --project prj/1 --set order_id=o --json");
  expect(JSON.parse(checked.stdout)).toMatchObject({ project: "prj/1", recommendation: "pass" });
});

test("--verbose shows the exchange without the secret, also of a recipe that sends it", async () => {
  await init(`shop --base-url ${service.url} --recipe static --no-check ${KEY}`);
  const ran = await home.run("check --set order_id=o --verbose");
  expect(service.requests[0]!.headers.get("authorization")).toBe(SECRET);
  expect(ran.stderr).toContain(`* Try 1: ${service.url}/v1/check`);
  expect(ran.stderr).toContain("> authorization: ********");
  expect(ran.stderr).toContain('> {"order_id":"o"}');
  expect(ran.stderr).toContain("< HTTP/1.1 200");
  expect(ran.stdout + ran.stderr).not.toContain(SECRET);
  const quiet = await home.run("check --set order_id=o");
  expect(quiet.stderr).not.toContain("HTTP/1.1");
});

test("--verbose masks the signature, with which the request could be sent again", async () => {
  await init(`shop --base-url ${service.url} --recipe body-hex --no-check ${KEY}`);
  const ran = await home.run("check --set order_id=o --verbose");
  const sent = service.requests[0]!.headers.get("authorization")!;
  expect(sent).toMatch(/[0-9a-f]{64}/);
  expect(ran.stderr).toContain("********");
  expect(ran.stdout + ran.stderr).not.toContain(/[0-9a-f]{64}/.exec(sent)![0]);
});

test("--verbose tells retries", async () => {
  await init(`shop --base-url ${service.url} --no-check ${KEY}`);
  service.play(answer(503, "{}", { "retry-after": "0" }), PASS);
  const ran = await home.run("check --set order_id=o --verbose");
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("* Try 2 of 3 in 0.0 s") });
  expect(ran.stderr).toContain("* Try 2: ");
});

test("a retry is told without a terminal, too, and --quiet leaves it out", async () => {
  await init(`shop --base-url ${service.url} --no-check ${KEY}`);
  const unwilling = answer(503, "{}", { "retry-after": "0" });
  service.play(unwilling, PASS, unwilling, PASS);
  const ran = await home.run("check --set order_id=o");
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Try 2 of 3 in 0\.0 s\.$/m) });
  expect((await home.run("check --set order_id=p --quiet")).stderr).not.toContain("Try 2");
});
