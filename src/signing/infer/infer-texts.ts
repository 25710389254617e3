// Searches for non-standard strings to sign: parts of the request in every likely order, with the usual separators.

import type { Secret } from "#src/contract/secret.ts";
import { bodyDigest } from "#src/signing/hmac.ts";
import { fieldsText } from "#src/signing/recipes/body-fields.ts";
import {
  FIELD_ENCODINGS,
  FIELD_NESTINGS,
  type BodyDigest,
  type BodyFields,
  type DigestHash,
  type Recipe,
} from "#src/signing/recipes/recipe.ts";
import { fillTemplate } from "#src/signing/recipes/template.ts";
import { requestValue } from "#src/signing/request-values.ts";
import { recipeLookup } from "#src/signing/sign.ts";
import { withoutKey, type RequestFacts, type SignaturePlace } from "./infer-facts.ts";
import { TrialBudget, finalRecipe, plainKeys, tryText } from "./infer-trial.ts";
import { withHeader } from "./infer-variants.ts";

export interface FoundText {
  readonly recipe: Recipe;
  readonly timeMs: number | null;
  readonly nonce: string | null;
}

/** Letters for parts: Method, Resource (path and query), Time, Nonce, Key id, Owner, Host, Content type, Body, Digest, Secret. */
type Part = "M" | "R" | "T" | "N" | "K" | "O" | "H" | "C" | "B" | "D" | "S";

/** Orders of longer texts as services document them; every part may be left out. */
const ORDERS = [
  "KMRTNOB",
  "MRKTNOB",
  "MHRTNKB",
  "MRCTNB",
  "MBCTR",
  "MRBTNO",
  "TNKMRB",
  "TNMRKOB",
  "KTNMRB",
  "KNTMRB",
  "KOTNMRB",
  "OKTNMRB",
  "NTMRB",
  "BTNKO",
] as const;
const SHORT_JOINS = ["", ".", "\n", ":", "|", "&", ",", ";", "+", " ", "-", "_"] as const;
const LONG_JOINS = ["\n", "", "|", ":", ".", "&"] as const;
/** Between what is hashed and the secret. */
const SECRET_JOINS = ["", "&key=", "&secret=", ".", ":", "|", "&", "\n"] as const;
const SHORT = 3;
const PLACES = 3;
const TIMES = 2;

/**
 * Tries texts from short to long until one gives the signature, or the budget is spent.
 * @param accept whether signing with the result reproduces the request; if not, the search continues
 */
export function findText(
  facts: RequestFacts,
  secret: Secret,
  budget: TrialBudget,
  accept: (found: FoundText) => boolean,
): FoundText | null {
  const keys = plainKeys(secret);
  const shapes = shapesOf(facts);
  const contents = contentsOf(facts);
  for (const place of facts.signatures.slice(0, PLACES)) {
    for (let at = 0; at <= Math.min(TIMES, facts.times.length); at++) {
      // Last without a time; texts that contain none were tried with the first one.
      const timeAt = at < Math.min(TIMES, facts.times.length) ? at : -1;
      if (timeAt < 0 && facts.times.length > 0) continue;
      for (const content of contents) {
        for (const shape of shapes) {
          const found = findIn(
            { facts, place, timeAt, content, shape, keys, isFirst: at === 0 },
            budget,
            accept,
          );
          if (found !== null) return found;
          if (budget.isSpent) return null;
        }
      }
    }
  }
  return null;
}

interface Search {
  readonly facts: RequestFacts;
  readonly place: SignaturePlace;
  readonly timeAt: number;
  readonly content: Content;
  readonly shape: Shape;
  readonly keys: ReturnType<typeof plainKeys>;
  /** Texts without a time are tried once. */
  readonly isFirst: boolean;
}

/** How the content of the request stands in a text; texts without any are tried with the first one. */
interface Content {
  readonly digest: BodyDigest | null;
  readonly fields: BodyFields | null;
  /** A plain hash of a text with the secret. */
  readonly isPlain: boolean;
}

/** Spellings of method and resource, and the texts that they apply to. */
interface Shape {
  readonly method: string;
  readonly resource: string;
  readonly changed: Part | null;
}

