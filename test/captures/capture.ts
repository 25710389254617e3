// npm run captures: the built console in a terminal, drawn as the pictures that the documents show. `--all` draws every
// screen state in four sizes into all/, `--only=GROUP` one group of them, and `--text` prints the screens as well.

import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
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
const isAll = process.argv.includes("--all");
const pictures = join(root, isAll ? "test/captures/all" : "test/captures");
const only = process.argv.find((given) => given.startsWith("--only="))?.slice("--only=".length);
if (only !== undefined && GROUPS[only] === undefined) {
  throw new Error(`There is no group ${only}; there are ${Object.keys(GROUPS).join(", ")}.`);
}

build(root);
mkdirSync(pictures, { recursive: true });
const lot = new Lot({
  root,
  pictures,
  shown: isAll ? null : shownPictures(),
  asText: process.argv.includes("--text"),
});
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

/** Names of the pictures that the README and the pages of docs/ show. */
function shownPictures(): ReadonlySet<string> {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name));
  const text = ["README.md", ...pages].map((page) => readFileSync(join(root, page), "utf8")).join("\n");
  return new Set([...text.matchAll(/test\/captures\/([\w-]+\.svg)/g)].map(([, name]) => name!));
}
