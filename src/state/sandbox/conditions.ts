// The conditions of the sandbox (clock, faults, snapshots) and the commands that change them.

import { createStore } from "zustand/vanilla";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { readConditions, type SandboxConditions } from "#src/actions/sandbox/sandbox-conditions.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { faultText } from "#src/contract/wire/sandbox-fault.ts";
import { counted } from "#src/display/count.ts";
import { formatDateTime, formatDuration } from "#src/display/time.ts";
import type { Composer } from "#src/state/check/composer.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { everyInterval, type Every } from "#src/state/timers.ts";
import {
  commandForms,
  readCommand,
  whichChecks,
  type CommandForm,
  type CommandReading,
  type CommandWords,
  type SandboxCommand,
} from "./sandbox-commands.ts";

export interface ConditionsState {
  /** Null while there is no sandbox to ask. */
  readonly seen: SandboxConditions | null;
  readonly words: CommandWords;
}

/** Commands and other sessions may change them as well. */
const REFRESH_MS: Milliseconds = 5_000;

const NOT_HERE = "only the sandbox accepts such commands, and this profile does not use the sandbox";

export function createConditions(
  context: SandboxContext,
  session: Session,
  composer: Pick<Composer, "magicOrder">,
  every: Every = everyInterval,
) {
  const isSandbox = context.profile.environment === "SANDBOX";
  const store = createStore<ConditionsState>(() => ({ seen: null, words: { magic: [], snapshots: [] } }));
  const get = store.getState;

  const take = (seen: SandboxConditions | null): void => {
    const before = get().seen;
    // Nothing is drawn again for what has not changed.
    if (JSON.stringify(seen) === JSON.stringify(before)) return;
    store.setState({ seen });
    const { screen } = session.store.getState();
    const error = seen?.ruleError ?? null;
    if (error !== null && error !== before?.ruleError && screen !== "rules" && screen !== "demo") {
      session.say(
        `The rule file is wrong, and the previous rules stay in effect; ${session.keyName("shell.rules")} shows where. ${error}`,
        "error",
      );
    }
  };

  const refresh = async (): Promise<void> => {
    try {
      take(await readConditions(context));
    } catch (error) {
      // It has ended or is being replaced; the next call that needs it reports that.
      if (!(error instanceof Fault)) throw error;
      take(null);
    }
  };

  const learnWords = async (): Promise<void> => {
    if (!isSandbox) return;
    await reportFaults(session, async () => {
      const { listSnapshots, magicOrders } = await import("#src/actions/sandbox/sandbox-conditions.ts");
      const [magic, snapshots] = await Promise.all([magicOrders(context), listSnapshots(context)]);
      const names = snapshots.flatMap(({ name }) => (name === null ? [] : [name]));
      store.setState({ words: { magic: magic.enabled ? magic.values : [], snapshots: names } });
    });
  };

  /** Does it and says what came of it. */
  const act = async (act: () => Promise<string>): Promise<void> => {
    const said = await reportFaults(session, act);
    await refresh();
    if (said !== null) session.say(said, "done");
  };

  const clearFaults = `"faults clear" in the palette (${session.keyName("shell.palette")})`;
  const give = async (command: SandboxCommand): Promise<void> => {
    const sandbox = await import("#src/actions/sandbox/sandbox-conditions.ts");
    switch (command.do) {
      case "order":
        composer.magicOrder(command.prefix);
        session.go("check");
        return session.say(`The next check has an order id that begins with ${command.prefix}.`, "note");
      case "clock":
        return act(async () => {
          const { virtualTime, frozen, note } = await sandbox.changeClock(context, command.change);
          return `The sandbox's clock ${frozen ? "stands at" : "shows"} ${formatDateTime(virtualTime)}.${note === undefined ? "" : ` ${note}`}`;
        });
      case "fault":
        return act(async () => {
          const fault = await sandbox.addFault(context, command.order);
          const { faults = [] } = (await readConditions(context)) ?? {};
          // Those before it take effect first, or add to it.
          if (faults.length > 1)
            return `${counted(faults.length, "fault")} are pending, the last is ${faultText(fault)}; ${clearFaults} ends them.`;
          const meets = whichChecks(fault);
          return `${meets[0]!.toUpperCase()}${meets.slice(1)}: ${faultText(fault)}; ${clearFaults} ends it.`;
        });
      case "clear_faults":
        return act(async () => {
          await sandbox.clearFaults(context);
          return "The sandbox has no injected faults any more.";
        });
      case "snapshot":
        return act(async () => {
          const { projects, decisions } = await sandbox.takeSnapshot(context, command.name);
          return `The snapshot "${command.name}" has ${counted(projects, "project")} and ${counted(decisions, "decision")}.`;
        });
      case "restore":
        return session.confirm({
          title: "Restore a snapshot",
          text: `Projects, counts, decisions and the clock of the sandbox go back to the snapshot "${command.name}"; what came after it is lost there. The history of this console stays.`,
          yes: "Restore",
          onYes: () =>
            void act(async () => {
              const { projects, decisions, virtualTime } = await sandbox.restoreSnapshot(
                context,
                command.name,
              );
              return `Restored ${counted(projects, "project")} and ${counted(decisions, "decision")}; the sandbox's clock shows ${formatDateTime(virtualTime)}.`;
            }),
        });
      case "reset":
        return session.confirm(
          resetQuestion(command.keepProjects, () => void act(() => reset(command.keepProjects))),
        );
    }
  };

  const reset = async (keepProjects: boolean): Promise<string> => {
    const { resetSandbox } = await import("#src/actions/sandbox/sandbox-conditions.ts");
    await resetSandbox(context, keepProjects);
    return keepProjects
      ? "The sandbox removed all counts and decisions; its projects did not change."
      : `The sandbox is as after its first start; press ${session.keyName("shell.register")} to register a project again.`;
  };

  return {
    store,
    /** Asks the sandbox, if one is there. Never rejects. */
    refresh,
    /** Refreshes now and then; returns how to stop. */
    watch() {
      if (!isSandbox) return () => undefined;
      void refresh();
      return every(REFRESH_MS, () => void refresh());
    },
    /** Learns which snapshots and order ids a command can name. Never rejects. */
    learnWords,
    /** Commands that are offered; none away from the sandbox. */
    forms: (): readonly CommandForm[] => (isSandbox ? commandForms(get().words) : []),
    /** What a typed line means; null when it is no command. */
    read(line: string): CommandReading | null {
      const reading = readCommand(line, get().words);
      return reading === null || isSandbox ? reading : { kind: "unclear", problem: NOT_HERE };
    },
    /** Gives a command; what would be lost for good is asked about first. Never rejects. */
    run: (command: SandboxCommand) => give(command),
  };
}

function resetQuestion(keepProjects: boolean, onYes: () => void): Parameters<Session["confirm"]>[0] {
  const what = keepProjects ? "every decision, count and fault" : "every project, decision, count and fault";
  const after = keepProjects ? "Its projects stay." : "Credentials of its projects become invalid.";
  return {
    title: "Reset the sandbox",
    text: `The sandbox forgets ${what}, and its clock goes back to real time. ${after} The history of this console stays.`,
    yes: "Reset",
    onYes,
  };
}

/** What the header shows: `FROZEN`, `CLOCK +1 d`, `2 FAULTS`. */
export function conditionMarks(seen: SandboxConditions | null): readonly string[] {
  if (seen === null) return [];
  const { movedByMs, frozen, faults } = seen;
  const sign = movedByMs < 0 ? "-" : "+";
  const clock = frozen
    ? ["FROZEN"]
    : movedByMs === 0
      ? []
      : [`CLOCK ${sign}${formatDuration(Math.abs(movedByMs))}`];
  const count = faults.length;
  return [...clock, ...(count === 0 ? [] : [counted(count, "FAULT", "FAULTS")])];
}
