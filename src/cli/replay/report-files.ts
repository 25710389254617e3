// --report kind=file and --annotate: what a command reports when its work is done.

import { resolve } from "node:path";
import { planReport, writeReports, type ReportFile } from "#src/actions/replay/write-report.ts";
import type { REPORTS } from "#src/cli/option-specs.ts";
import type { Values } from "#src/cli/option.ts";
import type { Invocation } from "#src/cli/command.ts";
import { usage } from "#src/contract/fault.ts";
import { safe } from "#src/display/safe.ts";
import type { ReportData } from "#src/replay/reports/report-data.ts";

/** What was asked for. */
export interface Reports {
  readonly files: readonly ReportFile[];
  readonly annotate: boolean;
}

export const NO_REPORTS: Reports = { files: [], annotate: false };

/** @throws Fault("usage") as `parseReports` does */
export function readReports(options: Values<typeof REPORTS>): Reports {
  return { files: parseReports(options.report), annotate: options.annotate !== undefined };
}

/**
 * Reads the values of `--report` and checks that each file can be created; called before a run starts.
 * @throws Fault("usage") for an unknown kind, an existing file, a file named twice, or a missing folder
 */
export function parseReports(words: readonly string[]): ReportFile[] {
  const paths = new Set<string>();
  return words.map((word) => {
    const file = planReport(word);
    const path = resolve(file.path);
    if (paths.has(path)) {
      throw usage`Two reports go to ${file.path}; give each of them a file of its own.`;
    }
    paths.add(path);
    return file;
  });
}

export function hasReports({ files, annotate }: Reports): boolean {
  return files.length > 0 || annotate;
}

/** Writes the files and names them, then prints the annotations. @throws Fault("usage" | "storage") as `writeReports` does */
export async function deliver(
  { output }: Invocation,
  { files, annotate }: Reports,
  data: ReportData,
): Promise<void> {
  await writeReports(files, data);
  for (const { path } of files) output.note(`Wrote ${safe(path)}.`);
  if (!annotate) return;
  const { githubAnnotations } = await import("#src/replay/reports/annotations.ts");
  for (const line of await githubAnnotations(data)) output.command(line);
}
