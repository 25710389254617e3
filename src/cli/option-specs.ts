// Options that several commands share.

import { CURRENCY_NUMBERINGS } from "#src/contract/records/profile-fields.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { THEMES } from "#src/display/style.ts";
import {
  duration,
  flag,
  inGroup,
  instant,
  latency,
  names,
  oneOf,
  option,
  type OptionSpec,
  portion,
  share,
  text,
} from "./option.ts";

export const JSON_OPTION = flag("print machine-readable JSON", { short: "j" });
export const YES = flag("do not ask", { short: "y" });
/** The file that a command writes; `-`, or nothing where it is not required, is standard output. */
export const OUTPUT = text("<file>", "write to this new file, readable only by you; never overwrites", {
  short: "o",
  writes: "data",
});
/** Of an --output for which only a file will do. */
export const TO_FILE = { short: "o", writes: "file" } as const;
/** Of a command that only shows: a long text of it is paged on a terminal. */
export const FIELDS = text(
  "<names>",
  "print only these fields of --json, in this order, separated by tabs or, with --json, as JSON",
);
/** Of commands that list or show. */
export const SHOWN = { json: JSON_OPTION, fields: FIELDS };
export type Json = Pick<typeof SHOWN, "json">;
/** Of a run that may ask for confirmation. */
export type Confirmed = { readonly yes: typeof YES };
export type Asking = Json & Confirmed;
/** Of the commands that make one call; their retries are shown on a terminal. */
export const VERBOSE = flag(
  "show each request and its answer on standard error, as curl -v does, without secrets and signatures",
  { short: "v" },
);
export const MERCHANT = text("<id>", "merchant in your own system", { required: true });
export const RISK = option(
  oneOf("<level>", RISK_LEVELS),
  "risk level of the merchant; high means stricter decisions",
  { required: true },
);
/** Of a run that reads a secret from a pipe. */
export type Piped = { readonly secretStdin: OptionSpec<boolean> };
export const FRESH_CONNECTIONS = flag("open a new connection for each check");
/** How a service reads amounts and currency numbers; of a profile and of the sandbox. */
export const NUMBER_READINGS = inGroup("Amounts and currencies", {
  amountUnit: option(
    oneOf("<unit>", ["minor", "major"]),
    "unit of amounts in requests: minor (cents) or major (whole units) (default: minor)",
  ),
  currencyNumbering: option(
    oneOf("<standard>", CURRENCY_NUMBERINGS),
    "currency as iso-4217 (currency number 980) or iso-3166-1 (country number 804) (default: iso-4217)",
  ),
  registrationCurrencyNumbering: option(
    oneOf("<standard>", CURRENCY_NUMBERINGS),
    "the same choice for the currency of a registration (default: as in checks)",
  ),
});
export const REJECTS = text("<file>", "write bad lines to this new file, as NDJSON", { writes: "file" });
/** How the sources of a replay and of a back-test are read. */
export const READING = inGroup("Which payments", {
  strict: flag("stop at the first bad line"),
  rejects: REJECTS,
  ignoreColumns: option(
    names("the names of columns, with commas between them"),
    "ignore these columns of CSV sources, e.g. label,status",
    { repeatable: true, hidden: true },
  ),
});
/** At which level and when transactions are decided, of a back-test and what is proven by one. */
export const TIMES_AND_LEVEL = inGroup("Level and times", {
  riskLevel: option(
    oneOf("<level>", RISK_LEVELS),
    "risk level for the decisions (default: the level of the project, else medium)",
  ),
  step: option(
    duration(0, 366 * 86_400_000, "a duration of at most a year, such as 10s, 1m or 2h30m"),
    "interval between payments that have no time",
    { default: "1m" },
  ),
  startAt: option(instant, "time of the first payment that has no time (default: now)"),
});
const GATES = "Gates (exit code 8 if a limit such as 3 or 0.5% is not met)";
/** Gates on changed verdicts, of a replay, a comparison and a back-test. */
export const FLIP_GATES = inGroup(GATES, {
  maxFlips: option(portion("0.5%"), "maximum of changed verdicts, e.g. 3 or 0.5%"),
  maxNewBlocks: option(portion("0.5%"), "maximum of verdicts that became block"),
});
/** What became of payments. */
export const LABELLING = inGroup("Labels of payments", {
  labels: text("<file>", 'file of labels, as for "verdict label import": CSV or NDJSON, also .gz'),
  labelMap: text("<column=field>", "use a column of this file: Reason=outcome:1=fraud,0=good", {
    repeatable: true,
    needs: "labels",
  }),
  labelTag: text("<tag>", "use a tag as a label: fraud, or stolen=fraud for another tag than label", {
    repeatable: true,
  }),
  asOf: option(instant, "ignore labels that became known, and payments that were made, after this time"),
  unlabelled: option(
    oneOf("<label>", ["good"]),
    "label of payments without a label; only good is possible (default: no label)",
  ),
  "3dsStops": option(
    share,
    "share of the fraud sent to 3-D Secure that it stops, e.g. 70% (default: one figure for none, one for all)",
  ),
});
/** Gates on what became of payments under the proposed rules, of a back-test. */
export const OUTCOME_GATES = inGroup(GATES, {
  maxGoodBlocked: option(
    portion("0.5%"),
    "maximum of blocked payments labelled good or refund, e.g. 20 or 0.5%",
  ),
  minCaught: option(
    portion("85%"),
    "minimum of blocked payments labelled fraud or chargeback, e.g. 40 or 85%",
  ),
});
/** Gates on what was answered, of a replay, a comparison (its later run) and a stored run. */
export const ANSWER_GATES = inGroup(GATES, {
  maxP95: option(latency, "maximum 95th percentile of latencies, e.g. 50ms"),
  minAnswered: option(portion("99%"), "minimum of trustworthy verdicts, e.g. 990 or 99%"),
});
/** Reports of a replay, a comparison and a back-test. */
export const REPORTS = {
  report: text("<kind=file>", "write junit=FILE, json=FILE, html=FILE or md=FILE", {
    repeatable: true,
  }),
  annotate: option(
    oneOf("<where>", ["github"]),
    "github: print the ten most important items as annotations of a GitHub workflow",
    { excludes: ["json"], hidden: true },
  ),
  showPersonal: flag("do not mask personal data in reports", { hidden: true }),
};
/** The file of verdicts that a replay and a merge are compared with. */
export const GOLDEN = {
  golden: text("<file>", "compare with this file of verdicts; a difference exits 8", {
    writes: "file",
    excludes: ["baseline", "against"],
  }),
  update: flag("write the verdicts into the golden file", {
    needs: "golden",
    excludes: ["shard"],
  }),
};

