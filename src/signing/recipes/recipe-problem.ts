// Consistency of a recipe: every placeholder has a value, a signature is sent, a secret is not.

import { ENDPOINTS, HEADER, type Call } from "#src/contract/wire/wire.ts";
import { REQUEST_LINE_COMPONENTS } from "#src/signing/canonical/canonical-header-lines.ts";
import { DERIVED_COMPONENTS, readParam } from "#src/signing/canonical/canonical-rfc9421.ts";
import { alternatives } from "#src/signing/canonical/components.ts";
import { DIGEST_MARK } from "#src/signing/hmac.ts";
import { REQUEST_VALUES, requestValue } from "#src/signing/request-values.ts";
import { isPlainHash, recipeFor, replacesHeaders, type Canonical, type Recipe } from "./recipe.ts";
import { placeholdersOf, runsTogether } from "./template.ts";

export interface RecipeProblem {
  /** the key of the document to blame */
  readonly field: string;
  readonly message: string;
}

/** Headers that verdict or HTTP sets: a recipe that set them would break the request. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "content-type",
  "content-encoding",
  "accept",
  "accept-encoding",
  "connection",
  "transfer-encoding",
  "expect",
  "upgrade",
  "te",
  "trailer",
  HEADER.keyId,
  HEADER.projectId,
  HEADER.companyId,
]);

/** Placeholders for parts of the recipe. */
const RECIPE_VALUES = [
  "key_id",
  "owner",
  "time",
  "day",
  "nonce",
  "digest",
  "algorithm",
  "components",
  "params",
  "signature",
  "secret",
  "header_lines",
  "request_hash",
  "b64",
  "hex",
  "raw",
  "fields",
  "expiry",
  "token",
  "basic",
];

/** The first inconsistency, or null. */
export function recipeProblem(recipe: Recipe): RecipeProblem | null {
  const taken = Object.keys(recipe.values).find(
    (name) => RECIPE_VALUES.includes(name) || REQUEST_VALUES.includes(name),
  );
  if (taken !== undefined)
    return { field: "values", message: `{${taken}} already has a meaning; choose another name` };
  const whole = partsProblem(recipe);
  if (whole !== null) return whole;
  for (const call of Object.keys(ENDPOINTS) as Call[]) {
    const override = recipe.endpoints[call];
    if (override === undefined) continue;
    const problem = replacesHeaders(override)
      ? (headerProblem(Object.keys(override)) ??
        (/[{}]/.test(Object.values(override).join(""))
          ? "replacing headers are plain texts without placeholders"
          : null))
      : partsProblem(recipeFor(recipe, call))?.message;
    if (problem != null) return { field: "endpoints", message: `in endpoints of ${call}: ${problem}` };
  }
  return null;
}

function partsProblem(recipe: Recipe): RecipeProblem | null {
  const { time, nonce, body_digest: digest, canonical, emit, derive } = recipe;
  const checks: [field: string, message: string | null][] = [
    ["time", headerProblem([time?.header])],
    ["nonce", headerProblem([nonce?.header])],
    ["body_digest", headerProblem([digest?.header]) ?? overProblem(recipe)],
    ["emit", headerProblem(Object.keys(emit)) ?? emitProblem(recipe)],
    ["canonical", canonical === null ? null : canonicalProblem(recipe, canonical)],
    ["derive", deriveProblem(recipe, derive)],
    ["time", time === null || time.header !== null ? null : notSent(recipe, "time")],
    ["nonce", nonce === null || nonce.header !== null ? null : notSent(recipe, "nonce")],
  ];
  const found = checks.find(([, message]) => message !== null);
  return found === undefined ? null : { field: found[0], message: found[1]! };
}

function headerProblem(names: readonly (string | null | undefined)[]): string | null {
  const name = names.find((each) => each != null && RESERVED_HEADERS.has(each));
  return name == null ? null : `the header ${name} is written by verdict itself; choose another`;
}

