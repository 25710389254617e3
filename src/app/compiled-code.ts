// Runs the compiled program from a cache of its compiled code. Part of the first file: old syntax, and nothing runs on import.

import { openProgramFile } from "#src/storage/program-files.ts";

/** Length of the comment that main.cjs begins with: the hash of the build, and where each part stands. */
export var HEAD_BYTES = 16_384;

/** The part to start with. */
export var START = "./main.js";

/** By how much V8 lets the part of the heap for new objects grow: src/app/young-generation.ts changes it on the way. */
export var GROWTH_FLAG = "--semi-space-growth-factor=";
export var USUAL_GROWTH = 2;

/** V8 reads compiled code from addresses that are multiples of this, or copies it. */
var ALIGNED = 8;

/** Modules of Node that take milliseconds to load. */
var SLOW =
  /^node:(?:child_process|crypto|dns|https?|net|readline(?:\/promises)?|sqlite|tls|worker_threads|zlib)$/;

/** Compiled code by the name of its part. */
type Codes = Record<string, Buffer>;

/**
 * Runs main.cjs beside this file: scripts, each loaded when it is asked for. Node's own compile cache holds only functions
 * that were compiled while loading; the cache of a script also holds those that were compiled when first called.
 */
export function runProgram(): void {
  var { createRequire } = process.getBuiltinModule("module");
  var { Script } = process.getBuiltinModule("vm");
  var { setFlagsFromString } = process.getBuiltinModule("v8");
  var filename = process.getBuiltinModule("url").fileURLToPath(new URL("main.cjs", import.meta.url));
  var read = openProgramFile("main.cjs");
  // The build writes ASCII only.
  var head = read(0, HEAD_BYTES).toString("latin1");
  var { build, parts } = JSON.parse(head.slice(2, head.lastIndexOf("*/"))) as {
    build: string;
    parts: Record<string, [number, number]>;
  };
  var kept = keptCode(build);
  var found = (kept && kept.read()) || { codes: {}, isOld: true };
  var { isOld } = found;
  var scripts: Record<string, InstanceType<typeof Script>> = {};
  var modules: Record<string, { exports: { chunks?: Record<string, () => unknown> } }> = {};
  var require = createRequire(import.meta.url);

  function load(name: string): unknown {
    if (name.slice(0, 2) !== "./") return SLOW.test(name) ? whenUsed(name, require) : require(name);
    if (modules[name]) return modules[name].exports;
    // What is no part of its own stands in the first one.
    if (!parts[name]) return modules[START]!.exports.chunks![name]!();
    var code = found.codes[name];
    setFlagsFromString(GROWTH_FLAG + USUAL_GROWTH);
    var script = new Script(read(parts[name][0], parts[name][1]).toString("latin1"), {
      filename: filename + name.slice(1),
      cachedData: code,
    });
    isOld = isOld || !code || script.cachedDataRejected === true;
    scripts[name] = script;
    var module = (modules[name] = { exports: {} });
    script.runInThisContext()(module.exports, load, module, import.meta.url);
    return module.exports;
  }

  if (kept) {
    var { write } = kept;
    process.on("exit", function (exit) {
      // A run that failed early has compiled little of what the next one needs.
      if (!isOld || exit === 1 || exit === 2) return;
      var codes = found.codes;
      // V8 takes compiled code only where its flags are what they were.
      setFlagsFromString(GROWTH_FLAG + USUAL_GROWTH);
      for (var name of Object.keys(scripts)) codes[name] = scripts[name]!.createCachedData();
      write(codes);
    });
  }
  load(START);
}

type Module = Record<PropertyKey, unknown>;

/** A module of Node that is loaded when something of it is first used: many a command uses nothing of it. */
function whenUsed(name: string, require: NodeJS.Require): object {
  var loaded: Module | undefined;
  function module(): Module {
    return (loaded = loaded || require(name));
  }
  return new Proxy(
    {},
    {
      get: (_, key) => module()[key],
      // For a namespace, which esbuild copies: without reading what is loaded in turn when it is read.
      ownKeys: () => Reflect.ownKeys(module()),
      getOwnPropertyDescriptor(_, key) {
        var found = Reflect.getOwnPropertyDescriptor(module(), key);
        return found && Object.assign(found, { configurable: true });
      },
    },
  );
}

interface KeptCode {
  read(): { codes: Codes; isOld: boolean } | undefined;
  write(codes: Codes): void;
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
        var codes = unpacked(fs.readFileSync(opened));
        return codes && { codes, isOld };
      } catch {
        return undefined;
      } finally {
        if (opened !== undefined) fs.closeSync(opened);
      }
    },
    write(codes) {
      var made = file + "." + process.pid + ".tmp";
      try {
        var now = fs.lstatSync(folder!);
        if (now.dev !== found.dev || now.ino !== found.ino) return;
        fs.writeFileSync(made, packed(codes), { mode: 0o600, flag: "wx", flush: true });
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

/** The codes, where each stands, where that is said, and a checksum over all. */
function packed(codes: Codes): Buffer {
  var blocks: Buffer[] = [];
  var places: Record<string, [number, number]> = {};
  var at = 0;
  for (var name of Object.keys(codes)) {
    var code = codes[name]!;
    var filling = Buffer.alloc(-code.length & (ALIGNED - 1));
    places[name] = [at, code.length];
    blocks.push(code, filling);
    at += code.length + filling.length;
  }
  blocks.push(Buffer.from(JSON.stringify(places)), Buffer.alloc(8));
  var bytes = Buffer.concat(blocks);
  bytes.writeUInt32LE(at, bytes.length - 8);
  bytes.writeUInt32LE(checksum(bytes), bytes.length - 4);
  return bytes;
}

/** @returns undefined for a damaged file */
function unpacked(bytes: Buffer): Codes | undefined {
  if (bytes.length < 8 || checksum(bytes) !== bytes.readUInt32LE(bytes.length - 4)) return undefined;
  var places = JSON.parse(bytes.toString("latin1", bytes.readUInt32LE(bytes.length - 8), bytes.length - 8));
  var codes: Codes = {};
  for (var name of Object.keys(places)) {
    var [at, length] = places[name];
    codes[name] = bytes.subarray(at, at + length);
  }
  return codes;
}

/** V8 does not check compiled code: one wrong bit could crash Node. CRC-32, as Node's cryptography takes longer to load. */
function checksum(bytes: Buffer): number {
  return process.getBuiltinModule("zlib").crc32(bytes.subarray(0, -4));
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
