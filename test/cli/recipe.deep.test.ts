// verdict recipe and verdict sign: listed, shown, tested, inferred from a request, saved, used and confirmed.

import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { writeOwnRecipe } from "./own-recipe.ts";
import { testHome, type Ran, type TestHome } from "./verdict-process.ts";

const SECRET = "a1b2c3d4".repeat(8);
const BODY = '{"operation":"payment","order_id":"A-1","amount":12000,"currency":980}';
const KEY = "hmac-sha256-7d41c0";
/** `METHOD|target|time|body` in upper-case digits: a scheme that no preset has. */
const OWN_AUTHORIZATION = /^ACME key=hmac-sha256-7d41c0;sig=([0-9A-F]{64})$/;

let home: TestHome;
let recipes: string;

beforeAll(() => {
  home = testHome();
  recipes = join(home.folder, "verdict", "config", "recipes");
  mkdirSync(recipes, { recursive: true });
  writeFileSync(join(recipes, "broken.yaml"), "recipe: broken\ncolour: red\n");
  writeFileSync(file("payload.json"), BODY);
});
afterAll(() => home.remove());

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

describe("recipe", () => {
  test("list: id, status, origin and what it is; a broken document with its problem", async () => {
    const { code, stdout } = await home.run("recipe list");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http-signatures +assumed +built in +Signature in Authorization/m);
    expect(stdout).toMatch(/✖ broken\.yaml cannot be used: broken\.yaml:2:1: .*colour/);
    const rows = await home.json("recipe list --json");
    expect(rows.find(({ id }) => id === "hawk")).toMatchObject({
      origin: "built in",
      unsigned: ["key id", "project or company"],
      replays: "nonce",
    });
    expect(rows.at(-1)).toMatchObject({ file: "broken.yaml", status: "broken" });
  });

  test("show: a document that can be used as it is, with what is not signed as comments", async () => {
    const { code, stdout } = await home.run("recipe show kong");
    expect(code).toBe(0);
    expect(stdout).toContain("# Not signed: host, content type, nonce, key id, project or company.\n");
    expect(stdout).toMatch(/^recipe: kong$/m);
    writeFileSync(file("mine.yaml"), stdout.replace("recipe: kong", "recipe: mine"));
    expect(await home.run("recipe test mine.yaml")).toMatchObject({ code: 0 });
    expect(await home.run("recipe show nothing")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no signing recipe "nothing"') as string,
    });
  });

  test("test: each vector by name, the first difference of one that does not come out, and exit 8", async () => {
    const good = await home.run("recipe test http-signatures");
    expect(good).toMatchObject({ code: 0, stderr: "" });
    expect(good.stdout).toContain('✔ vector "check, hmac-sha256": ok');
    expect(good.stdout).toContain("✔ credential: signed and verified");
    const { stdout } = await home.run("recipe show http-signatures");
    writeFileSync(
      file("off.yaml"),
      stdout
        .replace("recipe: http-signatures", "recipe: off")
        .replace("host: risk.example.com", "host: other.example.com"),
    );
    const off = await home.run("recipe test off.yaml");
    expect(off.code).toBe(8);
    expect(off.stdout).toContain('✖ vector "check, hmac-sha256": the string to sign differs');
    expect(off.stdout).toContain("line 2, expected: host: other.example.com <LF>");
    expect(off.stdout).toContain("line 2, signed:   host: risk.example.com <LF>");
    const [json] = await home.json("recipe test off.yaml --json");
    expect(json).toMatchObject({
      ok: false,
      vectors: [{ ok: false, difference: { line: 2 } }, { ok: true }],
    });
    writeFileSync(file("none.yaml"), "recipe: [\n");
    expect(await home.run("recipe test none.yaml")).toMatchObject({ code: 2 });
    expect(await home.run("recipe test missing.yaml")).toMatchObject({ code: 2 });
  });
});

