// The first file of the program: checks the version of Node, in syntax that old versions read, and starts the rest.

import { runProgram } from "#src/app/compiled-code.ts";
import { INCOMPLETE, programFile } from "#src/storage/program-files.ts";

declare const VERDICT_VERSION: string;

/** The first version in which `node:sqlite` is a release candidate: it prints no warning and has a timeout. */
var MINIMUM = [24, 15];
var running = process.versions.node.split(".").map(Number);

// Otherwise Node would open its debugger to every local account on this signal.
process.on("SIGUSR1", function () {});

if (running[0]! < MINIMUM[0]! || (running[0] === MINIMUM[0] && running[1]! < MINIMUM[1]!)) {
  process.stderr.write(
    "verdict needs Node " +
      MINIMUM.join(".") +
      " or newer, and this is Node " +
      process.versions.node +
      "; run it with a newer Node.\n",
  );
  process.exitCode = 2;
} else {
  watchOutput();
  try {
    start();
  } catch (error) {
    var { code } = error as NodeJS.ErrnoException;
    if (code !== "EMFILE" && code !== "ENFILE" && code !== INCOMPLETE) throw error;
    process.stderr.write(
      code === INCOMPLETE
        ? "verdict did not start because a file of its installation ends early; install it again.\n"
        : 'verdict did not start because too few open files are allowed here; raise that with "ulimit -n 1024" or start it from another shell.\n',
    );
    process.exitCode = 74;
  }
}

function start(): void {
  var only = process.argv.length === 3 ? process.argv[2] : "";
  if (only === "--version" || only === "-V") {
    process.stdout.write(VERDICT_VERSION + "\n");
  } else if (only === "--help" || only === "-h") {
    // Written by the build: loading the program for it would take twice as long.
    process.stdout.write(programFile("help.txt"));
  } else {
    runProgram();
  }
}

/**
 * Output that could not be written ends with exit 74 and one sentence, for every command. A reader that closes early, such
 * as `head`, is no error.
 */
function watchOutput(): void {
  var isSaid = false;
  [process.stdout, process.stderr].forEach(function (stream, index) {
    writeWhole(stream, index + 1);
    stream.on("error", function (error: NodeJS.ErrnoException) {
      if (error.code === "EPIPE") return;
      process.exitCode = 74;
      if (isSaid) return;
      isSaid = true;
      process.stderr.write(
        "Standard " +
          (index === 0 ? "output" : "error") +
          " could not be written because " +
          (error.code === "ENOSPC" ? "the disk is full" : "of " + error.code) +
          ", so what was printed is not complete; free some space or write it elsewhere.\n",
      );
    });
  });
}

/** Node ignores short writes to a file. Terminals and pipes have a handle, files have none. */
function writeWhole(stream: NodeJS.WriteStream, descriptor: number): void {
  if ("_handle" in stream) return;
  var { writeSync } = process.getBuiltinModule("fs");
  Object.assign(stream, {
    _write(chunk: Buffer, _encoding: string, done: (error?: unknown) => void) {
      try {
        for (var at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
      } catch (error) {
        return done(error);
      }
      done();
    },
  });
}
