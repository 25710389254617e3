// Parses a captured request as if it were signed with a recipe; open are the components, the hash of the digest, the formats
// of time and nonce, and the recipe's own values.

import type { Call } from "#src/contract/wire/wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { canonicalStyle } from "#src/signing/canonical/canonical.ts";
import { alternatives } from "#src/signing/canonical/components.ts";
import { bodyDigest, isHmacAlgorithm } from "#src/signing/hmac.ts";
import {
  DIGEST_HASHES,
  recipeFor,
  TIME_FORMATS,
  type BodyDigest,
  type Canonical,
  type Recipe,
} from "#src/signing/recipes/recipe.ts";
import { mergeValues } from "#src/signing/recipes/template-values.ts";
import { placeholdersOf, readTemplate } from "#src/signing/recipes/template.ts";
import { isNonce, isNonceFormat, parseTime } from "#src/signing/recipes/time-format.ts";
import { recipeLookup } from "#src/signing/sign.ts";
import { cutToken } from "#src/signing/verify.ts";
import { signatureForms, type RequestFacts, type SignatureForm } from "./infer-facts.ts";

/** A recipe that may have signed the request: only the key's encoding, the hash and the signature's encoding are open. */
export interface Attempt {
  readonly draft: Recipe;
  readonly signature: string;
  readonly forms: readonly SignatureForm[];
  readonly values: ReadonlyMap<string, string>;
  readonly timeMs: number | null;
  readonly nonce: string | null;
  /** as written in the request */
  readonly components: readonly string[];
}

export interface Parse {
  readonly attempts: readonly Attempt[];
  /** How well the request matches the recipe. */
  readonly score: number;
  /** Matches and mismatches, in sentences. */
  readonly why: readonly string[];
}

/** Weights of matches: the form of the headers counts most, then an intact body. */
const SCORE = { form: 4, digest: 3, length: 2, part: 1 } as const;

class Misfit extends Error {}

/** @param recipe one that signs (with `canonical`) */
export function parseAs(recipe: Recipe, facts: RequestFacts): Parse {
  const why: string[] = [];
  let score = 0;
  const noted = (points: number, sentence: string): void => {
    score += points;
    why.push(sentence);
  };
  const active = recipeFor(recipe, callOf(facts));
  try {
    return { attempts: attemptsOf(active, active.canonical!, facts, noted), score, why };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { attempts: [], score, why: [...why, error.message] };
  }
}

/** The most likely call of a capture: calls other than check name the company. */
export function callOf({ headers, message }: RequestFacts): Call {
  if (!headers.has(HEADER.companyId)) return "check";
  return message.target.includes("credential") ? "credential" : "register";
}

type Note = (points: number, sentence: string) => void;

