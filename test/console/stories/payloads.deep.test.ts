// A payload's life in the console: saved from the composer, loaded from the library, edited in the user's own editor.

import { chmodSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIVEN_BACK, TAKEN, pasted, readyConsole, servedHome } from "./stage.ts";

const REQUEST = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };

describe.skipIf(process.platform === "win32")("payloads in the console", () => {
  const served = servedHome();

  /** A console whose editor runs a script on its file. */
  async function consoleWithEditor(script: string, size = { columns: 80, rows: 24 }) {
    const editor = join(served.home.folder, "editor.sh");
    writeFileSync(editor, `#!/bin/sh\n${script}\n`);
    chmodSync(editor, 0o700);
    return readyConsole(served.home, { ...size, env: { EDITOR: editor, TMPDIR: served.home.folder } });
  }
  const copies = (): string[] =>
    readdirSync(served.home.folder).filter((name) => name.startsWith("verdict-edit"));

  it.each([
    [60, 20],
    [80, 24],
    [140, 40],
  ])("gives the terminal to the editor and takes it back, at %i x %i", async (columns, rows) => {
    const script = `printf 'the editor is here\\n'; stty -a > "$HOME/stty"; read answer; sed -i "s/12000/$answer/" "$1"`;
    const terminal = await consoleWithEditor(script, { columns, rows });
    await terminal.type(pasted(JSON.stringify(REQUEST))).until(/Amount +12000/);
    await terminal.type("e").until("the editor is here");
    expect(terminal.modes()).toEqual(GIVEN_BACK);
    expect(copies()).toHaveLength(1);
    // The keys are the editor's: for the console this would be the palette.
    await terminal.type("34567\r").until(/Amount +34567/);
    expect(terminal.modes()).toEqual(TAKEN);
    expect(readFileSync(join(served.home.folder, "stty"), "utf8")).toMatch(/(^|[\s;])icanon\b/);
    expect(terminal.screen().split("\n")).toHaveLength(rows);
    expect(copies()).toEqual([]);
    // The keys are the console's again.
    await terminal.type("u").until(/Amount +12000/);
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
  });

  it("loses nothing when the editor gives back what cannot be used", async () => {
    const script = `grep -q 12x "$1" && sed -i 's/12x/777/' "$1" || sed -i 's/12000/12x/' "$1"`;
    const terminal = await consoleWithEditor(script);
    await terminal.type(pasted(JSON.stringify(REQUEST))).until(/Amount +12000/);
    await terminal.type("e").until((screen) => /The text: Line \d.*again\./s.test(screen));
    expect(terminal.screen()).toMatch(/Amount +12000/);
    await terminal.type("e").until(/Amount +777/);
    expect(copies()).toEqual([]);
  });

  it("leaves with the editor when the terminal is told to end, and leaves no copy behind", async () => {
    const terminal = await consoleWithEditor(`echo "the editor is here"; exec sleep 60`);
    await terminal.type("e").until("the editor is here");
    terminal.kill("SIGTERM");
    expect(await terminal.exit).toMatchObject({ code: 143 });
    expect(copies()).toEqual([]);
  });
});
