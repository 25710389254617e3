// Options that several commands share.

import { CURRENCY_NUMBERINGS } from "#src/contract/records/profile-fields.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { OptionSpec } from "./command.ts";

export const JSON_OPTION: OptionSpec = { flags: "-j, --json", help: "print machine-readable JSON" };
export const YES: OptionSpec = { flags: "-y, --yes", help: "do not ask" };
/** Of a command that only shows: a long text of it is paged on a terminal. */
export const FIELDS: OptionSpec = {
  flags: "--fields <names>",
  help: "only these fields of --json, in this order, e.g. id,verdict; without --json as tab-separated values",
};
/** Of commands that list or show. */
export const SHOWN: readonly OptionSpec[] = [JSON_OPTION, FIELDS];
/** Of the commands that make one call; their retries are shown on a terminal. */
export const VERBOSE: OptionSpec = {
  flags: "-v, --verbose",
  help: "show each request and its answer on standard error, as curl -v does, without secrets and signatures",
};
export const MERCHANT: OptionSpec = {
  flags: "--merchant-id <id>",
  help: "merchant in your own system",
  required: true,
};
export const RISK: OptionSpec = {
  flags: "--risk-level <level>",
  help: "how risky the merchant is; high means stricter decisions",
  required: true,
  choices: RISK_LEVELS,
};
/** A label of a project that is entered by hand; it is not sent with a check. */
const optional = (spec: OptionSpec, help: string): OptionSpec => ({ ...spec, required: false, help });
/** The values of a key that is entered by hand, beside its owner. */
export const KEY_LABELS: readonly OptionSpec[] = [
  optional(MERCHANT, "a label: merchant in your own system (default: the project id names the project)"),
  optional(RISK, "a label: how risky the merchant is; goes with --merchant-id"),
];
export const ALGORITHM: OptionSpec = {
  flags: "--algorithm <name>",
  help: "signing algorithm (default: hmac-sha256)",
};
export const SECRET_STDIN: OptionSpec = {
  flags: "--secret-stdin",
  help: "read the secret from standard input",
};
export const FRESH_CONNECTIONS: OptionSpec = {
  flags: "--fresh-connections",
  help: "open a connection for each check, so that no late answer is taken for the next one's",
};
/** How a service reads amounts and currency numbers; of a profile and of the sandbox. */
export const NUMBER_READINGS: readonly OptionSpec[] = [
  {
    flags: "--amount-unit <unit>",
    help: "unit of amounts on the wire (default: minor)",
    choices: ["minor", "major"],
  },
  {
    flags: "--currency-numbering <standard>",
    help: "numbers of currency: currencies, or countries (default: iso-4217)",
    choices: CURRENCY_NUMBERINGS,
  },
  {
    flags: "--registration-currency-numbering <standard>",
    help: "the same of a registration (default: as in checks)",
    choices: CURRENCY_NUMBERINGS,
  },
];
export const REJECTS: OptionSpec = {
  flags: "--rejects <file>",
  writes: "file",
  help: "write bad lines to this file, as NDJSON; never overwrites a file",
};
/** How the sources of a replay and of a back-test are read. */
export const READING: readonly OptionSpec[] = [
  { flags: "--strict", help: "stop at the first bad line" },
  REJECTS,
  {
    flags: "--ignore-columns <names>",
    help: "leave these columns of CSV sources out, e.g. label,status",
    repeatable: true,
  },
];
/** At which level and when transactions are decided, of a back-test and what is proven by one. */
export const TIMES_AND_LEVEL: readonly OptionSpec[] = [
  {
    flags: "--risk-level <level>",
    help: "decide on this level (default: that of each project, or medium)",
    choices: RISK_LEVELS,
  },
  {
    flags: "--step <duration>",
    help: "time between transactions that carry none (default: 1m)",
  },
  {
    flags: "--start-at <time>",
    help: "time of the first transaction if it carries none, ISO 8601 (default: now)",
  },
];
/** Gates on changed verdicts, of a replay, a comparison and a back-test. */
export const FLIP_GATES: readonly OptionSpec[] = [
  {
    flags: "--max-flips <n>",
    help: "exit 8 beyond this many changed verdicts: 3, or 0.5% of those compared",
  },
  {
    flags: "--max-new-blocks <n>",
    help: "exit 8 beyond this many verdicts that became block: 3, or 0.5% of those compared",
  },
];
/** What became of payments, where they do not say it themselves. */
export const LABELLING: readonly OptionSpec[] = [
  {
    flags: "--labels <file>",
    help: "what became of payments: CSV with the columns order_id, outcome and at, or NDJSON; also .gz",
  },
  {
    flags: "--label-tag <tag>",
    help: "payments with this tag have this outcome: fraud, or stolen=fraud",
    repeatable: true,
  },
  { flags: "--as-of <time>", help: "leave out labels that became known later, ISO 8601" },
  {
    flags: "--unlabelled <outcome>",
    help: "take payments without a label for good ones; they count on neither side otherwise",
    choices: ["good"],
  },
];
/** Gates on what became of payments under the proposed rules, of a back-test. */
export const OUTCOME_GATES: readonly OptionSpec[] = [
  {
    flags: "--max-good-blocked <n>",
    help: "exit 8 beyond this many blocked good payments: 3, or 0.5% of those labelled good or refund",
  },
  {
    flags: "--min-caught <n>",
    help: "exit 8 below this many blocked bad ones: 300, or 85% of those labelled fraud or chargeback",
  },
];
/** Gates on what was answered, of a replay, a comparison (its later run) and a stored run. */
export const ANSWER_GATES: readonly OptionSpec[] = [
  {
    flags: "--max-p95 <duration>",
    help: "exit 8 when the p95 of the latencies of answers is above this: 50ms, 1.5s",
  },
  {
    flags: "--min-answered <n>",
    help: "exit 8 below this many trustworthy verdicts: 990, or 99% of the items; missing ones up to there are accepted",
  },
];
/** Reports of a replay, a comparison and a back-test. */
export const REPORTS: readonly OptionSpec[] = [
  {
    flags: "--report <kind=file>",
    help: "write a report: junit=FILE, json=FILE, html=FILE or md=FILE; no file is overwritten",
    repeatable: true,
  },
  {
    flags: "--annotate <where>",
    help: "print the worst ten items as annotations of a workflow, beside the lines of their payloads",
    choices: ["github"],
  },
  {
    flags: "--show-personal",
    help: "leave personal data readable in reports; masked otherwise, keys and order ids never",
  },
];
/** The file of verdicts that a replay and a merge are compared with. */
export const GOLDEN: readonly OptionSpec[] = [
  {
    flags: "--golden <file>",
    writes: "file",
    help: "compare with the verdicts in this file (verdicts.lock), and exit 8 for any difference",
  },
  { flags: "--update", help: "with --golden: take the verdicts over into the file, and say what changed" },
];
