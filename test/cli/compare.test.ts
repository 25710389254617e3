// verdict compare masks in its reports what is personal in a stored run, unless it is told to show it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { storeRun } from "../actions/stored-runs.ts";
import { runRow } from "../replay/rows.ts";
import { runsIn } from "../storage/open-runs.ts";
import { inProcessHome } from "./in-process.ts";

it("masks personal data in its reports", async () => {
  const home = inProcessHome();
  onTestFinished(() => home.remove());
  const runs = runsIn(join(home.folder, "data"));
  const email = "ann@canary.example";
  const keyed = { request: { payer: { email } }, key: "order-of-ann", origin: `${email}.ndjson:1` };
  await storeRun(runs, "aaa1", [runRow(1, "pass", keyed)]);
  await storeRun(runs, "bbb2", [runRow(1, "block", keyed)]);
  await runs.close();
  const report = async (...words: string[]): Promise<string> => {
    const path = join(home.folder, `${words.join("")}.html`);
    const results = `${path}.xml`;
    await home.run(["compare", "aaa1", "bbb2", ...words, "--report", `html=${path}`, "--report", results]);
    const junit = readFileSync(results, "utf8");
    expect(junit).toContain('failures="1"');
    return readFileSync(path, "utf8") + junit;
  };
  expect(await report()).not.toContain("canary.example");
  expect(await report("--show-personal")).toContain(email);
});
