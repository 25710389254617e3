// Finds the project of a check: the named one, or the only one.

import type { ActionContext } from "#src/actions/action-context.ts";
import { heldCredentials, knownProjects } from "#src/actions/register/held-credentials.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { ADD_COMMAND } from "#src/contract/records/key.ts";
import { windowEnd } from "#src/contract/records/project.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { ProjectCredential } from "#src/contract/wire/credential.ts";
import { shellWord } from "#src/display/shell-word.ts";

export interface ChosenProject {
  /** `<merchant_id>/<risk_level>` */
  readonly key: string;
  readonly credential: ProjectCredential;
}

/**
 * Finds the project and its credential.
 * @param key `<merchant_id>/<risk_level>`, a project id, or undefined for the only project of the profile
 * @param option how the user can name another one, for messages
 * @throws Fault("credential_missing") when there is none, Fault("usage") when several could be meant,
 *   Fault("vault_locked")
 */
export async function chooseProject(
  context: ActionContext,
  key: string | undefined,
  option: string = "--project",
): Promise<ChosenProject> {
  const vault = await context.vault();
  const chosen = await nameProject(context, key, option);
  if (vault.lockState() === "locked") await vault.ensureOpen();
  return {
    key: chosen.key,
    credential: vault.credential(context.profile.name, chosen.key, context.addresses().baseUrl),
  };
}

/** A project by name, without its credential. */
export interface NamedProject {
  /** `<merchant_id>/<risk_level>` */
  readonly key: string;
  readonly projectId: string;
}

/**
 * Finds the project of an unsigned question, without opening the vault.
 * @throws Fault("credential_missing" | "usage") as `chooseProject` does
 */
export async function nameProject(
  context: ActionContext,
  key: string | undefined,
  option: string = "--project",
): Promise<NamedProject> {
  const profile = context.profile.name;
  const held = (await heldCredentials(context)).filter(
    (entry) => key === undefined || entry.projectKey === key || entry.projectId === key,
  );

  if (held.length === 0) {
    throw new Fault("credential_missing", whole(await explainMissing(context, key)));
  }
  if (held.length > 1) {
    const keys = held.map((entry) => escapeText(entry.projectKey)).toSorted();
    throw usage`Profile ${profile} has ${held.length} projects; name one with ${option}: ${whole(keys.join(", "))}.`;
  }
  const chosen = held[0]!;
  return { key: chosen.projectKey, projectId: chosen.projectId };
}

async function explainMissing(context: ActionContext, key: string | undefined): Promise<string> {
  const projects = await knownProjects(context);
  if (key === undefined) {
    const waiting = projects.find(({ state }) => ["registered", "unknown", "removed"].includes(state));
    const isSandbox = context.profile.environment === "SANDBOX";
    const another = isSandbox ? ' It is the built-in sandbox; "verdict init" sets up another service.' : "";
    return waiting === undefined
      ? `Profile ${context.profile.name} has no project credential; register a project with "verdict project register --wait", or enter a credential with "${ADD_COMMAND.project_credential}".${another}`
      : `Project ${escapeText(waiting.key)} is registered but its credential is not in the vault; run "verdict project credential --merchant-id ${shellWord(waiting.merchantId)} --risk-level ${waiting.riskLevel} --wait".`;
  }
  const known = projects.find((project) => project.key === key);
  if (known === undefined) {
    return `Profile ${context.profile.name} has no project "${escapeText(key, 80)}"; "verdict project list" lists its projects.`;
  }
  const words = `--merchant-id ${shellWord(known.merchantId)} --risk-level ${known.riskLevel}`;
  const serviceNow = context.now() + (known.serviceOffsetMs ?? 0);
  const isOver = serviceNow >= windowEnd(known);
  return known.state === "closed" || isOver
    ? `Project ${escapeText(known.key)} has no credential, and its 24 hours are over; "verdict project credential ${words}" explains how to enter the credential from the administrative panel.`
    : `Project ${escapeText(known.key)} has no credential yet; run "verdict project credential ${words} --wait".`;
}
