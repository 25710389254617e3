// examples/contract: its programs, which have nothing of ours but the files, find signatures and sandbox as the files say.

import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { startSandbox, temporaryFolder } from "./sandbox-under-test.ts";

const FOLDER = fileURLToPath(new URL("../../examples/contract/", import.meta.url));
const CASES = join(FOLDER, "cases.ndjson");
const VECTORS = join(FOLDER, "signature-vectors.ndjson");

/** They take one of 3.9 or later. */
const hasPython = spawnSync("python3", ["-c", "dict() | dict()"]).status === 0;

function run(
  script: string,
  words: readonly string[],
  recipe: string = "http-signatures",
): Promise<{ code: number; stdout: string }> {
  const env = { PATH: process.env["PATH"], RECIPE: recipe, PYTHONDONTWRITEBYTECODE: "1", LANG: "C.UTF-8" };
  return new Promise((resolve) => {
    execFile("python3", [join(FOLDER, script), ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout: stdout + stderr }),
    );
  });
}

describe.skipIf(!hasPython)("the example in Python", () => {
  test.each(["http-signatures", "timestamp-body"])("finds the contract kept, signing by %s", async (id) => {
    const { port, dir } = await startSandbox({ recipe: recipeById(id), seed: 1 });
    const state = join(dir, "state");
    const words = [CASES, `http://127.0.0.1:${port}`, join(state, "integration-keys.json")];
    const all = await run("run_cases.py", [...words, join(state, "endpoint.json")], id);
    expect(all.stdout).toMatch(/\n(\d+) of \1 passed, 0 left out\n$/);
    expect(all.code).toBe(0);
    const other = await run(
      "run_cases.py",
      words,
      id === "timestamp-body" ? "http-signatures" : "timestamp-body",
    );
    expect(other.stdout).toMatch(/^FAIL a project is registered$/m);
    expect(other.code).toBe(1);
  });

  test("turns no clock without the administrative plane, and can be run again", async () => {
    const { port, dir } = await startSandbox({ credentialDelayS: 0 });
    const words = [CASES, `http://127.0.0.1:${port}`, join(dir, "state", "integration-keys.json")];
    for (const { code, stdout } of [await run("run_cases.py", words), await run("run_cases.py", words)]) {
      expect(stdout).toMatch(/\n(\d+) of \1 passed, [1-9]\d* left out\n$/);
      expect(code).toBe(0);
    }
  });

  test("finds its own signatures in the vectors, and says which differ", async () => {
    const good = await run("check_vectors.py", [VECTORS]);
    expect(good.stdout).toMatch(/\n(\d+) of \1 passed, \d+ of other recipes left out\n$/);
    expect(good.code).toBe(0);
    const changed = join(await temporaryFolder(), "changed.ndjson");
    writeFileSync(
      changed,
      readFileSync(VECTORS, "utf8").replaceAll('"nonce":"1f0c7a52', '"nonce":"2f0c7a52'),
    );
    const bad = await run("check_vectors.py", [changed]);
    expect(bad.stdout).toMatch(/^FAIL http-signatures: register$/m);
    expect(bad.stdout).toContain("2f0c7a52");
    expect(bad.code).toBe(1);
    // Nothing was compared.
    writeFileSync(changed, "");
    expect((await run("check_vectors.py", [changed])).code).toBe(1);
  });

  test.each(["run_cases.py", "check_vectors.py"])("%s explains itself", async (script) => {
    expect((await run(script, ["--help"])).stdout).toContain(`  ${script} `);
  });
});
