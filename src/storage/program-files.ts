// The files of the built program, beside the running file or inside the single executable. Read by the gate: old syntax.

/** True in the single executable: Node, the program and its files in one file. */
export function isSingleExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}

/** The content of a file of the build, such as `help.txt`. */
export function programFile(name: string): Buffer {
  if (isSingleExecutable()) return Buffer.from(process.getBuiltinModule("node:sea").getRawAsset(name));
  return process.getBuiltinModule("fs").readFileSync(new URL(name, import.meta.url));
}

/** The address from which a module of the build can be run, such as that of a worker. */
export function programUrl(name: string): URL {
  if (!isSingleExecutable()) return new URL(name, import.meta.url);
  return new URL("data:text/javascript;base64," + programFile(name).toString("base64"));
}

/** The words that start this program once more. */
export function ownCommand(): string[] {
  if (isSingleExecutable()) return [process.execPath];
  return [
    process.execPath,
    process.getBuiltinModule("url").fileURLToPath(new URL("verdict.mjs", import.meta.url)),
  ];
}
