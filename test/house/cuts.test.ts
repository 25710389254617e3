// Parts that the build cuts out of packages: each is found in the installed version, and a changed package fails the build.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { applyCut, CUTS, fileOf, requireVersion } from "#src/build/cuts.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
  devDependencies: Record<string, string>;
};

describe.each(CUTS)("$package, $file: $cut", (cut) => {
  const text = readFileSync(fileOf(cut, root), "utf8");

  it("is found in the installed version, once", () => {
    requireVersion(cut, root);
    const left = applyCut(text, cut, "/root/");
    expect(left).toContain(cut.put.replace("ROOT/", "/root/"));
    expect(left).toHaveLength(text.length - cut.cut.length + cut.put.replace("ROOT/", "/root/").length);
  });

  it("fails the build where the text is gone, where it is there twice, and where the version is another", () => {
    const sentence = `${cut.file} of ${cut.package} does not hold`;
    expect(() =>
      applyCut(
        text.replace(cut.cut, () => ""),
        cut,
        root,
      ),
    ).toThrow(sentence);
    expect(() => applyCut(text + cut.cut, cut, root)).toThrow(sentence);
    const other = { ...cut, package: `${cut.package}-next.1` } as const;
    expect(() => requireVersion(other, root)).toThrow("src/build/cuts.ts knows");
  });

  it("is of a package that is pinned, where it is our own dependency", () => {
    const at = cut.package.lastIndexOf("@");
    expect([undefined, cut.package.slice(at + 1)]).toContain(devDependencies[cut.package.slice(0, at)]);
  });
});
