// Options of whatever compares verdicts: how much may change, and the reports about it.

import type { OptionSpec } from "#src/cli/command.ts";

/** Limits on changed verdicts, of a replay and of a comparison. */
export const FLIP_LIMITS: readonly OptionSpec[] = [
  { flags: "--max-flips <n>", help: "exit 8 beyond this many changed verdicts" },
  {
    flags: "--max-new-blocks <n>",
    help: "exit 8 beyond this many verdicts that became block: 3, or 0.5% of those compared",
  },
];
/** Reports of a replay, of a comparison and of a back-test. */
export const REPORTS: readonly OptionSpec[] = [
  {
    flags: "--report <kind=file>",
    help: "write a report: junit=FILE, json=FILE or html=FILE; no file is overwritten",
    repeatable: true,
  },
  { flags: "--show-personal", help: "leave personal data readable in reports; masked otherwise" },
];
