// verdict docs and verdict examples: what is inside the program, by name, and as files.

import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { documentPages } from "#src/app/documents.ts";
import { linksOf } from "#src/build/page-links.ts";
import { pageOf, type CommandSpec } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { folded, pageNamed } from "#src/cli/docs.ts";
import { blocksOf } from "../house/page-blocks.ts";
import { homeOfTests } from "./in-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PAGES = documentPages();

const home = homeOfTests();

it("lists every page of the four kinds, and prints each by its name", async () => {
  const { stdout } = await home.run(["docs"]);
  const files = globSync("docs/{tutorials,how-to,reference,explanation}/*.md", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    const name = file.replace(/^.*\/|\.md$/g, "");
    const [title] = readFileSync(join(ROOT, file), "utf8").split("\n");
    expect(stdout.split("\n").map((line) => line.trim().split(/  +/))).toContainEqual([
      name,
      title!.slice(2),
    ]);
    expect((await home.run(["docs", name])).stdout.startsWith(`${title}\n`), name).toBe(true);
  }
});

it("has a page for each command, which its help names", async () => {
  const named = (specs: readonly CommandSpec[], before: string): [string, CommandSpec][] =>
    specs.flatMap((spec) => [
      [`${before} ${spec.name}`, spec] as [string, CommandSpec],
      ...named(spec.children ?? [], `${before} ${spec.name}`),
    ]);
  for (const [path, spec] of named(COMMANDS, "verdict"))
    expect(pageNamed(pageOf(path, spec), PAGES).name, path).toBe(pageOf(path, spec));
  for (const words of ["check", "history show", "rules", "vault add"]) {
    const { stdout } = await home.run([...words.split(" "), "--help"]);
    const [, page] = /"verdict docs ([^"]+)"/.exec(stdout) ?? [];
    expect((await home.run(["docs", page!])).code, words).toBe(0);
  }
});

it("finds a page by each link that another page has to it", () => {
  const links = globSync("docs/*/**/*.md", { cwd: ROOT, exclude: ["docs/decisions/**"] }).flatMap((page) =>
    linksOf(ROOT, page).filter(({ path }) => /^docs\/[^/]+\/.*\.md$/.test(path)),
  );
  expect(links.length).toBeGreaterThan(100);
  for (const { path } of links) {
    const { kind, name } = pageNamed(path, PAGES);
    expect([`docs/${kind}/${name}.md`, `docs/${kind}/${name}/README.md`]).toContain(path);
  }
});

it("names a page that is there for a page that is not", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PAGES), fc.string({ maxLength: 12 }), ({ name }, more) => {
      const asked = `${name}${more}`;
      if (PAGES.some((page) => page.name === asked)) return;
      try {
        pageNamed(asked, PAGES);
      } catch (error) {
        const [, like] = /Did you mean "verdict docs ([^"]+)"\?/.exec(String(error)) ?? [];
        expect(pageNamed(like!, PAGES).text.length).toBeGreaterThan(0);
      }
    }),
  );
});

it.each([40, 80, 100])(
  "folds the paragraphs of a page to %i columns, and changes no word and no code",
  (columns) => {
    for (const { name, text } of PAGES) {
      const shown = folded(text, columns);
      const words = (page: string): string => page.replaceAll(/\s+/g, " ");
      expect(words(shown), name).toBe(words(text));
      const code = (page: string): string[] => blocksOf(page).map(({ lines }) => lines.join("\n"));
      expect(code(shown), name).toEqual(code(text));
      const prose = shown.replaceAll(/^ *```[^]*?^ *```$/gm, "").split("\n");
      const long = prose.filter(
        (line) => line.length > columns && !/^ *(?:[|#!]|(?:- |\d+\. )?\S+$)/.test(line),
      );
      expect(long, name).toEqual([]);
    }
  },
);

it("copies the examples into a new or an empty folder, and overwrites nothing", async () => {
  const folder = join(home.folder, "new", "trial");
  const made = await home.run(["examples", folder]);
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout).toContain(folder);
  const files = globSync("**/*.*", { cwd: folder }).sort();
  expect(files.length).toBeGreaterThan(40);
  for (const file of files)
    expect(readFileSync(join(folder, file)), file).toEqual(readFileSync(join(ROOT, "examples", file)));

  writeFileSync(join(folder, "payment.json"), "mine");
  expect(await home.run(["examples", folder])).toMatchObject({ code: 2, stdout: "" });
  expect(readFileSync(join(folder, "payment.json"), "utf8")).toBe("mine");
  expect((await home.run(["examples", join(folder, "payment.json")])).code).toBe(2);
  expect((await home.run(["examples", "-"])).code).toBe(2);
  expect(existsSync("-")).toBe(false);

  mkdirSync(join(home.folder, "empty"));
  expect((await home.run(["examples", join(home.folder, "empty")])).code).toBe(0);
});
