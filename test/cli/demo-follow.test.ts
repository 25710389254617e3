// verdict demo --follow without a terminal: a block for each move, a line of JSON for programs, and what it refuses.

import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import type { DeckNotes } from "#src/actions/sandbox/deck-notes.ts";
import { notesFolder, OPENED_DECK } from "../app/notes-folder.ts";
import { inProcessHome, type InProcessHome } from "./in-process.ts";

const STEP: DeckNotes = {
  ...OPENED_DECK,
  place: "step",
  step: 2,
  attempt: 1,
  attempts: 3,
  say: "A card comes back.",
  note: "Point at the counters.",
  next: "And once more.",
  verdicts: [
    { side: "today", verdict: "pass" },
    { side: "proposed", verdict: "unknown" },
  ],
  expected: "pass",
  as_expected: false,
  sentences: ["Ten good customers are no longer blocked."],
  problem: "The sandbox does not answer.",
  started_at: new Date(Date.now() - 60_000).toISOString(),
};

let home: InProcessHome;
beforeEach(() => {
  home = inProcessHome();
  onTestFinished(() => home.remove());
});

/** A deck that says all of this to whoever follows it. */
async function presented(...lines: readonly DeckNotes[]): Promise<void> {
  const folder = notesFolder({ state: join(home.folder, "state") });
  mkdirSync(folder, { mode: 0o700 });
  const server = createServer((socket) => {
    socket.once("data", () => socket.end(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
  });
  server.listen(join(folder, "socket"));
  await once(server, "listening");
  chmodSync(join(folder, "socket"), 0o600);
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
}

it.skipIf(process.platform === "win32")(
  "prints a block for each move, and the pause of a deck is none",
  async () => {
    const later = { ...STEP, next_at: "2026-01-15T10:00:00.000Z" };
    await presented(STEP, later, { ...OPENED_DECK, place: "end", next: null });
    const { code, stdout, stderr } = await home.run("demo --follow", "", "the end");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.replace(/\d\d:\d\d/g, "01:00")).toBe(`Step 2 of 6, attempt 1 of 3   01:00
   The audience reads: A card comes back.
   today ✔ PASS  proposed ? UNKNOWN  Not as the deck expects: pass.
   Ten good customers are no longer blocked.
   Note: Point at the counters.
   Next: And once more.
   It cannot go on: The sandbox does not answer.

One card, many attempts: the end   01:00
`);
  },
);

it.skipIf(process.platform === "win32")("prints the lines for programs as they come", async () => {
  await presented(STEP);
  const { code, stdout } = await home.run("demo --follow --json", "", "}");
  expect(code).toBe(0);
  expect(
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([STEP]);
});

it("waits where no deck is presented, and takes no deck itself", async () => {
  const { code, stdout } = await home.run("demo --follow", "", "Ctrl-C leaves.");
  expect(code).toBe(0);
  expect(stdout).toBe(
    'Waiting for a deck; start one with "verdict demo" on another terminal. Ctrl-C leaves.\n',
  );
  const named = await home.run("demo one-card --follow");
  expect(named).toMatchObject({ code: 2, stdout: "" });
  expect(named.stderr).toMatch(/^--follow shows the deck of another terminal[^\n]+\n$/);
});
