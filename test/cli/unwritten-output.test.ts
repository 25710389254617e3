// Output that cannot be written is no success, whichever command it is of; a reader that has seen enough is no fault.

import { closeSync, openSync } from "node:fs";
import { expect, it } from "vitest";
import { commandCases, commandsWithoutCase, IN_AN_EMPTY_HOME } from "./every-command.ts";
import { inTurn, isQuiet, isUnwritten, runInto, wrong } from "./output-end.ts";
import { testHomeOfTests } from "./verdict-process.ts";

const CASES = commandCases().filter(({ name }) => IN_AN_EMPTY_HOME.has(name));

const home = testHomeOfTests();

it("has a case for every command of the table", () => {
  expect(commandsWithoutCase()).toEqual([]);
  expect(CASES).toHaveLength(IN_AN_EMPTY_HOME.size);
});

it.runIf(process.platform === "linux")(
  "ends with 74 and one sentence where nothing can be written",
  async () => {
    const full = openSync("/dev/full", "w");
    const ran = await inTurn(CASES, (each) => runInto(home, each, full));
    closeSync(full);
    expect(wrong(ran, isUnwritten)).toEqual([]);
  },
);

it("ends as ever where nobody reads", async () => {
  const ran = await inTurn(CASES, (each) => runInto(home, each, "closed"));
  expect(
    wrong(ran, (each, name) =>
      isQuiet(
        each,
        CASES.find((one) => one.name === name),
      ),
    ),
  ).toEqual([]);
});
