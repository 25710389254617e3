// Saves a key that the user enters by hand from the administrative panel (spec 1.4 and section 3).

import type { ActionContext } from "#src/actions/action-context.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { CREDENTIAL_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { bodyProblem } from "#src/contract/fields/validate.ts";
import { labelOf, type Key } from "#src/contract/records/key.ts";
import type { Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_VALUE } from "#src/contract/secret.ts";
import type { SavedEntry } from "#src/vault/vault.ts";

export interface SavedKey extends SavedEntry {
  /** Takes back all that was saved. @throws Fault("storage") */
  undo(): Promise<void>;
}

/**
 * Puts a key into the vault, bound to the address that the profile has now, in place of the profile's earlier one of that
 * company or project, which is kept. For a credential whose merchant and risk level are known it creates the project: the
 * way after the 24 hours (spec section 3). Saves both or nothing.
 * @param replaces id of the entry to replace, null for none; by default any existing one
 * @throws Fault("usage") naming a value that cannot go into a header or holds a card number; Fault("storage") when another session was quicker
 */
export async function saveKey(context: ActionContext, key: Key, replaces?: string | null): Promise<SavedKey> {
  const label = labelOf(key);
  if (label !== null) requireLabel(label);
  insist({
    "key id": key.keyId,
    ...(key.kind === "integration_key" ? { "company id": key.companyId } : { "project id": key.projectId }),
    algorithm: key.algorithm,
  });
  // Without a label the vault alone knows it: a project has a merchant and a risk level.
  if (key.kind === "integration_key" || label === null) return putKey(context, key, replaces);
  const profile = context.profile.name;
  const projects = await context.projects();
  const known = await projects.get(profile, key.projectKey);
  const saved = await putKey(context, key, replaces);
  const project: Project = {
    ...(known ?? {
      key: key.projectKey,
      profile,
      companyId: "",
      ...label,
      name: label.merchantId,
      description: null,
      currency: null,
      startedAt: context.now(),
      provenStartAt: null,
      serviceOffsetMs: null,
    }),
    state: "ready",
    projectId: key.projectId,
  };
  try {
    await projects.put(project);
  } catch (error) {
    await saved.undo();
    throw error;
  }
  return {
    ...saved,
    async undo() {
      await saved.undo();
      if (known === null) await projects.remove(profile, key.projectKey);
      else await projects.put(known);
    },
  };
}

async function putKey(context: ActionContext, key: Key, replaces?: string | null): Promise<SavedKey> {
  const { projectsUrl, baseUrl } = context.addresses();
  const vault = await context.vault();
  await vault.refresh();
  const held = new Set(vault.list().map(({ id }) => id));
  const bound = key.kind === "integration_key" ? { ...key, projectsUrl } : { ...key, baseUrl };
  const saved = await vault.put({ ...bound, profile: context.profile.name }, replaces);
  return {
    ...saved,
    async undo() {
      // The very same key was there before.
      if (held.has(saved.id)) return;
      if (saved.former !== null) await vault.restore(saved.former.id);
      await vault.remove(saved.id);
    },
  };
}

/** The merchant id is sent in a body, so it is validated by the field table and not as a header. */
function requireLabel({ merchantId, riskLevel }: Pick<Project, "merchantId" | "riskLevel">): void {
  const body = { merchant_id: merchantId, risk_level: riskLevel };
  const wrong = bodyProblem(CREDENTIAL_FIELDS, body);
  if (wrong !== null) throw new Fault("usage", whole(wrong));
  refuseCardNumber("merchant id", merchantId);
}

/**
 * Restores a former entry of the vault; the current one becomes a former one.
 * @throws Fault("usage") when no former entry has this id, Fault("corrupt") when it does not open
 */
export async function restoreKey(context: ActionContext, id: string): Promise<SavedEntry> {
  const vault = await context.vault();
  const saved = await vault.restore(id);
  const entry = vault.list().find((each) => each.id === saved.id);
  if (entry?.kind !== "project_credential") return saved;
  const projects = await context.projects();
  const known = await projects.get(entry.profile, entry.projectKey);
  if (known !== null) await projects.put({ ...known, state: "ready", projectId: entry.projectId });
  return saved;
}

function insist(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    refuseCardNumber(name, value);
    if (!CREDENTIAL_VALUE.test(value)) {
      throw usage`The ${name} must be 1 to 256 printable ASCII characters without blanks; nothing was saved.`;
    }
  }
}

function refuseCardNumber(name: string, value: string): void {
  if (findCardData(value) === null) return;
  throw usage`The ${name} must not hold a full card number; nothing was saved.`;
}
