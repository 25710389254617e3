// verdict history prune, export and --where, and what verdict doctor --verify says of the history.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parse } from "csv-parse/sync";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HISTORY } from "#src/storage/database/history-form.ts";
import { answer, intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";
import { type InProcessHome, inProcessHome } from "./in-process.ts";

const START = Date.UTC(2026, 0, 2);
const DAY = 86_400_000;
let home: InProcessHome;
let dir: string;

beforeEach(async () => {
  home = inProcessHome();
  dir = join(home.folder, "data");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const history = historyIn(dir);
  for (let number = 0; number < 6; number += 1) {
    const entry = intent(`e${number}`, {
      at: START + number * DAY,
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
  expect(sentence).toMatch(/^Filter, column 18: "blok" is not a valid verdict; use pass, /);
});

/** Damages the text of an entry as a flipped bit does, behind the back of the program. */
function damage(sql: string): void {
  const database = new DatabaseSync(join(dir, "history.db"));
  database.exec(sql);
  database.close();
}

it("verifies every entry, and names what is damaged, missing or misleading", async () => {
  const whole = await home.run("doctor --verify");
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(whole.stdout).toContain("The history is undamaged: 6 entries;");
  damage("UPDATE entry_text SET learned = replace(learned, 'pass', 'pasz') WHERE place = 3");
  damage("UPDATE entry SET amount = 1 WHERE place = 4");
  damage("DELETE FROM entry WHERE place = 2");
  const damaged = await home.run("doctor --verify");
  expect(damaged.code).toBe(8);
  expect(damaged.stdout).toContain("entry 3 is damaged and ignored");
  expect(damaged.stdout).toContain("filters may not find entry 4");
  const [{ sound, findings }] = (await home.json("doctor --verify --json")) as [Record<string, unknown>];
  expect(sound).toBe(false);
  expect(findings).toContainEqual({
    area: "files",
    state: "problem",
    what: "The history is damaged: of 5 entries 1 are damaged and 1 are missing.",
    next: expect.stringContaining("verdict history salvage"),
  });
  const listed = await home.run("history");
  expect(listed.stderr).toContain("Entry 3 of the history is damaged");
  expect(listed.stdout).not.toContain("=A-2");
});

it("salvages what can be read, after a question, and keeps the damaged file", async () => {
  expect(await home.run("history salvage --yes")).toMatchObject({
    code: 0,
    stdout: "The history is whole; nothing was changed.\n",
  });
  for (const order of ["=A-0", "=A-1", "=A-2"]) await home.run(["label", "set", order, "fraud"]);
  damage("UPDATE entry_text SET learned = replace(learned, 'pass', 'pasz') WHERE place = 3");
  damage("UPDATE label SET label = 'good' WHERE order_id = '=A-1'");
  const unasked = await home.run("history salvage");
  expect(unasked.code).toBe(2);
  const saved = await home.run("history salvage --yes");
  expect(saved).toMatchObject({ code: 0, stderr: "" });
  expect(saved.stdout).toMatch(
    /^Saved 5 of about 6 entries, and the labels of 2 orders; the damaged history is kept in /,
  );
  expect(readdirSync(dir).filter((name) => name.includes(".corrupt-"))).toHaveLength(1);
  expect((await home.run("doctor --verify")).stdout).toContain("The history is undamaged: 5 entries;");
  expect((await home.json("history --json")).map(({ id }) => id)).toEqual(["e5", "e4", "e3", "e1", "e0"]);
});

it("says what a file is that is no history", async () => {
  writeFileSync(join(dir, "history.db"), "no database\n".repeat(100), { mode: 0o600 });
  const sentence = `history.db is damaged; ${HISTORY.upkeep}`;
  const { code, stdout, stderr } = await home.run("history");
  expect([code, stdout]).toEqual([74, ""]);
  expect(stderr).toContain(sentence);
  const doctor = await home.run("doctor --verify");
  expect(doctor.code).toBe(8);
  expect(doctor.stdout.split(sentence)).toHaveLength(2);
});

it("prunes what is older, after a question, and can only count", async () => {
  const before = ["--before", new Date(START + 3 * DAY - 1).toISOString().slice(0, 19) + "Z"];
  expect(await home.json(["history", "prune", ...before, "--dry-run", "--json"])).toMatchObject([
    { dry_run: true, removed: 3, kept: 3 },
  ]);
  const unasked = await home.run(["history", "prune", ...before]);
  expect(unasked).toMatchObject({ code: 2 });
  expect(await home.json("history --json")).toHaveLength(6);
  const pruned = await home.run(["history", "prune", ...before, "--yes"]);
  expect(pruned).toMatchObject({ code: 0, stderr: "" });
  expect(pruned.stdout).toMatch(/^3 entries made before .* are removed/);
  expect((await home.json("history --json")).map(({ id }) => id)).toEqual(["e5", "e4", "e3"]);
  expect((await home.run("doctor --verify")).code).toBe(0);
  expect((await home.run("history prune --before yesterday --yes")).code).toBe(2);
});

it("says which older entries stay behind a younger one, as a clock that was set back leaves them", async () => {
  const history = historyIn(dir);
  for (const [id, at] of [
    ["late", START + 9 * DAY],
    ["early", START],
  ] as const)
    await history.intend(intent(id, { at }));
  await history.close();
  expect((await home.run("history prune --before 2026-01-09 --yes")).stdout).toMatch(
    /^6 entries made before/,
  );
  const again = await home.run("history prune --before 2026-01-09 --yes");
  expect(again.stdout).toMatch(
    /^1 entry made before \S+ .*is stored behind a newer entry, because a clock was set back/,
  );
});

it("says how many are removed where the disk fails on the way", async () => {
  const { exec } = DatabaseSync.prototype;
  let commits = 0;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
    // SQLITE_FULL
    if (sql === "COMMIT" && (commits += 1) === 2) throw Object.assign(new Error("full"), { errcode: 13 });
    return exec.call(this, sql);
  };
  try {
    const { code, stderr } = await home.run("history prune --before 2026-01-09 --yes");
    expect(code).toBe(74);
    expect(stderr).toMatch(/^0 of 6 entries are removed, and the others are kept: .+ the disk is full/);
  } finally {
    DatabaseSync.prototype.exec = exec;
  }
  expect(await home.json("history --json")).toHaveLength(6);
});

it("exports CSV that a spreadsheet does not run, and JSON, oldest first, into a new private file", async () => {
  const file = join(home.folder, "out.csv");
  const written = await home.run(`history export --format csv --where verdict:block --output ${file}`);
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
  const wrong = await home.run(`history export --format json --where x:1 --output ${file}2`);
  expect([wrong.code, existsSync(`${file}2`)]).toEqual([2, false]);
});
