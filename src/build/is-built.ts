// Says how to build the program, where "npm ci --ignore-scripts" has left that out.

import { existsSync } from "node:fs";

if (!existsSync(new URL("../../dist/verdict.mjs", import.meta.url))) {
  process.stderr.write('The program is not built yet; run "npm run build" first.\n');
  process.exitCode = 1;
}
