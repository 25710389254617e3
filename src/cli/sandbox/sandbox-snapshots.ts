// verdict sandbox snapshot, restore and reset: saves, restores and clears the state of the sandbox.

import { resolve } from "node:path";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { declined, sayDone } from "#src/cli/done.ts";
import { usage } from "#src/contract/fault.ts";
import { SNAPSHOT_NAME, type SnapshotFacts, type SnapshotOrder } from "#src/contract/wire/sandbox-wire.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { formatZoned } from "#src/display/time.ts";
import { withSandbox, type Targeted } from "./sandbox-session.ts";
import type { Asking } from "#src/cli/option-specs.ts";
import type { RESETTING } from "./sandbox-options.ts";

export const snapshot: CommandRun<Targeted> = async (invocation) => {
  const { args, options, output } = invocation;
  if (args[0] === undefined) return listSnapshots(invocation);
  const order = orderOf(args[0]);
  return withSandbox(invocation, async ({ admin }) => {
    const facts = await admin.snapshot(order);
    if (options.json) output.json(snapshotJson(facts));
    else output.line(`Snapshot of ${held(facts)}: ${safe(facts.path)}`);
  });
};

export const restore: CommandRun<Targeted & Asking> = async (invocation) => {
  const order = orderOf(invocation.args[0]!);
  const what = "Set projects, counts, decisions and virtual time back to the snapshot?";
  if (!(await confirm(invocation, what)))
    return declined(invocation, { restored: false }, "Nothing was restored.");
  return withSandbox(invocation, async ({ admin }) => {
    const facts = await admin.restore(order);
    const { options, output } = invocation;
    if (options.json) output.json(snapshotJson(facts));
    else output.line(`Restored ${held(facts)}; virtual time ${formatZoned(facts.virtualTime)}.`);
  });
};

export const reset: CommandRun<typeof RESETTING> = async (invocation) => {
  const { options } = invocation;
  const keepProjects = options.keepProjects;
  const tenant = options.tenant;
  const whose = tenant === undefined ? "the sandbox" : `the tenant ${safe(tenant)}`;
  const forgotten = keepProjects ? "decision" : "project, decision";
  const what = `Forget every ${forgotten}, count and fault of ${whose}, and set its clock to real time?`;
  if (!(await confirm(invocation, what)))
    return declined(invocation, { reset: false, projects_kept: true }, "Nothing was reset.");
  return withSandbox(invocation, async ({ admin }) => {
    await admin.reset({ keepProjects });
    const kept = keepProjects
      ? ", but for its projects"
      : "; its integration keys are the same, credentials of its projects are void";
    sayDone(
      invocation,
      { reset: true, projects_kept: keepProjects },
      `Reset ${whose}: it is as at its start${kept}.`,
    );
  });
};

async function listSnapshots(invocation: Invocation<Targeted>): Promise<void> {
  const { options, output } = invocation;
  return withSandbox(invocation, async ({ admin }) => {
    const snapshots = await admin.snapshots();
    if (options.json) return output.json({ schema: 1, snapshots: snapshots.map(snapshotJson) });
    if (snapshots.length === 0)
      return output.advise('No snapshots; "verdict sandbox snapshot NAME" creates a snapshot.');
    const rows = snapshots.map(({ name, at, virtualTime, projects, decisions }) => [
      name ?? "",
      formatZoned(at),
      formatZoned(virtualTime),
      String(projects),
      String(decisions),
    ]);
    const headings = ["SNAPSHOT", "TAKEN", "VIRTUAL TIME", "PROJECTS", "DECISIONS"];
    output.table(headings, rows, [3, 4]);
  });
}

/** A word with a slash or the extension is a file, any other a name. @throws Fault("usage") */
function orderOf(word: string): SnapshotOrder {
  if (word.includes("/") || word.includes("\\") || word.endsWith(".snapshot")) return { path: resolve(word) };
  if (SNAPSHOT_NAME.test(word)) return { name: word };
  throw usage`A snapshot is a name such as "before-demo" or a file such as ./before.snapshot, not "${word}".`;
}

/** What the commands print with --json for one snapshot. */
function snapshotJson(facts: SnapshotFacts) {
  const { name, path, at, virtualTime, projects, decisions, bytes } = facts;
  return {
    schema: 1,
    name,
    path,
    at: new Date(at).toISOString(),
    virtual_time: new Date(virtualTime).toISOString(),
    projects,
    decisions,
    bytes,
  };
}

function held({ projects, decisions }: SnapshotFacts): string {
  return safe(`${counted(projects, "project")} and ${counted(decisions, "decision")}`);
}
