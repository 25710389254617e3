// What a replay asks before it does what cannot be undone, and where a report goes.

import type { Profile } from "#src/contract/profile.ts";
import { faultOf } from "./guarded.ts";
import type { ReplayEngine } from "./replay-engine.ts";
import type { ReplayResult } from "./replay-result.ts";
import type { Session } from "./session.ts";

/**
 * Asks before anything is sent anywhere but to the sandbox: a question, or on a live service the profile's name, typed.
 * @param what what would be done: `Send 40 checks worth 1 200.00 UAH`
 */
export function askBeforeSending(
  session: Pick<Session, "confirm" | "ask" | "say">,
  profile: Profile,
  what: string,
  run: () => void,
): void {
  if (profile.environment === "SANDBOX") return run();
  const text = `${what} to ${profile.baseUrl} of the profile ${profile.name}?`;
  if (profile.environment === "TEST") {
    return session.confirm({ title: "Start the replay", text, yes: "Start", onYes: run });
  }
  session.say(`${what} to the LIVE service at ${profile.baseUrl}?`, "error");
  session.ask({
    label: `Type ${profile.name} to start`,
    onSubmit: (typed) => {
      if (typed.trim() === profile.name) run();
      else session.say("That is not the name of the profile; nothing was sent.", "note");
    },
  });
}

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
