// verdict check: sends one payment and exits by its verdict, 0 only for pass.

import { checkJson } from "#src/actions/check/check-json.ts";
import { check as checkPayment } from "#src/actions/check/check.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT, exitOfCheck } from "#src/cli/exit-code.ts";
import { readWantedPayload } from "#src/cli/replay/named-payload.ts";
import { usage } from "#src/contract/fault.ts";
import type { Payload } from "#src/contract/fields/payload.ts";
import { answersWarning, recipeStatus } from "#src/contract/records/profile.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { reasonText, verdictKind } from "#src/display/verdict.ts";
import { entryLines } from "./entry-text.ts";
import type { CHECK } from "./check-options.ts";

export const check: CommandRun<typeof CHECK> = async (invocation) => {
  const { options, output, signal } = invocation;
  const { payload, project, repeats } = await readWanted(invocation);

  if (options.dryRun) {
    if (options.json)
      output.json({ schema: 1, dry_run: true, request: payload.request, warnings: payload.warnings });
    else {
      output.lines(safeJson(payload.request, 2).split("\n"));
      for (const warning of payload.warnings) output.note(`Warning: ${safe(warning)}`);
      output.note("Nothing was sent.");
    }
    return;
  }

  const context = await invocation.context();
  const { name, environment } = context.profile;
  const answer = options.canForce3ds;
  if (!options.json) output.progress("Checking");
  const { entry, notSaved } = await checkPayment(
    context,
    {
      request: payload.request,
      project,
      canForce3ds: answer === undefined ? null : answer === "yes",
      warnings: payload.warnings,
      repeats,
      record: options.history,
    },
    signal,
    () => undefined,
  );
  // A pass of the sandbox must not be mistaken for one of a service.
  if (!options.json && !output.isTerminal) output.note(`Profile: ${safe(name)} (${environment}).`);
  const accepted = options.json ? null : answersWarning(context.profile);
  if (accepted !== null) output.note(accepted);
  if (options.json) {
    output.json({ ...checkJson(entry), environment });
    // For the log of a script.
    if (entry.result?.outcome !== "answered") output.complain(reasonText(entry.result, output.style.ascii));
    // Warnings about the answer; those about the payload are known to its author.
    for (const warning of entry.warnings.slice(payload.warnings.length))
      output.note(`Warning: ${safe(warning)}`);
  } else {
    const { attemptNumbers } = await import("#src/actions/check/send-again.ts");
    const attempt = (await attemptNumbers(context, [entry])).get(entry.id) ?? null;
    for (const line of entryLines(entry, context.profile.amountUnit, output.style, attempt))
      output.advise(line);
    if (entry.result?.outcome === "unknown" && options.history) {
      output.note(`"verdict check --again ${entry.id}" sends it again, as another attempt.`);
    }
    if (entry.exchange?.answer && options.history && !options.verbose) {
      output.note(`"verdict history show ${entry.id} --exchange" shows the whole answer.`);
    }
    if (
      entry.result?.outcome === "answered" &&
      output.isTerminal &&
      recipeStatus(context.profile) === "assumed"
    ) {
      output.note(
        `The service answered a request signed with ${context.profile.recipe}: "verdict profile confirm-recipe ${context.profile.name}" remembers that this recipe is right.`,
      );
    }
  }

  if (notSaved !== null) {
    output.complain(`The verdict is not saved: ${notSaved.message}`);
    return EXIT.notWritten;
  }
  const failed = payload.expect !== null && verdictKind(entry.result) !== payload.expect;
  if (failed) {
    output.complain(`Expected ${payload.expect}; the verdict is ${verdictKind(entry.result)}.`);
  }
  if (signal.aborted && entry.result?.outcome !== "answered") return EXIT.interrupted;
  const exit = exitOfCheck(entry.result, entry.finalAction);
  // An unexpected pass must not be treated as success.
  return exit === EXIT.done && failed ? EXIT.expectation : exit;
};

interface Wanted {
  readonly payload: Payload;
  readonly project: string | undefined;
  /** Id of the attempt to repeat. */
  readonly repeats: string | null;
}

async function readWanted(invocation: Invocation<typeof CHECK>): Promise<Wanted> {
  const { args, options } = invocation;
  const again = options.again;
  if (again === undefined) {
    const payload = await readWantedPayload(
      invocation,
      args[0],
      options.set,
      'Give a payload file, the name of a saved payload, "-" for standard input, or fields with --set path=value.',
    );
    return { payload, project: options.project, repeats: null };
  }
  if (args[0] !== undefined) throw usage`--again sends the same payload again; leave out the file.`;
  // A dry run loads no history.
  const { earlierAttempt } = await import("#src/actions/check/send-again.ts");
  const { entry, request, warnings } = await earlierAttempt(await invocation.context(), again);
  const payload = { request, warnings, name: null, expect: null, tags: [], at: null, label: null, was: null };
  return { payload, project: entry.project, repeats: entry.id };
}
