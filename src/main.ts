// The way in: the command line now, the console (and with it Ink) only where it is asked for.

import { fileURLToPath } from "node:url";
import { guardProcess } from "#src/app/secrecy.ts";
import { ownFaultSentence, run } from "#src/cli/run.ts";

guardProcess();
// Node would print the whole error with all that hangs on it. The console has its own way out and comes first.
process.on("uncaughtException", (error) => {
  if (process.listenerCount("uncaughtException") > 1) return;
  process.stderr.write(`${ownFaultSentence(error)}\n`, () => process.exit(1));
});

const stopping = new AbortController();
let outputFailed = false;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    // The first one lets the command put things in order, the second one does not ask.
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort(name);
  });
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader such as `head` that has seen enough is no fault; the command goes on and its exit code stands.
    if (error.code === "EPIPE") return;
    outputFailed = true;
    stopping.abort("output");
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
  // What could not be printed may have been read by nobody: a script must not take it for done.
  process.exitCode = outputFailed ? 74 : exit;
}

void main();
