import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import type { RunRow } from "#src/contract/records/run.ts";
import { countRows, type ReportData } from "#src/replay/reports/report-data.ts";
import { junitReport } from "#src/replay/reports/report-junit.ts";
import { HOSTILE, hostileRow } from "./hostile.ts";
import { reportOf, runInfo, sampleReport, whole } from "./report-sample.ts";
import { runRow } from "./rows.ts";
import { readXml, type XmlElement } from "./xml-element.ts";

async function junit(data: ReportData): Promise<XmlElement> {
  return readXml(await whole(junitReport(data, await countRows(data))));
}

const allCases = (root: XmlElement): XmlElement[] => root.children.filter(({ name }) => name === "testcase");

/** Those of items: the one of the rejected lines stands behind them. */
const cases = (root: XmlElement): XmlElement[] =>
  allCases(root).filter(({ children }) => children[0]?.name !== "skipped");

describe("what the schemas of the readers ask for", () => {
  test("elements, their order, attributes and counts", async () => {
    const root = await junit(await sampleReport(3_000));
    expect(root.name).toBe("testsuite");
    expect(Object.keys(root.attributes).sort()).toEqual(
      "errors failures name skipped tests time timestamp".split(" "),
    );
    expect(root.attributes["timestamp"]).toBe("2026-11-21T09:30:00.000Z");
    const order = root.children.map(({ name }) => name);
    expect(order[0]).toBe("properties");
    expect(new Set(order.slice(1))).toEqual(new Set(["testcase"]));
    for (const found of cases(root)) {
      expect(Object.keys(found.attributes).sort()).toEqual(["classname", "name", "time"]);
      expect(found.attributes["time"]).toMatch(/^\d+\.\d{3}$/);
      expect(found.children.length).toBeLessThanOrEqual(1);
      for (const problem of found.children) {
        expect(["failure", "error"]).toContain(problem.name);
        expect(Object.keys(problem.attributes).sort()).toEqual(["message", "type"]);
      }
    }
    const having = (name: string): number =>
      cases(root).filter(({ children }) => children[0]?.name === name).length;
    expect(root.attributes).toMatchObject({
      tests: String(allCases(root).length),
      skipped: "1",
      failures: String(having("failure")),
      errors: String(having("error")),
    });
    expect(having("failure")).toBeGreaterThan(0);
    expect(having("error")).toBeGreaterThan(0);
  });

  // jenkinsci/xunit-plugin 8c515de, types/model/xsd/junit-10.xsd; apache/maven-surefire, surefire-test-report.xsd 3.0.2.
  test.each(["xunit-plugin-junit-10.xsd", "surefire-test-report.xsd"])("%s accepts it", async (name) => {
    const schema = readFileSync(new URL(`schemas/${name}`, import.meta.url), "utf8");
    const rows = ["pass", "block", "3ds_or_block", "unknown", "indeterminate", null] as const;
    const reports = [
      await sampleReport(1_500),
      await reportOf(rows.map((verdict, index) => runRow(index + 1, verdict, { tags: ["vip", "x<y"] }))),
      await reportOf([], null, { info: runInfo({ summary: null, state: "partial" }) }),
      await reportOf(HOSTILE.map((text, index) => hostileRow(index + 1, text))),
      await reportOf([runRow(1, "pass")], null, {
        failedGates: [{ gate: "max-p95", limit: "5ms", figure: 7, message: "It is 7 ms." }],
      }),
    ];
    for (const data of reports) {
      const contents = await whole(junitReport(data, await countRows(data)));
      const { errors } = await validateXML({ xml: { fileName: "report.xml", contents }, schema });
      expect(errors).toEqual([]);
    }
  });

  test("times are in seconds", async () => {
    const root = await junit(await reportOf([runRow(1, "pass")]));
    expect(cases(root)[0]!.attributes["time"]).toBe("0.084");
    expect(root.attributes["time"]).toBe("24.260");
  });
});

