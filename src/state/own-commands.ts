// The user's own commands: what each runs for the check that is shown, why not, and the question before one that sends.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import {
  fillArgument,
  ownVariables,
  type OwnCommand,
  type OwnScreen,
} from "#src/contract/records/own-command.ts";
import { whyNotSend, type Profile } from "#src/contract/records/profile.ts";
import { safe } from "#src/display/safe.ts";
import { agreeToBatch } from "./live-fence.ts";
import { liftKeys } from "./check/checks-state.ts";
import type { ProgramRun, Session } from "./session.ts";

export function createOwnCommands(profile: Profile, session: Session, commands: readonly OwnCommand[]) {
  let isRunning = false;

  const start = (
    { name, wait }: OwnCommand,
    words: readonly string[],
    variables: ProgramRun["variables"],
  ): void => {
    // A key that is pressed while the terminal is being handed over.
    if (isRunning) return;
    isRunning = true;
    const onEnd = (problem: string | null): void => {
      isRunning = false;
      if (problem !== null) session.say(`The command "${name}" ${problem}.`, "error");
    };
    session.runProgram({ name, wait, words, variables, onEnd });
  };

  const run = async (
    command: OwnCommand,
    words: readonly string[],
    entry: HistoryEntry | null,
  ): Promise<void> => {
    const what = `Run ${safe(words.join(" "))}, which sends`;
    const batch = { what, yes: "run" };
    if (command.sends && !(await agreeToBatch(session, profile, batch))) return;
    start(command, words, ownVariables({ entry, profile }));
  };

  /** The words of a command, or why it cannot be run, as a sentence. */
  const wordsOf = (
    { run: written, sends }: OwnCommand,
    entry: HistoryEntry | null,
  ): readonly string[] | string => {
    const why = sends ? whyNotSend(profile, liftKeys(session.keyName)) : null;
    if (why !== null) return why;
    if (sends && entry !== null && entry.profile !== profile.name)
      return `This check belongs to the profile ${safe(entry.profile)}; switch to that profile first.`;
    try {
      return written.map((argument) => fillArgument(argument, { entry, profile }));
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
  };

  return {
    /** The commands of a screen for the check that it shows, for a layer: each has a handler or a reason. */
    keys(screen: OwnScreen, entry: HistoryEntry | null) {
      const handlers: Record<string, () => void> = {};
      const disabled: Record<string, string> = {};
      for (const command of commands.filter(({ on }) => on.includes(screen))) {
        const words = wordsOf(command, entry);
        if (typeof words === "string") disabled[`own.${command.name}`] = words;
        else handlers[`own.${command.name}`] = () => void run(command, words, entry);
      }
      return { handlers, disabled };
    },
  };
}

export type OwnCommands = ReturnType<typeof createOwnCommands>;
