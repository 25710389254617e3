// npm run captures: the built console in a terminal, every screen as a picture in this folder, in four sizes.
// `--only=GROUP` takes the pictures of one group, `--text` prints the screens as well.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { captureCheck } from "./groups/check.ts";
import { captureDemo } from "./groups/demo.ts";
import { captureEmpty } from "./groups/empty.ts";
import { captureFull } from "./groups/full.ts";
import { captureHistory } from "./groups/history.ts";
import { captureLooks } from "./groups/looks.ts";
import { captureProfiles } from "./groups/profiles.ts";
import { captureReplay } from "./groups/replay.ts";
import { captureSandbox } from "./groups/sandbox.ts";
import { captureTypical } from "./groups/typical.ts";
import { captureVault } from "./groups/vault.ts";
import { build, Lot } from "./studio.ts";

const GROUPS: Readonly<Record<string, (lot: Lot) => Promise<void>>> = {
  empty: captureEmpty,
  typical: captureTypical,
  full: captureFull,
  check: captureCheck,
  history: captureHistory,
  profiles: captureProfiles,
  vault: captureVault,
  replay: captureReplay,
  sandbox: captureSandbox,
  demo: captureDemo,
  looks: captureLooks,
};

const root = fileURLToPath(new URL("../..", import.meta.url));
const pictures = join(root, "test/captures");
const only = process.argv.find((given) => given.startsWith("--only="))?.slice("--only=".length);
if (only !== undefined && GROUPS[only] === undefined) {
  throw new Error(`There is no group ${only}; there are ${Object.keys(GROUPS).join(", ")}.`);
}

build(root);
const lot = new Lot({ root, pictures, asText: process.argv.includes("--text") });
try {
  for (const [group, capture] of Object.entries(GROUPS)) {
    if (only !== undefined && only !== group) continue;
    for (const name of readdirSync(pictures)) {
      // A picture whose scene is gone goes, too.
      if (name.startsWith(`${group}-`) && name.endsWith(".svg")) rmSync(join(pictures, name));
    }
    await capture(lot);
  }
} finally {
  await lot.close();
}
