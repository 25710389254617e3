// What a recipe protects, in sentences: unsigned parts, and how replays are detected.

import { Fault } from "#src/contract/fault.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import { isPlainHash, type Recipe } from "./recipe.ts";
import { isSigned, unsignedParts, type RequestPart } from "./signed-parts.ts";

/** What distinguishes a replay from the original request; null if nothing signed does. */
export type ReplayMark = "nonce" | "time";

/**
 * What a verifier must remember of a call: the signed nonce, else the string to sign with its time.
 * @throws Fault for a recipe that cannot sign the call
 */
export function replayMark(recipe: Recipe, call: Call): ReplayMark | null {
  if (isSigned(recipe, call, "nonce")) return "nonce";
  return isSigned(recipe, call, "time") ? "time" : null;
}

/** What a recipe does not protect on a call; null if it cannot sign that call. */
export function openParts(
  recipe: Recipe,
  call: Call = "check",
): { readonly unsigned: readonly RequestPart[]; readonly replay: ReplayMark | null } | null {
  try {
    return { unsigned: unsignedParts(recipe, call), replay: replayMark(recipe, call) };
  } catch (error) {
    // E.g. a signed header that is not sent.
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** In sentences: what could be changed in transit, how replays are detected, and whether the hash is weak. */
export function protectionSentences(recipe: Recipe, call: Call = "check"): readonly string[] {
  const open = openParts(recipe, call);
  if (open === null) return [`A ${call} request cannot be signed with it.`];
  if (recipe.canonical === null) {
    return ["Nothing is signed: every part could be changed in transit.", REPLAYS.nothing];
  }
  const { unsigned, replay } = open;
  return [
    unsigned.length === 0 ? "Every part is signed." : `Not signed: ${unsigned.join(", ")}.`,
    REPLAYS[replay ?? "nothing"],
    ...weakness(recipe),
  ];
}

function weakness({ hash }: Recipe): string[] {
  const isOld = /md5|sha1$/.test(hash);
  if (!isOld && !isPlainHash(hash)) return [];
  const why = isPlainHash(hash) ? "A plain hash with the secret in it is" : `${hash} is`;
  return [`${why} weaker than an HMAC of SHA-256; ask the service for that.`];
}

const REPLAYS: Readonly<Record<ReplayMark | "nothing", string>> = {
  nonce: "Replays are detected by the signed nonce.",
  time: "Replays are detected by the signed text with its time: two equal requests at one time look like one.",
  nothing: "Replays cannot be detected, as nothing signed distinguishes them.",
};
