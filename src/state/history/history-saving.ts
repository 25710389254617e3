// Saves the selected history entries as payloads that are named by their order ids, after a confirmation.

import { findHistory } from "#src/actions/history/find-history.ts";
import { savePayload } from "#src/actions/check/save-payload.ts";
import type { Context } from "#src/app/context.ts";
import { Fault } from "#src/contract/fault.ts";
import { payloadNameProblem } from "#src/contract/records/saved-payload.ts";
import { counted } from "#src/display/count.ts";
import { proposedName } from "#src/state/check/payload-saving.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { filterOf } from "./history-range.ts";

/** Room behind an order id for the number of a further payment with it. */
const STEM = 58;

/** Asks, saves, and says how many were saved and what was left out: nothing is overwritten. @param range ids of entries */
export async function askToSaveRange(
  context: Context,
  session: Session,
  range: readonly string[],
): Promise<void> {
  const agreed = await session.agree({
    text: `Payloads that exist stay as they are. Save ${counted(range.length, "request")} as payloads under their order ids, each with its verdict as the expected one?`,
    yes: "save",
  });
  if (agreed) await reportFaults(session, () => saveRange(context, session, range));
}

async function saveRange(context: Context, session: Session, range: readonly string[]): Promise<void> {
  const { entries } = await findHistory(context, filterOf(range), range.length);
  const names = new Set<string>();
  const left: string[] = [];
  // The first attempt with an order id has its name, later ones a number behind it.
  for (const { request, result } of entries.toReversed()) {
    const name = freshName(request.order_id ?? "", names);
    const payload = { name, expect: result?.recommendation ?? null, tags: [], request, replace: false };
    try {
      if (!(await savePayload(context, payload)).saved) left.push(`"${name}" exists already`);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      left.push(`"${name}": ${error.message.replace(/\.$/, "")}`);
    }
  }
  const saved = names.size - left.length;
  const done = `${counted(saved, "payload")} saved; ${session.keyName("check.library")} on Check lists them.`;
  const [first, ...others] = left;
  if (first === undefined) return session.say(done, "done");
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  session.say(`${done} Not saved: ${first}${more}.`, "error");
}

/** A name that none before had. */
function freshName(orderId: string, names: Set<string>): string {
  const proposed = proposedName(orderId).slice(0, STEM);
  const stem = payloadNameProblem(proposed) === null ? proposed : "payment";
  let name = stem;
  for (let number = 2; names.has(name.toLowerCase()); number += 1) name = `${stem}-${number}`;
  names.add(name.toLowerCase());
  return name;
}