function attemptsOf(recipe: Recipe, canonical: Canonical, facts: RequestFacts, note: Note): Attempt[] {
  const claims = readClaims(recipe, facts);
  const signature = claims.get("signature") ?? "";
  const forms = signatureForms(signature);
  const names = Object.keys(recipe.emit).join(" and ");
  const isBare = recipe.emit[HEADER.authorization] === "{signature}";
  // A template that is only the signature matches any text, so the length must be that of a signature.
  if (isBare && forms.length === 0) throw new Misfit(`${names} holds more than a signature, or none.`);
  note(isBare ? SCORE.part : SCORE.form, `${names} has the form of this recipe.`);
  if (forms.length === 0) {
    throw new Misfit(
      `The signature has ${signature.length} characters, which is no HMAC that verdict knows in hexadecimal digits or base64.`,
    );
  }
  note(SCORE.length, `The signature is as long as ${formsInWords(forms)}.`);
  readParams(recipe, canonical, claims);

  const values = new Map([
    ["key_id", claims.get("key_id") ?? facts.keyId ?? ""],
    ["owner", claims.get("owner") ?? facts.owner ?? ""],
  ]);
  const ownValues = Object.fromEntries(
    Object.entries(recipe.values).map(([name, value]) => [name, claims.get(name) ?? value]),
  );
  const { time, timeMs } = readTime(recipe, facts, claims, values);
  const nonce = readNonce(recipe, facts, claims, values);
  const { components, written } = readComponents(canonical, facts, claims.get("components"));
  values.set("components", written);
  const token = claims.get("algorithm");
  if (token !== undefined && !isHmacAlgorithm(token)) throw new Misfit(`It names the algorithm "${token}".`);
  if (token !== undefined) values.set("algorithm", token);

  const base: Recipe = {
    ...recipe,
    values: ownValues,
    time,
    nonce: nonce?.recipe ?? null,
    canonical: { ...canonical, components: generalised(canonical, components) },
  };
  return digestsOf(base, facts, claims, components, timeMs, note).map(([body_digest, digest]) => {
    const all = new Map(values);
    if (digest !== null) all.set("digest", digest);
    const draft = { ...base, body_digest };
    const lookup = recipeLookup(all, draft, facts.message, timeMs);
    const params = claims.get("params") ?? canonicalStyle(canonical).writeParams?.(canonical, lookup);
    if (params !== undefined) all.set("params", params);
    return { draft, signature, forms, values: all, timeMs, nonce: nonce?.text ?? null, components };
  });
}

function readClaims(recipe: Recipe, facts: RequestFacts): Map<string, string> {
  const claims = new Map<string, string>();
  for (const [name, template] of Object.entries(recipe.emit)) {
    const text = facts.headers.get(name);
    if (text === undefined) throw new Misfit(`There is no header ${name}.`);
    const read = readTemplate(template, text);
    if (typeof read === "string") throw new Misfit(`The header ${name} ${read}.`);
    const clash = mergeValues(claims, read);
    if (clash !== null) throw new Misfit(`The header ${name} ${clash}.`);
  }
  cutToken(claims);
  return claims;
}

function readParams(recipe: Recipe, canonical: Canonical, claims: Map<string, string>): void {
  const params = claims.get("params");
  if (params === undefined) return;
  const read = canonicalStyle(canonical).readParams?.(canonical, params);
  if (read === undefined) return;
  const clash = typeof read === "string" ? read : mergeValues(claims, read);
  if (clash !== null) throw new Misfit(`The signature ${clash}, as ${recipe.recipe} writes it.`);
}

/** Whether a value is required: it is in a text that is signed or sent. */
function needs(recipe: Recipe, value: string): boolean {
  const { canonical } = recipe;
  const templates = [
    ...Object.values(recipe.emit),
    ...(canonical?.style === "template" ? [canonical.text] : []),
    ...(canonical?.style === "two-stage" ? [canonical.text, canonical.request] : []),
    ...(canonical?.style === "rfc9421" ? canonical.params : []),
    ...(canonical?.style === "jwt" ? [canonical.header, canonical.claims] : []),
  ];
  return templates.flatMap(placeholdersOf).some(({ name, optional }) => name === value && !optional);
}

function readTime(
  recipe: Recipe,
  facts: RequestFacts,
  claims: ReadonlyMap<string, string>,
  values: Map<string, string>,
): { time: Recipe["time"]; timeMs: number | null } {
  const { time } = recipe;
  if (time === null) return { time, timeMs: null };
  const text = time.header === null ? claims.get("time") : facts.headers.get(time.header);
  const format = [time.format, ...TIME_FORMATS].find((each) => parseTime(each, text ?? "") !== null);
  if (format === undefined) {
    const where = time.header ?? "the signature";
    if (text !== undefined)
      throw new Misfit(`The time in ${where} is in none of the forms ${TIME_FORMATS.join(", ")}.`);
    if (needs(recipe, "time")) throw new Misfit(`There is no time in ${where}.`);
    return { time: null, timeMs: null };
  }
  values.set("time", text!);
  return { time: { ...time, format }, timeMs: parseTime(format, text!) };
}

