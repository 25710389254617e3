// Options of the commands payload, replay, runs and compare.

import {
  ANSWER_GATES,
  FLIP_GATES,
  FRESH_CONNECTIONS,
  GOLDEN,
  JSON_OPTION,
  OUTPUT,
  READING,
  REPORTS,
  SHOWN,
  TIMES_AND_LEVEL,
  TO_FILE,
  YES,
} from "#src/cli/option-specs.ts";
import { flag, inGroup, oneOf, option, text, whole, type ValueType } from "#src/cli/option.ts";
import {
  ORDER_KEYS,
  readRunTime,
  type OrderKey,
  type RunTime,
  type Shard,
} from "#src/contract/records/run.ts";
import { EXPECTATIONS } from "#src/contract/records/saved-payload.ts";

export const PAYLOAD_LIST = {
  tag: text("<tag>", "only payloads with this tag; repeat to require several tags", { repeatable: true }),
  search: text("<text>", "only payloads with this text in name, tags, order id or expected verdict"),
  ...SHOWN,
};

export const PAYLOAD_SAVE = {
  fromHistory: text("<id>", "save the request of this check and expect the verdict that the check got"),
  expect: option(oneOf("<verdict>", EXPECTATIONS), "expected verdict"),
  tag: text("<tag>", "tag of the payload, for searches and --only-tag", { repeatable: true }),
  yes: flag("overwrite an existing payload of this name", { short: "y" }),
  json: JSON_OPTION,
};

export const PAYLOAD_PSEUDONYMISE = {
  keyFile: text(
    "<file>",
    "file with the key of the stand-ins, at least 32 bytes; created if it does not exist",
    {
      writes: "file",
      required: true,
    },
  ),
  output: text("<file>", "write to this new file, as NDJSON; never overwrites", {
    ...TO_FILE,
    required: true,
  }),
  rules: text(
    "<rules>",
    "rules that must give originals and copy the same verdicts: a file, starter or current (default: current)",
  ),
  ...TIMES_AND_LEVEL,
  ...READING,
  json: JSON_OPTION,
};

const SHARD: ValueType<Shard> = {
  read(given) {
    const [, part, of] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(given) ?? []).map(Number);
    return part !== undefined && of !== undefined && part <= of ? { part, of } : null;
  },
  takes: "a part of a whole, such as 1/4 to 4/4",
  value: "<i/n>",
};

const RATE: ValueType<number> = {
  read(given) {
    const rate = Number(given);
    return /^\d{1,6}(\.\d{1,6})?$/.test(given) && rate > 0 && rate <= 100_000 ? rate : null;
  },
  takes: "items a second, such as 50 or 0.5",
  value: "<n>",
};

const TIME: ValueType<RunTime> = {
  read: readRunTime,
  takes: "now, recorded, or a speed such as x1 or x60",
  value: "<how>",
};

const ORDER: ValueType<readonly OrderKey[]> = {
  read(given) {
    const keys = given.split(",").map((word) => ORDER_KEYS.find((key) => key === word));
    return keys.includes(undefined) ? null : (keys as OrderKey[]);
  },
  takes: `one or several of ${ORDER_KEYS.join(", ")}, with commas between them`,
  value: "<keys>",
};

/** What a run that is continued has already. */
const OF_SOURCES = [
  "again",
  "baseline",
  "against",
  "freshOrderIds",
  "ignoreColumns",
  "shard",
  "onlyTag",
  "skipTag",
  "isolated",
];

