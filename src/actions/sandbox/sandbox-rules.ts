// The rules of the sandbox: what decides there, what is wrong with the rule file, and its replacement.

import { basename } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import type { RuleSetFacts } from "#src/contract/records/rule-facts.ts";
import { YamlFault } from "#src/contract/text/yaml-source.ts";
import type { RulesReading, RulesText } from "#src/contract/wire/sandbox-wire.ts";
import { administer, type SandboxContext } from "./sandbox-access.ts";

/** Why a text cannot be rules. */
export interface WrongRules {
  /** One sentence, with file, line and column where there is a place. */
  readonly message: string;
  /** The line of the text, and a second line with `^` under the place; null where there is none. */
  readonly excerpt: string | null;
}

export interface SeenRules {
  readonly reading: RulesReading;
  /** Of the rules that decide, also while the file is wrong. */
  readonly facts: RuleSetFacts;
  /** What is wrong with the file as it stands; null when it decides, or when there is none. */
  readonly wrong: WrongRules | null;
}

/** @param before what was seen last: what has not changed since is not asked for again */
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

/** What decides, or what stands in the file and is wrong. */
export async function rulesText(context: SandboxContext): Promise<RulesText> {
  return (await administer(context)).rulesText();
}

export type SavedRules =
  | { readonly kind: "saved"; readonly reading: RulesReading }
  | { readonly kind: "wrong"; readonly wrong: WrongRules }
  /** Somebody else has changed the rules meanwhile; nothing was saved. */
  | { readonly kind: "overtaken" };

/**
 * Checks a text, its embedded tests included, and makes it the rule file; then it decides. Wrong rules change nothing.
 * @param basedOn the text that was changed; null replaces whatever stands there now
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

/** Reads the rule file again; what is wrong with it is in `error`. */
export async function reloadRules(context: SandboxContext): Promise<RulesReading> {
  return (await administer(context)).reloadRules();
}

/** Removes the rule file: the starter rules decide again. */
export async function removeRules(context: SandboxContext): Promise<RulesReading> {
  return (await administer(context)).removeRules();
}

async function whatIsWrong(text: string, file: string): Promise<WrongRules | null> {
  // The sandbox is this program in this version, and finds the same; only the sentence would come over the wire.
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
