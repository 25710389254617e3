// Fits a recipe to a captured request: the forms of its time, nonce, digest and signature, and its list of what is signed.
// Whether the fitted recipe signed the request is for `verify` to say.

import type { Secret } from "#src/contract/secret.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { canonicalStyle } from "#src/signing/canonical/canonical.ts";
import { alternatives } from "#src/signing/canonical/components.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import { recipeProblem } from "#src/signing/recipes/recipe-problem.ts";
import {
  DIGEST_HASHES,
  isPlainHash,
  KEY_ENCODINGS,
  recipeFor,
  type BodyDigest,
  type Canonical,
  type Recipe,
  type RecipeNonce,
  type RecipeTime,
} from "#src/signing/recipes/recipe.ts";

import { isNonce, parseTime, TIME_FORMATS } from "#src/signing/recipes/time-format.ts";
import { planOf } from "#src/signing/verify-plan.ts";
import { readClaims, verify, type Verification } from "#src/signing/verify.ts";
import { nonceFormat, signatureForms, withoutKey, type RequestFacts } from "./infer-facts.ts";
import { callOf, finalRecipe, identityOf, type TrialBudget } from "./infer-trial.ts";

export type Accepted = Extract<Verification, { ok: true }>;

export interface Trial {
  /** The fitted recipes with which `verify` accepts the request. */
  readonly accepted: readonly (readonly [Recipe, Accepted])[];
  /** How far the request was read with the recipe; 0 where its headers have another form. */
  readonly rank: number;
  /** Why it is refused, from the furthest reading. */
  readonly reason: string;
}

/** Which forms count more for the rank: a header in the recipe's own words, then what was read of it. */
const RANK = { bare: 1, words: 3, digest: 1, text: 1 } as const;

/** The signatures that a refusal costs, as `verify` then tries the usual mistakes. */
const MISTAKES = 16;

/**
 * Verifies the request, at its own time, with every form of a recipe that fits it.
 * @param recipe one that signs (with `canonical`)
 */
export function tryRecipe(recipe: Recipe, facts: RequestFacts, secret: Secret, budget: TrialBudget): Trial {
  const { message } = facts;
  const call = callOf(facts);
  const claims = readClaims(planOf(recipe, call), message.header);
  if (typeof claims === "string") return { accepted: [], rank: 0, reason: claims };
  const isBare = recipe.emit[HEADER.authorization] === "{signature}";
  const accepted: [Recipe, Accepted][] = [];
  let [rank, reason] = [0, ""];
  for (const fitted of fits(recipeFor(recipe, call), facts, claims, isBare)) {
    if (budget.isSpent) break;
    budget.count(message.body.length * MISTAKES);
    const { key, headers } = identityOf(fitted, facts, secret, claims.get("key_id"));
    const received = { ...message, path: message.target, headers: new HeaderTable(headers) };
    const { time } = fitted;
    const nowMs =
      time === null ? 0 : (parseTime(time.format, textOf("time", time, facts, claims) ?? "") ?? 0);
    const result = verify(fitted, received, key, nowMs, call);
    if (result.ok) {
      accepted.push([fitted, result]);
      continue;
    }
    const reached =
      (isBare ? RANK.bare : RANK.words) +
      (fitted.body_digest === null ? 0 : RANK.digest) +
      (result.stringToSign === null ? 0 : RANK.text);
    if (reached > rank) [rank, reason] = [reached, result.reason];
  }
  return { accepted, rank, reason };
}

type Claims = ReadonlyMap<string, string>;

