// Searches for non-standard strings to sign: parts of the request in every likely order, with the usual separators.

import { createHash } from "node:crypto";
import type { Secret } from "#src/contract/secret.ts";
import type { BodyDigest, DigestHash, Recipe } from "#src/signing/recipes/recipe.ts";
import { fillTemplate } from "#src/signing/recipes/template.ts";
import { requestValue } from "#src/signing/request-values.ts";
import type { RequestFacts, SignaturePlace } from "./infer-facts.ts";
import { TrialBudget, plainKeys, settled, tryText } from "./infer-trial.ts";
import { carrying } from "./infer-variants.ts";

export interface FoundText {
  readonly recipe: Recipe;
  readonly timeMs: number | null;
  readonly nonce: string | null;
}

/** Letters for parts: Method, Resource (path and query), Time, Nonce, Key id, Owner, Host, Content type, Body, Digest. */
type Part = "M" | "R" | "T" | "N" | "K" | "O" | "H" | "C" | "B" | "D";

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
  for (const place of facts.signatures.slice(0, PLACES)) {
    for (let at = 0; at <= Math.min(TIMES, facts.times.length); at++) {
      // Last without a time; texts that contain none were tried with the first one.
      const timeAt = at < Math.min(TIMES, facts.times.length) ? at : -1;
      if (timeAt < 0 && facts.times.length > 0) continue;
      for (const digest of digestsOf(facts)) {
        for (const shape of shapes) {
          const found = findIn(
            { facts, place, timeAt, digest, shape, keys, isFirst: at === 0 },
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
  /** Null: texts with the body itself, and those without either. */
  readonly digest: BodyDigest | null;
  readonly shape: Shape;
  readonly keys: ReturnType<typeof plainKeys>;
  /** Texts without a time are tried once. */
  readonly isFirst: boolean;
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
  const { facts, place, timeAt, digest, shape, keys, isFirst } = search;
  const base = carrying(facts, place, timeAt);
  if (base === null) return null;
  const time = base.time === null ? undefined : facts.times[timeAt];
  const nonce = base.nonce === null ? undefined : facts.nonces[0];
  const body_digest = digest ?? base.body_digest;
  const values = new Map([
    ["time", time?.text ?? ""],
    ["nonce", nonce?.text ?? ""],
    ["key_id", facts.keyId ?? ""],
    ["owner", facts.owner ?? ""],
    ["digest", digest === null ? "" : digestText(digest, facts)],
  ]);
  const lookup = (name: string): string | undefined => values.get(name) ?? requestValue(facts.message, name);
  const texts = new Map<Part, string>([
    ["M", shape.method],
    ["R", shape.resource],
    ["H", "{host}"],
    ["C", "{content_type}"],
    ...(time === undefined ? [] : [["T", "{time}"] as const]),
    ...(nonce === undefined ? [] : [["N", "{nonce}"] as const]),
    ...(facts.keyId === null ? [] : [["K", "{key_id}"] as const]),
    ...(facts.owner === null ? [] : [["O", "{owner}"] as const]),
    ...(digest === null ? [["B", "{body}"] as const] : [["D", "{digest}"] as const]),
  ]);
  const filled = new Map(Array.from(texts, ([part, text]) => [part, fillTemplate(text, lookup)]));
  for (const { parts, joins } of selections([...texts.keys()])) {
    const isNew =
      (digest === null || parts.includes("D")) &&
      (isFirst || parts.includes("T")) &&
      (shape.changed === null || parts.includes(shape.changed));
    if (!isNew) continue;
    for (const { join, end } of joins) {
      const text = parts.map((part) => filled.get(part)!).join(join) + end;
      const hit = tryText(text, () => keys, place.text, place.forms, budget);
      if (budget.isSpent) return null;
      if (hit === null) continue;
      const template = parts.map((part) => texts.get(part)!).join(join) + end;
      const draft: Recipe = {
        ...base,
        // A part that is not in the request cannot have been signed.
        body_digest: parts.includes("D") ? body_digest : base.body_digest,
        canonical: { style: "template", text: template, components: [] },
      };
      const found: FoundText = {
        recipe: settled(draft, hit, facts),
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

/** Every order of up to three parts, then the longer ones as services document them. */
function selections(parts: readonly Part[]): readonly Selection[] {
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

/** Null for texts with the body itself; then the sent digest, or the usual ones. */
function digestsOf({ digest }: RequestFacts): (BodyDigest | null)[] {
  if (digest !== null) {
    const { header, hash, render } = digest;
    return [null, { header, hash, render, over: "{body}", empty: "hash" }];
  }
  const made = (hash: DigestHash, render: string): BodyDigest => ({
    header: null,
    hash,
    render,
    over: "{body}",
    empty: "hash",
  });
  return [null, made("sha256", "{hex}"), made("sha256", "{b64}"), made("sha512", "{hex}")];
}

function digestText({ hash, render }: BodyDigest, { message }: RequestFacts): string {
  const digest = createHash(hash).update(message.body).digest();
  return render
    .replace("{b64}", () => digest.toString("base64"))
    .replace("{hex}", () => digest.toString("hex"));
}
