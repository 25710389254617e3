// Infers the recipe of a signed request from one known-good request and its secret, offline; the result has no secret.

import type { Secret } from "#src/contract/secret.ts";
import type { RawRequest } from "#src/contract/text/raw-request.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { canonicalStyle } from "#src/signing/canonical/canonical.ts";
import { basicCredentials } from "#src/signing/hmac.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { readTemplate } from "#src/signing/recipes/template.ts";
import { readFacts, type RequestFacts } from "./infer-facts.ts";
import { tryRecipe, type Trial } from "./infer-fit.ts";
import { findText } from "./infer-texts.ts";
import { TrialBudget, ownHeaders, reproduces } from "./infer-trial.ts";
import { variantsOf } from "./infer-variants.ts";
import { observations, wrongDigestSentence } from "./infer-words.ts";

export interface FoundRecipe {
  /** Signs the request exactly as it was captured. */
  readonly recipe: Recipe;
  /** Id of the equal known recipe; null if there is none. */
  readonly same: string | null;
  /** Caveats, in sentences. */
  readonly notes: readonly string[];
}

export interface CloseRecipe {
  readonly recipe: string;
  /** Matches, then the mismatch, in sentences. */
  readonly why: readonly string[];
}

export interface Inference {
  readonly found: readonly FoundRecipe[];
  /** If nothing is found: the closest known recipes, best first. */
  readonly closest: readonly CloseRecipe[];
  /** Observations about the request, in sentences. */
  readonly seen: readonly string[];
  /** How many HMACs were tried. */
  readonly tried: number;
}

const CLOSEST = 3;
const RIGHT_BUT = "The signature is reproduced over the headers as they are, so the secret is right.";

/**
 * Finds the recipes that reproduce a request: the known ones with any key encoding, hash, digest, components and encoding of
 * the signature; then their families with the headers of the request; then texts of its parts. The age of the request does
 * not matter. Stays within `TRIAL_LIMITS`.
 * @param recipes the known ones
 */
export function inferRecipe(request: RawRequest, secret: Secret, recipes: readonly Recipe[]): Inference {
  const budget = new TrialBudget();
  const candidates = bodiesOf(request).flatMap((body) =>
    schemesOf(request).map((scheme) => ({ facts: readFacts(request, body.bytes, scheme), note: body.note })),
  );
  const first = candidates[0]!.facts;
  const changed: CloseRecipe[] = [];
  const answer = (found: readonly FoundRecipe[], trials: readonly [Recipe, Trial][] = []): Inference => ({
    found,
    closest: found.length > 0 ? [] : [...changed.slice(0, 1), ...closestOf(trials)].slice(0, CLOSEST),
    seen: observations(first, secret),
    tried: budget.hmacs,
  });
  let trials: [Recipe, Trial][] = [];
  const known = recipes.filter(({ canonical }) => canonical !== null);
  for (const { facts, note } of candidates) {
    const found: FoundRecipe[] = [];
    const all = [...known, ...variantsOf(facts)].map((recipe): [Recipe, Trial] => [
      recipe,
      tryRecipe(recipe, facts, secret, budget),
    ]);
    if (facts === first) trials = all.slice(0, known.length);
    for (const [recipe, signed] of all.flatMap(([, { accepted }]) => accepted)) {
      if (!reproduces(recipe, request, facts, signed, secret)) continue;
      const { wrongDigest } = facts;
      if (wrongDigest === null || !coveredBy(recipe).includes(wrongDigest.header)) {
        addNew(found, finished(recipe, recipes, facts, note));
      } else {
        changed.push({ recipe: familyOf(recipe), why: [RIGHT_BUT, wrongDigestSentence(wrongDigest)] });
      }
    }
    if (found.length > 0) return answer(found);
  }
  const unsigned = findUnsigned(first, secret, recipes);
  if (unsigned !== null) return answer([unsigned]);
  // Such texts rarely have the scheme, so each body is tried once, with its share of the budget.
  const texts = candidates.filter(({ facts }) => facts.message.scheme === first.message.scheme);
  for (const [index, { facts, note }] of texts.entries()) {
    budget.share = (index + 1) / texts.length;
    const text = findText(facts, secret, budget, (found) =>
      reproduces(found.recipe, request, facts, found, secret),
    );
    if (text !== null) return answer([finished(text.recipe, recipes, facts, note)]);
  }
  return answer([], trials);
}

interface Body {
  readonly bytes: Uint8Array;
  readonly note: string | null;
}

/**
 * The body without the final line end that editors add, unless the request shows that it belongs to it; then the body itself;
 * last the body without blanks, as documents print samples with them.
 */
function bodiesOf({ body, isBodyExact }: RawRequest): Body[] {
  const whole = { bytes: body, note: null };
  const end = isBodyExact || body.at(-1) !== 0x0a ? 0 : body.at(-2) === 0x0d ? 2 : 1;
  const note = "The line end at the end of the file is not part of the body.";
  const compact = compactBody(body);
  return [
    ...(end === 0 ? [] : [{ bytes: body.subarray(0, body.length - end), note }]),
    whole,
    ...(compact === null ? [] : [compact]),
  ];
}

/** Null for a body that is no JSON, or has no blanks. */
function compactBody(body: Uint8Array): Body | null {
  const text = Buffer.from(body).toString("utf8");
  try {
    const compact = JSON.stringify(JSON.parse(text));
    const note = "The body was signed without the blanks that it has here, as verdict sends it.";
    return compact === text.trim() ? null : { bytes: Buffer.from(compact, "utf8"), note };
  } catch {
    return null;
  }
}

