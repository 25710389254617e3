// Every file that verdict makes, in real use: private whatever the umask; and none of them is read or written through a
// link, a FIFO, a folder in its place, or as the file of another account.

import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM, type TestHome, testHomeOfTests } from "../cli/verdict-process.ts";

const BODY = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };

/** What a user writes in the configuration folder. */
const BY_HAND = {
  "settings.yaml": "ascii: true\n",
  "keys.yaml": "check.sendAnywhere: f5\n",
};

/** A command that meets a FIFO and waits for its other end would wait for ever. */
const LIMIT_MS = 60_000;

interface Ended {
  /** Null: it had to be killed. */
  readonly code: number | null;
  readonly said: string;
}

/** Runs a command under a umask of its own. */
function runUnder(
  umask: string,
  home: TestHome,
  args: readonly string[],
  options: { readonly input?: string; readonly top?: string } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const script = `umask ${umask}; exec "$0" "$@"`;
    const env = { ...home.env, VERDICT_HOME: options.top ?? join(home.folder, "verdict") };
    const child = spawn("sh", ["-c", script, process.execPath, PROGRAM, ...args], { cwd: home.folder, env });
    let said = "";
    const take = (text: Buffer): void => void (said += text.toString());
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, said });
    });
  });
}

const paths = (top: string): string[] => readdirSync(top, { recursive: true, encoding: "utf8" }).toSorted();

