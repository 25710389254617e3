// Stores keys that the user enters by hand from the administrative panel (spec 1.4 and section 3).

import type { ActionContext } from "#src/actions/action-context.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { CREDENTIAL_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { bodyProblem } from "#src/contract/fields/validate.ts";
import { projectKey, type Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_VALUE, type Secret } from "#src/contract/secret.ts";
import type { IntegrationKey } from "#src/contract/wire/credential.ts";
import type { NewVaultEntry, SavedEntry } from "#src/vault/vault.ts";

export interface CredentialByHand {
  /** Names the project, and is never sent with a check; null where it is not known: then the project id names it. */
  readonly label: Pick<Project, "merchantId" | "riskLevel"> | null;
  readonly keyId: string;
  readonly projectId: string;
  readonly algorithm: string;
  readonly secret: Secret;
}

type Entry = ReturnType<Awaited<ReturnType<ActionContext["vault"]>>["list"]>[number];

export interface SavedKey extends SavedEntry {
  /** Takes back all that was saved. @throws Fault("storage") */
  undo(): Promise<void>;
}

/** The key of the project that a credential by hand is for. */
export function keyByHand({ label, projectId }: Pick<CredentialByHand, "label" | "projectId">): string {
  return label === null ? projectId : projectKey(label.merchantId, label.riskLevel);
}

/**
 * Puts an integration key into the vault, in place of the profile's earlier one of that company, which is kept.
 * @param replaces id of the entry to replace, null for none; by default any existing one
 * @throws Fault("usage") naming a value that cannot go into a header or holds a card number; Fault("storage") when another session was quicker
 */
export async function addIntegrationKey(
  context: ActionContext,
  key: IntegrationKey,
  replaces?: string | null,
): Promise<SavedKey> {
  insist({ "key id": key.keyId, "company id": key.companyId, algorithm: key.algorithm });
  return putKey(
    context,
    {
      kind: "integration_key",
      profile: context.profile.name,
      projectsUrl: context.addresses().projectsUrl,
      ...key,
    },
    replaces,
  );
}

/** Seals the secret of an entry for the address that the profile has now. @throws Fault("bad_input" | "storage") as the vault does */
export function enterKeyAgain(context: ActionContext, entry: Entry, secret: Secret): Promise<SavedKey> {
  const { projectsUrl, baseUrl } = context.addresses();
  const moved = entry.kind === "integration_key" ? { ...entry, projectsUrl } : { ...entry, baseUrl };
  return putKey(context, { ...moved, secret }, entry.id);
}

async function putKey(
  context: ActionContext,
  entry: NewVaultEntry,
  replaces?: string | null,
): Promise<SavedKey> {
  const vault = await context.vault();
  await vault.refresh();
  const held = new Set(vault.list().map(({ id }) => id));
  const saved = await vault.put(entry, replaces);
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

/**
 * Puts a credential into the vault and, where merchant and risk level are known, creates its project: the way after the
 * 24 hours (spec section 3). Saves both or nothing.
 * @param replaces as for an integration key
 * @throws Fault("usage") naming a value that cannot go into a header or holds a card number; Fault("storage") when another session was quicker
 */
export async function addCredential(
  context: ActionContext,
  entered: CredentialByHand,
  replaces?: string | null,
): Promise<SavedKey> {
  const { label } = entered;
  if (label !== null) requireLabel(label);
  insist({
    "key id": entered.keyId,
    "project id": entered.projectId,
    algorithm: entered.algorithm,
  });
  const profile = context.profile.name;
  const key = keyByHand(entered);
  const projects = await context.projects();
  const known = await projects.get(profile, key);
  const saved = await putKey(
    context,
    {
      kind: "project_credential",
      profile,
      projectKey: key,
      projectId: entered.projectId,
      keyId: entered.keyId,
      algorithm: entered.algorithm,
      baseUrl: context.addresses().baseUrl,
      secret: entered.secret,
    },
    replaces,
  );
  // Without a label the vault alone knows it: a project has a merchant and a risk level.
  if (label === null) return saved;
  const project: Project = {
    ...(known ?? {
      key,
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
    projectId: entered.projectId,
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
      if (known === null) await projects.remove(profile, key);
      else await projects.put(known);
    },
  };
}

/** The merchant id is sent in a body, so it is validated by the field table and not as a header. */
function requireLabel({ merchantId, riskLevel }: NonNullable<CredentialByHand["label"]>): void {
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
