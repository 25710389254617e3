// The user's own commands: what each runs for the check that is shown, why not, and the question before one that sends.

import { createStore } from "zustand/vanilla";
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
import type { Session } from "./session.ts";

/** A program that gets the terminal until it ends. */
export interface ProgramRun extends Pick<OwnCommand, "name" | "wait"> {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** What it gets beside the environment: the values of placeholders. */
  readonly variables: Readonly<Record<string, string>>;
  /** @param problem how it ended, as the rest of a sentence about it; null when it ended well */
  readonly onEnd: (problem: string | null) => void;
}

export function createOwnCommands(profile: Profile, session: Session, commands: readonly OwnCommand[]) {
  const store = createStore<{ readonly asked: ProgramRun | null }>(() => ({ asked: null }));
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
    store.setState({ asked: { name, wait, words, variables, onEnd } });
  };

  const run = async (
    command: OwnCommand,
    words: readonly string[],
    entry: HistoryEntry | null,
  ): Promise<void> => {
    const what = `Run ${safe(words.join(" "))}, which sends`;
    const batch = { title: command.label, what, yes: "Run" };
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
    store,
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
    /** The program that was asked for is taken, so that it is run once. */
    taken: () => store.setState({ asked: null }),
  };
}

export type OwnCommands = ReturnType<typeof createOwnCommands>;