function readNonce(
  recipe: Recipe,
  facts: RequestFacts,
  claims: ReadonlyMap<string, string>,
  values: Map<string, string>,
): { recipe: NonNullable<Recipe["nonce"]>; text: string } | null {
  const { nonce } = recipe;
  if (nonce === null) return null;
  const text = nonce.header === null ? claims.get("nonce") : facts.headers.get(nonce.header);
  const formats = [nonce.format, "uuid4", `hex:${text?.length ?? 0}`, `alnum:${text?.length ?? 0}`];
  const format = formats.find((each) => isNonceFormat(each) && isNonce(each, text ?? ""));
  if (format === undefined || !isNonceFormat(format)) {
    const where = nonce.header ?? "the signature";
    if (text !== undefined)
      throw new Misfit(`The nonce in ${where} is no UUID and not made of digits and letters.`);
    if (needs(recipe, "nonce")) throw new Misfit(`There is no nonce in ${where}.`);
    return null;
  }
  values.set("nonce", text!);
  return { recipe: { ...nonce, format }, text: text! };
}

function readComponents(
  canonical: Canonical,
  { message }: RequestFacts,
  listed: string | undefined,
): { components: readonly string[]; written: string } {
  const style = canonicalStyle(canonical);
  const components = listed === undefined ? style.choose(canonical, message) : style.readList(listed);
  if (typeof components === "string") throw new Misfit(`What is signed ${components}.`);
  const lack = style.judge({ ...canonical, components }, message, components);
  if (lack !== null) throw new Misfit(`${lack.charAt(0).toUpperCase()}${lack.slice(1)}.`);
  return { components, written: listed ?? style.list(components) };
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

/** Possible digests: the recipe's part, and the text in this request. */
function digestsOf(
  recipe: Recipe,
  facts: RequestFacts,
  claims: ReadonlyMap<string, string>,
  components: readonly string[],
  timeMs: number | null,
  note: Note,
): [BodyDigest | null, string | null][] {
  const wanted = recipe.body_digest;
  if (wanted === null) return [[null, null]];
  const { digest } = facts;
  if (wanted.header !== null) {
    if (digest?.header === wanted.header) {
      note(
        SCORE.digest,
        `The body digest in ${digest.header} is right (${digest.hash}, ${inWords(digest.render)}), so the body is intact.`,
      );
      return [[{ ...wanted, hash: digest.hash, render: digest.render }, digest.value]];
    }
    if (facts.headers.has(wanted.header)) {
      throw new Misfit(
        `The digest in ${wanted.header} is not that of this body: the body was changed when the request was saved.`,
      );
    }
    if (facts.message.body.length === 0 && wanted.empty === "omit") return [[wanted, ""]];
    if (needs(recipe, "digest")) throw new Misfit(`There is no header ${wanted.header}.`);
    return [[null, null]];
  }
  const header = digest !== null && components.includes(digest.header) ? digest.header : null;
  const lookup = recipeLookup(new Map(), recipe, facts.message, timeMs);
  const claimed = claims.get("digest");
  const all = [wanted.hash, ...DIGEST_HASHES.filter((hash) => hash !== wanted.hash)].map(
    (hash): [BodyDigest, string] => {
      const part = { ...wanted, header, hash };
      return [part, bodyDigest(part, facts.message.body, lookup)];
    },
  );
  if (claimed === undefined) return all;
  const right = all.filter(([, text]) => text === claimed);
  if (right.length === 0) throw new Misfit("The body digest in the signature is not that of this body.");
  note(
    SCORE.digest,
    `The body digest in the signature is right (${right[0]![0].hash}), so the body is intact.`,
  );
  return right;
}

function inWords(render: string): string {
  return render.includes("{hex}") ? "hexadecimal digits" : "base64";
}

export function formsInWords(forms: readonly SignatureForm[]): string {
  return forms.map(({ encoding, algorithm }) => `${algorithm} in ${encoding}`).join(", or ");
}