function findIn(
  search: Search,
  budget: TrialBudget,
  accept: (found: FoundText) => boolean,
): FoundText | null {
  const { facts, place, timeAt, content, shape, keys, isFirst } = search;
  const { digest, fields, isPlain } = content;
  const base = withHeader(facts, place, timeAt);
  if (base === null) return null;
  const time = base.time === null ? undefined : facts.times[timeAt];
  const nonce = base.nonce === null ? undefined : facts.nonces[0];
  const body_digest = digest ?? base.body_digest;
  const values = new Map([
    ["time", time?.text ?? ""],
    ["nonce", nonce?.text ?? ""],
    ["key_id", facts.keyId ?? ""],
    ["owner", facts.owner ?? ""],
  ]);
  const forms = isPlain ? withoutKey(place.forms) : place.forms;
  const recipe: Recipe = { ...base, fields, hash: forms[0]!.algorithm };
  const lookup = recipeLookup(values, recipe, facts.message, time?.ms ?? null);
  values.set("digest", digest === null ? "" : bodyDigest(digest, facts.message.body, lookup));
  const texts = new Map<Part, string>([
    ["M", shape.method],
    ["R", shape.resource],
    ["H", "{host}"],
    ["C", "{content_type}"],
    ...(time === undefined ? [] : [["T", "{time}"] as const]),
    ...(nonce === undefined ? [] : [["N", "{nonce}"] as const]),
    ...(facts.keyId === null ? [] : [["K", "{key_id}"] as const]),
    ...(facts.owner === null ? [] : [["O", "{owner}"] as const]),
    ...(digest === null
      ? [["B", fields === null ? "{body}" : "{fields}"] as const]
      : [["D", "{digest}"] as const]),
    ...(isPlain ? [["S", "{secret}"] as const] : []),
  ]);
  const filled = new Map(Array.from(texts, ([part, text]) => [part, fillTemplate(text, lookup)]));
  for (const { parts, joins } of selections([...texts.keys()], content)) {
    const isNew =
      (digest === null || parts.includes("D")) &&
      (isFirst || parts.includes("T")) &&
      (shape.changed === null || parts.includes(shape.changed));
    if (!isNew) continue;
    for (const { join, end } of joins) {
      const text = parts.map((part) => filled.get(part)!).join(join) + end;
      const hit = tryText(text, () => keys, place.text, forms, budget);
      if (budget.isSpent) return null;
      if (hit === null) continue;
      const template = parts.map((part) => texts.get(part)!).join(join) + end;
      const draft: Recipe = {
        ...base,
        fields: parts.includes("B") ? fields : null,
        // A part that is not in the request cannot have been signed.
        body_digest: parts.includes("D") ? body_digest : base.body_digest,
        canonical: { style: "template", text: template, components: [] },
      };
      const found: FoundText = {
        recipe: finalRecipe(draft, hit, facts),
        timeMs: time?.ms ?? null,
        nonce: nonce?.text ?? null,
      };
      if (accept(found)) return found;
    }
  }
  return null;
}

interface Selection {
  readonly parts: readonly Part[];
  readonly joins: readonly { readonly join: string; readonly end: string }[];
}

const remembered = new Map<string, readonly Selection[]>();

function selections(parts: readonly Part[], { fields, isPlain }: Content): readonly Selection[] {
  if (isPlain) return withSecret(parts, fields === null ? SHORT : 2);
  return fields === null ? manySelections(parts) : withFields(parts);
}

/** The secret at either end or at both, or among other parts. */
function withSecret(parts: readonly Part[], most: number): Selection[] {
  const joins = SECRET_JOINS.map((join) => ({ join, end: "" }));
  const some = orders(
    parts.filter((part) => /[TNKOBS]/.test(part)),
    most,
  ).filter((order) => order.includes("S") && order.includes("B"));
  return [...some, ["S", "B", "S"] as const].map((order) => ({ parts: order, joins }));
}

/** Sorted fields alone, or beside one other part. */
function withFields(parts: readonly Part[]): Selection[] {
  const others = parts.filter((part) => /[TNKO]/.test(part));
  const pairs = others.flatMap((part): Part[][] => [
    [part, "B"],
    ["B", part],
  ]);
  return [{ parts: ["B"], joins: ALONE }, ...pairs.map((order) => ({ parts: order, joins: SHORT_FORMS }))];
}

/** Every order of up to three parts, then the longer ones as services document them. */
function manySelections(parts: readonly Part[]): readonly Selection[] {
  const known = remembered.get(parts.join(""));
  if (known !== undefined) return known;
  const short = parts.filter((part) => part !== "H" && part !== "C");
  const seen = new Set<string>();
  const list: Selection[] = [];
  const add = (order: readonly Part[], joins: Selection["joins"]): void => {
    const key = order.join("");
    if (seen.has(key)) return;
    seen.add(key);
    list.push({ parts: order, joins: order.length > 1 ? joins : ALONE });
  };
  for (const order of orders(short, SHORT)) add(order, SHORT_FORMS);
  for (const order of ORDERS) {
    const letters = Array.from(order).flatMap((letter): Part[] => {
      const part = letter === "B" && parts.includes("D") ? "D" : (letter as Part);
      return parts.includes(part) ? [part] : [];
    });
    for (const subset of subsets(letters)) if (subset.length > SHORT) add(subset, LONG_FORMS);
  }
  remembered.set(parts.join(""), list);
  return list;
}