export const REPLAY = {
  ...inGroup("Which payments", {
    again: text("<kinds>", "send items of a run: failed, refused, unknown, changed"),
    onlyTag: text("<tags>", "only payloads with one of these tags: vip,slow"),
    skipTag: text("<tags>", "skip payloads with one of these tags"),
    shard: option(SHARD, "send only this part of the sources, e.g. 1/4", { hidden: true }),
    continue: text("<run>", "continue a run that was stopped", { excludes: [...OF_SOURCES, "dryRun"] }),
    ...READING,
  }),
  ...inGroup("Where to", {
    project: text("<project>", "merchant/risk-level, or project id"),
    against: text("<target>", "also send to PROJECT or PROFILE:PROJECT, and compare", {
      excludes: ["baseline"],
    }),
    isolated: flag("send to a temporary sandbox without earlier counts"),
    rules: text("<rules>", "rules of the --isolated sandbox: file, starter, current", {
      implies: "isolated",
    }),
    confirm: text("<name>", "send to the LIVE profile of this name without asking", { repeatable: true }),
    dryRun: flag("read and validate everything; send nothing", { short: "n" }),
  }),
  ...inGroup("Pace", {
    concurrency: option(whole(1, 256), "number of concurrent items, 1 to 256 (default: 8)"),
    rate: option(RATE, "number of items started in a second, e.g. 50 or 0.5"),
    orderBy: option(ORDER, "send items that share one of these in order: card,payer", { hidden: true }),
    time: option(TIME, "now, recorded (virtual time) or x60 (60 times as fast)"),
    freshConnections: FRESH_CONNECTIONS,
    freshOrderIds: flag("give every item a new order id", { hidden: true }),
    stopAfter: option(
      whole(0, 1_000_000_000),
      "stop after this number of items in a row without a verdict; 0: never",
      {
        default: "20",
        hidden: true,
      },
    ),
  }),
  ...inGroup("Comparison and reports", {
    baseline: text("<run>", "compare with this run: id, beginning of the id, or last"),
    ...GOLDEN,
    ...REPORTS,
    json: JSON_OPTION,
  }),
  ...FLIP_GATES,
  ...ANSWER_GATES,
};

export const RUN_EXPORT = { output: OUTPUT };

export const RUN_MERGE = {
  baseline: text("<run>", "compare with this run: id, beginning of the id, or last"),
  ...GOLDEN,
  ...FLIP_GATES,
  ...ANSWER_GATES,
  ...REPORTS,
  json: JSON_OPTION,
};

export const CAPTURE = {
  output: text("<file>", "add each check to this file, as NDJSON", { ...TO_FILE, required: true }),
  listen: text(
    "<address>",
    "port, or address and port, of this machine to listen on (default: 127.0.0.1:8788)",
  ),
  maxSize: option(
    whole(1, 1_000_000),
    "begin another file after this number of MiB: day.1.ndjson, day.2.ndjson",
  ),
  pseudonymise: text(
    "<key>",
    "replace people and cards by stand-ins; this file has the key and is created if missing",
    { writes: "file" },
  ),
  events: text(
    "<where>",
    "write events as NDJSON for another program: a new file, or fd:3 for an open descriptor",
    { writes: "file" },
  ),
  json: JSON_OPTION,
};

/** Options that say what --guess finds out. */
const OF_MAPS = ["map", "set", "ignore", "ignoreOthers", "only", "reducePan", "template", "data", "with"];

export const IMPORT = {
  ...inGroup("Columns and fields", {
    map: text("<column=field>", "use a column for a field: Total=amount:major", { repeatable: true }),
    set: text("<path=value>", "set a field of every payment, e.g. currency=EUR", { repeatable: true }),
    ignore: text("<columns>", "ignore these columns, e.g. city,zip", { repeatable: true }),
    ignoreOthers: flag("ignore all unmapped columns"),
    only: text("<column=values>", "take only rows with these values: Status=Paid,Settled", {
      repeatable: true,
    }),
    reducePan: text("<column>", "cut card numbers in this column to BIN and last four", { repeatable: true }),
    template: text(
      "<file>",
      "file with a payload that is filled by every row; {{column}} stands for a value",
    ),
    guess: flag("print a first map, guessed from names and values, to edit and give to --with", {
      excludes: [...OF_MAPS, "try", "output", "rejects", "json"],
    }),
    data: text("<file>", "file with rows that fill the {{variables}} of a Postman collection"),
    with: text("<map>", "use a saved map; other options add to it"),
    saveMap: text("<file>", "save the map to this new file", { writes: "file" }),
  }),
  ...inGroup("Result", {
    try: flag("convert and show the first ten payments; write nothing"),
    output: OUTPUT,
    rejects: text("<file>", "write bad rows to this new file, as NDJSON", { writes: "file" }),
    yes: YES,
    json: JSON_OPTION,
  }),
};
