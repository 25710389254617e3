// Options of the subcommands of "verdict sandbox".

import { inGroup, duration, secondsAsText, flag, instant, option, text, whole } from "#src/cli/option.ts";
import { MOST_QUOTA, TENANT_TTL_MS } from "#src/contract/wire/sandbox-wire.ts";
import { JSON_OPTION, SHOWN, TO_FILE, YES } from "#src/cli/option-specs.ts";

/** Which sandbox a command is for, and whose part of it. */
export const TARGET = inGroup("Which sandbox", {
  state: text("<dir>", 'state folder of a sandbox that "verdict serve" runs (default: the embedded sandbox)'),
  admin: text("<url>", "URL of the administrative plane of a sandbox (VERDICT_ADMIN)", {
    variable: "VERDICT_ADMIN",
  }),
  tokenFile: text("<file>", "private file with the administrative token (VERDICT_ADMIN_TOKEN_FILE)", {
    variable: "VERDICT_ADMIN_TOKEN_FILE",
  }),
  ca: text("<file>", "PEM file of additional certificate authorities (VERDICT_ADMIN_CA)", {
    variable: "VERDICT_ADMIN_CA",
  }),
  tenant: text("<name>", "tenant of that sandbox (VERDICT_TENANT; default: default)", {
    variable: "VERDICT_TENANT",
  }),
});

export const RESETTING = {
  keepProjects: flag("keep projects and their credentials, too"),
  yes: YES,
  ...TARGET,
  json: JSON_OPTION,
};

export const SANDBOX_PANEL = {
  secret: text("<key-id>", "write the secret of one key to a pipe or file, never to a terminal"),
  ...TARGET,
  ...SHOWN,
};

export const SANDBOX_FAULTS_ADD = {
  rate: text("<share>", "share of the requests that get the fault, from 0 to 1 (default: 1)"),
  count: text("<n>", "number of requests that get the fault (default: unlimited)"),
  retryAfter: option(secondsAsText, "send the header Retry-After with a status, e.g. 2s"),
  ...TARGET,
  json: JSON_OPTION,
};

export const SANDBOX_JOURNAL = {
  limit: option(whole(0, 1_000), "newest requests to show, up to 1000", { default: "20" }),
  follow: flag("print new requests as they arrive, until Ctrl-C"),
  signed: flag("show the string to sign of every request, not only of failed requests"),
  ...TARGET,
  json: JSON_OPTION,
};

export const SANDBOX_TENANT_CREATE = {
  ttl: option(
    duration(TENANT_TTL_MS.min, TENANT_TTL_MS.max, "a duration from a second to 366 days, such as 2h or 30m"),
    "remove the tenant and its data after this time, e.g. 2h (default: never)",
  ),
  rules: text("<file>", "rule file of the tenant (default: the starter rules)"),
  seed: option(
    whole(0, Number.MAX_SAFE_INTEGER),
    "generate ids, secrets and latencies from this seed and the name of the tenant",
  ),
  companies: option(whole(1, 20), "number of companies, each with an integration key (default: 1)"),
  startAt: option(instant, "virtual time at the start of the tenant, ISO 8601"),
  magic: flag("give order ids that begin with force- no special meaning", { off: true }),
  mostProjects: option(
    whole(1, MOST_QUOTA.projects),
    "maximum number of projects; others are refused with 429 (default: 1000)",
  ),
  mostDecisions: option(
    whole(1, MOST_QUOTA.decisions),
    "maximum number of decisions; others are refused with 429 (default: 1000000)",
  ),
  output: text(
    "<file>",
    "write the keys and the token of the tenant to this new file, readable only by you",
    TO_FILE,
  ),
  ...TARGET,
  json: JSON_OPTION,
};
