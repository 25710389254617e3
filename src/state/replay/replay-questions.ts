// Where the report of a run goes: asked, and asked again where it cannot be written.

import { faultOf } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import type { ReplayEngine } from "./replay-engine.ts";
import type { ReplayResult } from "./replay-result.ts";

/** Asks for a file and writes a report of the run into it; what cannot be written is explained and asked again. */
export function askReport(
  session: Pick<Session, "ask" | "say">,
  engine: Pick<ReplayEngine, "writeReport">,
  result: ReplayResult,
  initial: string = "",
): void {
  const write = async (file: string): Promise<void> => {
    if (file === "") return;
    try {
      const path = await engine.writeReport(file, result.info, result.comparison);
      session.say(`The report is written, personal data masked: ${path}`, "done");
    } catch (error) {
      session.say(faultOf(error).message, "error");
      askReport(session, engine, result, file);
    }
  };
  session.ask({
    label: "Report to",
    initial,
    placeholder: "a file: .html, .json, or .xml for JUnit",
    onSubmit: (file) => void write(file.trim()),
  });
}