const ALONE: Selection["joins"] = [
  { join: "", end: "" },
  { join: "", end: "\n" },
];
const SHORT_FORMS: Selection["joins"] = [
  ...SHORT_JOINS.map((join) => ({ join, end: "" })),
  { join: "\n", end: "\n" },
];
const LONG_FORMS: Selection["joins"] = [
  ...LONG_JOINS.map((join) => ({ join, end: "" })),
  { join: "\n", end: "\n" },
];

function orders(parts: readonly Part[], most: number): Part[][] {
  let last: Part[][] = [[]];
  const all: Part[][] = [];
  for (let length = 1; length <= most; length++) {
    last = last.flatMap((order) =>
      parts.filter((part) => !order.includes(part)).map((part) => [...order, part]),
    );
    all.push(...last);
  }
  return all;
}

/** The longest first. */
function subsets(parts: readonly Part[]): Part[][] {
  const all: Part[][] = [];
  for (let mask = (1 << parts.length) - 1; mask > 0; mask--)
    all.push(parts.filter((_, at) => mask & (1 << at)));
  return all.sort((a, b) => b.length - a.length);
}

/** The usual spelling first. */
function shapesOf({ message }: RequestFacts): Shape[] {
  return [
    { method: "{method}", resource: "{target}", changed: null },
    ...(message.target.includes("?")
      ? [{ method: "{method}", resource: "{path}", changed: "R" } as const]
      : []),
    { method: "{method}", resource: "{scheme}://{host}{target}", changed: "R" },
    { method: "{method:lower}", resource: "{target}", changed: "M" },
  ];
}

/** The body itself, its fields, both in a plain hash with the secret, and digests of the body. */
function contentsOf(facts: RequestFacts): Content[] {
  const plain = { digest: null, fields: null, isPlain: false };
  const fields = fieldsOf(facts).map((each) => ({ ...plain, fields: each }));
  return [
    plain,
    ...fields,
    ...[plain, ...fields].map((each) => ({ ...each, isPlain: true })),
    ...digestsOf(facts).map((digest) => ({ ...plain, digest })),
  ];
}

/** The sent digest, or the usual ones. */
function digestsOf({ digest, times }: RequestFacts): BodyDigest[] {
  if (digest !== null) {
    const { header, hash, render } = digest;
    return [{ header, hash, render, over: "{body}", empty: "hash" }];
  }
  const made = (hash: DigestHash, render: string, over = "{body}"): BodyDigest => ({
    header: null,
    hash,
    render,
    over,
    empty: "hash",
  });
  return [
    made("sha256", "{hex}"),
    made("sha256", "{b64}"),
    made("sha512", "{hex}"),
    made("md5", "{hex}"),
    ...(times.length === 0 ? [] : [made("sha256", "{raw}", "{time}{body}")]),
  ];
}

const MARKS = [
  ["=", ["&", "", "|", ",", ";", "\n"]],
  [":", [",", ";", "\n", "|", "&", ""]],
  ["", ["", "|"]],
] as const;
const VALUE_SEPARATORS = ["", "|", "&", ",", ":", ".", ";", "\n", " "] as const;

/** Those that give different texts. */
function fieldsOf({ message }: RequestFacts): BodyFields[] {
  const base: BodyFields = {
    form: "json",
    nesting: "dot",
    separator: "&",
    equals: "=",
    encoding: "none",
    empty: "omit",
  };
  const marked: BodyFields[] = [
    ...MARKS.flatMap(([equals, separators]) =>
      separators.map((separator) => ({ ...base, form: "pairs", equals, separator }) as const),
    ),
    ...VALUE_SEPARATORS.map((separator) => ({ ...base, form: "values", separator }) as const),
  ];
  const all = marked.flatMap((each) =>
    (["omit", "keep"] as const).flatMap((empty) =>
      FIELD_NESTINGS.flatMap((nesting) =>
        FIELD_ENCODINGS.map((encoding) => ({ ...each, empty, nesting, encoding })),
      ),
    ),
  );
  const seen = new Set([requestValue(message, "body")!]);
  return [base, ...all].filter((each) => {
    const text = fieldsText(each, message.body);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}