function overProblem(recipe: Recipe): string | null {
  if (recipe.body_digest === null) return null;
  const { over, render } = recipe.body_digest;
  return (
    unknownPlaceholder([over], known(recipe, [])) ??
    (render.replaceAll(DIGEST_MARK, "").includes("{")
      ? "render of body_digest knows {b64}, {hex} and {raw} alone"
      : null) ??
    (isRawSent(recipe) ? "{raw} is bytes, which no header can carry; use {hex} or {b64}" : null)
  );
}

function isRawSent({ body_digest: digest, emit }: Recipe): boolean {
  if (!digest!.render.includes("{raw}")) return false;
  const sent = Object.values(emit).flatMap(placeholdersOf);
  return digest!.header !== null || sent.some(({ name }) => name === "digest");
}

function emitProblem(recipe: Recipe): string | null {
  const { canonical, emit } = recipe;
  const templates = Object.values(emit);
  const uses = (name: string): number =>
    templates.flatMap(placeholdersOf).filter((each) => each.name === name).length;
  const joined = templates.find(runsTogether);
  if (joined !== undefined)
    return `placeholders of ${joined} stand side by side, so that they could not be read back`;
  if (canonical === null) {
    return (
      badSecret(templates) ??
      unknownPlaceholder(templates, known(recipe, ["algorithm", "secret", "basic", "digest"]))
    );
  }
  if (uses("secret") > 0) return "{secret} may be sent only by a recipe that signs nothing (no canonical)";
  const proof = canonical.style === "jwt" ? "token" : "signature";
  if (uses(proof) !== 1) return `{${proof}} must stand in emit exactly once`;
  const distorted = templates
    .flatMap(placeholdersOf)
    .find(({ name, filter }) => filter !== null && filter !== "uri" && PLAIN_ONLY.has(name));
  if (distorted !== undefined)
    return `{${distorted.name}:${distorted.filter}} could not be read back; leave the filter out`;
  const more = [
    "algorithm",
    "digest",
    "components",
    proof,
    ...(canonical.style === "rfc9421" ? ["params"] : []),
  ];
  if (canonical.style === "rfc9421" && (uses("params") !== 1 || uses("components") !== 1)) {
    return "emit of style rfc9421 must hold {components} and {params} once each";
  }
  return unknownPlaceholder(templates, known(recipe, more));
}

/** The secret can only be masked where it is sent unchanged. */
function badSecret(templates: readonly string[]): string | null {
  const changed = templates
    .flatMap(placeholdersOf)
    .some(({ name, filter, optional }) => name === "secret" && (filter !== null || optional));
  return changed ? "{secret} must stand without a filter and outside of optional parts" : null;
}

const PLAIN_ONLY: ReadonlySet<string> = new Set([
  "signature",
  "token",
  "time",
  "nonce",
  "components",
  "params",
]);

function canonicalProblem(recipe: Recipe, canonical: Canonical): string | null {
  const isPlain = isPlainHash(recipe.hash);
  const text = canonical.style === "template" || canonical.style === "two-stage" ? canonical.text : "";
  const hasSecret = placeholdersOf(text).some(({ name }) => name === "secret");
  if (isPlain !== hasSecret) {
    return isPlain
      ? `${recipe.hash} is no HMAC, so {secret} must stand in the text that is hashed`
      : "{secret} may stand in text only where hash is a plain one such as sha256";
  }
  const inner = known(recipe, ["algorithm", "digest", "components", "header_lines"]);
  const values = isPlain ? new Set([...inner, "secret"]) : inner;
  switch (canonical.style) {
    case "header-lines":
      return badComponent(canonical, REQUEST_LINE_COMPONENTS);
    case "rfc9421": {
      const wrong = canonical.params.find((param) => readParam(param) === null);
      if (wrong !== undefined)
        return `the parameter ${wrong} is not of the form keyid="{key_id}" or created={time}`;
      return (
        badComponent(canonical, DERIVED_COMPONENTS) ??
        unknownPlaceholder(canonical.params, known(recipe, ["algorithm", "digest"]))
      );
    }
    case "template":
      return badComponent(canonical, []) ?? unknownPlaceholder([canonical.text], values);
    case "jwt":
      return (
        badComponent(canonical, []) ??
        unknownPlaceholder([canonical.header, canonical.claims], known(recipe, ["algorithm", "digest"]))
      );
    case "two-stage":
      if (!canonical.text.includes("{request_hash}"))
        return "text of style two-stage must hold {request_hash}";
      return (
        badComponent(canonical, []) ??
        unknownPlaceholder([canonical.request], inner) ??
        unknownPlaceholder([canonical.text], new Set([...values, "request_hash"]))
      );
  }
}

