// Options of the command capture.

import { option, text, whole } from "#src/cli/option.ts";
import { JSON_OPTION } from "#src/cli/option-specs.ts";

export const CAPTURE = {
  out: text("<file>", "add each check to this file, as NDJSON", {
    short: "o",
    writes: "file",
    required: true,
  }),
  listen: text("<address>", "port of this machine to listen on (default: 127.0.0.1:8788)"),
  maxSize: option(whole(1, 1_000_000), "begin another file after so many MiB: day.1.ndjson, day.2.ndjson"),
  pseudonymise: text(
    "<key>",
    "write stand-ins for people and cards, with the key in this file, which is created when missing",
    { writes: "file" },
  ),
  events: text(
    "<where>",
    "write events as NDJSON for another program: a new file, or fd:3 for an open descriptor",
    { writes: "file" },
  ),
  json: JSON_OPTION,
};
