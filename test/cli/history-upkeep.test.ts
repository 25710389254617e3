// verdict history verify, prune, export and --where.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openHistory } from "#src/storage/database/history.ts";
import { answer, intent } from "../storage/entries.ts";
import { type InProcessHome, inProcessHome } from "./in-process.ts";

const START = Date.UTC(2026, 0, 2);
const DAY = 86_400_000;
let home: InProcessHome;
let dir: string;

beforeEach(async () => {
  home = inProcessHome();
  dir = join(home.folder, "data/history");
  mkdirSync(join(home.folder, "data"), { recursive: true, mode: 0o700 });
  let now = START;
  const history = openHistory({ dir, now: () => now });
  for (let number = 0; number < 6; number += 1) {
    now = START + number * DAY;
    const entry = intent(`e${number}`, {
      at: now,
      request: {
        operation: "payment",
        order_id: `=A-${number}`,
        amount: 12_000,
        currency: 980,
        payer: { email: "a@b.example" },
      },
      result: answer({ recommendation: number % 2 === 0 ? "pass" : "block" }),
    });
    await history.intend(entry);
    await history.settle(entry);
  }
  await history.close();
});
afterEach(() => home.remove());

it("points at the token of a filter that is wrong", async () => {
  const { code, stderr, stdout } = await home.run(["history", "--where", "amount>5 verdict:blok"]);
  expect([code, stdout]).toEqual([2, ""]);
  const [filter, caret, sentence] = stderr.trimEnd().split("\n");
  expect(filter!.slice(caret!.indexOf("^"))).toBe("blok");
  expect(caret!.trim()).toBe("^^^^");
  expect(sentence).toMatch(/^Filter, column 18: "blok" is no verdict; use pass, /);
});

it("verifies every line, and names file and byte of what is damaged", async () => {
  const whole = await home.run("history verify");
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(whole.stdout).toMatch(/^The history is whole: 6 entries in 1 segment/);
  const file = join(
    dir,
    readdirSync(dir).find((name) => name.endsWith(".jsonl"))!,
  );
  const { size } = statSync(file);
  appendFileSync(file, Buffer.alloc(4096));
  const damaged = await home.run("history verify");
  expect(damaged.code).toBe(74);
  expect(damaged.stdout).toContain(`${file}: 4096 damaged bytes from byte ${size} to ${size + 4096}`);
  const rows = await home.json("history verify --json");
  expect(rows).toMatchObject([
    {
      type: "segment",
      file,
      ok: false,
      entries: 6,
      lines: 12,
      damaged: [{ from_byte: size, to_byte: size + 4096 }],
    },
    { type: "summary", ok: false, entries: 6, damaged_bytes: 4096 },
  ]);
});

it("verifies that no line was cut out", async () => {
  const file = join(
    dir,
    readdirSync(dir).find((name) => name.endsWith(".jsonl"))!,
  );
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, [...lines.slice(0, 2), ...lines.slice(5)].join("\n"));
  const { code, stdout } = await home.run("history verify");
  expect(code).toBe(74);
  expect(stdout).toContain("the lines 3 to 5 are missing");
});

it("verifies and lists with a word on a segment that was emptied, or has lost its end", async () => {
  const name = readdirSync(dir).find((each) => each.endsWith(".jsonl"))!;
  const whole = readFileSync(join(dir, name), "utf8");
  // A full segment carries the time of its last record in its name.
  const full = name.replace(".jsonl", `-${String(START + 5 * DAY).padStart(15, "0")}.jsonl`);
  for (const [file, text] of [
    [name, ""],
    [full, whole.split("\n").slice(0, 4).join("\n") + "\n"],
  ] as const) {
    for (const each of readdirSync(dir)) rmSync(join(dir, each), { recursive: true });
    writeFileSync(join(dir, file), text, { mode: 0o600 });
    const verified = await home.run("history verify");
    expect([verified.code, verified.stdout]).toEqual([
      74,
      expect.stringContaining(`${join(dir, file)} ends before its last record`),
    ]);
    expect((await home.run("history")).stderr).toContain(`${join(dir, file)} ends before its last record`);
  }
  for (const each of readdirSync(dir)) rmSync(join(dir, each), { recursive: true });
  writeFileSync(join(dir, full), whole, { mode: 0o600 });
  expect((await home.run("history verify")).code).toBe(0);
});

it("prunes what is older, after a question, and can only count", async () => {
  const before = ["--before", new Date(START + 3 * DAY - 1).toISOString().slice(0, 19) + "Z"];
  expect(await home.json(["history", "prune", ...before, "--dry-run", "--json"])).toMatchObject([
    { dry_run: true, removed: 3, kept: 3, in_use: 0 },
  ]);
  const unasked = await home.run(["history", "prune", ...before]);
  expect(unasked).toMatchObject({ code: 2 });
  expect(await home.json("history --json")).toHaveLength(6);
  const pruned = await home.run(["history", "prune", ...before, "--yes"]);
  expect(pruned).toMatchObject({ code: 0, stderr: "" });
  expect(pruned.stdout).toMatch(/^3 entries made before .* are removed/);
  expect((await home.json("history --json")).map(({ id }) => id)).toEqual(["e5", "e4", "e3"]);
  expect((await home.run("history verify")).code).toBe(0);
  expect((await home.run("history prune --before yesterday --yes")).code).toBe(2);
});

it("exports CSV that a spreadsheet does not run, and JSON, oldest first, into a new private file", async () => {
  const file = join(home.folder, "out.csv");
  const written = await home.run([
    "history",
    "export",
    "--format",
    "csv",
    "--where",
    "verdict:block",
    "--output",
    file,
  ]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toMatch(/^3 entries are in .*personal data/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const rows = parse<Record<string, string>>(readFileSync(file), { columns: true });
  expect(rows.map((row) => [row["id"], row["order_id"], row["payer.email"]])).toEqual(
    [1, 3, 5].map((number) => [`e${number}`, `'=A-${number}`, "a@b.example"]),
  );
  const again = await home.run(["history", "export", "--format", "json", "--output", file]);
  expect(again.code).toBe(2);
  expect(readFileSync(file, "utf8")).toContain("e5");
  const { stdout } = await home.run("history export --format json");
  const entries = JSON.parse(stdout) as { id: string; request: { order_id: string } }[];
  expect(entries.map(({ id, request }) => [id, request.order_id])).toEqual(
    Array.from({ length: 6 }, (_, number) => [`e${number}`, `=A-${number}`]),
  );
  expect(JSON.parse((await home.run("history export --format json --where order:none")).stdout)).toEqual([]);
  const wrong = await home.run([
    "history",
    "export",
    "--format",
    "json",
    "--where",
    "x:1",
    "--output",
    `${file}2`,
  ]);
  expect([wrong.code, existsSync(`${file}2`)]).toEqual([2, false]);
});
