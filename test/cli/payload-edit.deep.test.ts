// verdict payload edit on a terminal: what an editor of the user's own does to what is kept under a name.

import { chmodSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { succeeds } from "../console/stories/stage.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const REQUEST = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };
const BODY = JSON.stringify(REQUEST);

let home: TestHome;
beforeEach(() => void (home = testHome()));
afterEach(() => home.remove());

const dir = (): string => join(home.folder, "verdict", "data", "payloads");
const file = (name: string): string => join(dir(), `${name}.json`);
const saved = (name: string): unknown => JSON.parse(readFileSync(file(name), "utf8"));

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
});
