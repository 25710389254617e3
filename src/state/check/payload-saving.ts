// Saves a payload: prompts for its name, its expected verdict and its tags.

import { savePayload } from "#src/actions/check/save-payload.ts";
import type { Context } from "#src/app/context.ts";
import { Fault } from "#src/contract/fault.ts";
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

export interface PayloadAsking {
  /** The request, and what the lines hold at first; nothing of it is checked yet. */
  readonly proposal: SavedPayload;
  /** Says what is wrong with a line, which is asked for again; null when nothing is any more. */
  readonly complain: (sentence: string | null) => void;
}

/** Asks, saves, and asks again before overwriting. Faults are shown as toasts; nothing typed is lost. */
export function askToSave(context: Context, session: Session, asking: PayloadAsking): void {
  const { proposal, complain } = asking;

  /** One line; a wrong one is explained and asked for again as it was typed. */
  const askLine = (
    prompt: { readonly label: string; readonly initial: string; readonly placeholder: string },
    /** What is wrong with the text; null after it was taken. */
    take: (text: string) => string | null,
  ): void =>
    session.ask({
      ...prompt,
      onSubmit: (text) => {
        complain(null);
        const problem = take(text.trim());
        if (problem === null) return;
        complain(problem);
        askLine({ ...prompt, initial: text }, take);
      },
      onCancel: () => complain(null),
    });

  const askName = (initial: string): void =>
    askLine({ label: "Save as payload", initial, placeholder: "a name such as repeat-buyer" }, (name) => {
      const problem = payloadNameProblem(name);
      if (problem === null) askExpectation(name);
      return problem;
    });

  const askExpectation = (name: string): void =>
    askLine(
      {
        label: "Expected verdict",
        initial: expectationWord(proposal.expect),
        placeholder: "pass, block, 3ds_or_block or none",
      },
      (text) => {
        const expect = readExpectation(text);
        if (expect === undefined) return "The expected verdict is pass, block, 3ds_or_block or none.";
        askTags(name, expect);
        return null;
      },
    );

  const askTags = (name: string, expect: SavedPayload["expect"]): void =>
    askLine(
      { label: "Tags", initial: proposal.tags.join(" "), placeholder: "tags for the search, or empty" },
      (text) => {
        const tags = readTags(text);
        const problem = payloadTagsProblem(tags);
        if (problem === null) void save({ ...proposal, name, expect, tags }, false);
        return problem;
      },
    );

  const save = async (payload: SavedPayload, replace: boolean): Promise<void> => {
    const { name, expect } = payload;
    const done = await reportFaults(session, async () => {
      try {
        return await savePayload(context, { ...payload, replace });
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
        // E.g. card data in the name: it is asked for once more.
        complain(error.message);
        askName(name);
        return null;
      }
    });
    if (done === null) return;
    if (done.saved) {
      const expecting = expect === null ? "without an expected verdict" : `expecting ${expect}`;
      session.say(`Payload "${name}" is saved, ${expecting}: ${done.path}`, "done");
      return;
    }
    session.confirm({
      title: "Overwrite the payload",
      text: `There is a payload "${name}" already; its request, its tags and its expected verdict would be lost.`,
      yes: "Overwrite",
      onYes: () => void save(payload, true),
    });
  };

  askName(proposal.name);
}

/** A text as far as it can name a payload. */
export function proposedName(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64);
}
