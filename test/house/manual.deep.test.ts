// The manual pages as groff reads them.

import { execFileSync, spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { manualPages } from "#src/build/manual.ts";

const hasGroff = spawnSync("groff", ["--version"]).status === 0;
const pages = manualPages("1.2.3");

it.skipIf(!hasGroff)("are set by groff without a warning, with every text in them", () => {
  for (const [name, text] of pages) {
    const { stdout, stderr } = spawnSync("groff", ["-man", "-ww", "-Tascii", "-P-cbou"], {
      input: text,
      encoding: "utf8",
    });
    expect(stderr, name).toBe("");
    expect(stdout, name).toMatch(/^NAME$/m);
  }
  const check = execFileSync("groff", ["-man", "-Tascii", "-P-cbou"], {
    input: pages.get("verdict-check.1")!,
    encoding: "utf8",
  });
  expect(check).toContain("--set <path=value>");
  expect(check).toContain("verdict check payload.json && ship-order");
});