describe("lines that could not be read", () => {
  const rejectedIn = async (rejected: number): Promise<XmlElement> => {
    const info = runInfo();
    return junit(
      await reportOf([runRow(1, "pass")], null, {
        info: { ...info, summary: { ...info.summary!, rejected } },
      }),
    );
  };

  test("are a test that was skipped, so that nobody takes the rest for the whole", async () => {
    const root = await rejectedIn(2);
    expect(root.attributes).toMatchObject({ tests: "2", skipped: "1", failures: "0", errors: "0" });
    const last = allCases(root).at(-1)!;
    expect(last.attributes["name"]).toBe("rejected lines");
    expect(last.children[0]!.attributes["message"]).toBe(
      "2 lines or files of the sources hold no payload and could not be checked",
    );
  });

  test("do not appear where there are none", async () => {
    const root = await rejectedIn(0);
    expect(root.attributes).toMatchObject({ tests: "1", skipped: "0" });
    expect(allCases(root)).toHaveLength(1);
  });
});

describe("what fails", () => {
  const outcomeOf = async (row: RunRow, earlier: RunRow | null): Promise<string[]> => {
    const root = await junit(await reportOf([row], earlier === null ? null : [earlier]));
    const problem = cases(root)[0]!.children[0];
    return problem === undefined
      ? []
      : [problem.name, problem.attributes["type"]!, problem.attributes["message"]!];
  };

  test("a verdict as expected and as before passes", async () => {
    expect(await outcomeOf(runRow(1, "block", { expect: "block" }), runRow(1, "block"))).toEqual([]);
    expect(await outcomeOf(runRow(1, "block"), null)).toEqual([]);
    expect(await outcomeOf(runRow(1, "block"), runRow(2, "pass"))).toEqual([]);
  });

  test("another verdict than expected, or than before, is a failure", async () => {
    expect(await outcomeOf(runRow(1, "block", { expect: "pass" }), null)).toEqual([
      "failure",
      "expectation",
      "now BLOCK, expected PASS",
    ]);
    expect(await outcomeOf(runRow(1, "block"), runRow(1, "pass"))).toEqual([
      "failure",
      "flip",
      "now BLOCK, was PASS",
    ]);
    expect(await outcomeOf(runRow(1, "3ds_or_block", { expect: "block" }), runRow(1, "pass"))).toEqual([
      "failure",
      "expectation",
      "now 3DS, expected BLOCK, was PASS",
    ]);
  });

  test("no trustworthy verdict is an error, whatever was expected", async () => {
    expect(await outcomeOf(runRow(1, "unknown", { expect: "pass" }), runRow(1, "pass"))).toEqual([
      "error",
      "unknown",
      "now UNKNOWN, expected PASS, was PASS",
    ]);
    expect(await outcomeOf(runRow(1, null), null)).toEqual(["error", "unknown", "now UNKNOWN"]);
    expect((await outcomeOf(runRow(1, "indeterminate"), null))[1]).toBe("indeterminate");
  });

  test("flips beyond those that a comparison keeps are failures, too", async () => {
    const earlier = Array.from({ length: 1_200 }, (_, index) => runRow(index + 1, "pass"));
    const later = earlier.map(({ seq }) => runRow(seq, "block"));
    const data = await reportOf(later, earlier);
    expect(data.comparison!.flips).toHaveLength(1_000);
    expect((await junit(data)).attributes["failures"]).toBe("1200");
  });
});

describe("hostile text", () => {
  test.each(HOSTILE)("%j stays text", async (text) => {
    const info = runInfo({ profile: text, project: text, sources: [text] });
    const rows = [hostileRow(1, text), hostileRow(2, text, "unknown"), hostileRow(3, text, null)];
    for (const showPersonal of [true, false]) {
      const root = await junit(await reportOf(rows, rows, { info, showPersonal }));
      expect(cases(root).map(({ children }) => children.map(({ name }) => name))).toEqual([
        [],
        ["error"],
        ["error"],
      ]);
    }
  });

  test("any text at all gives well-formed XML", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 40 }),
        fc.constantFrom("", "\ud800", "\udc00"),
        async (some, tail) => {
          const text = some + tail;
          const data = await reportOf([hostileRow(1, text, "unknown")], null, { showPersonal: true });
          expect(cases(await junit(data))).toHaveLength(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("what XML cannot hold is made visible", async () => {
    const data = await reportOf([runRow(1, "pass", { key: "a\u0000b\ud800c\uffffd\u001b[31m" })]);
    expect(cases(await junit(data))[0]!.attributes["name"]).toBe("a\\x00b\\ud800c\\uffffd\\x1b[31m");
  });
});
