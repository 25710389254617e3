// Authentication of a request (spec section 5). Every failure gets the same answer; only the log has the reason.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { ENDPOINTS, HEADER, type Call } from "#src/contract/wire/wire.ts";
import type { SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import type { KeyHolder } from "#src/sandbox/state/stored-accounts.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import { replayMark, type ReplayMark } from "#src/signing/recipes/recipe-words.ts";
import { recipeFor, type Recipe } from "#src/signing/recipes/recipe.ts";
import { meaningfulHeaders } from "#src/signing/verify-plan.ts";
import { claimedKeyId, verify, type Received } from "#src/signing/verify.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";

export interface Principal {
  readonly holder: KeyHolder;
  /** Resolves once a restart cannot forget this signature; to be awaited before the answer. */
  readonly durable: Promise<void>;
}

/** Receives the string to sign and the claimed key, whether or not the signature is valid. */
export type OnSigned = (stringToSign: string | null, claimed: KeyHolder | null) => void;

export type Authenticate = (received: Received, call: Call, onSigned: OnSigned) => Promise<Principal>;

const FAILED = "The request could not be authenticated; the journal of the sandbox says why.";
const FOREIGN = "The key does not belong to what the request names; use a key of that company or project.";

/**
 * @param credentialUnsigned accept a credential request with an empty `Authorization`, as in the sample (spec 4.3)
 */
export function createAuthenticator(options: {
  readonly recipe: Recipe;
  readonly state: SandboxState;
  readonly clock: SandboxClock;
  readonly credentialUnsigned: boolean;
}): Authenticate {
  const { recipe, state, clock, credentialUnsigned } = options;
  const singletons = authenticationHeaders(recipe);
  const marks: { [C in Call]?: ReplayMark | null } = {};
  const markOf = (call: Call): ReplayMark | null => (marks[call] ??= replayMark(recipe, call));

  /** Throws unless the request names the key's owner: projects check, companies register. */
  function requireOwner(holder: KeyHolder, received: Received, call: Call): void {
    const named = received.headers.get(call === "check" ? HEADER.projectId : HEADER.companyId);
    const owner = call === "check" ? holder.projectId : holder.projectId === null ? holder.companyId : null;
    if (owner !== null && named === owner) return;
    throw new Refusal("forbidden", FOREIGN, {
      reason: owner === null ? "a key of the wrong kind for this call" : "the key belongs to another owner",
    });
  }

  return async (received, call, onSigned) => {
    refuseDuplicates(received, singletons);
    const keyId = claimedKeyId(received);
    const holder = keyId === null ? null : await state.accounts.key(keyId);

    if (credentialUnsigned && call === "credential" && received.headers.get(HEADER.authorization) === "") {
      if (holder === null) throw new Refusal("unauthorized", FAILED, { reason: "the key is unknown" });
      requireOwner(holder, received, call);
      return { holder, durable: Promise.resolve() };
    }

    const realNow = clock.realNow();
    const verified = verify(recipe, received, holder, realNow, call);
    onSigned(signsBodyAnew(recipe, call) ? UNKEPT : verified.stringToSign, holder);
    if (!verified.ok || holder === null) {
      const reason = verified.ok ? "the key is unknown" : verified.reason;
      throw new Refusal("unauthorized", FAILED, { reason: escapeText(reason, 200) });
    }
    requireOwner(holder, received, call);

    // Its signed nonce, else the string to sign with its time, so that two equal requests at one time count as a replay. Where
    // nothing signed tells a replay from the original, it is accepted, and a repeated order gets its stored decision.
    const mark = markOf(call);
    const unique = mark === "nonce" ? verified.nonce : mark && verified.stringToSign;
    if (unique === null) return { holder, durable: Promise.resolve() };
    const remembered = await state.rememberSignature(
      `${holder.keyId}\n${unique}`,
      verified.timeMs ?? realNow,
      realNow,
    );
    if (remembered.state === "new") return { holder, durable: remembered.durable };
    if (remembered.state !== "full")
      throw new Refusal("unauthorized", FAILED, { reason: REPLAYED[remembered.state] });
    const message = "Too many requests within the signature window; try again later.";
    const reason = "the replay cache is full";
    throw new Refusal("too_many_requests", message, { retryAfterS: 60, reason });
  };
}

const REPLAYED = {
  seen: "the signature was used before",
  forgotten: "the time is before the replay cache's memory",
} as const;

/** In place of a text that has the body in another form than that in which it was sent. */
const UNKEPT = "<what is signed is not kept: the body is in it>";

function signsBodyAnew(recipe: Recipe, call: Call): boolean {
  const { fields, canonical } = recipeFor(recipe, call);
  return fields !== null || (canonical?.style === "jwt" && canonical.claims.includes("{body}"));
}

/** Headers that take part in authentication; each may occur once at most. */
function authenticationHeaders(recipe: Recipe): ReadonlySet<string> {
  return new Set([
    HEADER.authorization,
    HEADER.projectId,
    HEADER.companyId,
    HEADER.contentType,
    "host",
    ...(Object.keys(ENDPOINTS) as Call[]).flatMap((call) => meaningfulHeaders(recipe, call)),
  ]);
}

function refuseDuplicates({ headers }: Received, singletons: ReadonlySet<string>): void {
  for (const name of headers.layout.repeated) {
    if (!singletons.has(name)) continue;
    throw new Refusal("invalid_request", `The header ${name} occurs more than once; send it once.`);
  }
}
