// The manual pages: one for each command and topic, without anything that roff would take for a request.

import { expect, it } from "vitest";
import { leavesOf } from "#src/build/command-leaves.ts";
import { manualPages } from "#src/build/manual.ts";
import { COMMANDS } from "#src/cli/commands.ts";

const pages = manualPages("1.2.3");

it("has a page for each command, and for files and other topics", () => {
  const commands = leavesOf(COMMANDS, "verdict").map(({ path }) => `${path.replaceAll(" ", "-")}.1`);
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      ...commands,
      "verdict.1",
      "verdict-files.5",
      "verdict-filter.7",
      "verdict-shortcuts.7",
    ]),
  );
});

it.each([...pages])("%s has no other requests than its own", (_, text) => {
  const requests = text.split("\n").filter((line) => /^[.']/.test(line));
  expect(requests.filter((line) => !/^\.(?:TH|SH|SS|TP|nh|ad l|nf|fi)\b/.test(line))).toEqual([]);
});
