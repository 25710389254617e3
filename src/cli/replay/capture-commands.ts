// The command capture in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { CAPTURE } from "./capture-options.ts";

export const CAPTURE_COMMAND: CommandSpec = command({
  name: "capture",
  summary: "record the checks of a running integration as payloads, for a replay",
  options: CAPTURE,
  notes:
    "Give the integration http://127.0.0.1:8788 in place of the origin of the service.\n" +
    "Calls and answers pass unchanged. Each check is a line with its time, its body and\n" +
    "its verdict; checks with card data are forwarded, not recorded.",
  details:
    "Paths stay as they are, and calls go only to the endpoints of the profile. No header,\n" +
    "signature or key is recorded.\n" +
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
});
