// Exporting what the History screen lists: a file is asked for, and written while something else may be done.

import type { Context } from "#src/app/context.ts";
import { typedPath } from "#src/app/typed-path.ts";
import { safe } from "#src/display/safe.ts";
import { faultOf } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";

export interface HistoryExport {
  /** Asks for a file; its ending tells the format. @param filter of the entries; empty for all */
  ask(filter: string): void;
  /** Stops one under way; nothing of the file is left. False when none is. */
  cancel(): boolean;
}

/** Never rejects: what fails is said, and asked again with what was typed. */
export function createHistoryExport(context: Context, session: Session): HistoryExport {
  let under: AbortController | null = null;

  const write = async (typed: string, filter: string): Promise<void> => {
    const stop = new AbortController();
    under = stop;
    let percent = -1;
    const told = (done: number, all: number): void => {
      const now = all === 0 ? 100 : Math.floor((100 * done) / all);
      if (now === percent) return;
      percent = now;
      session.setBusy(`Exporting the history: ${now} %. Ctrl-C stops it.`);
    };
    try {
      const { exportedSentence, exportFormat, exportHistory } =
        await import("#src/actions/history/export-history.ts");
      const format = exportFormat(typed);
      const path = typedPath(typed);
      const where = filter === "" ? undefined : filter;
      const count = await exportHistory(context, { where, format, path }, stop.signal, told);
      session.say(exportedSentence(count, safe(path, { max: 200 })), "done");
    } catch (error) {
      const fault = faultOf(error);
      session.say(fault.message, fault.code === "interrupted" ? "note" : "error");
      if (fault.code !== "interrupted") ask(filter, typed);
    } finally {
      under = null;
      if (percent >= 0) session.setBusy(null);
    }
  };

  const ask = (filter: string, initial: string): void =>
    session.ask({
      label: filter === "" ? "Export all to" : "Export the filtered ones to",
      initial,
      placeholder: "a new file: .json or .csv",
      onSubmit: (text) => {
        const typed = text.trim();
        if (typed !== "") void write(typed, filter);
      },
    });

  return {
    ask(filter) {
      if (under !== null) return session.say("An export is under way; Ctrl-C stops it.", "note");
      ask(filter, "");
    },
    cancel() {
      if (under === null || under.signal.aborted) return false;
      under.abort();
      return true;
    },
  };
}