/** Schemes to try: https first, unless the capture names one. */
function schemesOf({ scheme }: RawRequest): readonly ("http" | "https")[] {
  return scheme === null ? ["https", "http"] : [scheme];
}

/** A recipe that sends the secret itself, or one that sends nothing if the request has no signature. */
function findUnsigned(facts: RequestFacts, secret: Secret, recipes: readonly Recipe[]): FoundRecipe | null {
  for (const recipe of recipes) {
    if (recipe.canonical !== null) continue;
    const emitted = Object.entries(recipe.emit);
    const sends = { secret: secret.expose(), basic: basicOf(facts, secret) };
    const fits = emitted.every(([name, template]) => {
      const read = readTemplate(template, facts.headers.get(name) ?? "");
      if (typeof read === "string") return false;
      return Object.entries(sends).every(([each, sent]) => (read.get(each) ?? sent) === sent);
    });
    const isBare = emitted.length === 0;
    const hasSignature =
      facts.signatures.length > 0 || (facts.headers.get(HEADER.authorization) ?? "") !== "";
    if (fits && !(isBare && (hasSignature || !facts.headers.has(HEADER.keyId)))) {
      return { recipe, same: recipe.recipe, notes: ["Nothing is signed."] };
    }
  }
  const sent = [...facts.headers].find(([, value]) => value.includes(secret.expose()));
  if (sent === undefined) return null;
  const [name, value] = sent;
  const base = recipes.find(({ recipe }) => recipe === "static");
  const rest = value.replace(secret.expose(), "");
  if (base === undefined || /[{}]/.test(rest) || rest.includes(secret.expose())) return null;
  const recipe: Recipe = {
    ...base,
    recipe: "inferred",
    about: `The secret itself in ${name}; nothing is signed.`,
    emit: { [name]: value.replace(secret.expose(), () => "{secret}") },
    vectors: [],
  };
  return { recipe, same: null, notes: ["Nothing is signed."] };
}

function basicOf({ keyId }: RequestFacts, secret: Secret): string {
  return basicCredentials({ keyId: keyId ?? "", secret });
}

function finished(
  recipe: Recipe,
  known: readonly Recipe[],
  facts: RequestFacts,
  note: string | null,
): FoundRecipe {
  const same = known.find((each) => shapeOf(each) === shapeOf(recipe)) ?? null;
  const notes = [
    ...(note === null ? [] : [note]),
    ...unsentNotes(recipe, facts),
    ...ambiguityNotes(recipe, facts),
  ];
  if (same !== null) return { recipe: same, same: same.recipe, notes };
  return {
    recipe: {
      ...recipe,
      recipe: "inferred",
      status: "assumed",
      about: `Inferred from a known-good request${recipe.recipe === "inferred" ? "" : ` after ${recipe.recipe}`}.`,
      endpoints: {},
      vectors: [],
    },
    same: null,
    notes,
  };
}

/** Comparison key of a recipe without its names. The order of components is ignored if the style sorts them. */
function shapeOf({
  recipe: _id,
  about: _about,
  status: _status,
  vectors: _vectors,
  ...parts
}: Recipe): string {
  return JSON.stringify({ ...parts, endpoints: {} }, (_key, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function addNew(found: FoundRecipe[], next: FoundRecipe): void {
  if (!found.some(({ recipe }) => shapeOf(recipe) === shapeOf(next.recipe))) found.push(next);
}

/** Headers that every request of verdict has. */
const SENT: ReadonlySet<string> = new Set([
  "host",
  "content-type",
  "accept",
  "accept-encoding",
  "user-agent",
  HEADER.keyId,
  HEADER.projectId,
  HEADER.companyId,
]);

function unsentNotes(recipe: Recipe, facts: RequestFacts): string[] {
  const own = new Set(ownHeaders(recipe));
  return [...new Set(coveredBy(recipe))]
    .filter((name) => facts.headers.has(name) && !SENT.has(name) && !own.has(name))
    .map(
      (name) =>
        `It signs the header ${name}, which verdict does not send: such a request is refused before it leaves; ask whether ${name} must be signed.`,
    );
}

/** Headers that are in the string to sign. */
function coveredBy({ canonical }: Recipe): readonly string[] {
  return canonical === null ? [] : canonicalStyle(canonical).headers(canonical);
}

function familyOf({ recipe, canonical }: Recipe): string {
  return recipe === "inferred" ? `a recipe of style ${canonical!.style}` : recipe;
}

/** 48 bytes have no padding, so base64 and base64url may look the same. */
function ambiguityNotes({ signature: { encoding } }: Recipe, { signatures }: RequestFacts): string[] {
  const [place] = signatures;
  const isAlike = encoding === "base64" && place?.text.length === 64 && !/[+/]/.test(place.text);
  return isAlike
    ? ["This signature is the same in base64 and base64url; base64 is assumed, so compare another request."]
    : [];
}

function closestOf(trials: readonly [Recipe, Trial][]): CloseRecipe[] {
  return trials
    .filter(([, { rank }]) => rank > 0)
    .sort(([, a], [, b]) => b.rank - a.rank)
    .slice(0, CLOSEST)
    .map(([{ recipe, emit }, { reason }]) => ({
      recipe,
      why: [
        `${Object.keys(emit).join(" and ")} has the form of this recipe.`,
        `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
      ],
    }));
}