describe.skipIf(process.platform === "win32")("the files of verdict", () => {
  const home = testHomeOfTests();
  let top: string;
  const passphrase = "passphrase of the export";

  beforeAll(async () => {
    top = join(home.folder, "verdict");
    mkdirSync(join(home.folder, "made"));
    mkdirSync(join(top, "config/recipes"), { recursive: true, mode: 0o700 });
    for (const folder of [top, join(top, "config"), join(top, "config/recipes")]) chmodSync(folder, 0o700);
    const recipe = (await home.run("recipe show body-hex")).stdout.replace(
      "recipe: body-hex",
      "recipe: mine",
    );
    for (const [name, text] of Object.entries({ ...BY_HAND, "recipes/mine.yaml": recipe })) {
      writeFileSync(join(top, "config", name), text, { mode: 0o600 });
    }
    const request = join(home.folder, "request.json");
    writeFileSync(request, JSON.stringify(BODY));
    const made = (name: string): string => join(home.folder, "made", name);
    const owner = ["--merchant-id", "m", "--risk-level", "low"];
    const commands: readonly (readonly [readonly string[], string?])[] = [
      [["register", ...owner, "--name", "M", "--currency", "UAH", "--wait"]],
      [["check", request]],
      [["check", request, "--set", "order_id=o-2"]],
      [["payload", "save", "kept", request]],
      [["payload", "save", "kept", request, "--yes"]],
      [
        [
          "replay",
          "kept",
          "--report",
          `html=${made("report.html")}`,
          "--report",
          `junit=${made("report.xml")}`,
        ],
      ],
      [["replay", "kept", "--report", `json=${made("report.json")}`]],
      [["history", "export", "--format", "json", "--output", made("history.ndjson")]],
      [["vault", "export", made("keys.age"), "--secret-stdin"], `${passphrase}\n`],
      [["profile", "add", "other", "--base-url", "https://check.example"]],
      [["profile", "add", "third", "--base-url", "https://check.example"]],
      [["profile", "use", "sandbox"]],
      [["sandbox", "snapshot", "before"]],
      [["sandbox", "snapshot", made("sandbox-snapshot")]],
      [["sandbox", "clock", "advance", "1h"]],
      [["history", "prune", "--before", "2000-01-01", "--yes"]],
      [["sandbox", "stop"]],
    ];
    for (const [args, input] of commands) {
      const { code, said } = await runUnder("000", home, args, input === undefined ? {} : { input });
      if (code !== 0) process.stderr.write(`verdict ${args.join(" ")} ended with ${code}: ${said}\n`);
    }
  });

  it("are 0600 in folders of 0700 under umask 000, all of them", () => {
    const found = paths(top);
    for (const expected of ["config", "data", "state"]) expect(found).toContain(expected);
    const kinds = [
      /vault\.json$/,
      /vault\.key$/,
      /projects\.json$/,
      /profiles\.json(\.bak)?$/,
      /history\.db$/,
    ];
    for (const kind of [...kinds, /payloads\/kept\.json$/, /runs\.db$/, /sandbox.*snapshot/]) {
      expect(
        found.some((name) => kind.test(name)),
        `${kind} in ${found.join(" ")}`,
      ).toBe(true);
    }
    const made = paths(join(home.folder, "made"));
    expect(made).toEqual(
      expect.arrayContaining(["history.ndjson", "keys.age", "report.html", "report.json", "report.xml"]),
    );
    const all = [
      ...found.map((name) => join(top, name)),
      ...made.map((name) => join(home.folder, "made", name)),
      top,
    ];
    const modes = all.map((path) => {
      const status = lstatSync(path);
      return `${(status.mode & 0o7777).toString(8)} ${path}`;
    });
    expect(modes.filter((line) => !/^(600|700) /.test(line))).toEqual([]);
    expect(
      all.filter((path) => lstatSync(path).isDirectory() && (lstatSync(path).mode & 0o777) !== 0o700),
    ).toEqual([]);
    expect(
      all.filter((path) => lstatSync(path).isFile() && (lstatSync(path).mode & 0o777) !== 0o600),
    ).toEqual([]);
  });

  const more = ["--base-url", "https://check.example"];
  const request = (): string => join(home.folder, "request.json");
  /** Every kind of file, and what reads and writes it. The sandbox starts with the first check. */
  const KINDS: readonly (readonly [RegExp, () => readonly (readonly string[])[]])[] = [
    [/^config\/settings\.yaml$/, () => [["history"]]],
    [/^config\/keys\.yaml$/, () => [["help", "shortcuts"]]],
    [
      /^config\/recipes\/mine\.yaml$/,
      () => [
        ["recipe", "list"],
        ["recipe", "show", "mine"],
      ],
    ],
    [
      /^config\/profiles\.json$/,
      () => [
        ["profile", "list"],
        ["profile", "add", "new", ...more],
      ],
    ],
    [
      /^data\/vault\.json$/,
      () => [
        ["vault", "list"],
        ["vault", "verify"],
      ],
    ],
    [
      /^state\/vault\.key$/,
      () => [
        ["vault", "list"],
        ["vault", "verify"],
      ],
    ],
    [/^data\/projects\.json$/, () => [["projects"]]],
    [/^data\/history\.db\.mark$/, () => [["history"], ["check", request()]]],
    [/^data\/history\.db$/, () => [["history"], ["history", "verify"]]],
    [
      /^data\/payloads\/kept\.json$/,
      () => [
        ["payload", "show", "kept"],
        ["payload", "list"],
      ],
    ],
    [/^data\/runs\.db$/, () => [["runs"], ["runs", "show", "last"]]],
    [
      /^state\/sandbox\/state\.(db|key)$/,
      () => [
        ["check", request(), "--set", "order_id=o-9"],
        ["sandbox", "stop"],
      ],
    ],
    [
      /^state\/sandbox\/sandbox\.log$/,
      () => [
        ["check", request()],
        ["sandbox", "journal"],
        ["sandbox", "stop"],
      ],
    ],
    [
      /^state\/sandbox\/snapshots\/.*$/,
      () => [
        ["sandbox", "restore", "before"],
        ["sandbox", "stop"],
      ],
    ],
  ];
  /** Kept beside another one and looked at only when that one is damaged. */
  const SPARE = /\.bak$/;

  type Plant = (path: string, decoy: string) => void;
  const PLANTS: readonly (readonly [string, Plant])[] = [
    [
      "a link",
      (path, decoy) => {
        copyFileSync(path, decoy);
        rmSync(path);
        symlinkSync(decoy, path);
      },
    ],
    [
      "a FIFO",
      (path) => {
        rmSync(path);
        execFileSync("mkfifo", [path]);
      },
    ],
    [
      "a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    ...(process.getuid?.() === 0
      ? [["a file of another account", (path: string) => chownSync(path, 65_534, 65_534)] as const]
      : []),
  ];
  /** What is only added to, or made anew: the rest goes on without it, and nothing is followed. */
  const MAY_PASS = /\.log$|\.mark$/;

  it("are of kinds that are known here", () => {
    const files = paths(top).filter((name) => lstatSync(join(top, name)).isFile() && !SPARE.test(name));
    expect(files.filter((name) => !KINDS.some(([kind]) => kind.test(name)))).toEqual([]);
  });

  it.each(PLANTS)("are not read or written as %s", async (what, plant) => {
    const silent: string[] = [];
    for (const [kind, uses] of KINDS) {
      for (const name of paths(top).filter((each) => kind.test(each))) {
        const place = mkdtempSync(join(tmpdir(), "verdict-planted-"));
        onTestFinished(() => rmSync(place, { recursive: true, force: true }));
        const [copy, decoy] = [join(place, "home"), join(place, "decoy")];
        cpSync(top, copy, { recursive: true, preserveTimestamps: true });
        execFileSync("chmod", ["-R", "go-rwx", copy]);
        plant(join(copy, name), decoy);
        const before = existsSync(decoy) ? readFileSync(decoy) : null;
        let noticed = false;
        for (const args of uses()) {
          const { code, said } = await runUnder("022", home, args, { top: copy });
          const about = `${name} as ${what}, verdict ${args.join(" ")}: ${said}`;
          expect(code, about).not.toBeNull();
          expect(said, about).not.toMatch(/\n\s+at .*:\d+:\d+|node:internal|with an internal error/);
          noticed ||= (code !== 0 && args[1] !== "stop") || said.includes(name.split("/").at(-1)!);
        }
        if (before !== null)
          expect(readFileSync(decoy).equals(before), `${name} was written through`).toBe(true);
        if (!noticed && !MAY_PASS.test(name)) silent.push(name);
      }
    }
    expect(silent, what).toEqual([]);
  });

  it("include the folder of compiled code, which is made anew where others could have written to it", async () => {
    const caches = join(home.folder, "caches");
    const folder = join(caches, "verdict");
    const start = (): Promise<Ended> =>
      runUnder("000", { ...home, env: { ...home.env, XDG_CACHE_HOME: caches } }, ["help", "check"]);
    expect((await start()).code).toBe(0);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    const [name, ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    const file = join(folder, name!);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    const { size } = lstatSync(file);
    // What is damaged is written anew, and nothing is read or written through a link.
    const whole = readFileSync(file);
    const flipped = Array.from({ length: 8 }, (_, i) => {
      const copy = Buffer.from(whole);
      // The first kilobytes are V8's own head, which it looks at; nothing looks at the rest.
      copy[Math.floor((size * (i + 1)) / 9)]! ^= 1 << i;
      return copy;
    });
    for (const wrong of [...flipped, Buffer.alloc(size), whole.subarray(0, size / 2), Buffer.from("{}")]) {
      writeFileSync(file, wrong);
      expect((await start()).code).toBe(0);
      expect(lstatSync(file).size).toBeGreaterThan(size / 2);
    }
    const target = join(home.folder, "compiled-elsewhere");
    writeFileSync(target, "theirs");
    rmSync(file);
    symlinkSync(target, file);
    expect((await start()).code).toBe(0);
    expect(readFileSync(target, "utf8")).toBe("theirs");
    expect(lstatSync(file).isFile()).toBe(true);
    chmodSync(folder, 0o777);
    const planted = readdirSync(folder)[0]!.replace(/help$/, "planted");
    writeFileSync(join(folder, planted), "");
    expect((await start()).code).toBe(0);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expect(existsSync(join(folder, planted))).toBe(false);
    rmSync(folder, { recursive: true });
    const elsewhere = join(home.folder, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, folder);
    expect((await start()).code).toBe(0);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
