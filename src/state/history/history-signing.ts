// Explains how the shown history entry was signed, when its tab is opened.

import type { Context } from "#src/app/context.ts";
import { credentialMissing, usage } from "#src/contract/fault.ts";
import type { HistoryEntry, SignedWith } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { safe } from "#src/display/safe.ts";
import { signingLines, type SigningLine } from "#src/display/signing-lines.ts";
import { formatClock } from "#src/display/time.ts";
import { sentenceOf } from "#src/state/report-faults.ts";

export interface SignedThen {
  /** Of the entry. */
  readonly id: string;
  /** Safe sentences about what follows. */
  readonly notes: readonly string[];
  readonly lines: readonly SigningLine[];
}

/** @param show gets what was found for the entry that was asked for last */
export function createHistorySigning(context: Context, show: (signed: SignedThen) => void) {
  let last: string | null = null;
  return {
    /** Finds out how an entry was signed. Never rejects: what is wrong stands in the lines. */
    async read(entry: HistoryEntry) {
      last = entry.id;
      const found = await explained(context, entry).catch((error: unknown) => ({
        notes: [sentenceOf(error)],
        lines: [],
      }));
      if (last === entry.id) show({ id: entry.id, ...found });
    },
  };
}

async function explained(context: Context, entry: HistoryEntry): Promise<Omit<SignedThen, "id">> {
  const profile =
    entry.profile === context.profile.name
      ? context.profile
      : await (await context.profiles()).get(entry.profile);
  if (profile === null) {
    throw usage`The profile ${entry.profile} is gone, so its address is unknown.`;
  }
  const kept = entry.signed ?? (await signerNow(context, entry, profile));
  const recipe = (await context.recipes()).byId(kept.recipe);
  const { signedThen } = await import("#src/actions/check/signed-then.ts");
  const explanation = signedThen(entry, recipe, kept, addressOf(context, profile));
  const { stringToSign, validUntil } = explanation;
  const validity =
    stringToSign === null
      ? "Nothing was signed."
      : validUntil === null
        ? "No time was signed."
        : `It was valid once, until ${formatClock(validUntil)}.`;
  return {
    notes: [
      `Key ${safe(kept.keyId)}, project ${safe(kept.projectId)}.`,
      ...(entry.signed === undefined
        ? ["The recipe and key of this check were not recorded: the present recipe and key are shown."]
        : []),
      "Nonce and signature were not kept; the time is when the check was recorded.",
    ],
    lines: signingLines(explanation, null, validity),
  };
}

/** The recipe of the profile and the credential of the project as they are now. */
async function signerNow(context: Context, entry: HistoryEntry, profile: Profile): Promise<SignedWith> {
  const vault = await context.vault();
  const held = vault
    .list()
    .find(
      (each) =>
        each.kind === "project_credential" &&
        each.profile === entry.profile &&
        each.projectKey === entry.project,
    );
  if (held === undefined || held.kind !== "project_credential") {
    throw credentialMissing`The key of this check was not recorded, and the project ${entry.project} has no key now, so its signature cannot be explained.`;
  }
  const { keyId, projectId, algorithm } = held;
  return { recipe: profile.recipe, keyId, projectId, algorithm };
}

/** The embedded sandbox has another port at every start: that of now, or none. */
function addressOf(context: Context, profile: Profile): string {
  if (profile.environment !== "SANDBOX") return profile.baseUrl;
  const endpoint = context.sandbox()?.endpoint;
  return endpoint === undefined ? "http://127.0.0.1" : `http://${endpoint.host}:${endpoint.port}`;
}
