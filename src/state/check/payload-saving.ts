// Saves a payload: prompts for its name, its expected verdict and its tags.

import { savePayload } from "#src/actions/check/save-payload.ts";
import type { Context } from "#src/app/context.ts";
import {
  expectationWord,
  payloadNameProblem,
  payloadTagsProblem,
  readExpectation,
  readTags,
  type SavedPayload,
} from "#src/contract/records/saved-payload.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";

/**
 * Asks, saves, and asks before overwriting. Faults are shown as toasts, and nothing typed is lost.
 * @param proposal the request, and what the lines hold at first; nothing of it is checked yet
 */
export async function askToSave(context: Context, session: Session, proposal: SavedPayload): Promise<void> {
  const name = await session.askUntil(
    {
      label: "Save as payload",
      step: "1 of 3",
      initial: proposal.name,
      placeholder: "a name such as repeat-buyer",
    },
    payloadNameProblem,
  );
  if (name === null) return;
  const expectation = await session.askUntil(
    {
      label: "Expected verdict",
      step: "2 of 3",
      initial: expectationWord(proposal.expect),
      placeholder: "pass, block, 3ds_or_block or none",
    },
    (text) => (readExpectation(text) === undefined ? NO_EXPECTATION : null),
  );
  if (expectation === null) return;
  const tags = await session.askUntil(
    {
      label: "Tags",
      step: "3 of 3",
      initial: proposal.tags.join(" "),
      placeholder: "tags for the search, or empty",
    },
    (text) => payloadTagsProblem(readTags(text)),
  );
  if (tags === null) return;
  const expect = readExpectation(expectation) ?? null;
  await save(context, session, { ...proposal, name, expect, tags: readTags(tags) }, false);
}

const NO_EXPECTATION = "The expected verdict is pass, block, 3ds_or_block or none.";

async function save(
  context: Context,
  session: Session,
  payload: SavedPayload,
  replace: boolean,
): Promise<void> {
  const { name, expect } = payload;
  const done = await reportFaults(session, () => savePayload(context, { ...payload, replace }));
  // E.g. card data in the name.
  if (done === null) return askToSave(context, session, payload);
  if (done.saved) {
    const expecting = expect === null ? "without an expected verdict" : `expecting ${expect}`;
    return session.say(`Payload "${name}" is saved, ${expecting}: ${done.path}`, "done");
  }
  const agreed = await session.agree({
    text: `There is a payload "${name}" already. Overwrite its request, its tags and its expected verdict?`,
    yes: "overwrite",
  });
  if (agreed) await save(context, session, payload, true);
}

/** A text as far as it can name a payload. */
export function proposedName(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64);
}
