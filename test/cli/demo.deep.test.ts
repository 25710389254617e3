// verdict demo that is stopped: it leaves nothing behind then, either. How decks are told is in demo.deep.transcript.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { PROGRAM, testHomeOfTests } from "./verdict-process.ts";

const home = testHomeOfTests();

it("ends with 130 on Ctrl-C", async () => {
  const code = await new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, "demo", "one-card"], {
      env: { ...home.env, TMPDIR: home.folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.once("data", () => child.kill("SIGINT"));
    child.on("close", resolve);
  });
  expect(code).toBe(130);
  expect(readdirSync(home.folder)).toEqual([]);
});
