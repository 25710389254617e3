// Options of the commands tour, check, sweep and project.

import { inGroup, flag, oneOf, option, text, whole } from "#src/cli/option.ts";
import { STEPS } from "#src/actions/check/sweep-values.ts";
import { FRESH_CONNECTIONS, JSON_OPTION, MERCHANT, RISK, VERBOSE } from "#src/cli/option-specs.ts";

const WAIT = flag("wait until the credential is ready, and retry as the service allows");

/** For a credential that is received and cannot be saved. */
export const RESCUE = inGroup("Where the credential cannot be saved", {
  rescue: text("<file>", "write the credential to this age file if the vault cannot save it", {
    writes: "file",
  }),
  recipient: text(
    "<age1...>",
    "age public key that can open the rescue file (default: a passphrase, which is asked for)",
    {
      repeatable: true,
      needs: "rescue",
    },
  ),
});

export const TOUR = { json: { ...JSON_OPTION, help: "print the checks as JSON, one a line" } };

export const CHECK = {
  set: text("<path=value>", "change one field, e.g. amount=12000 or payer.email=a@b.example", {
    repeatable: true,
  }),
  project: text("<project>", "merchant/risk-level, or project id"),
  canForce3ds: option(
    oneOf("<answer>", ["yes", "no"]),
    "yes: you can force 3-D Secure for this payment; no: 3ds_or_block becomes a block",
  ),
  again: text("<id>", "resend a check of the history that got no verdict", {
    excludes: ["set", "project"],
  }),
  dryRun: flag("validate and show what would be sent; send nothing", { short: "n" }),
  history: flag("do not save the check in the history", { off: true }),
  verbose: VERBOSE,
  json: JSON_OPTION,
};

export const SWEEP = {
  ...inGroup("Field and values", {
    field: text(
      "<name>",
      "field to vary: its dotted path or the last part of the path, e.g. amount or bin_card",
      { required: true },
    ),
    range: text("<from..to>", "range of whole numbers, both ends included, e.g. 1000..500000", {
      excludes: ["list"],
    }),
    list: text("<values>", "values separated by commas: UAH,EUR,USD"),
    steps: option(
      whole(2, STEPS.most),
      "number of values to try first (default: 48; 12 where checks are sent)",
    ),
    set: text("<path=value>", "change another field first, e.g. currency=978", { repeatable: true }),
  }),
  project: text("<project>", "merchant/risk-level, or project id"),
  confirm: text("<profile>", "send real checks through the profile of this name without asking"),
  freshConnections: FRESH_CONNECTIONS,
  verbose: VERBOSE,
  json: JSON_OPTION,
};

export const PROJECT_REGISTER = {
  merchantId: MERCHANT,
  name: text("<name>", "name of the project", { required: true }),
  currency: text(
    "<code>",
    "currency: UAH or 980 (ISO 4217), or a country number if the profile uses iso-3166-1",
    { required: true },
  ),
  riskLevel: RISK,
  description: text("<text>", "what the project is for"),
  again: flag("register again after an unknown outcome, although the earlier request may have arrived"),
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
