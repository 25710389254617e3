// Questions on a terminal: what is typed reaches the service, and a slip is asked again without losing what was typed before.

import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { answer, PASS, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { inProcessHome, pointAt, type InProcessHome, type Printed } from "./in-process.ts";

const SECRET = "9f".repeat(32);

let service: HostileService;
let home: InProcessHome;
beforeAll(async () => void (service = await startHostileService([])));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (home = inProcessHome()));
afterEach(() => home.remove());

/** Runs a command on a terminal. @param typed what standard error asks or says, in order, and the answer to it */
async function runTyping(words: string, typed: readonly (readonly [string, string])[]): Promise<Printed> {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const waiting = [...typed];
  let seen = 0;
  const ran = await home.runFrom(terminal, words, ({ stderr }, stop) => {
    const [asked, text] = waiting[0] ?? ["", ""];
    const at = waiting.length === 0 ? -1 : stderr.indexOf(asked, seen);
    if (at >= 0) {
      waiting.shift();
      seen = at + asked.length;
      terminal.write(`${text}\n`);
    } else if (stderr.includes("is required", seen)) stop();
  });
  expect(waiting).toEqual([]);
  return ran;
}

test("project register asks for what is missing, and again for what cannot be", async () => {
  service.play(answer(200, '{"status":"success","message":"OK"}'));
  await pointAt(home, service.url);
  const ran = await runTyping("project register --name Shop", [
    ["Merchant identifier", ""],
    ["Merchant id is required.", "shop-7"],
    ["ISO 4217", "NOPE"],
    ["Currency must be", "EUR"],
    ["One of low, medium, high.", "none"],
    ["Risk level must be one of low, medium, high.", "low"],
  ]);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Registered shop-7/low") });
  expect(JSON.parse(service.requests[0]!.body)).toEqual({
    merchant_id: "shop-7",
    name: "Shop",
    currency: 978,
    risk_level: "low",
  });
});

test.each(["--no-input", "--help"])("project register asks nothing with %s", async (option) => {
  const ran = await runTyping(`project register --name Shop ${option}`, []);
  if (option === "--help") expect(ran.stdout).toMatch(/--merchant-id <id> .*\(required\)/);
  else
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("and --risk-level <level> are missing"),
    });
});

test("init asks again after each slip, keeps the other answers, and asks for the secret once", async () => {
  service.play(answer(200, PASS));
  const typed = [
    ["A request that the service accepts", "nofile.http"],
    ["nofile.http cannot be read: there is no such file.", "-"],
    ["Paste it", "nonsense\n."],
    ["is no request line", ""],
    ["The address of the service", "http://elsewhere.example"],
    ["Address must start with https://", `${service.url}/v1/check`],
    ["A name for the profile", "Shop"],
    ["Name must be 1 to 64", "shop"],
    ["--environment must be test or live.", "prod"],
    ["Environment must be test or live.", "test"],
    ["project: you hold", "proj"],
    ["Answer project or company.", "project"],
    ["The id of the key", "k 1"],
    ["Id of the key", "k-1"],
    ["The id of the project", "4111111111111111"],
    ["Id of the project must not hold a card number.", "p-1"],
    ["Secret (not shown): ", "has a blank"],
    ["The secret ", SECRET],
    ["How requests are signed", "nope"],
    ["Recipe must be one of these.", "kong"],
  ] as const;
  const ran = await runTyping(`init --environment prod --no-check`, typed);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Profile shop is in use") });
  expect(ran.stderr.match(/Secret \(not shown\)/g)).toHaveLength(2);
  expect(await home.json("vault list --json")).toMatchObject([{ key_id: "k-1", project_id: "p-1" }]);
});

test("init tells a slip of the command line before it asks, and no number of slips ends it", async () => {
  for (const [option, says] of [
    ["--recipe nope", "nope"],
    ["--proxy nowhere", "proxy must be an address"],
    ["--merchant-id m", "--merchant-id needs --risk-level"],
  ] as const) {
    const ran = await runTyping(`init ${option}`, []);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    expect(ran.stderr).not.toContain("A request that the service accepts");
  }
  const slips = Array.from({ length: 9 }, () => ["Answer project or company.", "both"] as const);
  await runTyping(`init new --base-url ${service.url} --recipe kong --environment test --no-check`, [
    ["project: you hold", "both"],
    ...slips,
    ["Answer project or company.", "project"],
    ["The id of the key", "k-1"],
    ["The id of the project", "p-1"],
    ["Secret (not shown): ", SECRET],
  ]);
  expect((await home.json("profile list --json")).map(({ name }) => name)).toEqual(["sandbox", "new"]);
});

