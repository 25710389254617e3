// npm run mutations: makes small mistakes in the sources, one at a time, and says which of them no test notices.

import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { placesOf, type Place } from "./places.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A mistake that makes a test wait for ever is noticed by it. */
const LIMIT_MS = 900_000;
/** Of all mistakes; with fewer the run fails. */
const NOTICED_LEAST = 0.9;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    places: { type: "string", default: "200" },
    /** Only files whose path begins so. */
    under: { type: "string", default: "" },
  },
});

interface Found extends Place {
  readonly file: string;
  readonly source: string;
}

/** All places of the rooms that run, but for what only builds the program. */
function allPlaces(): Found[] {
  const listed = execFileSync("git", ["ls-files", "src", "screens"], { cwd: ROOT, encoding: "utf8" });
  return listed
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|^src\/build\//.test(file))
    .filter((file) => file.startsWith(values.under))
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), "utf8");
      return placesOf(source, file).map((place) => ({ ...place, file, source }));
    });
}

/** The places of the seed: each mistake as often as another, whatever the number of its places. */
function* chosen(all: readonly Found[]): Generator<Found> {
  const byMistake = Object.values(Object.groupBy(all, ({ mistake }) => mistake));
  const sources = byMistake.map((places) => fc.shuffledSubarray(places, { minLength: places.length }));
  const shuffled = sources.map(
    (arbitrary, at) => fc.sample(arbitrary, { seed: Number(values.seed) + at, numRuns: 1 })[0]!,
  );
  for (let at = 0; shuffled.some((places) => at < places.length); at += 1) {
    for (const places of shuffled) if (at < places.length) yield places[at]!;
  }
}

/** A copy of the checkout, so that nobody meets a mistake in theirs; its packages are those of the checkout. */
function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), "verdict-mutations-"));
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" });
  for (const file of files.split("\0").filter((name) => name !== "")) {
    cpSync(join(ROOT, file), join(folder, file));
  }
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    // What the tests make for themselves.
    if (/^\.(?:verdict|vite)/.test(name)) continue;
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  return folder;
}

type Outcome = "refused by the compiler" | "noticed in its room" | "noticed elsewhere" | "survived";

function passes(folder: string, ...words: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, words, { cwd: folder, stdio: "ignore", timeout: LIMIT_MS });
  return status === 0;
}

/** Makes the mistake, asks the compiler and the tests, the nearest first, and takes it back. */
function outcomeOf({ file, source, from, to, by }: Found, folder: string): Outcome {
  const path = join(folder, file);
  const vitest = (...words: readonly string[]): boolean =>
    passes(folder, "node_modules/vitest/vitest.mjs", ...words, "--bail=1", "--passWithNoTests");
  writeFileSync(path, source.slice(0, from) + by + source.slice(to));
  try {
    if (!compiles(folder)) return "refused by the compiler";
    const near = testsNear(file);
    if (near.length > 0 && !vitest("run", ...near)) return "noticed in its room";
    if (!vitest("run", roomOf(file))) return "noticed in its room";
    // Those that start the built program import nothing of it.
    const isNoticed = !vitest("related", file, "--run") || !vitest("run", ...STARTING);
    return isNoticed ? "noticed elsewhere" : "survived";
  } finally {
    writeFileSync(path, source);
  }
}

/** With what the compiler knows of the files that are as they were, it takes less than half of the time. */
function compiles(folder: string): boolean {
  const known = ["--incremental", "--tsBuildInfoFile", join(folder, "node_modules/known")];
  return passes(folder, "node_modules/typescript/bin/tsc", "-p", ".", ...known);
}

/** The folder of the tests of a file. */
function roomOf(file: string): string {
  const [top, room] = file.split("/");
  return top === "screens" ? "test/console/" : `test/${room!}/`;
}

/** The tests that are called as a file is, and those that import it themselves: they notice most mistakes, and soon. */
function testsNear(file: string): string[] {
  const name = basename(file).replace(/\.tsx?$/, "");
  const imported = `"#${file}"`;
  return TESTS.filter(
    ({ path, source }) => basename(path).split(".")[0] === name || source.includes(imported),
  ).map(({ path }) => path);
}

function lineOf({ file, source, from, to, by, mistake }: Found): string {
  const line = source.slice(0, from).split("\n").length;
  const [before, after] = [source.slice(from, to), by].map((text) => text.replace(/\s+/g, " ").slice(0, 80));
  return `${file}:${line} ${mistake}: ${before} -> ${after}`;
}

/** The tests that are not deep. */
const TESTS = execFileSync("git", ["ls-files", "test"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((path) => /\.(?:test\.tsx?|transcript)$/.test(path) && !/\.deep\.|^test\/deep\//.test(path))
  .map((path) => ({ path, source: readFileSync(join(ROOT, path), "utf8") }));
const STARTING = TESTS.filter(
  ({ path, source }) =>
    path.includes("/stories/") || /\/(?:verdict-process|terminal-run|pty)\.ts"/.test(source),
).map(({ path }) => path);
const wanted = Number(values.places);
const folder = copied();
console.log("All tests without a mistake");
if (!passes(folder, "node_modules/vitest/vitest.mjs", "run", "--bail=1")) {
  rmSync(folder, { recursive: true, force: true });
  throw new Error("A test fails without any mistake; what it would notice says nothing.");
}
const counts = new Map<Outcome, number>();
const survivors: string[] = [];
let tried = 0;
try {
  for (const place of chosen(allPlaces())) {
    if (tried === wanted) break;
    const outcome = outcomeOf(place, folder);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome === "refused by the compiler") continue;
    tried += 1;
    console.log(`${tried} of ${wanted} ${outcome}: ${lineOf(place)}`);
    if (outcome === "survived") survivors.push(lineOf(place));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const noticed = tried - survivors.length;
console.log(
  `\n${noticed} of ${tried} noticed (${Math.floor((100 * noticed) / tried)} %), seed ${values.seed}`,
);
for (const [outcome, count] of counts) console.log(`${String(count).padStart(6)}  ${outcome}`);
if (survivors.length > 0) console.log(`\nNoticed by no test:\n${survivors.join("\n")}`);
if (noticed < NOTICED_LEAST * tried) process.exitCode = 1;
