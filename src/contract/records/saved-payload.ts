// A payload saved under a name: its contents, valid names and tags, and the search over saved payloads.

import type { Payload } from "#src/contract/fields/payload.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { RECOMMENDATIONS, type Recommendation } from "#src/contract/wire/recommendation.ts";

/** What is saved of a payload. */
export interface SavedPayload extends Pick<Payload, "request" | "expect" | "tags"> {
  /** Base name of its file; letters, digits, `.`, `_` and `-`, starting with a letter or digit. */
  readonly name: string;
}

/** A saved payload in a list. With a problem, only the name and the time are known. */
export interface PayloadRow {
  /** Base name of its file, which may be an invalid name. */
  readonly name: string;
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  readonly orderId: string | null;
  readonly amount: number | null;
  /** ISO 4217 number */
  readonly currency: number | null;
  /** ms since the epoch; null when unknown. */
  readonly modifiedAt: number | null;
  /** Why it cannot be read, as one sentence; null when it can. */
  readonly problem: string | null;
}

/** A name that needs no quoting in a shell and is valid on every file system. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const LONGEST_NAME = 64;
/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** The problem of the name of a payload, or of another thing, as one sentence; null for a valid one. */
export function payloadNameProblem(name: string, thing: string = "payload"): string | null {
  if (name === "") return `A ${thing} needs a name; write for example repeat-buyer.`;
  if (!NAME.test(name)) {
    return `"${escapeText(name, 40)}" cannot name a ${thing}; start with a letter or digit and use letters, digits, ".", "_" and "-" only.`;
  }
  if (name.length > LONGEST_NAME) return `The name of a ${thing} has at most ${LONGEST_NAME} characters.`;
  if (DEVICE.test(name))
    return `"${escapeText(name, 40)}" names a device on some systems; choose another name.`;
  return null;
}

/** A tag is one word of a search, without invisible characters. */
const TAG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/-]*$/u;
const LONGEST_TAG = 40;
const MOST_TAGS = 20;

/** The problem of a payload's tags as one sentence; null for valid ones. */
export function payloadTagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MOST_TAGS) return `A payload has at most ${MOST_TAGS} tags.`;
  const wrong = tags.find((tag) => !TAG.test(tag) || tag.length > LONGEST_TAG);
  if (wrong === undefined) return null;
  return `"${escapeText(wrong, LONGEST_TAG)}" cannot be a tag; a tag is one word of at most ${LONGEST_TAG} letters, digits, ".", "_", "/" and "-", such as repeat-buyer.`;
}

/** Splits tags, typed or in the cell of a table, at blanks, commas and semicolons, without duplicates. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((tag) => tag !== ""))];
}

const NO_EXPECTATION = "none";
/** Values of `--expect`, and of the console's field for it. */
export const EXPECTATIONS: readonly string[] = [...RECOMMENDATIONS, NO_EXPECTATION];

/**
 * Reads a typed expected verdict: one of EXPECTATIONS or a prefix of one; an empty text means none.
 * @returns undefined for anything else
 */
export function readExpectation(text: string): Recommendation | null | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "" || NO_EXPECTATION.startsWith(typed)) return null;
  return RECOMMENDATIONS.find((recommendation) => recommendation.startsWith(typed));
}

/** The inverse of `readExpectation`. */
export function expectationWord(expect: Recommendation | null): string {
  return expect ?? NO_EXPECTATION;
}

/**
 * The predicate of a search: each word must occur in the name, the tags, the order id or the expected verdict, in any case;
 * `tag:x` matches exactly that tag. An empty search matches all.
 */
export function payloadSearch(search: string): (row: PayloadRow) => boolean {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return ({ name, tags, orderId, expect }) => {
    const lower = tags.map((tag) => tag.toLowerCase());
    const texts = [name, orderId ?? "", expect ?? ""].map((text) => text.toLowerCase()).concat(lower);
    return words.every((word) =>
      word.startsWith("tag:") && word.length > 4
        ? lower.includes(word.slice(4))
        : texts.some((text) => text.includes(word)),
    );
  };
}
