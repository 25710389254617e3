// The console names keys in place of the commands that a fault names for a shell.

import { expect, it } from "vitest";
import { credentialMissing } from "#src/contract/fault.ts";
import { ADD_COMMAND } from "#src/contract/records/key.ts";
import { inConsole, reportFaults } from "#src/state/report-faults.ts";
import { keyName } from "../keys/standard.ts";

it.each([
  [`enter it with "${ADD_COMMAND.integration_key}".`, "enter it with a on Vault (3)."],
  [`or enter one with "${ADD_COMMAND.project_credential}".`, "or enter one with a on Vault (3)."],
  ['list them with "verdict vault list".', "list them with Vault (3)."],
  ['list them with "verdict project list".', "list them with Register (2)."],
  ['choose another with "verdict profile use".', "choose another with Profiles (8)."],
  ['"verdict run list" lists them.', "Replay (5) lists them."],
  ['look with "verdict doctor --verify".', 'look with "verdict doctor --verify".'],
])("%s", (said, shown) => {
  expect(inConsole(said, keyName)).toBe(shown);
});

it("is what a verb that fails says", async () => {
  const said: string[] = [];
  const session = { keyName, say: (text: string) => said.push(text) };
  const fault = credentialMissing`Enter it with "${ADD_COMMAND.integration_key}".`;
  expect(await reportFaults(session, () => Promise.reject(fault))).toBeNull();
  expect(said).toEqual(["Enter it with a on Vault (3)."]);
});
