// The server as docs/how-to/run-several-workers.md sets it up: tests start what the page says, so that they cannot drift apart.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

const PAGE = "docs/how-to/run-several-workers.md";

/** The lines of `valkey.conf` on the page. */
export const DOCUMENTED: readonly string[] = /```text\n# valkey\.conf\n([^`]*)\n```/
  .exec(readFileSync(PAGE, "utf8"))![1]!
  .split("\n");

export interface DocumentedServer {
  /** Of the server's command line. */
  readonly options: readonly string[];
  /** Whom the page lets in. */
  readonly login: { readonly user: string; readonly password: string };
}

/** @param appendfsync in place of the page's own setting */
export function documentedServer(appendfsync: string): DocumentedServer {
  const password = randomBytes(16).toString("hex");
  const lines = DOCUMENTED.map((line) =>
    line.replace(/^(appendfsync) .*/, `$1 ${appendfsync}`).replace("PASSWORD", password),
  );
  const [, user] = lines.map((line) => /^user (\S+) on /.exec(line)).find((found) => found !== null)!;
  return {
    options: lines.flatMap((line) => {
      const [setting, ...words] = line.split(" ");
      return [`--${setting}`, ...words];
    }),
    login: { user: user!, password },
  };
}
