// A run as JUnit XML, the report that continuous integration reads: a test suite with a test case for each item.
// failure = another verdict than expected or than before; error = no trustworthy verdict; skipped = bad lines of the sources.

import { safe } from "#src/display/safe.ts";
import { verdictLabel } from "#src/display/verdict.ts";
import { judgedRows, reasonOf, type JudgedRow, type ReportData, type Survey } from "./report-data.ts";
import { createPrivacy, type Privacy } from "./report-privacy.ts";

const LONGEST_TEXT = 1_000;

/**
 * Well-formed XML 1.0 after the schemas in use (`testsuites` > `testsuite` > `properties`, `testcase`, `system-out`, `system-err`),
 * in pieces. Times are in seconds.
 */
export async function* junitReport(data: ReportData, survey: Survey): AsyncGenerator<string> {
  const { info } = data;
  const privacy = createPrivacy(data.showPersonal);
  const rejected = info.summary?.rejected ?? 0;
  const skipped = rejected > 0 ? 1 : 0;
  const counts: Attributes = {
    tests: survey.total + skipped,
    failures: survey.standings.expectation + survey.standings.flip,
    errors: survey.standings.no_verdict,
    skipped,
    time: seconds(info.summary?.durationMs ?? survey.latencySumMs),
  };
  const suite: Attributes = {
    id: 0,
    name: `run ${info.id}`,
    package: "verdict",
    ...counts,
    // The schema has no time zone here: UTC.
    timestamp: new Date(info.at).toISOString().slice(0, 19),
    hostname: "localhost",
  };
  yield `<?xml version="1.0" encoding="UTF-8"?>\n`;
  yield `<testsuites${attributes({ name: "verdict replay", ...counts })}>\n`;
  yield `  <testsuite${attributes(suite)}>\n    <properties>\n`;
  for (const [name, value] of properties(data, privacy)) {
    yield `      <property${attributes({ name, value })}/>\n`;
  }
  yield "    </properties>\n";
  for await (const judged of judgedRows(data)) yield testCase(judged, data, privacy);
  if (rejected > 0) yield rejectedCase(rejected, data);
  yield "    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n";
}

function properties({ info, comparison }: ReportData, privacy: Privacy): [string, string][] {
  return [
    ["profile", info.profile],
    ["project", info.project],
    ["state", info.state],
    ...info.sources.map((source): [string, string] => ["source", privacy.source(source)]),
    ["rejected lines", info.summary === null ? "not counted" : String(info.summary.rejected)],
    ["personal data", privacy.masked ? "masked" : "shown"],
    ...(comparison === null ? [] : comparedProperties(comparison)),
  ];
}

function comparedProperties({
  baseline,
  changes,
  compared,
  newBlocks,
}: NonNullable<ReportData["comparison"]>): [string, string][] {
  return [
    ["compared with", baseline],
    ["compared", String(compared)],
    ["flipped", String(changes.flipped)],
    ["new blocks", String(newBlocks)],
    ["only in this run", String(changes.new)],
    ["only in the earlier run", String(changes.missing)],
    ["without a trustworthy verdict on one side", String(changes.failed)],
  ];
}

function testCase(judged: JudgedRow, { info }: ReportData, privacy: Privacy): string {
  const { row, standing } = judged;
  const head = attributes({
    name: privacy.text(row.key, row.request),
    classname: info.project,
    time: seconds(row.result?.latencyMs ?? 0),
  });
  if (standing === "passed") return `    <testcase${head}/>\n`;
  const element = standing === "no_verdict" ? "error" : "failure";
  const type = standing === "no_verdict" ? judged.kind : standing;
  const detail = [
    `${privacy.text(row.origin, row.request)}, HTTP ${row.result?.httpStatus ?? "-"}, requests ${row.result?.attempts ?? 0}`,
    privacy.text(reasonOf(row), row.request),
  ];
  return (
    `    <testcase${head}>\n` +
    `      <${element}${attributes({ message: message(judged), type })}>${detail.map(text).join("\n")}</${element}>\n` +
    "    </testcase>\n"
  );
}

/** What was never checked must not be missing from a page that looks all green. */
function rejectedCase(count: number, { info }: ReportData): string {
  const lines = count === 1 ? "1 line of the sources holds" : `${count} lines of the sources hold`;
  const head = attributes({ name: "rejected lines", classname: info.project, time: seconds(0) });
  const skipped = attributes({ message: `${lines} no payload and could not be checked` });
  return `    <testcase${head}>\n      <skipped${skipped}/>\n    </testcase>\n`;
}

function message({ row, kind, was, change, expectationFailed }: JudgedRow): string {
  const parts = [`now ${verdictLabel(kind, true).slice(2)}`];
  if (expectationFailed && row.expect !== null)
    parts.push(`expected ${verdictLabel(row.expect, true).slice(2)}`);
  if (was !== null && (change === "flipped" || change === "failed")) {
    parts.push(`was ${verdictLabel(was, true).slice(2)}`);
  }
  return parts.join(", ");
}

type Attributes = Readonly<Record<string, string | number>>;

function attributes(values: Attributes): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${text(String(value))}"`)
    .join("");
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(6);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** What XML 1.0 cannot hold (controls, lone surrogates, noncharacters) was made visible before. */
function text(raw: string): string {
  return safe(raw, { max: LONGEST_TEXT }).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
