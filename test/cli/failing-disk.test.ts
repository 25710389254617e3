// Every error that the system knows, at the calls of commands that write: a documented exit code and one sentence, never a fault of
// verdict itself.

import { constants } from "node:os";
import { expect, it, vi } from "vitest";
import { nodeFileSystem, type FileSystem } from "#src/storage/file-system.ts";
import { systemError } from "../storage/failing-file-system.ts";
import { inProcessHome } from "./in-process.ts";

const SECRET = "9f".repeat(32);
const COMMANDS: readonly (readonly [string, string])[] = [
  ["profile add shop --base-url https://shop.example", ""],
  ["vault add --key-id k-1 --company-id c-1 --secret-stdin", SECRET],
  ["payload save kept -", '{"operation":"payment"}'],
  ["label set o-1 fraud", ""],
  ["history", ""],
];
const NAMES = Object.keys(constants.errno) as (keyof typeof constants.errno)[];
/** Loops of the program wait for these to end, or go another way. */
const DOCUMENTED = [0, 2, 3, 74];

it.each(COMMANDS)("%s", async (words, input) => {
  let calls = 0;
  let failAt = Infinity;
  let name: keyof typeof constants.errno = "EIO";
  for (const method of Object.keys(nodeFileSystem) as (keyof FileSystem)[]) {
    const real = nodeFileSystem[method] as (...given: unknown[]) => Promise<unknown>;
    vi.spyOn(nodeFileSystem, method).mockImplementation(async (...given: unknown[]) => {
      if ((calls += 1) === failAt) throw Object.assign(systemError(name, method), { path: given[0] });
      return await real.call(nodeFileSystem, ...given);
    });
  }
  try {
    const whole = inProcessHome();
    expect((await whole.run(words, input)).code).toBe(0);
    whole.remove();
    const all = calls;
    // Each error at one call, and each call with some.
    for (const [index, each] of NAMES.entries()) {
      [calls, failAt, name] = [0, 1 + (index % Math.max(all, 1)), each];
      const home = inProcessHome();
      const { code, stderr } = await home.run(words, input);
      expect(DOCUMENTED, `${words}: ${each} at call ${failAt}: ${stderr}`).toContain(code);
      expect(stderr).not.toContain("internal error");
      home.remove();
      failAt = Infinity;
    }
  } finally {
    vi.restoreAllMocks();
  }
});
