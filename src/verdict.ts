// First file of the program: a version gate in old syntax that imports nothing before it has decided.

declare const VERDICT_VERSION: string;

/** From here on `node:sqlite` is a release candidate: without a warning, and with a timeout. */
var MINIMUM = [24, 15];
/** CRC-32. */
var CHECKSUM_BYTES = 4;
var running = process.versions.node.split(".").map(Number);

// In no process of ours: Node would open its debugger to every local account.
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
  var only = process.argv.length === 3 ? process.argv[2] : "";
  if (only === "--version" || only === "-V") {
    process.stdout.write(VERDICT_VERSION + "\n");
  } else if (only === "--help" || only === "-h") {
    // Written by the build: half of the time of the full program goes into loading what this text is made of.
    process.stdout.write(process.getBuiltinModule("fs").readFileSync(new URL("help.txt", import.meta.url)));
  } else {
    runProgram();
  }
}

/**
 * What could not be written is not done, whatever the command says: exit 74 and one sentence. A reader that has seen enough,
 * such as `head`, is no fault.
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

/** Into a file Node writes as much as the disk takes, and calls that written. Terminals and pipes have a handle, files have none. */
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

/**
 * Runs the program beside this file: one script, whose parts run when they are first asked for. Node's own cache of
 * compiled code knows no function that was compiled after loading, which are nearly all; a script's does.
 */
function runProgram(): void {
  var fs = process.getBuiltinModule("fs");
  var module = process.getBuiltinModule("module");
  var filename = process.getBuiltinModule("url").fileURLToPath(new URL("main.cjs", import.meta.url));
  // The build writes ASCII alone.
  var source = fs.readFileSync(filename, "latin1");
  var kept = keptCode(source.slice(2, 18));
  var found = kept && kept.read();
  // Its own lines keep their numbers.
  var script = new (process.getBuiltinModule("vm").Script)(
    "(function (require, verdictUrl) {" + source + "\n})",
    {
      filename,
      cachedData: found ? found.code : undefined,
    },
  );
  if (kept && (!found || found.isOld || script.cachedDataRejected)) {
    var { write } = kept;
    process.on("exit", function (code) {
      // A run that failed early has compiled little of what the next one needs.
      if (code !== 1 && code !== 2) write(script.createCachedData());
    });
  }
  script.runInThisContext()(module.createRequire(import.meta.url), import.meta.url);
}

interface KeptCode {
  read(): { code: Buffer; isOld: boolean } | undefined;
  write(code: Buffer): void;
}

/**
 * Compiled code of earlier runs of the same kind, in a folder of the user's own, which nobody else may even look into: who
 * can write there decides what runs here. Without such a folder each start compiles anew.
 * @param build what tells this program from all others
 */
function keptCode(build: string): KeptCode | undefined {
  var fs = process.getBuiltinModule("fs");
  var { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
  var folder = cacheFolder();
  if (folder === undefined || !/^[0-9a-f]{16}$/.test(build)) return undefined;
  var found: { dev: number; ino: number; mode: number; uid: number };
  // Whatever is at its path by the time of writing, on Linux it is this folder that is written.
  var inside = "/proc/self/fd/";
  try {
    var held = fs.openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    found = fs.fstatSync(held);
    inside = fs.existsSync(inside + held) ? inside + held : folder;
    if (found.uid !== process.geteuid!()) return undefined;
    if ((found.mode & 0o077) !== 0) {
      // Others could have put something there.
      fs.fchmodSync(held, 0o700);
      removeOldest(inside, 0);
    }
  } catch {
    return undefined;
  }
  var file = inside + "/" + [build, process.version, process.arch, kindOfRun()].join("-");
  return {
    read() {
      var opened;
      try {
        opened = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        var { mtimeMs, uid } = fs.fstatSync(opened);
        // What another kind of day compiles besides is added once a day.
        var isOld = Math.abs(Date.now() - mtimeMs) > 86_400_000;
        if (uid !== process.geteuid!()) return undefined;
        var bytes = fs.readFileSync(opened);
        var code = bytes.subarray(0, -CHECKSUM_BYTES);
        return checksum(code).equals(bytes.subarray(-CHECKSUM_BYTES)) ? { code, isOld } : undefined;
      } catch {
        return undefined;
      } finally {
        if (opened !== undefined) fs.closeSync(opened);
      }
    },
    write(code) {
      var made = file + "." + process.pid + ".tmp";
      try {
        var now = fs.lstatSync(folder!);
        if (now.dev !== found.dev || now.ino !== found.ino) return;
        fs.writeFileSync(made, Buffer.concat([code, checksum(code)]), {
          mode: 0o600,
          flag: "wx",
          flush: true,
        });
        fs.renameSync(made, file);
        removeOldest(inside, 32);
      } catch {
        fs.rmSync(made, { force: true });
      }
    },
  };
}

/**
 * The folder of our cache, which is made where there is none; undefined where it would be in the folder of another account,
 * as that of a user whose HOME root has kept: nothing of ours is left there.
 */
function cacheFolder(): string | undefined {
  var fs = process.getBuiltinModule("fs");
  var { dirname, isAbsolute } = process.getBuiltinModule("path");
  var named = process.env["XDG_CACHE_HOME"];
  var home = process.env["HOME"];
  var cache = named || (home && home + "/.cache");
  if (!cache || !isAbsolute(cache) || process.geteuid === undefined) return undefined;
  try {
    // In a folder with the sticky bit, such as /tmp, everybody has things of their own.
    var { uid, mode } = fs.statSync(!named ? home! : fs.existsSync(named) ? named : dirname(named));
    if (uid !== process.geteuid() && (mode & 0o1000) === 0) return undefined;
    // One folder at a time: where making one fails with ENOENT (/proc, an automounter) Node's recursive form never returns.
    for (var made of [cache, cache + "/verdict"])
      if (!fs.existsSync(made)) fs.mkdirSync(made, { mode: 0o700 });
  } catch {
    return undefined;
  }
  return cache + "/verdict";
}

/** V8 takes what it is given: one wrong bit in compiled code would end Node itself, or be run. Behind the code, which must be aligned. */
function checksum(code: Buffer): Buffer {
  var bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32LE(process.getBuiltinModule("zlib").crc32(code));
  return bytes;
}

/** The command and the names of its options: what decides which functions are called. */
function kindOfRun(): string {
  var words = process.argv.slice(2);
  var names = words.map((word) => (/^--[a-z][a-z-]*/.exec(word) || [""])[0]).filter(Boolean);
  var command = /^[a-z]{1,20}$/.test(words[0] || "") ? words[0] : "";
  return [command].concat(names.sort()).join("").slice(0, 120);
}

/** Removes all but the newest of our files, and nothing else. */
function removeOldest(folder: string, kept: number): void {
  var fs = process.getBuiltinModule("fs");
  var files = fs
    .readdirSync(folder)
    .filter((name) => /^[0-9a-f]{16}-v\d+\.\d+\.\d+[\w.-]*$/.test(name))
    .map((name) => ({ path: folder + "/" + name, at: 0 }));
  if (files.length <= kept) return;
  for (var file of files) file.at = fs.lstatSync(file.path).mtimeMs;
  files.sort((one, other) => other.at - one.at);
  for (var { path } of files.slice(kept)) fs.unlinkSync(path);
}
