// examples/ci: the pipeline is green as it lies there, and red by the right ten payments when a limit changes.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { PROGRAM, type Ran } from "./verdict-process.ts";

const FOLDER = fileURLToPath(new URL("../../examples/ci/", import.meta.url));

function pipeline(rules: string): Promise<Pick<Ran, "code" | "stdout" | "stderr">> {
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
    HOME: tmpdir(),
    LANG: "C.UTF-8",
    VERDICT: `node ${PROGRAM}`,
  };
  return new Promise((resolve) => {
    execFile("sh", [join(FOLDER, "pipeline.sh"), rules], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

it("is green with its rules, and names the ten payments between an old limit and a new one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "verdict-ci-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const changed = join(folder, "changed.yaml");
  const rules = readFileSync(join(FOLDER, "rules.yaml"), "utf8");
  writeFileSync(changed, rules.replace("limit: 900000", "limit: 800000"));

  const [green, red] = await Promise.all([pipeline(join(FOLDER, "rules.yaml")), pipeline(changed)]);
  expect([green.code, red.code], green.stderr + red.stderr).toEqual([0, 8]);
  expect(green.stdout).toContain("## No verdict changed");
  expect(red.stdout).toContain("## 10 of 200 verdicts changed");
  expect(red.stderr).toContain("verdicts.lock differs: 10 verdicts changed;");
  const named = [...red.stdout.matchAll(/^\| (order-\d+) \| ✔ PASS \| ✖ BLOCK /gm)].map(([, key]) => key);
  const expected = Array.from(
    { length: 10 },
    (_, index) => `order-${String(7 + 20 * index).padStart(3, "0")}`,
  );
  expect(new Set(named)).toEqual(new Set(expected));
});
