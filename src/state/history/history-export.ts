// Exports the listed history entries to a file in the background.

import type { Context } from "#src/app/context.ts";
import { typedPath } from "#src/app/typed-path.ts";
import { safe } from "#src/display/safe.ts";
import { pathCompletion } from "#src/state/path-completion.ts";
import { faultOf } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";

/** Never rejects: what fails is said, and the prompt opens again with what was typed. */
export function createHistoryExport(context: Context, session: Session) {
  let under: AbortController | null = null;

  /** @returns why nothing was written; null where it was, or was stopped */
  const write = async (typed: string, filter: string): Promise<string | null> => {
    const stop = new AbortController();
    under = stop;
    let percent = -1;
    const showProgress = (done: number, all: number): void => {
      const now = all === 0 ? 100 : Math.floor((100 * done) / all);
      if (now === percent) return;
      percent = now;
      session.setBusy(`Exporting the history: ${now} %. ${session.keyName("shell.interrupt")} stops it.`);
    };
    try {
      const { exportedSentence, exportFormat, exportHistory } =
        await import("#src/actions/history/export-history.ts");
      const format = exportFormat(typed);
      const path = typedPath(typed);
      const where = filter === "" ? undefined : filter;
      const count = await exportHistory(context, { where, format, path }, stop.signal, showProgress);
      session.say(exportedSentence(count, safe(path, { max: 200 })), "done");
      return null;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.code !== "interrupted") return fault.message;
      session.say(fault.message, "note");
      return null;
    } finally {
      under = null;
      if (percent >= 0) session.setBusy(null);
    }
  };

  return {
    /** Asks for a file; its ending tells the format. @param filter of the entries; empty for all @param which them in words */
    async ask(filter: string, which: string) {
      if (under !== null)
        return session.say(`An export is under way; ${session.keyName("shell.interrupt")} stops it.`, "note");
      await session.askUntil(
        {
          label: `Export ${which} to`,
          placeholder: "a new file: .json or .csv",
          complete: pathCompletion(session),
        },
        (typed) => (typed === "" ? null : write(typed, filter)),
      );
    },
    /** Stops one under way; nothing of the file is left. False when none is. */
    cancel() {
      if (under === null || under.signal.aborted) return false;
      under.abort();
      return true;
    },
    isUnderWay: () => under !== null,
  };
}
