// The way in: the command line now, the console (and with it Ink) only where it is asked for.

import { fileURLToPath } from "node:url";
import { guardProcess } from "#src/app/secrecy.ts";
import { ownFaultSentence, run, UNWRITTEN } from "#src/cli/run.ts";

guardProcess();
// Node would print the whole error with all that hangs on it. The console has its own way out and comes first.
process.on("uncaughtException", (error) => {
  if (process.listenerCount("uncaughtException") > 1) return;
  process.stderr.write(`${ownFaultSentence(error)}\n`, () => process.exit(1));
});

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    // The first one lets the command put things in order, the second one does not ask.
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort(name);
  });
}
for (const stream of [process.stdout, process.stderr]) {
  // The gate has said so already; a reader such as `head` that has seen enough is no fault, and the command goes on.
  stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") stopping.abort(UNWRITTEN);
  });
}

const executable = [process.execPath, fileURLToPath(new URL("./verdict.mjs", import.meta.url))];

/** A script cannot wait at its top level, and this file becomes one: see the build. */
async function main(): Promise<void> {
  const exit = await run({
    argv: process.argv.slice(2),
    env: process.env,
    // Opened when it is first read: that takes time, and most commands never do.
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
  });
  // The gate has set another one where the output could not be written: a script must not take that for done.
  process.exitCode ??= exit;
}

void main();
