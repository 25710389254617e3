// verdict history salvage and prune: rescues readable entries of a damaged history, removes old ones.

import { readMoment } from "#src/actions/history/find-history.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { declined, sayDone } from "#src/cli/done.ts";
import { progressBar } from "#src/cli/progress-bar.ts";
import { Fault, interrupted } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { counted } from "#src/display/count.ts";
import { formatZoned } from "#src/display/time.ts";
import type { HISTORY_PRUNE } from "./history-options.ts";
import type { Asking } from "#src/cli/option-specs.ts";

const WHOLE = "The history is whole; nothing was changed.";

export const salvage: CommandRun<Asking> = async (invocation) => {
  const { context, options, output, signal } = invocation;
  const opened = await context();
  const history = await opened.history();
  const sound = await isSound(() => history.verify(signal, progressBar(output, "Verifying the history")));
  output.progress(null);
  if (signal.aborted) throw interrupted`Stopped; nothing was changed.`;
  const question = "Set the damaged history aside and keep what can be read of it in a new one?";
  const nothing = { saved: 0, of: 0, outcomes: 0, aside: null };
  if (sound) return sayDone(invocation, nothing, WHOLE);
  if (!(await confirm(invocation, question))) return declined(invocation, nothing, "Nothing was changed.");
  const salvaged = await history.salvage(opened.now(), progressBar(output, "Saving the history"));
  output.progress(null);
  const { saved = 0, of = 0, outcomes = 0, aside = null } = salvaged ?? {};
  if (options.json) output.json({ schema: 1, saved, of, outcomes, aside });
  // Another process has done it since.
  else if (aside === null) output.line(WHOLE);
  else {
    output.line(
      `Saved ${saved} of about ${of} entries, and the labels of ${counted(outcomes, "order")}; the damaged history is kept in ${escapeText(aside)}.`,
    );
  }
};

/** @param verify rejects with Fault("corrupt") when the tables cannot be read */
async function isSound(verify: () => Promise<{ readonly isWhole: boolean } | null>): Promise<boolean> {
  try {
    const check = await verify();
    return check === null || check.isWhole;
  } catch (error) {
    if (error instanceof Fault && error.code === "corrupt") return false;
    throw error;
  }
}

export const prune: CommandRun<typeof HISTORY_PRUNE> = async (invocation) => {
  const { context, options, output, signal } = invocation;
  const opened = await context();
  const before = readMoment(opened, "--before", options.before);
  const history = await opened.history();
  const onProgress = progressBar(output, "Pruning the history");
  const look = async (dry: boolean): Promise<Awaited<ReturnType<typeof history.prune>>> => {
    const pruned = await history.prune({ before, dryRun: dry }, signal, onProgress);
    output.progress(null);
    return pruned;
  };
  const day = formatZoned(before);
  let pruned = await look(true);
  if (!options.dryRun && pruned.removed > 0) {
    const question = `Remove ${counted(pruned.removed, "entry", "entries")} made before ${day} for good, and keep ${pruned.kept}?`;
    if (!(await confirm(invocation, question))) {
      const nothing = { dry_run: false, removed: 0, kept: pruned.removed + pruned.kept, freed_bytes: 0 };
      return declined(invocation, { before: new Date(before).toISOString(), ...nothing });
    }
    pruned = await look(false);
  }
  if (options.json)
    return output.json({
      schema: 1,
      before: new Date(before).toISOString(),
      dry_run: options.dryRun,
      removed: pruned.removed,
      kept: pruned.kept,
      freed_bytes: pruned.freedBytes,
    });
  const entries = counted(pruned.removed, "entry", "entries");
  const behind = counted(pruned.behind, "entry", "entries");
  if (pruned.removed === 0 && pruned.behind > 0) {
    output.line(
      `${behind} made before ${day} ${pruned.behind === 1 ? "is" : "are"} stored behind a newer entry, because a clock was set back; verdict removes only the oldest entries, so nothing was removed.`,
    );
  } else if (pruned.removed === 0) output.line(`No entry was made before ${day}; nothing was removed.`);
  else if (options.dryRun) {
    output.line(
      `${entries} made before ${day} would be removed (about ${sizeText(pruned.freedBytes)}), and ${pruned.kept} kept.`,
    );
  } else {
    output.line(
      `${entries} made before ${day} are removed, and ${pruned.kept} are kept; new entries will use the ${sizeText(pruned.freedBytes)}, and the file keeps its size.`,
    );
  }
};

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const mib = bytes / 1024 ** 2;
  return mib < 1 ? `${Math.round(bytes / 1024)} KiB` : `${mib.toFixed(mib < 10 ? 1 : 0)} MiB`;
}
