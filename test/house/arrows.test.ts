// The arrows between rooms: a forbidden import in any room must fail the lint, however it is written.

import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  copyFileSync,
  globSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Room and an import that its arrows do not allow. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ["src/contract/planted.ts", "#src/display/money.ts"],
  ["src/signing/planted.ts", "#src/storage/database/journal.ts"],
  ["src/display/planted.ts", "#src/client/client.ts"],
  ["src/terminal/planted.ts", "#src/contract/wire/wire.ts"],
  ["src/storage/planted.ts", "#src/vault/vault.ts"],
  ["src/vault/planted.ts", "#src/client/client.ts"],
  ["src/client/planted.ts", "#src/storage/database/journal.ts"],
  ["src/rules/planted.ts", "#src/storage/database/journal.ts"],
  ["src/replay/planted.ts", "#src/storage/database/history.ts"],
  ["src/actions/planted.ts", "#src/terminal/size.ts"],
  ["src/actions/planted.ts", "#src/cli/run.ts"],
  ["src/actions/planted.ts", "#src/sandbox/run-sandbox.ts"],
  ["src/app/planted.ts", "#src/sandbox/run-sandbox.ts"],
  ["src/app/planted.ts", "#src/cli/run.ts"],
  ["src/app/planted.ts", "#screens/check/check.tsx"],
  ["src/state/planted.ts", "#src/storage/database/history.ts"],
  ["src/keys/planted.ts", "#src/state/console.ts"],
  ["src/ui/planted.ts", "#src/state/console.ts"],
  ["src/cli/planted.ts", "#src/ui/table.tsx"],
  ["src/cli/planted.ts", "#src/sandbox/run-sandbox.ts"],
  ["src/cli/planted.ts", "ink"],
  ["src/cli/planted.ts", "react"],
  ["src/storage/planted.ts", "../vault/vault.ts"],
  ["src/library/planted.ts", "#src/sandbox/run-sandbox.ts"],
  ["src/library/planted.ts", "#src/actions/check/check.ts"],
  ["src/cli/planted.ts", "#src/library/client.ts"],
  ["src/sandbox/planted.ts", "#src/app/context.ts"],
  ["src/sandbox/planted.ts", "#src/client/client.ts"],
  ["screens/check/planted.ts", "#src/storage/database/history.ts"],
  ["screens/check/planted.ts", "#src/app/context.ts"],
  ["screens/check/planted.ts", "#screens/history/view-model.ts"],
  ["screens/check/planted.ts", "../history/view-model.ts"],
  ["screens/shell/planted.ts", "#src/app/context.ts"],
];

/** Imports that the arrows allow. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ["src/actions/allowed.ts", "#src/client/client.ts"],
  ["src/app/allowed.ts", "#src/actions/check/check.ts"],
  ["src/cli/serve.ts", "#src/sandbox/run-sandbox.ts"],
  ["src/library/allowed.ts", "#src/client/client.ts"],
  ["src/library/sandbox.ts", "#src/sandbox/run-sandbox.ts"],
  ["screens/check/allowed.ts", "#src/state/console.ts"],
  ["screens/shell/allowed.ts", "#screens/check/check-screen.tsx"],
];

/** Files with an arrow of their own. */
const OF_ONE_FILE: readonly string[] = ["src/cli/serve.ts", "src/library/sandbox.ts"];

/** The files of src and screens; read from disk, because source archives and slim containers have no git. */
function sourceFiles(): string[] {
  const files = ["src", "screens"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(top, name)),
  );
  expect(files.length).toBeGreaterThan(50);
  return files;
}

