// What a recipe protects, in sentences: the parts that are not signed, and how a replay is told.

import { Fault } from "#src/contract/fault.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import type { Recipe } from "./recipe.ts";
import { isSigned, unsignedParts, type RequestPart } from "./signed-parts.ts";

/** What tells a replay from the first request; null where nothing that is signed does. */
export type ReplayMark = "nonce" | "time";

/**
 * What a verifier must remember of a call: the signed nonce, else what is signed with its time.
 * @throws Fault for a recipe that cannot sign the call
 */
export function replayMark(recipe: Recipe, call: Call): ReplayMark | null {
  if (isSigned(recipe, call, "nonce")) return "nonce";
  return isSigned(recipe, call, "time") ? "time" : null;
}

/** What a recipe leaves open on a call; null where it cannot sign that call. */
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

/** Two sentences: what could be changed on the way, and how a replay is told. */
export function protectionSentences(recipe: Recipe, call: Call = "check"): readonly string[] {
  const open = openParts(recipe, call);
  if (open === null) return [`A ${call} request cannot be signed with it.`];
  if (recipe.canonical === null) {
    return ["Nothing is signed: every part could be changed on the way.", REPLAYS.nothing];
  }
  const { unsigned, replay } = open;
  return [
    unsigned.length === 0 ? "Every part is signed." : `Not signed: ${unsigned.join(", ")}.`,
    REPLAYS[replay ?? "nothing"],
  ];
}

const REPLAYS: Readonly<Record<ReplayMark | "nothing", string>> = {
  nonce: "Replays are told by the signed nonce.",
  time: "Replays are told by what is signed with its time: two equal requests at one time look like one.",
  nothing: "Nothing that is signed tells a replay.",
};
