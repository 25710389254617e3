// --report kind=file: the reports that a command writes when its work is done.

import { resolve } from "node:path";
import { planReport, type ReportFile } from "#src/actions/replay/write-report.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";

export { writeReports, readReportData, type ReportFile } from "#src/actions/replay/write-report.ts";

/**
 * Reads the words of `--report`, and makes sure that each file can be created: called before a run starts.
 * @throws Fault("usage") for an unknown kind, a file that is there already or named twice, or a folder that is not
 */
export function parseReports(words: readonly string[]): ReportFile[] {
  const paths = new Set<string>();
  return words.map((word) => {
    const file = planReport(word);
    const path = resolve(file.path);
    if (paths.has(path)) {
      throw new Fault(
        "usage",
        `Two reports go to ${escapeText(file.path)}; give each of them a file of its own.`,
      );
    }
    paths.add(path);
    return file;
  });
}
