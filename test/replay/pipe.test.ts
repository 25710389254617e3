// Pipes that a user names: whole, however slowly they come, and never a reason to stand still.

import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isPipe, pipeChunks } from "#src/replay/sources/pipe.ts";

const READ = constants.O_RDONLY | constants.O_NONBLOCK;

describe.skipIf(process.platform === "win32")("a pipe", () => {
  function pipe(): string {
    const folder = mkdtempSync(join(tmpdir(), "verdict-pipe-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    return path;
  }
  const never = new AbortController().signal;

  test("is read to the end of all that write to it", async () => {
    const path = pipe();
    const reader = openSync(path, READ);
    const writer = openSync(path, constants.O_WRONLY);
    const chunks: Uint8Array[] = [];
    let at = 0;
    for await (const chunk of pipeChunks(reader, never)) {
      chunks.push(chunk);
      // The next text is written once the one before it was read.
      if (at < 3) writeSync(writer, `text ${(at += 1)};`);
      else closeSync(writer);
    }
    expect(Buffer.concat(chunks).toString()).toBe("text 1;text 2;text 3;");
  });

  test("holds nothing where nobody writes to it", async () => {
    const path = pipe();
    expect(isPipe(path)).toBe(true);
    expect(await Array.fromAsync(pipeChunks(openSync(path, READ), never))).toEqual([]);
  });

  test("is given up when that is asked for", async () => {
    const path = pipe();
    const reader = openSync(path, READ);
    const writer = openSync(path, constants.O_WRONLY);
    const asked = new AbortController();
    const read = Array.fromAsync(pipeChunks(reader, asked.signal));
    setImmediate(() => asked.abort());
    expect((await read).filter(({ length }) => length > 0)).toEqual([]);
    expect(() => writeSync(writer, "x")).toThrow("EPIPE");
    closeSync(writer);
  });
});
