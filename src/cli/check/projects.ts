// verdict project list: lists the registered projects and the time left to fetch each credential.

import { heldCredentials, knownProjects } from "#src/actions/register/held-credentials.ts";
import type { Context } from "#src/app/context.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { projectJson, type ListedProject } from "#src/cli/json-shapes.ts";
import { currencyLetters } from "#src/contract/lists/currency-words.ts";
import { isRegisteredHere, windowEnd } from "#src/contract/records/project.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { safe } from "#src/display/safe.ts";
import { formatDuration } from "#src/display/time.ts";
import type { Json } from "#src/cli/option-specs.ts";

export const projects: CommandRun<Json> = async ({ context, options, output }) => {
  const opened = await context();
  const registered = await knownProjects(opened);
  const credentials = await heldCredentials(opened);
  const held = new Set(credentials.map(({ projectKey }) => projectKey));
  const entered = credentials
    .filter(({ projectKey }) => registered.every(({ key }) => key !== projectKey))
    .map(byCredentialAlone);
  const all: readonly ListedProject[] = [...registered, ...entered];
  if (options.json)
    return all.forEach((project) =>
      output.json(projectJson(project, windowEnd(project), held.has(project.key))),
    );
  if (all.length === 0)
    return output.advise(
      `Profile ${safe(opened.profile.name)} has no projects; "verdict project register --wait" registers one.`,
    );
  const virtualNow = await sandboxTime(opened);
  const rows = all.map((project) => [
    safe(project.key),
    project.state,
    project.currency === null ? "-" : (currencyLetters(project.currency) ?? String(project.currency)),
    project.projectId === null ? "-" : safe(project.projectId),
    held.has(project.key)
      ? "in the vault"
      : windowText(project, virtualNow ?? opened.now() + (project.serviceOffsetMs ?? 0)),
  ]);
  output.table(["PROJECT", "STATE", "CURRENCY", "PROJECT ID", "CREDENTIAL"], rows);
};

function byCredentialAlone({
  profile,
  projectKey,
  projectId,
}: Awaited<ReturnType<typeof heldCredentials>>[number]): ListedProject {
  const unknown = {
    merchantId: null,
    riskLevel: null,
    name: "",
    description: null,
    companyId: "",
    currency: null,
  };
  const times = { startedAt: 0, provenStartAt: null, serviceOffsetMs: null };
  return { ...unknown, ...times, profile, key: projectKey, projectId, state: "ready" };
}

/** Virtual time of the home's sandbox, if it runs: its clock may have been moved since the last answer. */
async function sandboxTime(context: Context): Promise<number | null> {
  if (context.profile.environment !== "SANDBOX") return null;
  const { joinSandbox } = await import("#src/app/sandbox-launch.ts");
  const running = await joinSandbox(context.home);
  if (running === null) return null;
  try {
    return (await running.admin.clock()).virtualTime;
  } finally {
    running.lease.close();
  }
}

function windowText(project: ListedProject, now: number): string {
  if (project.state === "refused") return "registration refused";
  if (!isRegisteredHere(project)) return "not in the vault; take it from the administrative panel";
  // A clock that was set back would show more than the whole window.
  const left = Math.min(windowEnd(project) - now, CREDENTIAL_WINDOW_MS);
  return left > 0 && project.state !== "closed"
    ? `window closes in ${formatDuration(left)}`
    : "window closed; take it from the administrative panel";
}
