// The presenter's notes between two terminals of one account: a socket that a deck writes to, and that a second process follows.

import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readDeckNotes, type DeckNotes } from "#src/actions/sandbox/deck-notes.ts";
import { Fault, storage } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Home } from "./home.ts";

const RETRY_MS = 300;
/** Bytes that may wait for a follower; a line has some 1,000. */
const MOST_WAITING = 64 * 1024;
const OTHERS = 0o077;
const WINDOWS = process.platform === "win32";

export interface NotesSocket {
  /** Tells those who follow, and whoever begins to later. Never waits and never throws. */
  tell(notes: DeckNotes): void;
  /** Why nobody can follow, in one sentence; null while one can. */
  problem(): string | null;
  close(): void;
}

/**
 * In the temporary folder and not in the home: a demonstration leaves the home alone, and the path of a socket has 108 bytes
 * at most. On Windows other accounts may read a pipe but not write to it, so that nobody is told anything before writing.
 */
function placeOf({ state }: Pick<Home, "state">): { readonly folder: string; readonly path: string } {
  const name = `verdict-notes-${createHash("sha256").update(state).digest("hex").slice(0, 16)}`;
  if (WINDOWS) return { folder: "", path: `\\\\.\\pipe\\${name}` };
  const folder = join(tmpdir(), name);
  return { folder, path: join(folder, "socket") };
}

/** @throws Fault("storage") for what another account has made, or may look into */
function requireOwn(path: string): void {
  const { uid, mode } = lstatSync(path);
  if (uid === process.geteuid!() && (mode & OTHERS) === 0) return;
  throw storage`${path} belongs to another account or is open to others; remove it, and start the deck again.`;
}

/** Opens it in place of an earlier one, whose followers stay with their deck. Keeps no process alive. */
export function openNotesSocket(home: Pick<Home, "state">): NotesSocket {
  const { folder, path } = placeOf(home);
  const own = WINDOWS ? path : join(folder, String(process.pid));
  const followers = new Set<Socket>();
  let last: string | null = null;
  let problem: string | null = null;
  let inode: number | null = null;

  const fail = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    problem = `The notes are not available on a second terminal: ${escapeText(why, 300)}`;
  };
  const server = createServer((socket) => {
    socket.unref();
    socket.on("error", () => undefined).on("close", () => followers.delete(socket));
    socket.once("data", () => {
      followers.add(socket);
      if (last !== null) socket.write(last);
    });
  });
  server.on("error", fail).on("listening", () => {
    if (WINDOWS) return;
    try {
      chmodSync(own, 0o600);
      inode = lstatSync(own).ino;
      // In one step, so that there is never a socket that nobody answers.
      renameSync(own, path);
    } catch (error) {
      fail(error);
    }
  });
  try {
    if (!WINDOWS) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      requireOwn(folder);
      rmSync(own, { force: true });
    }
    server.listen(own).unref();
  } catch (error) {
    fail(error);
  }

  return {
    tell(notes) {
      const line = `${JSON.stringify(notes)}\n`;
      if (line === last) return;
      last = line;
      for (const follower of followers) {
        if (follower.writableLength > MOST_WAITING) follower.destroy();
        else follower.write(line);
      }
    },
    problem: () => problem,
    close() {
      for (const follower of followers) follower.end();
      server.close();
      if (inode === null) return;
      try {
        // A newer deck has put its own there.
        if (lstatSync(path).ino === inode) unlinkSync(path);
        rmdirSync(folder);
      } catch {
        // What is left is replaced by the next deck.
      }
    },
  };
}

/**
 * Follows the deck that is presented, and the one after it, until the signal fires.
 * @yields each line of a deck, and null when there is none to follow
 * @throws Fault("storage") for a socket of another account, Fault("usage") for another version
 */
export async function* followNotes(
  home: Pick<Home, "state">,
  signal: AbortSignal,
): AsyncGenerator<DeckNotes | null> {
  let isWaiting = false;
  while (!signal.aborted) {
    const socket = await joined(home);
    if (socket !== null) {
      isWaiting = false;
      for await (const line of linesOf(socket, signal)) yield readDeckNotes(line);
    }
    if (signal.aborted) return;
    if (!isWaiting) yield null;
    isWaiting = true;
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Null where no deck is presented. */
function joined(home: Pick<Home, "state">): Promise<Socket | null> {
  const { folder, path } = placeOf(home);
  return new Promise((resolve, reject) => {
    try {
      if (!WINDOWS) for (const each of [folder, path]) requireOwn(each);
    } catch (error) {
      return error instanceof Fault ? reject(error) : resolve(null);
    }
    const socket = connect(path, () => {
      socket.write("\n");
      resolve(socket);
    });
    socket.on("error", () => resolve(null));
  });
}

/** Ends with the socket, whatever ends it. */
async function* linesOf(socket: Socket, signal: AbortSignal): AsyncGenerator<string> {
  const end = (): unknown => socket.destroy();
  signal.addEventListener("abort", end, { once: true });
  let text = "";
  try {
    for await (const chunk of socket.setEncoding("utf8")) {
      const lines = (text + (chunk as string)).split("\n");
      text = lines.pop()!;
      yield* lines;
    }
  } catch {
    // The other process is gone, or the user leaves.
  } finally {
    signal.removeEventListener("abort", end);
    socket.destroy();
  }
}
