// First file of the program: a version gate in old syntax that imports nothing before it has decided.

declare const VERDICT_VERSION: string;

var MINIMUM = [22, 19];
var running = process.versions.node.split(".").map(Number);

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
  keepCompiledCode(process.env["XDG_CACHE_HOME"] || (process.env["HOME"] && process.env["HOME"] + "/.cache"));
  var only = process.argv.length === 3 ? process.argv[2] : "";
  if (only === "--version" || only === "-V") {
    process.stdout.write(VERDICT_VERSION + "\n");
  } else if (only === "--help" || only === "-h") {
    // Written by the build: half of the time of the full program goes into loading what this text is made of.
    process.stdout.write(process.getBuiltinModule("fs").readFileSync(new URL("help.txt", import.meta.url)));
  } else {
    // The bundle beside the built gate; a name in a variable, because the sources have no such file.
    var bundle = "./main.mjs";
    void import(bundle);
  }
}

/**
 * Keeps compiled code between runs in a folder of the user's own, which nobody else may even look into: who can write
 * there decides what runs here. Without such a folder each start compiles anew.
 */
function keepCompiledCode(cache: string | undefined): void {
  var fs = process.getBuiltinModule("fs");
  if (!cache || !process.getBuiltinModule("path").isAbsolute(cache)) return;
  var folder = cache + "/verdict";
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    var found = fs.lstatSync(folder);
    var isOurs = found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
    if (!isOurs) return;
    if (process.getuid !== undefined && (found.mode & 0o077) !== 0) {
      // Others could have put something there.
      fs.rmSync(folder, { recursive: true, force: true });
      fs.mkdirSync(folder, { mode: 0o700 });
    }
  } catch {
    return;
  }
  process.getBuiltinModule("module").enableCompileCache(folder);
}
