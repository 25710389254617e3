// --events: another program follows a capture, and cannot stop it by being slow or gone.

import { execFileSync } from "node:child_process";
import { constants, existsSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Events } from "#src/cli/replay/events.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";

const typesIn = (lines: string): unknown[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);

/** A pipe with both ends, which takes 64 KiB before it is read. */
function pipe(): number {
  const path = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
}

/** What a pipe has at the moment. */
function readNow(descriptor: number): string {
  const chunk = Buffer.alloc(64 * 1024);
  try {
    return chunk.toString("utf8", 0, readSync(descriptor, chunk));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "";
    throw error;
  }
}

describe("events", () => {
  it("go to a new file, readable only by its user, and to no other", async () => {
    const path = join(temporaryFolder(), "events.ndjson");
    const events = new Events(path, expect.unreachable);
    expect(existsSync(path)).toBe(false);
    events.emit({ type: "started" });
    events.emit({ type: "ended" }, true);
    await events.close();
    expect(typesIn(readFileSync(path, "utf8"))).toEqual(["started", "ended"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => new Events(path, expect.unreachable)).toThrow("exists already");
  });

  it.each(["fd:1", "fd:x", "fd:999"])("refuse %s", (word) => {
    expect(() => new Events(word, expect.unreachable)).toThrow("is not an open file descriptor");
  });

  it("are left out and counted for a slow reader, who is told the last one", async () => {
    const descriptor = pipe();
    const events = new Events(`fd:${descriptor}`, expect.unreachable);
    const filler = "x".repeat(1_000);
    for (let n = 0; n < 3_000; n += 1) events.emit({ type: "result", filler });
    events.emit({ type: "ended" }, true);
    let read = "";
    while (!read.includes('"ended"')) {
      read += readNow(descriptor);
      await setImmediate();
    }
    await events.close();
    const told = read
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; events?: number });
    const results = told.filter(({ type }) => type === "result").length;
    expect(told.slice(results)).toEqual([
      { schema: 1, type: "left_out", events: 3_000 - results },
      { type: "ended" },
    ]);
    expect(results).toBeLessThan(1_200);
  });

  it("are not waited for when nobody reads", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const events = new Events(`fd:${pipe()}`, expect.unreachable);
    events.emit({ type: "result", filler: "x".repeat(200_000) });
    const closed = events.close();
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
  });
});