test("init with a merchant and a risk level does not ask whose key it is", async () => {
  const options = `--base-url ${service.url} --recipe kong --environment test --no-check --key-id k-1`;
  await runTyping(`init shop ${options} --merchant-id m --risk-level low`, [
    ["The id of the project", "p-1"],
    ["Secret (not shown): ", SECRET],
  ]);
  expect(await home.json("vault list --json")).toMatchObject([{ project: "m/low", project_id: "p-1" }]);
});

test("init asks for the secret again where the service refuses it", async () => {
  service.play(answer(401, '{"status":"error","message":"Wrong signature"}'), answer(200, PASS));
  const options = `--base-url ${service.url} --recipe kong --environment test --key-id k-1 --project-id p-1`;
  const ran = await runTyping(`init shop ${options}`, [
    ["Secret (not shown): ", `${SECRET}0`],
    ["The first check", ""],
    ["shows what was sent", "y"],
    ["Secret (not shown): ", SECRET],
  ]);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("The credential works") });
  expect(ran.stderr).toContain(
    'with HTTP 401, saying "Wrong signature": check key, secret and the recipe kong',
  );
  const [wrong, right] = service.requests.map(({ headers }) => headers.get("authorization"));
  expect(wrong).not.toBe(right);
  expect(await home.json("vault list --json")).toMatchObject([{ key_id: "k-1", project_id: "p-1" }]);
});

test("init takes the addresses of a company's service from its good request, where both hosts differ", async () => {
  const projects = await startHostileService([answer(200, '{"status":"success","message":"OK"}')]);
  const good = join(home.folder, "good.http");
  const body = '{"merchant_id":"m"}';
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  const request = (host: string, signed: string): string =>
    `POST /reg/projects HTTP/1.1\r\nhost: ${host}\r\nx-key-id: k-1\r\nx-company-id: c-1\r\nauthorization: HMAC ${signed}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  writeFileSync(good, request(new URL(projects.url).host, signature));
  writeFileSync(`${good}.bad`, request(new URL(projects.url).host, "nothing"));
  const ran = await runTyping("init shop", [
    ["A request that the service accepts", `${good}.bad`],
    ["The address of the service", `${service.url}/risk`],
    ["test, or live", ""],
    ["project: you hold", ""],
    ["The address of registration", ""],
    ["The id of the key", ""],
    ["The id of the company", ""],
    ["Secret (not shown): ", `${SECRET}0`],
    ["Either the secret is another one", "n"],
    ["A request that the service accepts", good],
    ["Either the secret is another one", "y"],
    ["Secret (not shown): ", SECRET],
  ]);
  expect(ran.code).toBe(0);
  const next = /^Next: verdict (.*) --wait$/m.exec(ran.stdout)![1]!;
  service.play(answer(200, PASS));
  const registered = await runTyping(`${next} --name Shop --currency UAH`, [
    ["Merchant identifier", "m-1"],
    ["One of low, medium, high.", "low"],
  ]);
  expect(registered).toMatchObject({ code: 0 });
  expect(projects.requests[0]!.line).toContain("POST /reg/projects ");
  expect(service.requests).toEqual([]);
  await projects[Symbol.asyncDispose]();
});

test("profile add with another address takes the secret of a key again then and there", async () => {
  await pointAt(home, "http://127.0.0.1:9");
  const ran = await runTyping(`profile add test --base-url ${service.url}`, [
    ["integration key of c-1, key id k-1, is bound to http://127.0.0.1:9", ""],
    ["Secret (not shown): ", SECRET],
    ["credential of shop/low, key id k-2, is bound", "n"],
  ]);
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("--project-id p-1 --merchant-id shop"),
  });
  service.play(answer(200, '{"status":"success","message":"OK"}'));
  const words = "project register --merchant-id m --name M --currency UAH --risk-level low";
  expect(await home.run(words)).toMatchObject({ code: 0 });
  expect(await home.run("check --set order_id=o")).toMatchObject({ code: 3 });
});
