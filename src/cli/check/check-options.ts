// Options of the commands tour, check, sweep and project.

import { inGroup, flag, oneOf, option, text, whole } from "#src/cli/option.ts";
import { STEPS } from "#src/actions/check/sweep-values.ts";
import { FRESH_CONNECTIONS, JSON_OPTION, MERCHANT, RISK, VERBOSE } from "#src/cli/option-specs.ts";

const WAIT = flag("wait until the credential is ready, and retry as the service allows");

/** For a credential that is received and cannot be saved. */
export const RESCUE = inGroup("Where the credential cannot be saved", {
  rescue: text("<file>", "an age file for the credential, e.g. for a full disk", { writes: "file" }),
  recipient: text("<age1...>", "who can open that file (default: asks for a passphrase)", {
    repeatable: true,
    needs: "rescue",
  }),
});

export const TOUR = { json: { ...JSON_OPTION, help: "print its checks as JSON, one a line" } };

export const CHECK = {
  set: text("<path=value>", "change one field, e.g. amount=12000 or payer.email=a@b.example", {
    repeatable: true,
  }),
  project: text("<project>", "merchant/risk-level, or project id"),
  canForce3ds: option(
    oneOf("<answer>", ["yes", "no"]),
    "yes or no: can you force 3-D Secure for this payment",
  ),
  again: text("<id>", "send a check of the history that got no verdict again", {
    excludes: ["set", "project"],
  }),
  dryRun: flag("validate and show what would be sent; send nothing", { short: "n" }),
  history: flag("send without writing the check into the history", { off: true }),
  verbose: VERBOSE,
  json: JSON_OPTION,
};

export const SWEEP = {
  ...inGroup("Field and values", {
    field: text(
      "<name>",
      "the field to change: its dotted path or the last part of it, e.g. amount or bin_card",
      { required: true },
    ),
    range: text("<from..to>", "whole numbers, both ends included, e.g. 1000..500000", { excludes: ["list"] }),
    list: text("<values>", "values with commas between them: UAH,EUR,USD"),
    steps: option(
      whole(2, STEPS.most),
      "values tried before the changes are narrowed down (default: 48; 12 where checks are sent)",
    ),
    set: text("<path=value>", "change another field first, e.g. currency=978", { repeatable: true }),
  }),
  project: text("<project>", "merchant/risk-level, or project id"),
  confirm: text("<profile>", "send real checks through the profile of this name without a confirmation"),
  freshConnections: FRESH_CONNECTIONS,
  verbose: VERBOSE,
  json: JSON_OPTION,
};

export const PROJECT_REGISTER = {
  merchantId: MERCHANT,
  name: text("<name>", "name of the project", { required: true }),
  currency: text(
    "<code>",
    "ISO 4217, as letters or number: UAH or 980; a country where the profile has those",
    { required: true },
  ),
  riskLevel: RISK,
  description: text("<text>", "what the project is for"),
  again: flag("register although an earlier attempt with an unknown outcome may have arrived"),
  wait: WAIT,
  ...RESCUE,
  verbose: VERBOSE,
  json: JSON_OPTION,
};

export const PROJECT_CREDENTIAL = {
  merchantId: MERCHANT,
  riskLevel: RISK,
  wait: WAIT,
  ...RESCUE,
  verbose: VERBOSE,
  json: JSON_OPTION,
};
