// The JUnit XML report of a run for continuous integration: a test suite with a test case for each item.
// failure = another verdict than expected or than before, a gate that failed, or items that are missing; error = no trustworthy verdict; skipped = bad lines of the sources.

import { placeOf, type FailedGate } from "#src/contract/records/run.ts";
import { causeText } from "#src/display/comparison-lines.ts";
import { counted } from "#src/display/count.ts";
import { rulesText } from "#src/display/run-lines.ts";
import { outcomeReason, verdictLabel } from "#src/display/verdict.ts";
import { escaping, markup, type Markup } from "./markup.ts";
import { judgedRows, type JudgedRow, type ReportData, type ReportTotals } from "./report-data.ts";
import { createPrivacy, type Privacy } from "./report-privacy.ts";

/** Characters that XML 1.0 cannot hold (controls, lone surrogates, noncharacters) become visible escapes. */
const xml = markup(escaping(1_000));
const PARTIAL = "The run is partial: not every payment was sent";

/**
 * XML 1.0 in pieces: one `testsuite` of `properties` and `testcase` elements, valid by the schema of Maven Surefire and by
 * junit-10 of the xUnit plugin of Jenkins. Times are in seconds with three decimals.
 */
export async function* junitReport(data: ReportData, totals: ReportTotals): AsyncGenerator<string> {
  const { info, failedGates } = data;
  const privacy = createPrivacy(data.showPersonal);
  const rejected = info.summary?.rejected ?? 0;
  const skipped = rejected > 0 ? 1 : 0;
  const missing = info.state === "partial" ? 1 : 0;
  const suite: Attributes = {
    name: `run ${info.id}`,
    tests: totals.total + skipped + missing + failedGates.length,
    failures: totals.standings.expectation + totals.standings.flip + missing + failedGates.length,
    errors: totals.standings.no_verdict,
    skipped,
    time: seconds(info.summary?.durationMs ?? totals.latencySumMs),
    timestamp: new Date(info.at).toISOString(),
  };
  yield `<?xml version="1.0" encoding="UTF-8"?>\n`;
  yield String(xml`<testsuite${attributes(suite)}>
  <properties>
`);
  for (const [name, value] of properties(data, privacy)) {
    yield String(xml`    <property${attributes({ name, value })}/>
`);
  }
  yield "  </properties>\n";
  for await (const judged of judgedRows(data)) yield String(testCase(judged, data, privacy));
  if (rejected > 0) yield String(rejectedCase(rejected, data));
  if (missing > 0) yield String(partialCase(data));
  for (const gate of failedGates) yield String(gateCase(gate, data));
  yield "</testsuite>\n";
}

function properties({ info, comparison, earlier }: ReportData, privacy: Privacy): [string, string][] {
  return [
    ["profile", info.profile],
    ["project", info.project],
    ["state", info.state],
    ...named("rules", rulesText(info)),
    ...info.sources.map((source): [string, string] => ["source", privacy.source(source)]),
    ["rejected lines", info.summary === null ? "not counted" : String(info.summary.rejected)],
    ["personal data", privacy.masked ? "masked" : "shown"],
    ...(comparison === null ? [] : comparedProperties(comparison, earlier)),
  ];
}

function named(name: string, value: string | null): [string, string][] {
  return value === null ? [] : [[name, value]];
}

function comparedProperties(
  { baseline, changes, compared, newBlocks, causes }: NonNullable<ReportData["comparison"]>,
  earlier: ReportData["earlier"],
): [string, string][] {
  return [
    ["compared with", baseline],
    ...named("compared with run on", earlier && placeOf(earlier)),
    ...named("compared with rules", earlier && rulesText(earlier)),
    ["compared", String(compared)],
    ["flipped", String(changes.flipped)],
    ["new blocks", String(newBlocks)],
    ["only in this run", String(changes.new)],
    ["only in the earlier run", String(changes.missing)],
    ["without a trustworthy verdict on one side", String(changes.failed)],
    ...causes.map((cause): [string, string] => [
      "cause",
      `${counted(cause.count, "flip")} from ${cause.was} to ${cause.now}: ${causeText(cause)}`,
    ]),
  ];
}

function testCase(judged: JudgedRow, { info }: ReportData, privacy: Privacy): Markup {
  const { row, standing } = judged;
  const head = attributes({
    name: row.key,
    classname: info.project,
    ...(row.tags.length > 0
      ? { group: row.tags.map((tag) => privacy.text(tag, row.request)).join(",") }
      : {}),
    time: seconds(row.result?.latencyMs ?? 0),
  });
  if (standing === "passed")
    return xml`  <testcase${head}/>
`;
  const element = standing === "no_verdict" ? "error" : "failure";
  const type = standing === "no_verdict" ? judged.kind : standing;
  const sent = `${privacy.text(row.origin, row.request)}, HTTP ${row.result?.httpStatus ?? "-"}, requests ${row.result?.attempts ?? 0}`;
  return xml`  <testcase${head}>
    <${element}${attributes({ message: message(judged), type })}>${sent}
${privacy.text(outcomeReason(row.result), row.request)}</${element}>
  </testcase>
`;
}

/** Rejected lines are a skipped case, so that the report is not all green when something was never checked. */
function rejectedCase(count: number, data: ReportData): Markup {
  const lines = counted(count, "line or file of the sources holds", "lines or files of the sources hold");
  const skipped = attributes({ message: `${lines} no payload and could not be checked` });
  return bareCase("rejected lines", xml`skipped${skipped}`, data);
}

/** Items that were not sent have no case of their own. */
function partialCase(data: ReportData): Markup {
  return bareCase("missing items", xml`failure${attributes({ message: PARTIAL, type: "partial" })}`, data);
}

function gateCase({ gate, limit, message: said }: FailedGate, data: ReportData): Markup {
  return bareCase(`--${gate} ${limit}`, xml`failure${attributes({ message: said, type: "gate" })}`, data);
}

function bareCase(name: string, result: Markup, { info }: ReportData): Markup {
  const head = attributes({ name, classname: info.project, time: seconds(0) });
  return xml`  <testcase${head}>
    <${result}/>
  </testcase>
`;
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

function attributes(values: Attributes): Markup {
  return xml`${Object.entries(values).map(([name, value]) => xml` ${name}="${value}"`)}`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
