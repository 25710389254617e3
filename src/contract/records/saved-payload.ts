// A payload that is kept under a name: what it holds, what may name and tag it, and how one is found among many.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { RECOMMENDATIONS, type Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

export interface SavedPayload {
  /** Base name of its file; letters, digits, `.`, `_` and `-`, starting with a letter or digit. */
  readonly name: string;
  /** Verdict that its author expects; null for none in particular. */
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  readonly request: CheckRequest;
}

/** One of the saved payloads in a list. Where there is a problem, nothing but the name and the time is known. */
export interface PayloadRow {
  /** Base name of its file, as it is: may be one that cannot be used. */
  readonly name: string;
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  readonly orderId: string | null;
  readonly amount: number | null;
  /** ISO 4217 number */
  readonly currency: number | null;
  /** ms since the epoch; null where the file system did not tell. */
  readonly modifiedAt: number | null;
  /** Why it cannot be read, as one sentence; null when it can. */
  readonly problem: string | null;
}

/** Letters, digits and three signs, so that a name is the same on every file system and in every shell. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const LONGEST_NAME = 64;
/** Devices on Windows, whatever follows the first point. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** What is wrong with the name of a payload, as one sentence; null when it can be used. */
export function payloadNameProblem(name: string): string | null {
  if (name === "") return "A payload needs a name; write for example repeat-buyer.";
  if (!NAME.test(name)) {
    return `"${escapeText(name, 40)}" cannot name a payload; start with a letter or digit and use letters, digits, ".", "_" and "-" only.`;
  }
  if (name.length > LONGEST_NAME) return `The name of a payload has at most ${LONGEST_NAME} characters.`;
  if (DEVICE.test(name))
    return `"${escapeText(name, 40)}" names a device on some systems; choose another name.`;
  return null;
}

/** Letters and digits of any script, and four signs: a tag is one word of a search, and is seen as it is. */
const TAG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/-]*$/u;
const LONGEST_TAG = 40;
const MOST_TAGS = 20;

/** What is wrong with the tags of a payload, as one sentence; null when they can be used. */
export function payloadTagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MOST_TAGS) return `A payload has at most ${MOST_TAGS} tags.`;
  const wrong = tags.find((tag) => !TAG.test(tag) || tag.length > LONGEST_TAG);
  if (wrong === undefined) return null;
  return `"${escapeText(wrong, LONGEST_TAG)}" cannot be a tag; a tag is one word of at most ${LONGEST_TAG} letters, digits, ".", "_", "/" and "-", such as repeat-buyer.`;
}

/** Tags as they were typed, with blanks or commas between them; each one once. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((tag) => tag !== ""))];
}

/** `none` in place of a verdict: nothing in particular is expected. */
const NO_EXPECTATION = "none";
/** What `--expect` takes, and the console where it asks for it. */
export const EXPECTATIONS: readonly string[] = [...RECOMMENDATIONS, NO_EXPECTATION];

/**
 * An expected verdict as it was typed: one of EXPECTATIONS or the beginning of one; nothing means none.
 * @returns undefined for anything else
 */
export function readExpectation(text: string): Recommendation | null | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "" || NO_EXPECTATION.startsWith(typed)) return null;
  return RECOMMENDATIONS.find((recommendation) => recommendation.startsWith(typed));
}

/** How an expected verdict is written where `readExpectation` reads it. */
export function expectationWord(expect: Recommendation | null): string {
  return expect ?? NO_EXPECTATION;
}

/**
 * Which payloads a search means: each of its words must be found in the name, the tags, the order id or the expected
 * verdict, whatever the case; `tag:x` asks for exactly that tag. Nothing means all.
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
