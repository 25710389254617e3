// verdict payload as a process: saving, finding, showing, editing and removing what is kept under a name.

import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { fakeService, succeeds } from "../console/stories/stage.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const REQUEST = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };
const BODY = JSON.stringify(REQUEST);

let home: TestHome;
beforeEach(() => void (home = testHome()));
afterEach(() => home.remove());

const dir = (): string => join(home.folder, "verdict", "data", "payloads");
const file = (name: string): string => join(dir(), `${name}.json`);
const saved = (name: string): unknown => JSON.parse(readFileSync(file(name), "utf8"));

describe("verdict payload", () => {
  it("keeps a request under a name, and finds it again by tag and words", async () => {
    writeFileSync(join(home.folder, "body.json"), BODY);
    const ran = await home.run("payload save first body.json --expect pass --tag risky --tag eu");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toBe(`Payload first saved, expecting pass: ${file("first")}\n`);
    expect(saved("first")).toEqual({
      name: "first",
      expect: "pass",
      tags: ["risky", "eu"],
      request: REQUEST,
    });
    if (process.platform !== "win32") expect(statSync(file("first")).mode & 0o777).toBe(0o600);

    await succeeds(home, ["payload", "save", "second", "-"], BODY.replace("o-1", "o-2"));
    const { stdout } = await home.run("payload list");
    expect(stdout).toMatch(/^NAME +EXPECTS +AMOUNT +SAVED +ORDER AND TAGS\n/);
    expect(stdout).toMatch(
      /\nfirst +✔ PASS +120\.00 UAH +[\d-]+ [\d:]+ \+00:00 +o-1 #risky #eu\nsecond +- .* o-2\n$/,
    );
    const found = async (args: string): Promise<unknown[]> =>
      (await home.json(`payload list --json ${args}`)).map(({ name }) => name);
    expect(await found("--tag risky")).toEqual(["first"]);
    expect(await found("--tag risky --tag other")).toEqual([]);
    expect(await found("--search o-2")).toEqual(["second"]);
    expect((await home.run("payload list --search nothing")).stdout).toMatch(/^No payload matches/);
    expect((await home.json("payload list --json --tag eu"))[0]).toEqual({
      schema: 1,
      name: "first",
      expect: "pass",
      tags: ["risky", "eu"],
      order_id: "o-1",
      amount: 12_000,
      currency: 980,
      modified_at: expect.stringMatching(/^\d{4}-.*Z$/),
      problem: null,
    });
    expect((await home.json("payload show first --json"))[0]).toMatchObject({
      request: REQUEST,
      path: file("first"),
      warnings: [],
    });
    expect((await home.run("payload show first")).stdout).toContain('"amount": 12000');
  });

  it("says where the first one goes", async () => {
    const { code, stdout } = await home.run("payload list");
    expect(code).toBe(0);
    expect(stdout).toContain(`"verdict payload save NAME FILE" keeps one in ${dir()}`);
  });

  it("overwrites only with --yes, and keeps what an envelope says unless told", async () => {
    const envelope = JSON.stringify({ name: "x", expect: "block", tags: ["a"], request: REQUEST });
    await succeeds(home, ["payload", "save", "first", "-"], envelope);
    expect(saved("first")).toMatchObject({ name: "first", expect: "block", tags: ["a"] });
    const again = await home.run("payload save first - --expect pass", { input: BODY });
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toBe(
      'There is a payload "first" already, and it is as it was; --yes overwrites it.\n',
    );
    expect(saved("first")).toMatchObject({ expect: "block" });
    await succeeds(
      home,
      ["payload", "save", "first", "-", "--yes", "--expect", "none", "--tag", "b"],
      envelope,
    );
    expect(saved("first")).toMatchObject({ expect: null, tags: ["b"] });
  });

  it.each([
    [["payload", "save", "first", "-"], BODY.replace('"o-1"', '"4111 1111 1111 1111"'), "full card number"],
    [["payload", "save", "first", "-"], '{"card":{"cvv":"123"}}', "cvv"],
    [["payload", "save", "first", "-"], "{", "Line 1"],
    [["payload", "save", "../first", "-"], BODY, "cannot name a payload"],
    [["payload", "save", "first", "-", "--tag", "two words"], BODY, "cannot be a tag"],
    [["payload", "save", "first", "-", "--expect", "green"], BODY, "3ds_or_block"],
    [["payload", "save", "first"], "", "Standard input is empty"],
    [["payload", "save", "first", "-", "--from-history", "x"], BODY, "Give one source"],
    [["payload", "save", "first", "--from-history", "nix"], "", "The history has no entry"],
    [["payload", "show", "first"], "", 'There is no payload "first"'],
    [["payload", "remove", "first", "--yes"], "", 'There is no payload "first"'],
    [["payload", "edit", "first"], "", 'There is no payload "first"'],
    [["payload", "show", "../vault"], "", "cannot name a payload"],
  ])("%j: exit 2, one sentence, nothing written", async (args, input, named) => {
    const ran = await home.run(args, { input });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(named);
    expect(ran.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(ran.stderr).not.toContain("4111");
    expect(existsSync(dir())).toBe(false);
  });

  it("lists one that cannot be read with its problem, and removes it", async () => {
    await succeeds(home, ["payload", "save", "good", "-"], BODY);
    writeFileSync(file("bad"), '{"a\u001b[31m');
    const listed = await home.run("payload list");
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/\nbad +unreadable +.*bad\.json: Line 1/);
    expect(listed.stdout).not.toContain("\u001b");
    expect((await home.run("payload show bad")).code).toBe(2);
    expect((await home.run("payload remove bad")).stderr).toMatch(/--yes/);
    expect(await succeeds(home, ["payload", "remove", "bad", "--yes"])).toBe("Payload bad removed.\n");
    expect(readdirSync(dir())).toEqual(["good.json"]);
  });

  it("is what check sends by name, and a check is what becomes one", async () => {
    const service = await fakeService(home);
    onTestFinished(() => service.close());
    await succeeds(home, ["payload", "save", "mine", "-", "--expect", "block"], BODY);
    const checked = await home.run("check mine --set amount=500");
    expect(service.received).toEqual([{ ...REQUEST, amount: 500 }]);
    expect(checked.code).toBe(8);
    expect(checked.stderr).toContain(`Using the saved payload ${file("mine")}`);
    expect(checked.stderr).toContain("Expected block; the verdict is pass.");
    // A file of that name comes first.
    writeFileSync(join(home.folder, "mine"), BODY.replace("o-1", "o-9"));
    const { stderr } = await home.run("check mine");
    expect(stderr).not.toContain("saved payload");
    expect(service.received.at(-1)).toMatchObject({ order_id: "o-9" });

    const [{ id }] = (await home.json("history --json --limit 1")) as [{ id: string }];
    const made = await home.run(["payload", "save", "made", "--from-history", id, "--tag", "history"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(saved("made")).toMatchObject({ expect: "pass", tags: ["history"], request: { order_id: "o-9" } });
  });

  it("says that a word is neither a file nor a payload", async () => {
    const { code, stderr } = await home.run("check nothing");
    expect(code).toBe(2);
    expect(stderr).toBe(
      'nothing cannot be read: there is no such file, and no saved payload has that name; "verdict payload list" shows them.\n',
    );
  });
});

describe.skipIf(process.platform === "win32")("verdict payload edit", () => {
  /** An editor that runs a script on its file; its folder of copies is of its own. */
  function edit(script: string): PseudoTerminal {
    const editor = join(home.folder, "my editor.sh");
    writeFileSync(editor, `#!/bin/sh\necho opened >> "$HOME/opened"\n${script}\n`);
    chmodSync(editor, 0o700);
    const terminal = openPseudoTerminal({
      args: ["payload", "edit", "first"],
      env: { ...home.env, TMPDIR: home.folder, VISUAL: `'${editor}'`, EDITOR: "false" },
      cwd: home.folder,
    });
    onTestFinished(() => terminal.close());
    return terminal;
  }
  const opened = (): number => readFileSync(join(home.folder, "opened"), "utf8").split("\n").length - 1;
  const copies = (): string[] => readdirSync(home.folder).filter((name) => name.startsWith("verdict-edit"));
  beforeEach(() => succeeds(home, ["payload", "save", "first", "-"], BODY));

  it("saves what the editor wrote, and leaves no copy behind", async () => {
    const terminal = edit(`sed -i 's/12000/13000/' "$1"`);
    expect(await terminal.exit).toMatchObject({ code: 0 });
    expect(terminal.screen()).toContain("Payload first saved.");
    expect(saved("first")).toMatchObject({ request: { amount: 13_000 } });
    expect(copies()).toEqual([]);
  });

  it("opens the editor on what was written until it is valid", async () => {
    const terminal = edit(`grep -q 12x "$1" && sed -i 's/12x/12001/' "$1" || sed -i 's/12000/12x/' "$1"`);
    await terminal.until("Discard what you wrote?");
    expect(terminal.screen()).toMatch(/The text: Line \d+/);
    expect(saved("first")).toMatchObject({ request: { amount: 12_000 } });
    terminal.type("\r");
    expect(await terminal.exit).toMatchObject({ code: 0 });
    expect(opened()).toBe(2);
    expect(saved("first")).toMatchObject({ request: { amount: 12_001 } });
    expect(copies()).toEqual([]);
  });

  it("discards on a yes, and keeps the payload as it was", async () => {
    const before = readFileSync(file("first"), "utf8");
    const terminal = edit(`echo '{"description":"4111111111111111"}' > "$1"`);
    await terminal.until("Discard what you wrote?");
    expect(terminal.screen()).toContain("full card number");
    terminal.type("y\r");
    expect(await terminal.exit).toMatchObject({ code: 2 });
    expect(readFileSync(file("first"), "utf8")).toBe(before);
    expect(copies()).toEqual([]);
  });

  it("changes nothing when the editor says that it failed, or nothing was written", async () => {
    const failed = edit("exit 1");
    expect(await failed.exit).toMatchObject({ code: 2 });
    expect(failed.screen()).toContain("The editor ended with exit code 1; nothing was changed.");
    const same = edit("exit 0");
    expect(await same.exit).toMatchObject({ code: 0 });
    expect(same.screen()).toContain("Payload first is as it was.");
  });

  it("needs a terminal", async () => {
    const { code, stdout, stderr } = await home.run("payload edit first");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^There is no terminal for an editor; .*payload save first FILE --yes.*\.\n$/);
  });
});
