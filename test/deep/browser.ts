// Debian's Chromium, and how the tests start it.

import { existsSync } from "node:fs";

export const BROWSER = "/usr/bin/chromium";
export const hasBrowser: boolean = existsSync(BROWSER);
/** No sandbox in containers, and nothing that calls home. */
export const BROWSER_ARGUMENTS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Says on standard error which tests are left out without it. */
export function noteWithoutBrowser(what: string): void {
  if (!hasBrowser) process.stderr.write(`${what} skipped: there is no ${BROWSER}.\n`);
}
