import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { ActionContext } from "#src/actions/action-context.ts";
import { openSide } from "#src/actions/replay/compare-runs.ts";
import { planReport, writeReport, writeReports } from "#src/actions/replay/write-report.ts";
import { createWhole } from "#src/actions/whole-file.ts";
import { parseReports } from "#src/cli/replay/report-files.ts";
import { reportOf } from "../replay/report-sample.ts";
import { runRow } from "../replay/rows.ts";
import { runsIn } from "../storage/open-runs.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { storeRun } from "./stored-runs.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const usage = (part: string): object => ({
  code: "usage",
  message: expect.stringContaining(part) as string,
});

async function* piecesOf(...pieces: readonly (string | Error)[]): AsyncGenerator<string> {
  await Promise.resolve();
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}

describe("what --report takes", () => {
  test("a kind and a file, or a file whose ending tells the kind", () => {
    expect(parseReports([`junit=${folder}/a.xml`, `json=${folder}/b`, `html=${folder}/c=d.html`])).toEqual([
      { kind: "junit", path: `${folder}/a.xml` },
      { kind: "json", path: `${folder}/b` },
      { kind: "html", path: `${folder}/c=d.html` },
    ]);
    expect(planReport(`${folder}/page.HTML`).kind).toBe("html");
    expect(planReport(`${folder}/results.xml`).kind).toBe("junit");
  });

  test.each(["", "-", "junit=", "junit=-", "pdf=x", "report", "html=a\0b"])("%j is refused", (word) => {
    expect(() => parseReports([word])).toThrow(expect.objectContaining({ code: "usage" }) as Error);
  });

  test("a way through a folder that is not there is refused before anything runs, too", () => {
    expect(() => parseReports([`html=${folder}/missing/../page.html`])).toThrow(
      expect.objectContaining(usage("there is no folder")) as Error,
    );
  });

  test("what cannot be created is refused before anything runs", () => {
    const there = join(folder, "there.xml");
    writeFileSync(there, "mine");
    symlinkSync(join(folder, "nowhere"), join(folder, "link.xml"));
    mkdirSync(join(folder, "sub.html"));
    for (const [word, part] of [
      [`junit=${there}`, "exists already"],
      [`junit=${join(folder, "link.xml")}`, "exists already"],
      [`html=${join(folder, "sub.html")}`, "exists already"],
      [`html=${join(folder, "no", "x.html")}`, "there is no folder"],
      [`html=${join(there, "x.html")}`, "there is no folder"],
    ] as const) {
      expect(() => parseReports([word]), word).toThrow(expect.objectContaining(usage(part)) as Error);
    }
    expect(readFileSync(there, "utf8")).toBe("mine");
    expect(() => parseReports([`json=${folder}/a`, `html=${folder}/./a`])).toThrow(
      expect.objectContaining(usage("Two reports")) as Error,
    );
  });
});

describe("writing", () => {
  test("private, whole, and nothing beside it", async () => {
    const before = process.umask(0);
    try {
      const files = parseReports([`junit=${folder}/a.xml`, `json=${folder}/b.json`, `html=${folder}/c.html`]);
      await writeReports(files, await reportOf([runRow(1, "pass")]));
    } finally {
      process.umask(before);
    }
    expect(readdirSync(folder).sort()).toEqual(["a.xml", "b.json", "c.html"]);
    for (const name of readdirSync(folder)) expect(modeOf(join(folder, name))).toBe(0o600);
    expect(readFileSync(join(folder, "a.xml"), "utf8")).toMatch(/^<\?xml/);
    expect(JSON.parse(readFileSync(join(folder, "b.json"), "utf8"))).toMatchObject({ schema: 1 });
    expect(readFileSync(join(folder, "c.html"), "utf8")).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  });

  test("a file that has appeared meanwhile stays as it is", async () => {
    const files = parseReports([`json=${folder}/b.json`]);
    writeFileSync(join(folder, "b.json"), "mine");
    await expect(writeReports(files, await reportOf([runRow(1, "pass")]))).rejects.toMatchObject(
      usage("exists already"),
    );
    expect(readFileSync(join(folder, "b.json"), "utf8")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["b.json"]);
  });

  test("what fails half-way leaves nothing", async () => {
    const full = Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" });
    const path = join(folder, "a.xml");
    await expect(createWhole(path, piecesOf("x".repeat(600_000), full))).rejects.toMatchObject({
      code: "storage",
      message: `${path} was not written because the disk is full; free some space and try again.`,
    });
    await expect(createWhole(path, piecesOf("x", new Error("own fault")))).rejects.toThrow("own fault");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a long report comes out piece by piece in order", async () => {
    const path = join(folder, "long");
    const pieces = Array.from({ length: 5_000 }, (_, index) => `${index} `.repeat(30));
    await createWhole(path, piecesOf(...pieces));
    expect(readFileSync(path, "utf8")).toBe(pieces.join(""));
  });
});

test("one report of a stored run, against the run that it was compared with", async () => {
  const runs = runsIn(folder);
  await storeRun(runs, "aaa1", [runRow(1, "pass"), runRow(2, "pass")]);
  await storeRun(runs, "bbb2", [runRow(1, "block"), runRow(2, "pass")]);
  const context = {
    runs: () => Promise.resolve(runs),
    now: () => Date.UTC(2026, 10, 21),
  } as Partial<ActionContext> as ActionContext;
  const info = (await runs.find("bbb2"))!;
  const { comparison } = await (await openSide(runs, "aaa1")).compare(info);
  const path = await writeReport(context, { file: join(folder, "page.xml"), info, comparison });
  expect(readFileSync(path, "utf8")).toContain('failures="1"');
  await writeReport(context, { file: join(folder, "alone.xml"), info, comparison: null });
  expect(readFileSync(join(folder, "alone.xml"), "utf8")).toContain('failures="0"');

  await runs.remove("aaa1");
  await expect(
    writeReport(context, { file: join(folder, "other.xml"), info, comparison }),
  ).rejects.toMatchObject(usage("was removed"));
  expect(existsSync(join(folder, "other.xml"))).toBe(false);
});
