// Long texts on a terminal: the pager of the environment, without a shell, and when there is none.

import { expect, it } from "vitest";
import { openPseudoTerminal } from "../console/pty.ts";
import { testHomeOfTests } from "./verdict-process.ts";

const home = testHomeOfTests();

async function shown(words: string, env: NodeJS.ProcessEnv): Promise<string> {
  const terminal = openPseudoTerminal({
    cwd: home.folder,
    env: { ...home.env, ...env },
    args: words.split(" "),
    rows: 15,
    watchesControls: true,
  });
  await terminal.exit;
  return terminal.written();
}

it.each<[string, NodeJS.ProcessEnv, boolean]>([
  ["rules list starter", { PAGER: "sed s/^/paged:/" }, true],
  ["rules list starter", { PAGER: "no-such-pager", VERDICT_PAGER: "sed 's/^/paged:/'" }, true],
  ["help filter", { PAGER: "sed s/^/paged:/" }, true],
  ["check --help", { PAGER: "sed s/^/paged:/" }, true],
  ["rules list starter --no-pager", { PAGER: "sed s/^/paged:/" }, false],
  ["rules list starter", { PAGER: "no-such-pager" }, false],
  ["rules list starter", { PAGER: "" }, false],
  ["rules list starter --screen-reader", { PAGER: "sed s/^/paged:/" }, false],
  ["profile list", { PAGER: "sed s/^/paged:/" }, false],
  ["rules check starter", { PAGER: "sed s/^/paged:/" }, false],
])("verdict %s with %o is paged: %s", async (words, env, isPaged) => {
  const text = await shown(words, env);
  expect(text.length).toBeGreaterThan(50);
  expect(text.includes("paged:")).toBe(isPaged);
});

it("never pages into a pipe", async () => {
  const { stdout } = await home.run("rules list starter", { env: { PAGER: "sed s/^/paged:/" } });
  expect(stdout).not.toContain("paged:");
});
