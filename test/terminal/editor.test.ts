// The user's editor: which one, with which words, on a private copy that is gone afterwards.

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editInEditor, editorWords, splitWords, type Edited } from "#src/terminal/editor.ts";

describe("the words of an editor", () => {
  it.each([
    ["vi", ["vi"]],
    ["  code   --wait ", ["code", "--wait"]],
    ['"/opt/my editor/bin" -f', ["/opt/my editor/bin", "-f"]],
    ["'/opt/my editor/bin' ''", ["/opt/my editor/bin", ""]],
    ['emacs --eval "(setq x \\"y\\")"', ["emacs", "--eval", '(setq x "y")']],
    ["vi;rm -rf ~ $HOME `id` $(id) *", ["vi;rm", "-rf", "~", "$HOME", "`id`", "$(id)", "*"]],
    ["don't", ["don't"]],
    ["", []],
  ])("%j", (command, words) => {
    expect(splitWords(command)).toEqual(words);
  });

  it("come from VISUAL, then EDITOR, then there is vi", () => {
    expect(editorWords({ VISUAL: "a b", EDITOR: "c" })).toEqual(["a", "b"]);
    expect(editorWords({ VISUAL: " ", EDITOR: "c" })).toEqual(["c"]);
    expect(editorWords({})).toEqual([process.platform === "win32" ? "notepad" : "vi"]);
  });
});

describe.skipIf(process.platform === "win32")("an editor", () => {
  let folder: string;
  const before = process.env["TMPDIR"];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "verdict-test-editor-"));
    process.env["TMPDIR"] = folder;
  });
  afterEach(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a script as the editor; `$1` is the file. */
  function edit(script: string, signal: AbortSignal = new AbortController().signal): Promise<Edited> {
    const path = join(folder, "editor.sh");
    writeFileSync(path, script);
    const env = { PATH: process.env["PATH"], OUT: folder, EDITOR: `/bin/sh '${path}'` };
    return editInEditor("old\n", { env, fileName: "payload.json", signal });
  }
  /** Nothing but the script and what it wrote is left. */
  const left = (): string[] => readdirSync(folder).filter((name) => name.startsWith("verdict-edit"));

  it("opens at a line, where it is one of those that take it", async () => {
    const opened = async (name: string): Promise<string> => {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\nprintf '%s ' "$@" > "$OUT/given"\n`, { mode: 0o700 });
      const env = { PATH: process.env["PATH"], OUT: folder, EDITOR: `'${path}'` };
      const signal = new AbortController().signal;
      await editInEditor("old\n", { env, fileName: "rules.yaml", line: 12, signal });
      return readFileSync(join(folder, "given"), "utf8");
    };
    expect(await opened("vim")).toMatch(/^\+12 \S+rules\.yaml $/);
    expect(await opened("code")).toMatch(/^\S+rules\.yaml $/);
  });

  it("gets a private copy, and what it writes comes back", async () => {
    const umask = process.umask(0);
    try {
      const script = `ls -ld "$1" "$(dirname "$1")" > "$OUT/modes"; cat "$1" > "$OUT/got"; printf 'new\\n' > "$1"; touch "$1.swp"`;
      expect(await edit(script)).toEqual({ text: "new\n" });
    } finally {
      process.umask(umask);
    }
    expect(readFileSync(join(folder, "got"), "utf8")).toBe("old\n");
    const modes = readFileSync(join(folder, "modes"), "utf8").trimEnd().split("\n").sort();
    expect(modes).toEqual([
      expect.stringMatching(/^-rw------- .*payload\.json$/),
      expect.stringMatching(/^drwx------ /),
    ]);
    expect(left()).toEqual([]);
  });

  it("removes what a process that was killed has left, and nothing of one that runs", async () => {
    const { pid } = spawnSync("true");
    for (const owner of [pid, process.ppid]) {
      mkdirSync(join(folder, `verdict-edit-${owner}-abcdef`));
      writeFileSync(join(folder, `verdict-edit-${owner}-abcdef`, "payload.json"), "{}");
    }
    await edit("exit 0");
    expect(left()).toEqual([`verdict-edit-${process.ppid}-abcdef`]);
    rmSync(join(folder, left()[0]!), { recursive: true });
  });

  it("may put another file in the place of its own", async () => {
    expect(await edit(`printf new > "$1.tmp"; mv "$1.tmp" "$1"`)).toEqual({ text: "new" });
  });

  it.each([
    ["exit 3", "The editor ended with exit code 3; nothing was changed."],
    ["kill -9 $$", "The editor was ended by SIGKILL; nothing was changed."],
    [`rm "$1"`, "The editor left no text behind; nothing was changed."],
  ])("that does %j changes nothing", async (script, problem) => {
    expect(await edit(script)).toEqual({ problem });
    expect(left()).toEqual([]);
  });

  it("that is not there is named, with what to do", async () => {
    const signal = new AbortController().signal;
    const edited = await editInEditor("x", {
      env: { EDITOR: "no-such-editor -x" },
      fileName: "p.json",
      signal,
    });
    expect(edited).toEqual({
      problem:
        "The editor no-such-editor could not be started: there is no such program; name yours in VISUAL or EDITOR.",
    });
    expect(left()).toEqual([]);
  });

  it("keeps Ctrl-C for itself, and ends with us", async () => {
    const heard: string[] = [];
    const listener = (): void => void heard.push("SIGINT");
    process.on("SIGINT", listener);
    const stopping = new AbortController();
    try {
      const edited = edit(`touch "$OUT/started"; exec sleep 60`, stopping.signal);
      await expect.poll(() => existsSync(join(folder, "started"))).toBe(true);
      process.emit("SIGINT");
      expect(heard).toEqual([]);
      stopping.abort();
      expect(await edited).toEqual({ problem: "The editor was ended by SIGTERM; nothing was changed." });
      process.emit("SIGINT");
      expect(heard).toEqual(["SIGINT"]);
    } finally {
      process.off("SIGINT", listener);
    }
    expect(left()).toEqual([]);
  });
});
