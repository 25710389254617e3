// Before any test: the built program, made from the sources as they are now.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export function setup(): void {
  execFileSync(process.execPath, ["src/build/build.ts"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", "ignore", "inherit"],
  });
}
