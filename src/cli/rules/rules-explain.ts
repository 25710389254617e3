// verdict rules explain: explains the recommendation of a check in the history or of a decision of the sandbox.

import { decisionLines } from "#src/cli/check/explanation-text.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { withSandbox, type Targeted } from "#src/cli/sandbox/sandbox-session.ts";
import { usage } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";

/** Syntax of the sandbox's decision ids. */
const DECISION_ID = /^dec-\d{1,15}-[0-9a-f]{8}$/;

export const explain: CommandRun<Targeted> = async (invocation) => {
  const { args, options, output } = invocation;
  const id = args[0]!;
  const { entry, explanation } = DECISION_ID.test(id)
    ? { entry: null, explanation: await decisionOf(invocation, id) }
    : await explainedEntry(invocation, id);
  if (options.json) return output.json({ schema: 1, entry: entry?.id ?? null, explanation });
  output.lines(decisionLines(explanation, output.style));
};

/** The explanation stored in the history, else the one of the sandbox that decided. */
async function explainedEntry(
  invocation: Invocation<Targeted>,
  id: string,
): Promise<{ readonly entry: HistoryEntry; readonly explanation: Explanation }> {
  const entry = await (await (await invocation.context()).history()).find(id);
  if (entry === null) {
    throw usage`The history has no entry "${id}"; "verdict history" lists the ids, and a decision of the sandbox is named like dec-12-0a1b2c3d.`;
  }
  if (entry.explanation !== null) return { entry, explanation: entry.explanation };
  const decisionId = entry.result?.decisionId ?? null;
  if (decisionId === null || !DECISION_ID.test(decisionId)) {
    throw usage`No explanation came with the entry ${entry.id}, because only the sandbox explains its decisions; send the payload to the sandbox to see what its rules say.`;
  }
  return { entry, explanation: await decisionOf(invocation, decisionId) };
}

/** Asks the sandbox, then the history, which keeps decisions from before a reset. */
async function decisionOf(invocation: Invocation<Targeted>, id: string): Promise<Explanation> {
  const known = await withSandbox(invocation, ({ admin }) => admin.decision(id));
  if (known !== null) return known;
  for await (const entry of (await (await invocation.context()).history()).entries()) {
    if (entry.explanation?.id === id) return entry.explanation;
  }
  throw usage`Neither the sandbox nor the history knows the decision ${id}; "verdict history" and "verdict sandbox journal" list what is known.`;
}
