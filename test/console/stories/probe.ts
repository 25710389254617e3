// A console with a clock of another speed, which writes its time and its memory to a file when it is asked.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { TestHome } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";

export interface Probed {
  /** Bytes after a collection of garbage. */
  readonly heapUsed: number;
  readonly external: number;
  /** Performance entries that are kept. */
  readonly entries: number;
  /** ms of the console's time since its start */
  readonly at: number;
}

export interface Probe {
  /** For the console that is looked at. */
  readonly env: NodeJS.ProcessEnv;
  probed(terminal: PseudoTerminal): Promise<Probed>;
}

/** @param speed how many times faster than the clock on the wall; below 1 it is slower. Single timeouts keep the wall's. */
export function withProbe(home: TestHome, speed: number): Probe {
  const script = join(home.folder, "probe.cjs");
  const answer = join(home.folder, "probed.json");
  writeFileSync(script, probe(speed));
  return {
    env: { NODE_OPTIONS: `--require=${script}`, PROBED: answer },
    async probed(terminal) {
      rmSync(answer, { force: true });
      terminal.kill("SIGUSR2");
      await expect.poll(() => read(answer), { timeout: 20_000 }).not.toBeNull();
      return JSON.parse(read(answer)!) as Probed;
    },
  };
}

/** Loaded into the console before itself. */
const probe = (speed: number): string => `
const { writeFileSync, renameSync } = require("node:fs");
const [wall, interval, start] = [Date.now, setInterval, Date.now()];
Date.now = () => Math.round(start + (wall() - start) * ${speed});
globalThis.setInterval = (run, ms, ...rest) => interval(run, Math.max(1, ms / ${speed}), ...rest);
require("node:v8").setFlagsFromString("--expose-gc");
const collect = require("node:vm").runInNewContext("gc");
process.on("SIGUSR2", () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const entries = performance.getEntries().length;
  writeFileSync(process.env.PROBED + ".part", JSON.stringify({ heapUsed, external, entries, at: Date.now() - start }));
  renameSync(process.env.PROBED + ".part", process.env.PROBED);
});
`;

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
