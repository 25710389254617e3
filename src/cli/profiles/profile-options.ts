// Options of the commands profile, recipe and sign.

import { inGroup, flag, oneOf, option, text, seconds, toggle } from "#src/cli/option.ts";
import { JSON_OPTION, NUMBER_READINGS, VERBOSE } from "#src/cli/option-specs.ts";
import { KEY } from "#src/cli/vault/vault-options.ts";
import { ENDPOINTS } from "#src/contract/wire/wire.ts";

const BASE_URL = text("<url>", "base URL of the service, without /v1/check");

const PROJECTS_URL = text("<url>", "base URL of registrations and credentials (default: --base-url)");

const ENVIRONMENT = text("<kind>", "test or live (default: test)");

const RECIPE = text("<id>", "recipe that signs the requests (default: http-signatures)");

const NETWORK = inGroup("Network", {
  ca: text("<file>", "PEM file of additional certificate authorities to trust"),
  proxy: text("<url>", "address of a proxy, or direct for no proxy (default: HTTPS_PROXY)"),
  deadline: option(seconds(1, 300), "timeout of a call, retries included, e.g. 5s (default: 30s)"),
});

const ANSWERS = text(
  "<forms>",
  "also accept these answers, comma-separated: html, text, untyped (no media type), bom (byte order mark), 201 (status); none: only the standard form",
);

export const INIT = {
  baseUrl: BASE_URL,
  ...inGroup("Key, put into the vault", KEY),
  environment: ENVIRONMENT,
  recipe: RECIPE,
  request: text(
    "<file>",
    "find the recipe from a request that the service accepted: HTTP text or a curl command",
  ),
  check: flag("save the profile without a first check", { off: true }),
  confirm: text("<name>", "send the first check of this LIVE profile without asking"),
  projectsUrl: PROJECTS_URL,
  ...NUMBER_READINGS,
  answers: ANSWERS,
  ...NETWORK,
  verbose: VERBOSE,
};

export const PROFILE_ADD = {
  baseUrl: BASE_URL,
  projectsUrl: PROJECTS_URL,
  environment: ENVIRONMENT,
  readOnly: toggle("send nothing through this profile", "allow sending again"),
  companyId: text("<id>", "company whose key registers projects (default: the company of the newest key)"),
  recipe: RECIPE,
  ...NUMBER_READINGS,
  answers: ANSWERS,
  credentialWait: option(
    seconds(0, 86_400),
    "recommended wait before the credential request, e.g. 3m (default: 180s)",
  ),
  ...NETWORK,
  json: JSON_OPTION,
};

export const RECIPE_INFER = {
  request: text("<file>", "the request as HTTP/1.1 text or as a curl command; - for standard input", {
    required: true,
  }),
  keyId: text("<id>", "use the secret of this key from the vault"),
  secretStdin: flag("read the secret from standard input"),
  save: text("<name>", "save the recipe under this name; never overwrites a document"),
  json: JSON_OPTION,
};

export const SIGN = {
  explain: flag("show the string to sign, the digest, how the key is derived, and the headers"),
  call: option(
    oneOf("<call>", Object.keys(ENDPOINTS)),
    "request to sign: check, register or credential (default: check)",
  ),
  set: text("<path=value>", "change one field of a check", { repeatable: true }),
  recipe: text("<id or file>", "sign with this recipe (default: the profile's recipe)"),
  project: text("<project>", "merchant/risk-level, or project id"),
  testKey: flag("sign with a made-up key and project, to try a recipe"),
  secretStdin: flag("read the secret of the test key from standard input", { needs: "testKey" }),
  json: JSON_OPTION,
};