/** Accepted before and after the command's name; hidden ones are listed in the main help alone. */
export const GLOBAL_OPTIONS = {
  profile: text("<name>", "profile to use (default: VERDICT_PROFILE, else the profile in use)", {
    short: "p",
  }),
  quiet: flag("print nothing but errors on standard error", { short: "q" }),
  input: flag("never ask; fail, and name the option to use instead", { off: true }),
  home: text("<dir>", "keep all files under this folder (default: VERDICT_HOME, else the XDG folders)"),
  utc: flag("show times in UTC instead of this machine's time zone", { hidden: true }),
  color: option(
    oneOf("<when>", ["auto", "always", "never"]),
    "auto, always or never (default: auto, for a terminal without NO_COLOR)",
    { hidden: true, negation: "the same as --color never" },
  ),
  pager: flag("do not page long lists on a terminal (VERDICT_PAGER, PAGER, else less)", {
    off: true,
    hidden: true,
  }),
  theme: option(oneOf("<name>", THEMES), "colours of the roles (default: settings.yaml)", { hidden: true }),
  ascii: flag("draw with ASCII characters only", { hidden: true }),
  screenReader: flag("print linear text without frames, and tables with one value a line", { hidden: true }),
  presenter: flag("open the console in presenter mode, with personal data masked", { hidden: true }),
};