/** The sources with lazy imports made static, because the rule sees static imports only. */
function copyWithoutLaziness(folder: string): void {
  for (const file of sourceFiles()) {
    const text = readFileSync(join(root, file), "utf8");
    const lazy = [...text.matchAll(/\bimport\(\s*("[^"]+")\s*\)/g)].map(([, name]) => `import ${name};\n`);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), lazy.join("") + text);
  }
}

/** Each lazy import of the sources as a static one in its own room, because the rule sees static imports only. */
function lazyImports(): (readonly [string, string])[] {
  return sourceFiles().flatMap((file) =>
    [
      ...readFileSync(join(root, file), "utf8").matchAll(
        /\bimport\(\s*"(#[^"]+|\.\.\/[^"]+|[a-z@][^"]*)"\s*\)/g,
      ),
    ].map((match) => [file, match[1]!] as const),
  );
}

/** Circles of imports: files by name, each with an import of the next one, the last one of the first. */
const CIRCLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "of types": {
    "src/state/check/types-a.ts": 'export type { Planted } from "#src/state/history/types-b.ts";',
    "src/state/history/types-b.ts":
      'import type { Planted } from "#src/state/check/types-a.ts";\nexport type Again = Planted;',
  },
  "of three files": {
    "src/rules/three-a.ts": 'export { planted } from "./three-b.ts";',
    "src/rules/three-b.ts": 'export { planted } from "./three-c.ts";',
    "src/rules/three-c.ts": 'import { planted } from "./three-a.ts";\nexport const again = planted;',
  },
};

/** Ways to write to the output without going through `Output`. */
const WRITES: readonly string[] = [
  'process.stdout.write("x");',
  'process.stderr.write("x");',
  "const { stdout } = process;",
  'stderr.write("x");',
];

/** The files of a folder that its check finds in a circle. */
function circlesIn(folder: string): string[] {
  const oxlint = join(root, "node_modules/.bin/oxlint");
  const { stdout } = spawnSync(oxlint, ["--format=json"], { cwd: folder, encoding: "utf8" });
  const report = JSON.parse(stdout) as { diagnostics: { filename: string }[] };
  return report.diagnostics.map(({ filename }) => filename);
}

describe("arrows", () => {
  /** Per planted file: whether the check complained about an import in it. */
  const complained = new Map<string, boolean>();
  const plantedName = ([file, imported]: readonly [string, string]): string =>
    OF_ONE_FILE.includes(file) ? file : join(dirname(file), `${imported.replaceAll(/[^a-z0-9]/g, "-")}.ts`);
  let lazy: (readonly [string, string])[];
  let writesFound = 0;
  /** Files in a circle, as the check names them. */
  const inCircle = new Set<string>();

  beforeAll(() => {
    lazy = lazyImports();
    const folder = mkdtempSync(join(tmpdir(), "verdict-arrows-"));
    try {
      for (const name of [".oxlintrc.json", "package.json"])
        copyFileSync(join(root, name), join(folder, name));
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
      for (const row of [...FORBIDDEN, ...ALLOWED, ...lazy]) {
        const path = join(folder, plantedName(row));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, `import { planted } from "${row[1]}";\nexport const used = planted;\n`, {
          flag: "a",
        });
        complained.set(plantedName(row), false);
      }
      for (const [file, text] of Object.values(CIRCLES).flatMap((circle) => Object.entries(circle))) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), `${text}\n`);
      }
      writeFileSync(join(folder, "src/cli/planted-writes.ts"), WRITES.join("\n"));
      const ran = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format=json"], {
        cwd: folder,
        encoding: "utf8",
      });
      const report = JSON.parse(ran.stdout) as { diagnostics: { code?: string; filename: string }[] };
      for (const { code, filename } of report.diagnostics) {
        if (code?.includes("no-restricted-imports")) complained.set(filename, true);
        if (code?.includes("no-restricted-properties")) writesFound += 1;
        if (code?.includes("no-cycle")) inCircle.add(filename);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each(FORBIDDEN)("%s must not import %s", (file, imported) => {
    expect(complained.get(plantedName([file, imported]))).toBe(true);
  });

  it.each(ALLOWED)("%s may import %s", (file, imported) => {
    expect(complained.get(plantedName([file, imported]))).toBe(false);
  });

  it.each(Object.entries(CIRCLES))("leave no circle %s", (_, circle) => {
    expect(Object.keys(circle).filter((file) => inCircle.has(file))).not.toEqual([]);
  });

  it("leave no circle through a lazily loaded module", () => {
    const folder = mkdtempSync(join(tmpdir(), "verdict-circles-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    copyFileSync(join(root, "package.json"), join(folder, "package.json"));
    const rules = { "import/no-cycle": ["error", { ignoreTypes: false }] };
    writeFileSync(
      join(folder, ".oxlintrc.json"),
      JSON.stringify({ plugins: ["import"], categories: { correctness: "off" }, rules }),
    );
    copyWithoutLaziness(folder);
    expect(circlesIn(folder)).toEqual([]);
    // main loads the console lazily.
    const file = join(folder, "src/tui.tsx");
    writeFileSync(file, `import "#src/main.ts";\n${readFileSync(file, "utf8")}`);
    expect(circlesIn(folder)).not.toEqual([]);
  });

  it("leave no way to write around the guard", () => expect(writesFound).toBe(WRITES.length));

  it("hold for lazily loaded modules too", () => {
    expect(lazy.length).toBeGreaterThan(5);
    expect(lazy.filter((row) => complained.get(plantedName(row)) !== false)).toEqual([]);
  });
});

/** From those that need nothing of the others on; a part of the console needs none that comes after it. */
const PARTS = ["vault", "check", "sandbox", "register", "replay", "history", "profiles"];

/** The same of the sandbox. What Valkey keeps is a state, too, and nothing but the start knows it. */
const OF_SANDBOX = ["state", "valkey", "http", "service", "admin"];

it.each([
  ["the console's state", "src/state", PARTS],
  ["the sandbox", "src/sandbox", OF_SANDBOX],
])("go one way between the parts of %s", (_, room, parts) => {
  const upwards = parts.flatMap((part, place) =>
    globSync(`${room}/${part}/**/*.ts`, { cwd: root }).flatMap((file) => {
      const imports = readFileSync(join(root, file), "utf8").matchAll(new RegExp(`"#${room}/(\\w+)/`, "g"));
      return [...imports].filter(([, to]) => parts.indexOf(to!) > place).map(([what]) => `${file}: ${what}`);
    }),
  );
  expect(upwards).toEqual([]);
  expect(
    readdirSync(join(root, room), { withFileTypes: true })
      .flatMap((each) => (each.isDirectory() ? each.name : []))
      .toSorted(),
  ).toEqual(parts.toSorted());
});
