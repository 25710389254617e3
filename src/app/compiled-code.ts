// Runs the compiled program from a cache of its compiled code. Part of the first file: old syntax, and nothing runs on import.

import { programFile } from "#src/storage/program-files.ts";

/** SHA-256: nearly every command loads Node's cryptography anyhow, and few load what has CRC-32. */
var CHECKSUM_BYTES = 32;

/**
 * Runs main.cjs beside this file: one script, whose modules run on demand. Node's own compile cache holds only functions
 * that were compiled while loading; the cache of a script also holds those that were compiled when first called.
 */
export function runProgram(): void {
  var module = process.getBuiltinModule("module");
  var filename = process.getBuiltinModule("url").fileURLToPath(new URL("main.cjs", import.meta.url));
  // The build writes ASCII only.
  var source = programFile("main.cjs").toString("latin1");
  var kept = keptCode(source.slice(2, 18));
  var found = kept && kept.read();
  // Without a line break, so that the line numbers of the program stay. What is joined lies in V8's heap: as a text outside of
  // it the program would cost a further garbage collection in commands of 100 ms.
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
 * Compiled code of earlier runs of the same kind, in a folder that only the user can read and write: its content is run.
 * Without such a folder each start compiles again.
 * @param build identifies this build
 */
function keptCode(build: string): KeptCode | undefined {
  var fs = process.getBuiltinModule("fs");
  var { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
  var folder = cacheFolder();
  if (folder === undefined || !/^[0-9a-f]{16}$/.test(build)) return undefined;
  var found: { dev: number; ino: number; mode: number; uid: number };
  // On Linux the open folder is written to, even if its path leads elsewhere by then.
  var inside = "/proc/self/fd/";
  try {
    var held = fs.openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    found = fs.fstatSync(held);
    inside = fs.existsSync(inside + held) ? inside + held : folder;
    if (found.uid !== process.geteuid!()) return undefined;
    if ((found.mode & 0o077) !== 0) {
      // Other accounts could have put a file there.
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
        // Refreshed once a day, with what other runs have compiled.
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
 * The cache folder, created when missing; undefined where it would lie in a folder of another account, as when root has
 * kept the HOME of a user.
 */
function cacheFolder(): string | undefined {
  var fs = process.getBuiltinModule("fs");
  var { dirname, isAbsolute } = process.getBuiltinModule("path");
  var named = process.env["XDG_CACHE_HOME"];
  var home = process.env["HOME"];
  var cache = named || (home && home + "/.cache");
  if (!cache || !isAbsolute(cache) || process.geteuid === undefined) return undefined;
  try {
    // In a folder with the sticky bit, such as /tmp, files of different accounts are protected from each other.
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

/** V8 does not check compiled code: one wrong bit could crash Node. Stored behind the code, which must be aligned. */
function checksum(code: Buffer): Buffer {
  return process.getBuiltinModule("crypto").hash("sha256", code, "buffer");
}

/** The command and the names of its options, which decide what functions are called. */
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
