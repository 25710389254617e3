// The npm package: complete without other packages, and with every file that it names.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { documentPaths } from "#src/build/packed-documents.ts";
import { linksOf } from "#src/build/page-links.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;

/** All texts in a value. */
function textsIn(value: unknown): string[] {
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsIn)
    : [String(value)];
}

it("needs no other package, and runs nothing where it is installed", () => {
  expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual(["devDependencies"]);
  const { scripts } = manifest as { scripts: Record<string, string> };
  const atInstallation = ["preinstall", "install", "postinstall", "prepublish", "prepare"];
  expect(Object.keys(scripts).filter((name) => atInstallation.includes(name))).toEqual([]);
});

it("names files that the build makes, and every man page", () => {
  const named = textsIn([manifest["bin"], manifest["exports"]]);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const pages = existsSync(join(root, "dist/man")) ? readdirSync(join(root, "dist/man")).sort() : [];
  expect(manifest["man"] ?? []).toEqual(pages.map((name) => `dist/man/${name}`));
});

it("has the documents and examples, and no link that leads out of it", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(documentPaths(root)));
  const pages = paths.filter((path) => path.endsWith(".md"));
  expect(pages).toContain("docs/tutorials/first-check.md");
  const dead = pages.flatMap((page) =>
    linksOf(root, page)
      .filter(({ path }) => !paths.some((each) => each === path || each.startsWith(`${path}/`)))
      .map(({ path }) => `${page}: ${path}`),
  );
  expect(dead).toEqual([]);
});

it("has types that name only what is in it, and modules without the console", () => {
  const types = join(root, "dist/types");
  const declared = readdirSync(types, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".d.ts"),
  );
  expect(declared.length).toBeGreaterThan(5);
  for (const name of declared) {
    const text = readFileSync(join(types, name), "utf8");
    for (const [, from] of text.matchAll(/(?:from |import\()"([^"]+)"/g)) {
      if (from!.startsWith("node:")) continue;
      expect(from).toMatch(/^\.{1,2}\/.*\.js$/);
      expect(existsSync(join(types, name, "..", from!.replace(/\.js$/, ".d.ts"))), `${name}: ${from}`).toBe(
        true,
      );
    }
  }
  const library = join(root, "dist/library");
  const modules = readdirSync(library).map((name) => readFileSync(join(library, name), "utf8"));
  expect(modules.filter((text) => /react\.(?:element|transitional)|yoga|commander/.test(text))).toEqual([]);
});

it("is shown on its page as the example uses it", () => {
  const page = readFileSync(join(root, "docs/how-to/use-as-a-library.md"), "utf8");
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
  const files = ["shop.ts", "shop.test.ts"].map((name) =>
    readFileSync(join(root, "examples/library", name), "utf8"),
  );
  expect(blocks.length).toBeGreaterThan(1);
  expect(blocks.filter((code) => !files.includes(code))).toEqual([]);
});
