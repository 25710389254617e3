// verdict recipe and verdict sign: listed, shown, tested, inferred from a request, saved, used and confirmed.

import { createHmac } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { answer, PASS, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { writeOwnRecipe } from "./own-recipe.ts";
import { type Ran, testHomeOfTests } from "./verdict-process.ts";

const SECRET = "a1b2c3d4".repeat(8);
const BODY = '{"operation":"payment","order_id":"A-1","amount":12000,"currency":980}';
const KEY = "hmac-sha256-7d41c0";
/** `METHOD|target|time|body` in upper-case digits: a scheme that no preset has. */
const OWN_AUTHORIZATION = /^ACME key=hmac-sha256-7d41c0;sig=([0-9A-F]{64})$/;

const home = testHomeOfTests();
let recipes: string;

beforeAll(() => {
  recipes = join(home.folder, "verdict", "config", "recipes");
  mkdirSync(recipes, { recursive: true });
  writeFileSync(join(recipes, "broken.yaml"), "recipe: broken\ncolour: red\n");
  writeFileSync(file("payload.json"), BODY);
});

function file(name: string): string {
  return join(home.folder, name);
}

function ownSignature(
  method: string | undefined,
  target: string | undefined,
  time: string,
  body: string,
): string {
  const text = `${method}|${target}|${time}|${body}`;
  return createHmac("sha256", SECRET).update(text).digest("hex").toUpperCase();
}

/** A request of the scheme of its own, signed long ago. */
function ownRequest(): string {
  const time = "1772600767";
  return [
    "POST /v1/check HTTP/1.1",
    "Host: risk.example.com",
    "Content-Type: application/json",
    `X-Key-Id: ${KEY}`,
    "X-Project-Id: prj-1",
    `X-Timestamp: ${time}`,
    `Authorization: ACME key=${KEY};sig=${ownSignature("POST", "/v1/check", time, BODY)}`,
    "",
    BODY,
  ].join("\r\n");
}

/** An editor that runs a script on its file. */
function editing(script: string): PseudoTerminal {
  const editor = file("editor.sh");
  writeFileSync(editor, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const terminal = openPseudoTerminal({
    args: ["recipe", "edit", "mine"],
    env: { ...home.env, TMPDIR: home.folder, VISUAL: editor },
    cwd: home.folder,
  });
  onTestFinished(() => terminal.close());
  return terminal;
}

describe.skipIf(process.platform === "win32")("a recipe of the user's own", () => {
  let path: string;
  beforeEach(() => void (path = writeOwnRecipe(join(home.folder, "verdict", "config"), "mine")));
  const written = (): string => readFileSync(path, "utf8");

  test("is edited until it is valid, and keeps its name", async () => {
    const before = written();
    const terminal = editing(
      `grep -q other "$1" && sed -i 's/other/mine/; s/{body}/{time}.{body}/' "$1" && echo 'time: { header: x-time, format: unix-s }' >> "$1" || sed -i 's/mine/other/' "$1"`,
    );
    await terminal.until("Discard what you wrote?");
    expect(terminal.screen()).toContain("The document is the recipe other now; keep the name mine.");
    expect(written()).toBe(before);
    terminal.type("\r");
    expect(await terminal.exit).toMatchObject({ code: 0 });
    expect(terminal.screen()).toContain("Recipe mine saved.");
    expect(await home.json("recipe show mine --json")).toMatchObject([
      { document: { canonical: { text: "{time}.{body}" } } },
    ]);
  });

  test("is an assumption again for the profiles that confirmed it before", async () => {
    for (const words of ["add edited --base-url http://127.0.0.1:9 --recipe mine", "confirm-recipe edited"])
      expect(await home.run(`profile ${words}`)).toMatchObject({ code: 0 });
    const terminal = editing(`sed -i 's/{body}/{method}{body}/' "$1"`);
    expect(await terminal.exit).toMatchObject({ code: 0 });
    expect(terminal.screen()).toContain("For profile edited it is an assumption again");
    const [profile] = await home.json("profile show edited --json");
    expect(profile).toMatchObject({ recipe: "mine", recipe_status: "assumed" });
  });

  test("is as it was where the editor changes nothing, or what was written is discarded", async () => {
    const before = written();
    const same = editing("exit 0");
    expect(await same.exit).toMatchObject({ code: 0 });
    expect(same.screen()).toContain("Recipe mine is as it was.");
    const wrong = editing(`echo 'colour: red' >> "$1"`);
    await wrong.until("Discard what you wrote?");
    wrong.type("y\r");
    expect(await wrong.exit).toMatchObject({ code: 2 });
    expect(written()).toBe(before);
  });
});

function sealed({ stdout, stderr }: Ran): void {
  expect(stdout + stderr).not.toContain(SECRET);
}

describe("a scheme of a service's own", () => {
  let service: HostileService;
  let url: string;
  /** Of each request that came, whether it was accepted. */
  const came: boolean[] = [];

  beforeAll(async () => {
    service = await startHostileService([
      (socket, { line, headers, body }) => {
        const [method, target] = line.split(" ");
        const sent = OWN_AUTHORIZATION.exec(headers.get("authorization") ?? "")?.[1];
        const accepted = sent === ownSignature(method, target, String(headers.get("x-timestamp")), body);
        came.push(accepted);
        (accepted ? answer(200, PASS) : answer(401, '{"status":"error"}'))(socket, { line, headers, body });
      },
    ]);
    ({ url } = service);
  });
  afterAll(async () => service[Symbol.asyncDispose]());

  test("is inferred, saved, used by a profile, accepted by the service, and confirmed", async () => {
    writeFileSync(file("good.http"), `${ownRequest()}\n`);
    const inferred = await home.run("recipe infer --request good.http --secret-stdin --save acme", {
      input: SECRET,
    });
    expect(inferred.code).toBe(0);
    sealed(inferred);
    expect(inferred.stdout).toContain("# There is no vector in it, because that would hold the live secret.");
    expect(inferred.stdout).toContain("# The line end at the end of the file is not part of the body.");
    expect(inferred.stdout).toContain('text: "{method}|{target}|{time}|{body}"');
    expect(inferred.stderr).toContain("verdict profile add NAME --base-url URL --recipe acme");
    const path = join(recipes, "acme.yaml");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const document = readFileSync(path, "utf8");
    expect(document).toContain("status: assumed");
    expect(document).not.toContain(SECRET);
    const again = await home.run("recipe infer --request good.http --secret-stdin --save acme", {
      input: SECRET,
    });
    expect(again.stderr).toContain("Nothing was saved, because that recipe is there already.");
    expect(readFileSync(path, "utf8")).toBe(document);

    expect(await home.run(`profile add live --base-url ${url} --recipe acme`)).toMatchObject({ code: 0 });
    expect(await home.run("profile use live")).toMatchObject({ code: 0 });
    const owner = `--merchant-id shop --risk-level low --key-id ${KEY} --project-id prj-1 --secret-stdin`;
    expect(await home.run(`vault add ${owner}`, { input: SECRET })).toMatchObject({ code: 0 });
    const checked = await home.run("check payload.json --json");
    expect(checked).toMatchObject({ code: 0 });
    expect(came.at(-1)).toBe(true);

    expect((await home.run("profile show live")).stdout).toMatch(/recipe +acme \(assumed\)/);
    expect(await home.run("profile confirm-recipe")).toMatchObject({
      code: 0,
      stdout: "The recipe acme is confirmed for profile live.\n",
    });
    expect((await home.run("profile list")).stdout).toMatch(/live +TEST +acme \(confirmed\)/);
    const [json] = await home.json("profile show live --json");
    expect(json).toMatchObject({ recipe: "acme", recipe_status: "confirmed" });
    // Another recipe is another assumption.
    await home.run(`profile add live --base-url ${url} --recipe kong`);
    expect((await home.run("profile show live")).stdout).toMatch(/recipe +kong \(assumed\)/);
    await home.run(`profile add live --base-url ${url} --recipe acme`);
    expect(await home.run("profile confirm-recipe sandbox")).toMatchObject({ code: 2 });
  });

  test("sign: explained byte by byte with the key of the vault, and as a command that the service accepts", async () => {
    const explained = await home.run("sign payload.json --explain");
    expect(explained).toMatchObject({ code: 0, stderr: "" });
    sealed(explained);
    expect(explained.stdout).toContain("Recipe acme (assumed), check request");
    expect(explained.stdout).toMatch(/String to sign, 1 line\n {2}POST\|\/v1\/check\|\d{10}\|\{"operation"/);
    expect(explained.stdout).toContain("The secret as utf8: 64 bytes.");
    expect(explained.stdout).toMatch(/Valid once, until \d\d:\d\d:\d\d\./);
    expect(explained.stdout).toContain("Not signed: host, content type, nonce, key id, project or company.");

    const [json] = (await home.json("sign payload.json --json")) as unknown as [
      { headers: Record<string, string>; body: string; url: string; valid_until: string; command: string },
    ];
    sealed({ stdout: JSON.stringify(json), stderr: "", code: 0, signal: null });
    const before = came.length;
    const { status } = await fetch(json.url, {
      method: "POST",
      headers: withoutHost(json.headers),
      body: json.body,
    });
    expect(status).toBe(200);
    expect(came.slice(before)).toEqual([true]);
    expect(json.command).toContain("# Valid once, until ");
    expect(new Date(json.valid_until).getTime()).toBeGreaterThan(Date.now());
    const inferred = await home.run(`recipe infer --request - --key-id ${KEY}`, { input: json.command });
    expect(inferred.stdout).toContain("The request is signed with the recipe acme, as it is.");
  });
});

function withoutHost(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "host"));
}
