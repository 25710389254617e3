// Entry point: runs the command line; loads the console, and with it Ink, only when it is opened.

import { guardProcess } from "#src/app/secrecy.ts";
import { EXIT, exitOfSignal } from "#src/cli/exit-code.ts";
import { internalErrorSentence, run, UNWRITTEN } from "#src/cli/run.ts";
import { ownCommand } from "#src/storage/program-files.ts";

guardProcess();
// Node would print the whole error, which may hold secrets. The console has its own handler.
process.on("uncaughtException", (error) => {
  if (process.listenerCount("uncaughtException") > 1) return;
  process.stderr.write(`${internalErrorSentence(error)}\n`, () => process.exit(1));
});

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    // The first signal lets the command end cleanly, the second one does not.
    if (stopping.signal.aborted) process.exit(exitOfSignal(EXIT.interrupted, name));
    stopping.abort(name);
  });
}
for (const stream of [process.stdout, process.stderr]) {
  // The gate has printed the reason. A reader that closes early, such as `head`, is no error.
  stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") stopping.abort(UNWRITTEN);
  });
}

const executable = ownCommand();

/** The build turns this file into a script, which has no top-level await. */
async function main(): Promise<void> {
  const exit = await run({
    argv: process.argv.slice(2),
    env: process.env,
    // Opened on first use: it takes time, and most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    executable,
    signal: stopping.signal,
    async openConsole(chosen) {
      const { runConsole } = await import("./tui.tsx");
      const { env, stdin, stdout, stderr } = process;
      return runConsole({ ...chosen, env, executable, signal: stopping.signal, stdin, stdout, stderr });
    },
    async keyTable(home) {
      const { keyTable } = await import("./key-table.ts");
      return keyTable(home);
    },
    async storyPage(...story) {
      const { storyPage } = await import("./story-page.ts");
      return storyPage(...story);
    },
  });
  // Kept where the gate has set one because the output could not be written.
  process.exitCode ??= exitOfSignal(exit, stopping.signal.reason);
  // Once nothing is left to do: by itself Node would end what V8 has begun, such as a collection of garbage.
  process.once("beforeExit", () => process.exit());
}

void main();
