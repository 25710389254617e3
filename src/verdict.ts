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
  // Compiled code is kept between runs in a folder of the user's own: others could plant code in a shared temporary one.
  var cache = process.env["XDG_CACHE_HOME"] || (process.env["HOME"] && process.env["HOME"] + "/.cache");
  if (cache) process.getBuiltinModule("module").enableCompileCache(cache + "/verdict");
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
