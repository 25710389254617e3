// The files of the built program, beside the running file or inside the single executable. Read by the gate: old syntax.

/** True in the single executable: Node, the program and its files in one file. */
export function isSingleExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}

/** The content of a file of the build, such as `help.txt`. */
export function programFile(name: string): Buffer {
  if (isSingleExecutable()) return Buffer.from(process.getBuiltinModule("node:sea").getRawAsset(name));
  return process.getBuiltinModule("fs").readFileSync(addressOf(name));
}

/** Code of the error for a file of the build that ends early. */
export var INCOMPLETE = "INCOMPLETE";

/**
 * Opens a file of the build for reading ranges of it. It stays the one that was there at the start: an upgrade may put another
 * in its place.
 */
export function openProgramFile(name: string): (at: number, length: number) => Buffer {
  if (isSingleExecutable()) {
    var whole = programFile(name);
    return (at, length) => whole.subarray(at, at + length);
  }
  var fs = process.getBuiltinModule("fs");
  var opened = fs.openSync(addressOf(name), "r");
  return function (at, length) {
    var bytes = Buffer.allocUnsafe(length);
    if (fs.readSync(opened, bytes, 0, length, at) < length)
      throw Object.assign(new Error(name + " ends early."), { code: INCOMPLETE });
    return bytes;
  };
}

/** The names of the files in a folder of the build. */
export function programFiles(folder: string): string[] {
  if (!isSingleExecutable()) return process.getBuiltinModule("fs").readdirSync(addressOf(folder));
  var names = process.getBuiltinModule("node:sea").getAssetKeys();
  return names.filter((name) => name.startsWith(folder + "/")).map((name) => name.slice(folder.length + 1));
}

/** The address from which a module of the build can be run, such as that of a worker. */
export function programUrl(name: string): URL {
  if (!isSingleExecutable()) return addressOf(name);
  return new URL("data:text/javascript;base64," + programFile(name).toString("base64"));
}

/** From the sources, as tests run them, those of the last build. */
function addressOf(name: string): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "../../dist/" + name : name, import.meta.url);
}

/** The words that start this program once more. */
export function ownCommand(): string[] {
  if (isSingleExecutable()) return [process.execPath];
  return [
    process.execPath,
    process.getBuiltinModule("url").fileURLToPath(new URL("verdict.mjs", import.meta.url)),
  ];
}