describe("recipe infer", () => {
  test("names a built-in recipe, from a curl command that sign wrote", async () => {
    const signed = await home.run("sign payload.json --recipe hawk --test-key --secret-stdin", {
      input: SECRET,
    });
    expect(signed).toMatchObject({ code: 0 });
    sealed(signed);
    writeFileSync(file("curl.sh"), signed.stdout);
    const found = await home.run("recipe infer --request curl.sh --secret-stdin", { input: SECRET });
    // A key id that the vault does not have names nothing when the secret itself is piped in.
    expect(
      await home.run("recipe infer --request curl.sh --key-id test-key --secret-stdin", { input: SECRET }),
    ).toEqual(found);
    expect(found).toMatchObject({ code: 0, stderr: "" });
    expect(found.stdout).toContain("The request is signed with the recipe hawk, as it is.");
    expect(found.stdout).toContain("Not signed: key id, project or company.");
    sealed(found);
    // With a comment before it, as the console copies it.
    writeFileSync(file("copied.sh"), `# Valid once.\n${signed.stdout}`);
    expect(
      await home.run("recipe infer --request copied.sh --secret-stdin", { input: SECRET }),
    ).toMatchObject({ code: 0 });
  });

  test("says what is close where nothing reproduces it, and exits 8", async () => {
    const wrong = "f0".repeat(32);
    const far = await home.run("recipe infer --request curl.sh --secret-stdin", { input: wrong });
    expect(far.code).toBe(8);
    expect(far.stdout).toMatch(/No recipe reproduces the request \(\d+ signatures tried\)/);
    expect(far.stdout).toMatch(
      /Close: hawk\n {2}authorization has the form of this recipe\.\n {2}The signature differs: another secret/,
    );
    expect(far.stdout + far.stderr).not.toContain(wrong);
    const [json] = await home.json("recipe infer --request curl.sh --secret-stdin --json", { input: wrong });
    expect(json).toMatchObject({ found: [], saved: null });
    expect((json as { closest: { recipe: string }[] }).closest[0]!.recipe).toBe("hawk");
  });

  test("refuses what it cannot read or must not write", async () => {
    writeFileSync(file("bad.http"), "hello\n");
    const cases: [string, string][] = [
      ["recipe infer --request bad.http --secret-stdin", "Line 1 is no request line"],
      ["recipe infer --request curl.sh --secret-stdin --save kong", "is the name of a built-in recipe"],
      ["recipe infer --request curl.sh --secret-stdin --save ../x", "cannot name a recipe"],
      ["recipe infer --request - --secret-stdin", "must come from the vault"],
      ["recipe infer --request missing.http --secret-stdin", "there is no such file"],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await home.run(args, { input: SECRET });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string });
    }
    const unknown = await home.run("recipe infer --request - --key-id nobody", { input: ownRequest() });
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('no key "nobody"') as string });
  });
});

describe("a scheme of a service's own", () => {
  let service: Server;
  let url: string;
  const came: { headers: IncomingHttpHeaders; accepted: boolean }[] = [];

  beforeAll(async () => {
    service = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { headers, method, url: target } = request;
        const sent = OWN_AUTHORIZATION.exec(headers.authorization ?? "")?.[1];
        const body = Buffer.concat(chunks).toString();
        const accepted = sent === ownSignature(method, target, String(headers["x-timestamp"]), body);
        came.push({ headers, accepted });
        response
          .writeHead(accepted ? 200 : 401, { "content-type": "application/json" })
          .end(
            JSON.stringify(
              accepted ? { status: "success", code: "pass", message: "Go on" } : { status: "error" },
            ),
          );
      });
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  afterAll(
    () =>
      new Promise((resolve) => {
        service.close(resolve);
        service.closeAllConnections();
      }),
  );

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
    expect(came.at(-1)).toMatchObject({ accepted: true });

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
    expect(came.slice(before)).toMatchObject([{ accepted: true }]);
    expect(json.command).toContain("# Valid once, until ");
    expect(new Date(json.valid_until).getTime()).toBeGreaterThan(Date.now());
    const inferred = await home.run(`recipe infer --request - --key-id ${KEY}`, { input: json.command });
    expect(inferred.stdout).toContain("The request is signed with the recipe acme, as it is.");
  });
});

function withoutHost(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "host"));
}

describe("sign", () => {
  test.each(["check", "register", "credential"])(
    "a %s request with a test key, of two stages",
    async (call) => {
      const args = `sign payload.json --explain --call ${call} --recipe aws-sigv4 --test-key --secret-stdin`;
      const { code, stdout } = await home.run(args, { input: SECRET });
      expect(code).toBe(0);
      expect(stdout).toContain(`Recipe aws-sigv4 (assumed), ${call} request`);
      expect(stdout).toContain("Canonical request, hashed into the string to sign, 12 lines\n  POST <LF>");
      expect(stdout).toContain("Step 1: the text AWS4[secret] is the first key.");
      expect(stdout).not.toContain(SECRET);
    },
  );

  test("a recipe that sends the secret itself is masked, and gives no command", async () => {
    const masked = await home.run("sign payload.json --explain --recipe static --test-key --secret-stdin", {
      input: SECRET,
    });
    expect(masked.stdout).toMatch(/authorization: \[secret [0-9a-f]{8}\]/);
    expect(masked.stdout).toContain("Nothing is signed.");
    sealed(masked);
    const command = await home.run("sign payload.json --recipe static --test-key --secret-stdin", {
      input: SECRET,
    });
    expect(command).toMatchObject({ code: 2, stdout: "" });
    expect(command.stderr).toContain("sends the secret itself");
    sealed(command);
  });

  test("what is missing or wrong is said", async () => {
    writeFileSync(file("list.json"), "[]");
    const cases: [string, number, string][] = [
      ["sign", 2, "Standard input: Line 1, column 1"],
      ["sign list.json --call register --test-key --secret-stdin", 2, "is no JSON object"],
      ["sign payload.json --test-key", 2, "no terminal to type the secret on"],
      ["sign payload.json --project nothing/low", 3, "nothing/low"],
      ["sign - --test-key --secret-stdin", 2, "not both"],
    ];
    for (const [args, wanted, message] of cases) {
      const { code, stderr } = await home.run(args, { input: SECRET });
      expect({ args, code, stderr }).toEqual({
        args,
        code: wanted,
        stderr: expect.stringContaining(message) as string,
      });
    }
    expect(existsSync(join(recipes, "inferred.yaml"))).toBe(false);
  });
});
