// verdict tour: the deck of this name in plain text, with registration and credential, on a temporary sandbox and home.

import { checkJson } from "#src/actions/check/check-json.ts";
import type { RegisteredProject } from "#src/actions/register/register-projects.ts";
import type { TOUR } from "#src/cli/check/check-options.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import type { Output } from "#src/cli/output.ts";
import { interrupted, sandboxFault } from "#src/contract/fault.ts";
import { currencyByNumeric } from "#src/contract/lists/currency.ts";
import { DEFAULT_CREDENTIAL_WAIT_S } from "#src/contract/records/profile-fields.ts";
import { ENGLISH } from "#src/display/audience-words.ts";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import { formatDuration } from "#src/display/time.ts";
import { builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import { consoleGate } from "#src/terminal/gate.ts";
import { deckHeading, frameLines } from "./deck-text.ts";
import { isUnanswered, onDemo } from "./demo.ts";

const REAL = "Real HTTP, real signatures, a virtual clock. Nothing of yours is touched.";

export const tour: CommandRun<typeof TOUR> = async (invocation) => {
  const { env, output, options, signal } = invocation;
  // On a terminal the console is better, but not on a CI server, where no person is present.
  const gate = { env, stdout: { isTTY: output.isTerminal }, stdin: { isTTY: invocation.stdin.isTTY } };
  if (!env["CI"] && !options.json && consoleGate(gate).ok) return invocation.openConsole("sandbox");

  const deck = builtInDeck("tour");
  const onRegistered = (projects: readonly RegisteredProject[]): void => {
    if (options.json) return;
    output.lines([
      ...deckHeading(deck, output),
      REAL,
      ...projects.flatMap((each) => registeredLines(each, output)),
    ]);
  };
  await onDemo(invocation, deck, { asks: false, onRegistered }, async (running) => {
    for (let frame = await running.forward(signal); frame !== null; frame = await running.forward(signal)) {
      if (signal.aborted) throw interrupted`The tour was stopped.`;
      if (frame.kind === "check" && options.json) output.json(checkJson(frame.entries.at(-1)!));
      else if (!options.json) output.lines(frameLines(frame, { output, notes: false, say: ENGLISH }));
      if (isUnanswered(frame))
        throw sandboxFault`A check of the tour had no trustworthy answer; run it again, and report it if that repeats.`;
    }
  });
  if (options.json) return EXIT.done;
  output.line();
  output.advise(
    'Your turn: "verdict project register --help", then "verdict check --help". "verdict history" finds checks again, and "verdict replay history:" sends them again.',
  );
  return EXIT.done;
};

/** The way to a project and its credential. */
function registeredLines(
  { registration, message, credential }: RegisteredProject,
  { style }: Output,
): readonly string[] {
  const { merchant_id: merchant, name, currency, risk_level: level } = registration;
  return [
    "",
    style.paint("heading", "Register a project for a merchant"),
    `   merchant ${merchant}, project "${name}", currency ${currencyByNumeric(currency)?.alpha} (${currency}), risk level ${level}`,
    `   Answer: ${safe(message)}`,
    "",
    style.paint("heading", "Fetch its credential, which is possible for 24 hours"),
    `   The clock of the sandbox advances ${formatDuration(DEFAULT_CREDENTIAL_WAIT_S * 1000)}, so you do not have to wait.`,
    `   Credential in the vault: key id ${safe(credential.keyId)}, project id ${safe(credential.projectId)},`,
    `   algorithm ${safe(credential.algorithm)}, secret ${MASK}`,
  ];
}
