// Databases that somebody else has changed, checksums and all: one sentence, and nothing of what they bring along runs.

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";
import { runsIn } from "../storage/open-runs.ts";
import { header, item, result } from "../storage/run-samples.ts";
import { type InProcessHome, inProcessHome } from "./in-process.ts";

let home: InProcessHome;
let dir: string;

beforeEach(() => {
  home = inProcessHome();
  dir = join(home.folder, "data");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
});
afterEach(() => home.remove());

function meddle(name: string, work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(join(dir, name));
  work(database);
  database.close();
}

/** Runs of one item each, which has an outcome. */
async function storeRuns(...ids: readonly string[]): Promise<void> {
  const runs = runsIn(dir);
  for (const id of ids) {
    const journal = await runs.create(header(id));
    await journal.intend(item(1), 1);
    await journal.settle(1, result());
    await journal.close();
  }
  await runs.close();
}

async function expectSentence(words: string, code: number): Promise<string> {
  const ran = await home.run(words);
  expect(ran.code, `${words}: ${ran.stderr}`).toBe(code);
  expect(ran.stdout + ran.stderr).not.toContain("internal error");
  return ran.stdout + ran.stderr;
}

describe("declarations of others", () => {
  it.each([
    "CREATE TRIGGER extra BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'no'); END",
    "CREATE TRIGGER extra AFTER INSERT ON entry BEGIN INSERT INTO entry_text SELECT place + 1, intent, learned, crc FROM entry_text; END",
    "CREATE VIEW extra AS SELECT * FROM entry",
    "CREATE TABLE extra(id)",
    "PRAGMA user_version = 9; CREATE VIEW extra AS SELECT * FROM entry",
  ])("in the history (%s) are not used", async (sql) => {
    await historyIn(dir).intend(intent("e1"));
    meddle("history.db", (database) => database.exec(sql));
    for (const words of ["history", "history prune --before 1d --yes", "label set o fraud"])
      expect(await expectSentence(words, 74)).toContain('did not make "extra" in it');
    if (sql.startsWith("PRAGMA")) return;
    expect(await expectSentence("history salvage --yes", 0)).toContain("Saved 1 of about 1 entries");
    expect(await expectSentence("doctor --verify", 8)).toContain("The history is undamaged");
  });

  it("in the runs are not used", async () => {
    await (await runsIn(dir).create(header("a1"))).close();
    meddle("runs.db", (database) => database.exec("CREATE VIEW extra AS SELECT * FROM item"));
    expect(await expectSentence("run list", 74)).toContain('did not make "extra" in it');
  });
});

describe("a row of another shape with a checksum that fits", () => {
  const whole = { id: "e", at: 1, profile: "p", project: "m/low", request: {} };
  const ROWS: readonly (readonly [intent: unknown, learned: unknown])[] = [
    ...[null, [], 5, {}, { ...whole, at: "x" }, { ...whole, at: 1e300 }, { ...whole, request: null }].map(
      (each) => [each, {}] as const,
    ),
    ...[
      { ...whole, request: { order_id: 5 } },
      { ...whole, warnings: {} },
      { ...whole, profile: null },
    ].map((each) => [each, {}] as const),
    ...[null, [], { note: 5 }, { result: 5 }, { result: { outcome: "fine" } }, { warnings: null }].map(
      (each) => [whole, each] as const,
    ),
    [whole, { result: { ...answer(), recommendation: "maybe" } }],
    [whole, { result: { ...answer(), basis: { score: 1, rules: null } } }],
    [whole, { explanation: "none" }],
  ];

  it("is left out of every list, and is damage", async () => {
    const history = historyIn(dir);
    for (const index of ROWS.keys()) await history.intend(intent(`e${index}`));
    await history.intend(intent("last"));
    await history.close();
    meddle("history.db", (database) => {
      const put = database.prepare("UPDATE entry_text SET intent = ?, learned = ?, crc = ? WHERE place = ?");
      for (const [index, [what, learned]] of ROWS.entries()) {
        const id = `e${index}`;
        const own = what !== null && typeof what === "object" && "id" in what ? { ...what, id } : what;
        const texts = [JSON.stringify(own), JSON.stringify(learned)] as const;
        put.run(...texts, crc32([index + 1, id, ...texts].join("\n")), index + 1);
      }
      database.prepare("UPDATE entry SET profile = 'p'").run();
    });
    expect((await home.json("history --json")).map(({ id }) => id)).toEqual(["last"]);
    expect(await expectSentence("history", 0)).toContain(`${ROWS.length} entries of the history are damaged`);
    expect(JSON.parse((await home.run("history export --format json")).stdout)).toHaveLength(1);
    await expectSentence("history --where amount>5", 0);
    expect(await expectSentence("doctor --verify", 8)).toContain(`${ROWS.length} are damaged`);
    expect(await expectSentence("history salvage --yes", 0)).toContain("Saved 1 of about");
  });

  it("of a run is left out, and never copied", async () => {
    await storeRuns("a1", "b1", "c1", "d1");
    meddle("runs.db", (database) => {
      const places = database
        .prepare("SELECT place FROM item ORDER BY place")
        .all()
        .map(({ place }) => Number(place));
      const put = (table: string, column: string, place: number, text: string): void =>
        void database
          .prepare(`UPDATE ${table} SET ${column} = ?, crc = ? WHERE place = ?`)
          .run(text, crc32(`${place}\n${text}`), place);
      put("item", "intent", places[0]!, "null");
      put("item_result", "result", places[1]!, '{"outcome":5}');
      // As a flipped bit leaves it.
      database.prepare("UPDATE item_result SET crc = crc + 1 WHERE place = ?").run(places[2]!);
      const { no } = database.prepare("SELECT no FROM run WHERE id = 'd1'").get()!;
      database
        .prepare("UPDATE run SET header = 'null', standing = '[]', crc = ? WHERE no = ?")
        .run(crc32([Number(no), "d1", "null", "[]"].join("\n")), Number(no));
    });
    const doctor = await expectSentence("doctor --verify", 8);
    for (const sentence of [
      "Run d1 is damaged",
      "Item 1 of run a1 is damaged",
      "The outcome of item 1 of run b1 is damaged",
      "The outcome of item 1 of run c1 is damaged",
      "The runs are damaged; 3 runs with 2 items can be read.",
    ])
      expect(doctor).toContain(sentence);
    expect(await expectSentence("run list", 0)).toContain("Run d1 is damaged and left out");
    for (const id of ["a1", "b1", "c1"]) {
      await expectSentence(`run show ${id}`, 0);
      const file = join(home.folder, `${id}.ndjson`);
      expect(await expectSentence(`run export ${id} --output ${file}`, 74)).toContain(
        `1 item of run ${id} is damaged, so that it cannot be copied`,
      );
      await expectSentence(`run export ${id}`, 74);
    }
  });
});

