// What can be done about a run that is not whole: the command that goes on with it, or sends its failed items once more.

import { withoutVerdict, type RunInfo } from "#src/contract/records/run.ts";
import { counted } from "#src/display/count.ts";
import { shellWord } from "#src/display/shell-word.ts";

/**
 * @param how.isDone true where the run has just come to the end of its sources
 * @param how.isNamed true where its profile must be named, because another one is in use
 * @returns one sentence; null where every item has a trustworthy verdict
 */
export function nextStep(
  info: RunInfo,
  how: { readonly isDone: boolean; readonly isNamed: boolean },
): string | null {
  const { id, state, summary, isolated, copyOf } = info;
  const profile = how.isNamed ? ` --profile ${shellWord(info.profile)}` : "";
  if (state === "partial") {
    if (copyOf !== undefined) {
      return `Run ${id} is partial, because one of its runs is, or a shard is missing; complete them, and merge them again.`;
    }
    const what = whatIsLeft(info, how.isDone);
    if (isolated !== undefined) return `${what}; its sandbox is gone, so replay its sources again.`;
    const again = info.sources.includes("-") ? ", with the same standard input" : "";
    return `${what}; go on with "verdict replay --continue ${id}${profile}"${again}.`;
  }
  const lacking = summary === null ? 0 : withoutVerdict(summary.counts);
  if (lacking === 0) return null;
  const kind = summary!.counts.unknown === lacking ? "unknown" : "failed";
  return `${counted(lacking, "item has", "items have")} no trustworthy verdict; a second check of each is "verdict replay --again ${kind} ${id}${profile}".`;
}

function whatIsLeft({ id, summary }: RunInfo, isDone: boolean): string {
  if (summary === null) return `Run ${id} was interrupted, or is still in progress`;
  const { counts, undecided = 0 } = summary;
  const { total, notSent } = counts;
  const refused = undecided - notSent;
  if (!isDone) {
    const sent = counted(total - notSent, "of its items was sent", "of its items were sent");
    return `Run ${id} is partial: ${sent}${refused > 0 ? `, ${refused} of them refused before a decision` : ""}`;
  }
  return [
    ...(notSent > 0 ? [`${counted(notSent, "item was", "items were")} not sent`] : []),
    ...(refused > 0 ? [`${counted(refused, "item was", "items were")} refused before a decision`] : []),
  ].join(", and ");
}
