// The rules of the sandbox: reads the active ones and errors of the rule file, and replaces the file.

import { basename } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import type { RuleSetFacts } from "#src/contract/records/rule-facts.ts";
import { YamlFault } from "#src/contract/text/yaml-source.ts";
import type { RulesReading, RulesText } from "#src/contract/wire/sandbox-wire.ts";
import { administer, type SandboxContext } from "./sandbox-access.ts";

/** An error in a rule text. */
export interface WrongRules {
  /** One sentence, with file, line and column if it has a position. */
  readonly message: string;
  /** The line of the text, and a second line with `^` under the column; null without a position. */
  readonly excerpt: string | null;
}

export interface SeenRules {
  readonly reading: RulesReading;
  /** Of the active rules, also while the file is invalid. */
  readonly facts: RuleSetFacts;
  /** The error of the current file; null when it is active, or when there is none. */
  readonly wrong: WrongRules | null;
}

/** @param before the previous result; unchanged parts are not requested again */
export async function seeRules(context: SandboxContext, before: SeenRules | null): Promise<SeenRules> {
  const admin = await administer(context);
  const reading = await admin.rules();
  const facts = before?.facts.hash === reading.hash ? before.facts : await admin.ruleFacts();
  const { error, file } = reading;
  if (error === null) return { reading, facts, wrong: null };
  if (before !== null && before.reading.error?.at === error.at) {
    return { reading, facts, wrong: before.wrong };
  }
  const { text } = await admin.rulesText();
  return {
    reading,
    facts,
    wrong: (await whatIsWrong(text, file)) ?? { message: error.message, excerpt: null },
  };
}

/** The active rules, or the invalid text of the file. */
export async function rulesText(context: SandboxContext): Promise<RulesText> {
  return (await administer(context)).rulesText();
}

export type SavedRules =
  | { readonly kind: "saved"; readonly reading: RulesReading }
  | { readonly kind: "wrong"; readonly wrong: WrongRules }
  /** Another session has changed the rules; nothing was saved. */
  | { readonly kind: "overtaken" };

/**
 * Validates a text with its embedded tests and saves it as the active rule file. Invalid rules change nothing.
 * @param basedOn the text before editing; null to replace any text
 */
export async function saveRules(
  context: SandboxContext,
  text: string,
  basedOn: string | null,
): Promise<SavedRules> {
  const admin = await administer(context);
  const { file } = await admin.rules();
  const wrong = await whatIsWrong(text, file);
  if (wrong !== null) return { kind: "wrong", wrong };
  if (basedOn !== null && (await admin.rulesText()).text !== basedOn) return { kind: "overtaken" };
  return { kind: "saved", reading: await admin.saveRules(text) };
}

/** Reads the rule file again; its error is in `error`. */
export async function reloadRules(context: SandboxContext): Promise<RulesReading> {
  return (await administer(context)).reloadRules();
}

/** Removes the rule file: the starter rules decide again. */
export async function removeRules(context: SandboxContext): Promise<RulesReading> {
  return (await administer(context)).removeRules();
}

async function whatIsWrong(text: string, file: string): Promise<WrongRules | null> {
  // Validated here as well, because the sandbox's answer has the sentence only, not the excerpt.
  const { loadRules } = await import("#src/rules/rule-file/rule-file.ts");
  try {
    await loadRules(text, basename(file));
    return null;
  } catch (error) {
    if (error instanceof YamlFault) return { message: error.message, excerpt: error.excerpt };
    if (error instanceof Fault) return { message: error.message, excerpt: null };
    throw error;
  }
}
