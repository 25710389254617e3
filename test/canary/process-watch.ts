// Looks at the arguments and the environment of every process that belongs to a home, for as long as it lives.

import { readdirSync, readFileSync } from "node:fs";
import type { Place } from "./sightings.ts";

const EVERY_MS = 15;

export interface ProcessWatch {
  /** What was seen so far: command lines, and environments. */
  places(): Place[];
  /** Environments of processes whose command line holds this word. */
  environmentsOf(word: string): Buffer[];
  stop(): void;
}

/** @param mark what stands in the environment of each process that is meant, e.g. the path of a home */
export function watchProcesses(mark: string): ProcessWatch {
  const seen = new Map<string, { command: Buffer; environment: Buffer }>();
  const look = (): void => {
    for (const pid of readdirSync("/proc")) {
      if (!/^\d+$/.test(pid)) continue;
      try {
        const environment = readFileSync(`/proc/${pid}/environ`);
        if (!environment.includes(mark)) continue;
        const command = readFileSync(`/proc/${pid}/cmdline`);
        seen.set(`${pid} ${command.toString("latin1")}`, { command, environment });
      } catch {
        // It has ended, or belongs to somebody else.
      }
    }
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    places: () =>
      [...seen.values()].flatMap(({ command, environment }, index) => [
        { name: `the command line of process ${index}`, bytes: command },
        { name: `the environment of process ${index}`, bytes: environment },
      ]),
    environmentsOf: (word) =>
      [...seen.values()]
        .filter(({ command }) => command.includes(word))
        .map(({ environment }) => environment),
    stop: () => clearInterval(timer),
  };
}
