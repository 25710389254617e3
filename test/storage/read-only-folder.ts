// A folder that cannot be written, for root as well.

import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { onTestFinished } from "vitest";

/** Until the end of the test. Root may write everywhere but on what is mounted to be read. */
export function forbidWriting(folder: string): void {
  if (process.geteuid?.() !== 0) {
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    return;
  }
  execFileSync("mount", ["--bind", folder, folder]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  execFileSync("mount", ["-o", "remount,bind,ro", folder]);
}
