// Lists the project credentials in the vault, and the projects by what it holds.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { Project } from "#src/contract/records/project.ts";

/**
 * Entries of the profile's project credentials, oldest first. They name keys and hold no secret.
 * @throws Fault("vault_locked" | "storage" | "corrupt") when the vault cannot be opened
 */
export async function heldCredentials(context: Pick<ActionContext, "vault" | "profile">) {
  const vault = await context.vault();
  // A key that another session has removed must not be used any more.
  await vault.refresh();
  return vault
    .list()
    .filter((entry) => entry.kind === "project_credential")
    .filter((entry) => entry.profile === context.profile.name);
}

/** The profile's projects, the last registered last; as they are stored where the vault cannot be opened. */
export async function knownProjects(
  context: Pick<ActionContext, "vault" | "profile" | "projects">,
): Promise<readonly Project[]> {
  // Both are opened at once: a console that is left meanwhile must open nothing more.
  const [stored, held] = await Promise.all([context.projects(), heldCredentials(context).catch(() => null)]);
  const projects = await stored.list(context.profile.name);
  if (held === null) return projects;
  const isHeld = ({ key }: Project): boolean => held.some(({ projectKey }) => projectKey === key);
  return projects.map((project) =>
    project.state === "ready" || project.state === "removed"
      ? { ...project, state: isHeld(project) ? "ready" : "removed" }
      : project,
  );
}
