// Every `sh` block of README and docs runs, each page on a fresh copy of the examples, with the codes that the page states (`# exit 10`).

import { spawn } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PROGRAM } from "../cli/verdict-process.ts";
import { blocksOf, type Block } from "./page-blocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PAGE_MS = 300_000;

/** As a reader would go through them. */
const PAGES: readonly string[] = [
  "README.md",
  ...["tutorials", "how-to", "reference", "explanation"].flatMap((folder) =>
    readdirSync(join(root, "docs", folder))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => `docs/${folder}/${name}`),
  ),
];

const EXAMPLES = globSync("**/*.*", { cwd: join(root, "examples") });

let place: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "verdict-pages-"));
  mkdirSync(join(place, "bin"));
  mkdirSync(join(place, "home"));
  writeFileSync(join(place, "bin/verdict"), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, {
    mode: 0o755,
  });
  env = {
    PATH: [join(place, "bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
    HOME: join(place, "home"),
    XDG_CACHE_HOME: join(tmpdir(), "verdict-test-cache"),
    LANG: "C.UTF-8",
  };
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

it.each(PAGES)("%s: its commands do what it says", async (page) => {
  const blocks = blocksOf(readFileSync(join(root, page), "utf8"));
  const commands = blocks.filter(({ kind }) => kind === "sh").map(joined);
  if (commands.length === 0) return;
  rmSync(join(place, "examples"), { recursive: true, force: true });
  cpSync(join(root, "examples"), join(place, "examples"), { recursive: true });
  const { ends, printed, said } = await runScript(scriptOf(commands));
  expect(ends, `${printed.join("")}\n${said}`).toEqual(statedEnds(commands));
  expect(readdirSync(join(place, "home"), { recursive: true }), "the home of the reader").toEqual([]);
  expect(EXAMPLES.filter((path) => !isAsCopied(path))).toEqual([]);
  if (page === "docs/how-to/common-errors.md") {
    const sentences = blocks.filter(({ kind }) => kind === "text").map(({ lines }) => lines.join(" "));
    expect(sentences.filter((sentence) => ![...printed, said].join("").includes(sentence))).toEqual([]);
  }
  if (page !== "README.md") return;
  for (const [index, { line, lines }] of commands.entries()) {
    const output = blocks.find((block) => block.kind === "text" && block.line === line + lines.length + 3);
    if (output !== undefined)
      expect(withoutChance(printed[index]!)).toBe(withoutChance(output.lines.join("\n")));
  }
});

function isAsCopied(path: string): boolean {
  return readFileSync(join(place, "examples", path)).equals(readFileSync(join(root, "examples", path)));
}

/** Continued lines as one, so that a failure is found at the line of its command; the number of lines stays. */
function joined(block: Block): Block {
  const text = block.lines.join("\n").replaceAll(/(?:[^\n]*\\\n)+[^\n]*/g, (lines) => {
    const rest = lines.split("\\\n");
    return rest.join("") + "\n".repeat(rest.length - 1);
  });
  return { ...block, lines: text.split("\n") };
}

/** The page as a script: its lines are those of the page, and file 3 gets each failure as `LINE CODE`. */
function scriptOf(blocks: readonly Block[]): string {
  const lines: string[] = [`trap 'echo "$LINENO $?" >&3' ERR`];
  for (const block of blocks) {
    while (lines.length < block.line - 2) lines.push("");
    // A failure on the left of && is none to the trap, but it is the end of a subshell.
    lines.push("echo @@@", ...block.lines.map((line) => line.replace(/^(\S.* && [^#]*)/, "( $1 )")));
  }
  // What still runs, and is not about to end, would outlive its page.
  const left = 'for tick in $(seq 100); do [ -z "$(jobs -pr)" ] || sleep 0.1; done; jobs -r >&3';
  return [...lines, left, ""].join("\n");
}

/** At the end of a command, or on the line below it. */
function statedEnds(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ line, lines }) =>
    lines.flatMap((text, index) => {
      const [, code] = /# exit (\d+)$/.exec(text) ?? [];
      if (code === undefined) return [];
      const isBelow = text.startsWith("#");
      return [
        `${line + (isBelow ? lines.findLastIndex((each, at) => at < index && each !== "") : index)} ${code}`,
      ];
    }),
  );
}

interface Outcome {
  /** Of the commands that did not exit with 0. */
  readonly ends: readonly string[];
  /** A text for each block. */
  readonly printed: readonly string[];
  readonly said: string;
}

function runScript(script: string): Promise<Outcome> {
  writeFileSync(join(place, "page.sh"), script);
  return new Promise((resolve, reject) => {
    // A group of its own, which ends as a whole.
    const child = spawn("bash", [join(place, "page.sh")], {
      cwd: join(place, "examples"),
      env,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      detached: true,
    });
    const texts = ["", "", "", ""];
    for (const at of [1, 2, 3]) {
      child.stdio[at]!.on("data", (chunk: Buffer) => (texts[at] += chunk.toString("utf8")));
    }
    const late = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), PAGE_MS);
    child.on("error", reject);
    child.on("close", (_code, signal) => {
      clearTimeout(late);
      const ends = texts[3]!.split("\n").filter((line) => line !== "");
      if (signal !== null) ends.push(`ended by ${signal}`);
      resolve({ ends, printed: texts[1]!.split("@@@\n").slice(1), said: texts[2]! });
    });
  });
}

function withoutChance(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d/g, "TIME")
    .replaceAll(/[\d.]+ ms/g, "LATENCY")
    .replaceAll(/\b(hmac-sha256-|prj-)?[0-9a-z]{16,20}\b/g, "ID")
    .replaceAll(/ +/g, " ")
    .trim();
}