it("names what comparisons would read wrongly of a run, until it is mended", async () => {
  await storeRuns("a1");
  meddle("runs.db", (database) => database.exec("UPDATE item_fact SET amount = 7"));
  const sentence = "The comparison data of item 1 of run a1 was damaged";
  for (let time = 0; time < 2; time += 1)
    expect(await expectSentence("doctor --verify", 8)).toContain(
      `${sentence}; "verdict run export a1" repairs it.`,
    );
  await expectSentence("run export a1", 0);
  expect(await expectSentence("doctor --verify", 0)).toContain("The runs are whole: 1 run with 1 item;");
});

it("counts the outcomes of a run whose items are lost", async () => {
  await storeRuns("a1");
  meddle("runs.db", (database) => database.exec("DELETE FROM item"));
  expect(await expectSentence("doctor --verify", 8)).toMatch(
    /\S+runs\.db has outcomes without their items: 1\./,
  );
});

describe("a database that is not what a session left", () => {
  it.each<[string, string, readonly string[], (path: string) => void]>([
    [
      "is damaged, because the file is empty",
      "history.db",
      ["history", "label set o fraud"],
      (path) => writeFileSync(path, ""),
    ],
    [
      "is damaged, because the file is empty",
      "runs.db",
      ["run list", "run show last"],
      (path) => writeFileSync(path, ""),
    ],
    [
      "is missing",
      "history.db",
      ["history", "history salvage --yes", "label set o fraud"],
      (path) => renameSync(path, `${path}.corrupt-20260101T000000000Z`),
    ],
    ["is missing", "runs.db", ["run list"], (path) => renameSync(path, `${path}-wal`)],
    [
      "was written by a newer version",
      "history.db",
      ["label set o fraud"],
      () =>
        meddle("history.db", (database) => database.exec("PRAGMA user_version = 9; CREATE TABLE newer(id)")),
    ],
  ])("(%s: %s) is said by every command, and by doctor", async (said, name, commands, change) => {
    await historyIn(dir).intend(intent("e1"));
    const runs = runsIn(dir);
    await (await runs.create(header("a1"))).close();
    await runs.close();
    change(join(dir, name));
    for (const words of commands) expect(await expectSentence(words, 74)).toContain(`${name} ${said}`);
    expect(await expectSentence("doctor", 8)).toContain(`${name} ${said}`);
  });
});

describe("an error of the disk while the log is emptied", () => {
  it.each(["history prune --before 0s --yes", "run remove a1 --yes"])(
    "(%s) says what is removed",
    async (words) => {
      await historyIn(dir).intend(intent("e1", { at: 1 }));
      await (await runsIn(dir).create(header("a1"))).close();
      const { prepare } = DatabaseSync.prototype;
      DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
        // SQLITE_IOERR_WRITE
        if (sql.includes("TRUNCATE")) throw Object.assign(new Error("disk I/O error"), { errcode: 778 });
        return prepare.call(this, sql);
      };
      try {
        const said = await expectSentence(words, 74);
        expect(said).toMatch(
          /(?:entries are|run is) removed, but \S+-wal still contains .+ the disk reported an error/,
        );
      } finally {
        DatabaseSync.prototype.prepare = prepare;
      }
      expect(await home.json("history --json")).toHaveLength(words.startsWith("history") ? 0 : 1);
    },
  );
});
