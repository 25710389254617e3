// The command line of verdict as the console gets it, but that what a line does and prints is the test's.

import { namesInLine, readTypedLine } from "#src/cli/typed-line.ts";
import type { LineProgram } from "#src/state/command-line.ts";
import type { SandboxStub } from "./sandbox-stub.ts";

export interface TestProgram extends LineProgram {
  /** Lines that were run, as one text each. */
  readonly ran: string[];
}

type Run = (
  line: string,
  print: (text: string) => void,
  signal: AbortSignal,
) => string | null | Promise<string | null>;

/** @param run does a line, prints for it, and says how it ended; null when it ended well */
export function testProgram(run: Run = () => null): TestProgram {
  const ran: string[] = [];
  return {
    ran,
    read: readTypedLine,
    names: namesInLine,
    async run(words, onOutput, signal) {
      ran.push(words.join(" "));
      return run(words.join(" "), onOutput, signal);
    },
  };
}

/** Does what lines for the clock and the faults of a sandbox do. */
export function sandboxProgram(sandbox: SandboxStub): TestProgram {
  return testProgram((line, print) => {
    const hours = /^sandbox clock advance (\d+)h$/.exec(line)?.[1];
    if (hours !== undefined) sandbox.movedByMs += Number(hours) * 3_600_000;
    const effect = { do: "status", status: 503, retryAfterS: null } as const;
    const count = /^sandbox faults add check 503 --count (\d+)$/.exec(line)?.[1];
    if (count !== undefined)
      sandbox.faults.push({ id: "f-1", on: "check", rate: 1, count: Number(count), made: 0, effect });
    if (line === "sandbox faults clear") sandbox.faults = [];
    print(`Done: ${line}.\n`);
    return null;
  });
}
