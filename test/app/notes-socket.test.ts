// The presenter's notes between two processes of one account: each move arrives, and nobody else's socket is trusted.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { DeckNotes } from "#src/actions/sandbox/deck-notes.ts";
import { followNotes, openNotesSocket, type NotesSocket } from "#src/app/notes-socket.ts";
import { notesFolder, OPENED_DECK } from "./notes-folder.ts";

let home: { readonly state: string };
let folder: string;
let number = 0;

beforeEach(() => {
  home = { state: `/nowhere/${process.pid}/${(number += 1)}` };
  folder = notesFolder(home);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function presenting(): NotesSocket {
  const socket = openNotesSocket(home);
  onTestFinished(() => socket.close());
  return socket;
}

const step = (at: number): DeckNotes => ({ ...OPENED_DECK, place: "step", step: at });

interface Follower {
  /** The next line; null for a wait, undefined behind the last one. @throws what ends it */
  next(): Promise<DeckNotes | null | undefined>;
  /** The next line, however long it waits. */
  move(): Promise<DeckNotes | undefined>;
  leave(): Promise<void>;
}

function following(): Follower {
  const leaving = new AbortController();
  const lines = followNotes(home, leaving.signal);
  const leave = async (): Promise<void> => {
    leaving.abort();
    await lines.return(undefined);
  };
  onTestFinished(leave);
  const next = async () => (await lines.next()).value as DeckNotes | null | undefined;
  const move = async (): Promise<DeckNotes | undefined> => {
    for (;;) {
      const line = await next();
      if (line !== null) return line;
    }
  };
  return { next, move, leave };
}

describe.skipIf(process.platform === "win32")("the notes of a deck", () => {
  it("wait for a deck, follow each move, and wait again behind its end", async () => {
    const follower = following();
    expect(await follower.next()).toBeNull();
    const socket = presenting();
    socket.tell(step(1));
    expect(await follower.move()).toEqual(step(1));
    socket.tell(step(2));
    socket.tell(step(2));
    socket.tell(step(1));
    expect(await follower.move()).toEqual(step(2));
    expect(await follower.move()).toEqual(step(1));
    socket.close();
    expect(await follower.next()).toBeNull();
    expect(existsSync(folder)).toBe(false);
    const again = presenting();
    again.tell(step(3));
    expect(await follower.move()).toEqual(step(3));
    await follower.leave();
    expect(await follower.next()).toBeUndefined();
  });

  it("tell those who come late where the deck stands", async () => {
    const socket = presenting();
    for (let at = 1; at <= 5; at += 1) socket.tell(step(at));
    expect(await following().move()).toEqual(step(5));
    expect(await following().move()).toEqual(step(5));
  });

  it("are open to this account alone", async () => {
    const socket = presenting();
    socket.tell(step(1));
    await following().move();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(["socket"]);
    expect(lstatSync(join(folder, "socket")).mode & 0o777).toBe(0o600);
  });

  it("take the place of a process that was killed", async () => {
    mkdirSync(folder, { mode: 0o700 });
    const code = `require("net").createServer().listen(${JSON.stringify(join(folder, "socket"))}, () => console.log("up"))`;
    const killed = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    await once(killed.stdout, "data");
    killed.kill("SIGKILL");
    await once(killed, "close");
    expect(existsSync(join(folder, "socket"))).toBe(true);
    chmodSync(join(folder, "socket"), 0o600);
    const follower = following();
    expect(await follower.next()).toBeNull();
    const socket = presenting();
    socket.tell(step(1));
    expect(await follower.move()).toEqual(step(1));
    expect(socket.problem()).toBeNull();
  });

  it("of the newest deck are followed, and the older one ends without taking them along", async () => {
    const older = presenting();
    older.tell(step(1));
    const early = following();
    expect(await early.move()).toEqual(step(1));
    const { ino } = lstatSync(join(folder, "socket"));
    const newer = presenting();
    newer.tell(step(7));
    await vi.waitFor(() => expect(lstatSync(join(folder, "socket")).ino).not.toBe(ino));
    const late = following();
    expect(await late.move()).toEqual(step(7));
    older.tell(step(2));
    expect(await early.move()).toEqual(step(2));
    older.close();
    newer.tell(step(8));
    expect(await late.move()).toEqual(step(8));
    expect(await following().move()).toEqual(step(8));
    expect(await early.move()).toEqual(step(8));
  });

  it.each([
    ["folder", 0o755],
    ["folder", 0o770],
    ["socket", 0o666],
  ])("are not read from a %s with mode %o", async (what, mode) => {
    const socket = presenting();
    socket.tell(step(1));
    await following().move();
    chmodSync(what === "folder" ? folder : join(folder, what), mode);
    await expect(following().move()).rejects.toThrow("or is open to others; remove it");
  });

  it("are not written into a folder that others may open, which is told in one sentence", () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const socket = presenting();
    socket.tell(step(1));
    expect(socket.problem()).toMatch(/^The notes are not available[^\n]+open to others[^\n]+\.$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("drop a follower that does not read, and go on for the others without a wait", async () => {
    const socket = presenting();
    socket.tell(step(0));
    const follower = following();
    await follower.move();
    const deaf = connect(join(folder, "socket"));
    deaf.write("\n");
    const [first] = (await once(deaf, "data")) as [Buffer];
    deaf.pause();
    let told = 0;
    while (told < 4_000) {
      socket.tell(step((told += 1)));
      if (told % 100 === 0) for (let read = 0; read < 100; read += 1) await follower.move();
    }
    let bytes = first.length;
    deaf.on("data", (chunk: Buffer) => (bytes += chunk.length)).resume();
    await once(deaf, "close");
    expect(bytes).toBeLessThan(told * JSON.stringify(step(told)).length);
    socket.tell(step(9_999));
    expect(await follower.move()).toEqual(step(9_999));
  });

  it("go on when a follower is gone in the middle", async () => {
    const socket = presenting();
    socket.tell(step(1));
    const follower = following();
    expect(await follower.move()).toEqual(step(1));
    const gone = connect(join(folder, "socket"));
    gone.write("\n");
    await once(gone, "data");
    gone.destroy();
    socket.tell(step(2));
    expect(await follower.move()).toEqual(step(2));
  });

  it("of another version are refused in one sentence", async () => {
    const socket = presenting();
    socket.tell({ ...step(1), schema: 2 });
    await expect(following().move()).rejects.toThrow(/^The deck is presented by another version[^\n]+\.$/);
  });
});