/** The recipe in every form that the request may have: each digest, signature and encoding of the key. */
function fits(recipe: Recipe, facts: RequestFacts, claims: Claims, isBare: boolean): Recipe[] {
  const { body_digest: digest, time, nonce } = recipe;
  const isPlain = isPlainHash(recipe.hash);
  const keyed = signatureForms(claims.get("signature") ?? "");
  const forms = isPlain ? withoutKey(keyed) : keyed;
  // A template that is only the signature matches any text, so the length must be that of a signature.
  if (isBare && forms.length === 0) return [];
  const canonical = listed(recipe.canonical!, facts, claims);
  const parts: Recipe = {
    ...recipe,
    values: Object.fromEntries(
      Object.entries(recipe.values).map(([name, value]) => [name, claims.get(name) ?? value]),
    ),
    time: time && timeLike(time, textOf("time", time, facts, claims)),
    nonce: nonce && nonceLike(nonce, textOf("nonce", nonce, facts, claims)),
    canonical,
  };
  return digestsOf(digest, facts, canonical).flatMap((body_digest) => {
    // A part that the request does not have is left out, unless something that is signed or sent needs it.
    const less = { ...parts, body_digest };
    const more = {
      ...less,
      time: less.time ?? time,
      nonce: less.nonce ?? nonce,
      body_digest: body_digest ?? digest,
    };
    const draft = recipeProblem(less) === null ? less : more;
    if (forms.length === 0) return [draft];
    const isText = isPlain || draft.derive[0]?.includes("{secret}") === true;
    const keys = isText ? (["utf8"] as const) : KEY_ENCODINGS;
    return forms.flatMap((form) => keys.map((key) => finalRecipe(draft, { key, form }, facts)));
  });
}

/** The text of the time or nonce, in its header or in one with the signature. */
function textOf(
  name: "time" | "nonce",
  { header }: RecipeTime | RecipeNonce,
  facts: RequestFacts,
  claims: Claims,
): string | undefined {
  return header === null ? claims.get(name) : facts.headers.get(header);
}

function timeLike(time: RecipeTime, text: string | undefined): RecipeTime | null {
  if (text === undefined) return null;
  const format = [time.format, ...TIME_FORMATS].find((each) => parseTime(each, text) !== null);
  return { ...time, format: format ?? time.format };
}

function nonceLike(nonce: RecipeNonce, text: string | undefined): RecipeNonce | null {
  if (text === undefined) return null;
  return {
    ...nonce,
    format: isNonce(nonce.format, text) ? nonce.format : (nonceFormat(text) ?? nonce.format),
  };
}

/** The style with the components that the request lists or has. */
function listed(canonical: Canonical, { message }: RequestFacts, claims: Claims): Canonical {
  const style = canonicalStyle(canonical);
  const list = claims.get("components");
  const components = list === undefined ? style.choose(canonical, message) : style.readList(list);
  return typeof components === "string"
    ? canonical
    : { ...canonical, components: generalised(canonical, components) };
}

/** The recipe's own list where the request covers all of it and nothing else, so that it holds for other calls, too. */
function generalised(canonical: Canonical, components: readonly string[]): readonly string[] {
  const own = canonical.components;
  const sorted = canonical.style === "template" || canonical.style === "two-stage";
  const lower = (name: string): string => (sorted ? name.toLowerCase() : name);
  const covered = own.map((each) => components.find((name) => alternatives(each).map(lower).includes(name)));
  const inOrder = sorted || covered.every((name, at) => name === components[at]);
  if (own.length === components.length && inOrder && !covered.includes(undefined)) return own;
  const owners = components.filter((name) => name === HEADER.projectId || name === HEADER.companyId);
  return owners.length !== 1
    ? components
    : components.map((name) => (name === owners[0] ? `${HEADER.projectId}|${HEADER.companyId}` : name));
}

/** The digest as the request sends it, or with any hash where only the signature has it; null where it is not there. */
function digestsOf(
  wanted: BodyDigest | null,
  { digest, headers, message }: RequestFacts,
  { components }: Canonical,
): readonly (BodyDigest | null)[] {
  if (wanted === null) return [null];
  if (wanted.header === null) {
    const header = digest !== null && components.includes(digest.header) ? digest.header : null;
    const hashes = [wanted.hash, ...DIGEST_HASHES.filter((hash) => hash !== wanted.hash)];
    return hashes.map((hash) => ({ ...wanted, header, hash }));
  }
  if (digest?.header === wanted.header) return [{ ...wanted, hash: digest.hash, render: digest.render }];
  const isOmitted = message.body.length === 0 && wanted.empty === "omit";
  return [isOmitted || headers.has(wanted.header) ? wanted : null];
}
