// --events: another program follows a replay, and cannot stop it by being slow or gone.

import { execFileSync, spawn } from "node:child_process";
import { constants, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Events } from "#src/cli/replay/events.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { paymentsFile } from "./replay-process.ts";
import { PROGRAM, testHome, type TestHome } from "./verdict-process.ts";

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

describe("the events of a replay", () => {
  it("go to a new file, readable only by its user, and to no other", async () => {
    const path = join(temporaryFolder(), "events.ndjson");
    const events = new Events(path, expect.unreachable);
    expect(existsSync(path)).toBe(false);
    events.emit({ type: "started" });
    events.emit({ type: "ended" }, true);
    await events.close();
    expect(typesIn(readFileSync(path, "utf8"))).toEqual(["started", "ended"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => new Events(path, expect.unreachable)).toThrow("is there already");
  });

  it.each(["fd:1", "fd:x", "fd:999"])("refuse %s", (word) => {
    expect(() => new Events(word, expect.unreachable)).toThrow("no open descriptor");
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

describe("verdict replay --events", () => {
  let home: TestHome;
  let payments: string;
  beforeAll(() => {
    home = testHome();
    payments = paymentsFile(home, "ev", 40);
    writeFileSync(payments, `${readFileSync(payments, "utf8")}no payment\n`);
  });
  afterAll(() => home.remove());

  /** Runs an isolated replay with a pipe as descriptor 3. */
  async function followed(isRead: boolean): Promise<{ code: number | null; stderr: string; events: string }> {
    const args = [
      "replay",
      payments,
      "--isolated",
      "--events",
      "fd:3",
      "--rejects",
      join(temporaryFolder(), "rejects"),
    ];
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: home.folder,
      env: home.env,
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    const events = child.stdio[3] as NonNullable<typeof child.stderr>;
    if (!isRead) events.destroy();
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const [stderr, read] = await Promise.all([text(child.stderr!), isRead ? text(events) : ""]);
    return { code: await ended, stderr, events: read };
  }

  it("tells another program what happens, and ends with the totals", async () => {
    const { code, events } = await followed(true);
    expect(code).toBe(0);
    const types = typesIn(events).filter((type) => type !== "progress");
    expect(types.filter((type) => type === "result")).toHaveLength(40);
    expect(types.filter((type) => type !== "result")).toEqual(["started", "rejected", "ended"]);
    const last = JSON.parse(events.trim().split("\n").at(-1)!) as object;
    expect(last).toMatchObject({
      schema: 1,
      type: "ended",
      total: 40,
      rejected: 1,
      exit_code: 0,
      stopped: "done",
    });
  });

  it("goes on without its reader", async () => {
    const { code, stderr } = await followed(false);
    expect(stderr).toContain("The reader of the events has closed");
    expect(code).toBe(0);
    const [run] = await home.json("runs show last --json");
    expect(run).toMatchObject({ state: "complete", summary: { total: 40 } });
  });
});
