// Makes dist-executable/verdict for this platform: Node with the built program inside. Needs the files of dist.

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
const output = join(root, "dist-executable", process.platform === "win32" ? "verdict.exe" : "verdict");
/** What `programFile` and `programUrl` are asked for, and what a copy must carry. */
const CARRIED = [
  "main.cjs",
  "database-worker.mjs",
  "state-client.cjs",
  "help.txt",
  "labelled-day.ndjson.br",
  "documents.json.br",
  "THIRD-PARTY-NOTICES",
  ...readdirSync(join(dist, "schemas")).map((name) => `schemas/${name}`),
];

const work = mkdtempSync(join(tmpdir(), "verdict-executable-"));
try {
  mkdirSync(join(root, "dist-executable"), { recursive: true });
  const configuration = {
    main: join(dist, "verdict.mjs"),
    mainFormat: "module",
    output: join(work, "verdict"),
    disableExperimentalSEAWarning: true,
    // Its code cache covers the gate alone; src/app/compiled-code.ts caches the program.
    useCodeCache: false,
    assets: Object.fromEntries(CARRIED.map((name) => [name, join(dist, name)])),
  };
  writeFileSync(join(work, "sea.json"), JSON.stringify(configuration));
  execFileSync(process.execPath, ["--build-sea", join(work, "sea.json")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  // Over a file that is being run nothing can be written.
  copyFileSync(join(work, "verdict"), `${output}.tmp`);
  renameSync(`${output}.tmp`, output);
  console.log(
    `Built ${output} (${Math.round(statSync(output).size / 1024 ** 2)} MiB, Node ${process.versions.node})`,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}
