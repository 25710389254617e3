// Reports of a run as files: which one was asked for, whether it can be made, and writing it in flat memory.

import { extname } from "node:path";
import type { ActionContext } from "#src/actions/action-context.ts";
import { createWhole, expectNewFile } from "#src/actions/whole-file.ts";
import { usage } from "#src/contract/fault.ts";
import { CARRIED, type Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { countRows, type ReportData, type ReportTotals } from "#src/replay/reports/report-data.ts";
import { openSide, type Side } from "./compare-runs.ts";

const REPORT_KINDS = ["junit", "json", "html", "md"] as const;
type ReportKind = (typeof REPORT_KINDS)[number];

/** Kind of a report by the ending of its file, where the kind is not named. */
const ENDINGS: Readonly<Record<string, ReportKind>> = {
  ".xml": "junit",
  ".json": "json",
  ".html": "html",
  ".htm": "html",
  ".md": "md",
};

export interface ReportFile {
  readonly kind: ReportKind;
  readonly path: string;
}

/**
 * Reads `junit=FILE`, `json=FILE`, `html=FILE` or `md=FILE`, or a file whose ending tells its kind (`.xml`, `.json`, `.html`, `.md`), and
 * makes sure that it can be created: called before a run starts, so that a wrong name costs nothing.
 * @param remedy, overwrites as of `expectNewFile`
 * @throws Fault("usage") for an unknown kind, a file that is there already, or a folder that is not
 */
export function planReport(word: string, remedy?: string, overwrites: boolean = false): ReportFile {
  const named = REPORT_KINDS.find((kind) => word.startsWith(`${kind}=`));
  const path = named === undefined ? word : word.slice(named.length + 1);
  if (named !== undefined && (path === "" || path === "-")) {
    throw usage`A report of kind ${named} needs the name of a file, because standard output belongs to the results; write for example ${named}=report.${named === "junit" ? "xml" : named}.`;
  }
  const kind = named ?? ENDINGS[extname(path).toLowerCase()];
  if (kind === undefined || path.includes("\0")) {
    throw usage`The kind of the report "${word}" is unknown; end its name in .html, .md, .json or .xml, or write html=FILE, md=FILE, json=FILE or junit=FILE.`;
  }
  expectNewFile(path, remedy, overwrites);
  return { kind, path };
}

/**
 * Writes reports one after the other; each file appears when it is whole, 0600.
 * @throws Fault("usage") for a file that has appeared meanwhile; Fault("storage") when one could not be written, and nothing of it is left
 */
export async function writeReports(files: readonly ReportFile[], data: ReportData): Promise<void> {
  let totals: ReportTotals | null = null;
  const counted = async (): Promise<ReportTotals> => (totals ??= await countRows(data));
  for (const { kind, path } of files) await createWhole(path, await pieces(kind, data, counted));
}

/** Page and Markdown of a back-test are about its rules, and not about its payments, which need not be kept. */
async function pieces(
  kind: ReportKind,
  data: ReportData,
  totals: () => Promise<ReportTotals>,
): Promise<AsyncIterable<string> | readonly string[]> {
  const { decision } = data;
  const { reportToSign } = await import("#src/replay/reports/decision-parts.ts");
  switch (kind) {
    case "junit":
      return (await import("#src/replay/reports/report-junit.ts")).junitReport(data, await totals());
    case "json":
      return (await import("#src/replay/reports/report-json.ts")).jsonReport(data, await totals());
    case "html":
      return decision === undefined
        ? (await import("#src/replay/reports/report-html.ts")).htmlReport(data, await totals())
        : [(await import("#src/replay/reports/page-markup.ts")).reportPage(reportToSign(decision))];
    case "md": {
      const { runReport } = await import("#src/replay/reports/run-report.ts");
      const report = decision === undefined ? runReport(data, await totals()) : reportToSign(decision);
      return [(await import("#src/replay/reports/md.ts")).reportMd(report)];
    }
  }
}

/**
 * What the reports of a stored run are made of.
 * @param side what the run is compared with
 * @param input.comparison null for a run on its own
 */
export async function readReportData(
  context: ActionContext,
  { run: earlier, earlierOf }: Side,
  input: Pick<ReportData, "info" | "comparison" | "failedGates" | "showPersonal">,
): Promise<ReportData> {
  const runs = await context.runs();
  const { id } = input.info;
  return {
    ...input,
    earlier,
    hits: await runs.hits(id),
    rows: () => runs.sidedRows(id, earlierOf),
    generatedAt: context.now(),
  };
}

/**
 * Writes one report of a stored run, personal data masked.
 * @param input.file as `planReport` reads it
 * @param input.comparison what the run was compared with; null for a run on its own
 * @returns the path that was written
 * @throws Fault("usage") when the run that it was compared with is gone; Fault as `planReport` and `writeReports` do
 */
export async function writeReport(
  context: ActionContext,
  input: { readonly file: string; readonly info: RunInfo; readonly comparison: Comparison | null },
): Promise<string> {
  const file = planReport(input.file);
  const runs = await context.runs();
  const { baseline = CARRIED } = input.comparison ?? {};
  if (baseline !== CARRIED && (await runs.find(baseline)) === null) {
    throw usage`The run ${baseline} was removed, so a report cannot compare with it; use another run.`;
  }
  const side = await openSide(runs, baseline === CARRIED ? null : baseline);
  const told = { ...input, failedGates: [], showPersonal: false };
  await writeReports([file], await readReportData(context, side, told));
  return file.path;
}
