// What a deck does with a sandbox: it brings rules into force, and sends checks.

import { check } from "#src/actions/check/check.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { DeckRules } from "#src/replay/decks/deck.ts";
import { wholeText } from "./demo-rules.ts";
import { administer, type SandboxContext } from "./sandbox-access.ts";

/** What the sandbox has counted stays. */
export async function bringIntoForce(context: SandboxContext, rules: DeckRules): Promise<void> {
  const admin = await administer(context);
  await (rules.text === null ? admin.removeRules() : admin.saveRules(await wholeText(rules), rules.name));
}

/** @param planned.fault what goes wrong with it; null for nothing */
export async function sendCheck(
  context: SandboxContext,
  planned: {
    readonly request: CheckRequest;
    readonly project: string;
    readonly canForce3ds: boolean | null;
    readonly fault: FaultEffect | null;
  },
  signal: AbortSignal,
): Promise<HistoryEntry> {
  const { fault, ...input } = planned;
  const admin = await administer(context);
  const { id } =
    fault === null ? { id: null } : await admin.addFault({ on: "check", effect: fault, rate: 1, count: 1 });
  const { entry, notSaved } = await check(
    context,
    { ...input, warnings: [], repeats: null, record: true },
    signal,
    () => undefined,
  );
  // One that did not come to pass must not meet the next check.
  if (id !== null) await admin.clearFaults(id);
  if (notSaved !== null) throw notSaved;
  return entry;
}
