// Which recipe signed a request: from one known-good request and its secret, offline. The secret is never in the answer.

import type { Secret } from "#src/contract/secret.ts";
import type { RawRequest } from "#src/contract/text/raw-request.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { canonicalStyle } from "#src/signing/canonical/canonical.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { readTemplate } from "#src/signing/recipes/template.ts";
import { readFacts, type Facts } from "./infer-facts.ts";
import { readAs, type Reading } from "./infer-reading.ts";
import { findText } from "./infer-texts.ts";
import { Meter, ownHeaders, reproduces, tryAttempt } from "./infer-trial.ts";
import { variantsOf } from "./infer-variants.ts";
import { observations, wrongDigestSentence } from "./infer-words.ts";

export interface FoundRecipe {
  /** Signs the request exactly as it was captured. */
  readonly recipe: Recipe;
  /** Id of the known recipe that is the same; null where there is none. */
  readonly same: string | null;
  /** What to know before it is used, in sentences. */
  readonly notes: readonly string[];
}

export interface CloseRecipe {
  readonly recipe: string;
  /** What is recognised, and last what is not, in sentences. */
  readonly why: readonly string[];
}

export interface Inference {
  readonly found: readonly FoundRecipe[];
  /** Where nothing is found: the known recipes that come closest, the best first. */
  readonly closest: readonly CloseRecipe[];
  /** What the request shows without any recipe, in sentences. */
  readonly seen: readonly string[];
  /** How many HMACs were tried. */
  readonly tried: number;
}

const CLOSEST = 3;
const RIGHT_BUT = "The signature is reproduced over the headers as they are, so the secret is right.";

/**
 * Finds the recipes that reproduce a request: the known ones with any key encoding, hash, digest, components and encoding of
 * the signature; then their families with the request's own headers; then texts of its parts. The request's time is taken as it
 * is. Tries at most `TRIAL_LIMITS`.
 * @param recipes the known ones
 */
export function inferRecipe(request: RawRequest, secret: Secret, recipes: readonly Recipe[]): Inference {
  const meter = new Meter();
  const candidates = bodiesOf(request).flatMap((body) =>
    schemesOf(request).map((scheme) => ({ facts: readFacts(request, body.bytes, scheme), note: body.note })),
  );
  const first = candidates[0]!.facts;
  const changed: CloseRecipe[] = [];
  const answer = (found: readonly FoundRecipe[], readings: readonly [Recipe, Reading][] = []): Inference => ({
    found,
    closest: found.length > 0 ? [] : [...changed.slice(0, 1), ...closestOf(readings)].slice(0, CLOSEST),
    seen: observations(first, secret),
    tried: meter.hmacs,
  });
  let readings: [Recipe, Reading][] = [];
  for (const { facts, note } of candidates) {
    const found: FoundRecipe[] = [];
    const known = recipes.filter(({ canonical }) => canonical !== null);
    const all = [...known, ...variantsOf(facts)].map((recipe): [Recipe, Reading] => [
      recipe,
      readAs(recipe, facts),
    ]);
    if (facts === first) readings = all.slice(0, known.length);
    for (const [, { attempts }] of all) {
      for (const attempt of attempts) {
        const recipe = tryAttempt(attempt, facts, secret, meter);
        const keyId = attempt.values.get("key_id") || null;
        if (recipe === null || !reproduces(recipe, request, facts, attempt, keyId, secret)) continue;
        const { wrongDigest } = facts;
        if (wrongDigest === null || !coveredBy(recipe).includes(wrongDigest.header)) {
          addNew(found, finished(recipe, recipes, facts, note));
        } else {
          changed.push({ recipe: familyOf(recipe), why: [RIGHT_BUT, wrongDigestSentence(wrongDigest)] });
        }
      }
    }
    if (found.length > 0) return answer(found);
  }
  const unsigned = findUnsigned(first, secret, recipes);
  if (unsigned !== null) return answer([unsigned]);
  // The scheme is hardly ever signed there: each body is looked at once, and has its own share of what may be tried.
  const texts = candidates.filter(({ facts }) => facts.message.scheme === first.message.scheme);
  for (const [index, { facts, note }] of texts.entries()) {
    meter.share = (index + 1) / texts.length;
    const text = findText(facts, secret, meter, (found) =>
      reproduces(found.recipe, request, facts, found, facts.keyId, secret),
    );
    if (text !== null) return answer([finished(text.recipe, recipes, facts, note)]);
  }
  return answer([], readings);
}

/** Without the line end that editors add to a file, where nothing says that it belongs to the body; and the body as it is. */
function bodiesOf({ body, isBodyExact }: RawRequest): { bytes: Uint8Array; note: string | null }[] {
  const whole = { bytes: body, note: null };
  const end = isBodyExact || body.at(-1) !== 0x0a ? 0 : body.at(-2) === 0x0d ? 2 : 1;
  if (end === 0) return [whole];
  const note = "The line end at the end of the file is not part of the body.";
  return [{ bytes: body.subarray(0, body.length - end), note }, whole];
}

/** What the capture does not tell is most likely https. */
function schemesOf({ scheme }: RawRequest): readonly ("http" | "https")[] {
  return scheme === null ? ["https", "http"] : [scheme];
}

/** A recipe that sends the secret itself; or, where the request has nothing like a signature, one that sends nothing. */
function findUnsigned(facts: Facts, secret: Secret, recipes: readonly Recipe[]): FoundRecipe | null {
  for (const recipe of recipes) {
    if (recipe.canonical !== null) continue;
    const emitted = Object.entries(recipe.emit);
    const fits = emitted.every(([name, template]) => {
      const read = readTemplate(template, facts.headers.get(name) ?? "");
      return typeof read !== "string" && (read.get("secret") ?? secret.expose()) === secret.expose();
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

function finished(recipe: Recipe, known: readonly Recipe[], facts: Facts, note: string | null): FoundRecipe {
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

/** What a recipe does, whatever it is called. The set of components is what counts where they are sorted anyway. */
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

function unsentNotes(recipe: Recipe, facts: Facts): string[] {
  const own = new Set(ownHeaders(recipe));
  return [...new Set(coveredBy(recipe))]
    .filter((name) => facts.headers.has(name) && !SENT.has(name) && !own.has(name))
    .map(
      (name) =>
        `It signs the header ${name}, which verdict does not send: such a request is refused before it leaves; ask whether ${name} must be signed.`,
    );
}

/** Every header that what is signed holds. */
function coveredBy({ canonical }: Recipe): readonly string[] {
  return canonical === null ? [] : canonicalStyle(canonical).headers(canonical);
}

function familyOf({ recipe, canonical }: Recipe): string {
  return recipe === "inferred" ? `a recipe of style ${canonical!.style}` : recipe;
}

/** 48 bytes have no padding, so that both writings may look the same. */
function ambiguityNotes({ signature: { encoding } }: Recipe, { signatures }: Facts): string[] {
  const [place] = signatures;
  const isAlike = encoding === "base64" && place?.text.length === 64 && !/[+/]/.test(place.text);
  return isAlike
    ? ["This signature is the same in base64 and base64url; base64 is assumed, so compare another request."]
    : [];
}

function closestOf(readings: readonly [Recipe, Reading][]): CloseRecipe[] {
  return readings
    .filter(([, { score }]) => score > 0)
    .sort(([, a], [, b]) => b.score - a.score)
    .slice(0, CLOSEST)
    .map(([{ recipe }, { attempts, why }]) => ({
      recipe,
      why:
        attempts.length === 0 ? why : [...why, "No key encoding, hash or digest reproduces the signature."],
    }));
}