function badComponent(canonical: Canonical, special: readonly string[]): string | null {
  const folds = canonical.style === "template" || canonical.style === "two-stage";
  for (const name of canonical.components.flatMap(alternatives)) {
    if (special.includes(name)) continue;
    const plain = folds ? name.toLowerCase() : name;
    if (!/^[a-z0-9!#$%&'*+.^_`~-]+$/.test(plain)) {
      return `"${name}" is no header name in lower case${special.length > 0 ? `, nor one of ${special.join(", ")}` : ""}`;
    }
  }
  const names = canonical.components.map((name) => name.toLowerCase());
  return new Set(names).size === names.length ? null : "a component is named twice";
}

function deriveProblem(recipe: Recipe, derive: readonly string[]): string | null {
  if (derive.length === 0) return null;
  if (isPlainHash(recipe.hash)) return `${recipe.hash} has no key that could be derived`;
  const usesSecret = (step: string): boolean => placeholdersOf(step).some(({ name }) => name === "secret");
  if (derive.slice(1).some(usesSecret)) return "{secret} may stand in the first step of derive alone";
  if (usesSecret(derive[0]!) && recipe.key.encoding !== "utf8") {
    return "{secret} in derive is the secret's text, so the encoding of key must be utf8";
  }
  return badSecret(derive) ?? unknownPlaceholder(derive, known(recipe, ["secret"]));
}

/** A time or nonce without a header must be in an emitted template, or the signature could not be verified. */
function notSent(recipe: Recipe, name: "time" | "nonce"): string | null {
  const { canonical, emit } = recipe;
  const templates = [
    ...Object.values(emit),
    ...(canonical?.style === "rfc9421" ? canonical.params : []),
    ...(canonical?.style === "jwt" ? [canonical.header, canonical.claims] : []),
  ];
  const sent = templates.flatMap(placeholdersOf).some((each) => each.name === name && !each.optional);
  return sent ? null : `${name} has no header, so {${name}} must stand in emit`;
}

function known(recipe: Recipe, more: readonly string[]): ReadonlySet<string> {
  return new Set([
    ...REQUEST_VALUES,
    ...Object.keys(recipe.values),
    "key_id",
    "owner",
    ...(recipe.time === null ? [] : ["time", "day", "expiry"]),
    ...(recipe.fields === null ? [] : ["fields"]),
    ...(recipe.nonce === null ? [] : ["nonce"]),
    ...more.filter((name) => name !== "digest" || recipe.body_digest !== null),
  ]);
}

const NO_MESSAGE = {
  method: "",
  target: "",
  scheme: "https",
  body: new Uint8Array(),
  header: () => "",
} as const;

function unknownPlaceholder(templates: readonly string[], names: ReadonlySet<string>): string | null {
  const unknown = templates
    .flatMap(placeholdersOf)
    .find(
      ({ name }) =>
        !names.has(name) && !(name.startsWith("header.") && requestValue(NO_MESSAGE, name) === ""),
    );
  return unknown === undefined ? null : `nothing here has the value {${unknown.name}}`;
}
