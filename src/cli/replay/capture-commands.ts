// The command capture in the command table.

import type { CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION } from "#src/cli/option-specs.ts";

export const CAPTURE_COMMAND: CommandSpec = {
  name: "capture",
  summary: "record the checks of a running integration as payloads, for a replay",
  options: [
    {
      flags: "-o, --out <file>",
      writes: "file",
      help: "add each check to this file, as NDJSON",
      required: true,
    },
    { flags: "--listen <address>", help: "port of this machine to listen on (default: 127.0.0.1:8788)" },
    { flags: "--max-size <n>", help: "begin another file after so many MiB: day.1.ndjson, day.2.ndjson" },
    {
      flags: "--pseudonymise <key>",
      writes: "file",
      help: "write stand-ins for people and cards, by the key in this file; made where there is none",
    },
    {
      flags: "--events <where>",
      writes: "file",
      help: "write events as NDJSON for another program: a new file, or fd:3 for an open descriptor",
    },
    JSON_OPTION,
  ],
  notes:
    "Give the integration http://127.0.0.1:8788 in place of the origin of the service;\n" +
    "paths stay as they are. Calls and answers pass unchanged, only to the endpoints\n" +
    "of the profile. Each check is a line with its time, its body and its verdict: no\n" +
    "header, signature or key. Checks with card data are forwarded, not recorded.\n" +
    "--events writes ready, check, not_recorded, other_call, not_forwarded, file,\n" +
    "problem and ended.\n" +
    "Exit codes: 0 when ended by Ctrl-C or SIGTERM; 74 when a line was not written.",
  examples: [
    ["verdict capture --profile staging --out day.ndjson", "records what a shop sends through port 8788"],
    [
      "verdict capture --profile staging --out day.ndjson --pseudonymise stand-ins.key --max-size 100",
      "without people, in files of at most 100 MiB",
    ],
  ],
  load: async () => (await import("./capture.ts")).capture,
};
