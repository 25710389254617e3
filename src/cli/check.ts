// verdict check: one payment, one verdict, and an exit code that ships only on pass.

import { check as checkPayment } from "#src/actions/check.ts";
import { readPayload, type Payload } from "#src/contract/payload.ts";
import { Fault } from "#src/contract/fault.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import type { CommandRun, Invocation } from "./command.ts";
import { entryLines } from "./entry-text.ts";
import { EXIT, exitOfCheck } from "./exit-code.ts";
import { checkJson } from "./json-shapes.ts";
import { readDocument } from "./read-input.ts";

export const check: CommandRun = async (invocation) => {
  const { options, output, signal } = invocation;
  const payload = await readNamed(invocation);
  const json = options.flag("json");

  if (options.flag("dryRun")) {
    if (json) output.json({ schema: 1, dry_run: true, request: payload.request, warnings: payload.warnings });
    else {
      for (const line of safeJson(payload.request, 2).split("\n")) output.line(line);
      for (const warning of payload.warnings) output.complain(`Warning: ${safe(warning)}`);
      output.complain("Nothing was sent.");
    }
    return EXIT.done;
  }

  const context = await invocation.context();
  const answer = options.text("canForce3ds");
  if (!json) output.progress("Checking");
  const { entry, notSaved } = await checkPayment(
    context,
    {
      request: payload.request,
      project: options.text("project"),
      canForce3ds: answer === undefined ? null : answer === "yes",
      warnings: payload.warnings,
      repeats: null,
      record: !options.negated("history"),
    },
    signal,
    () => undefined,
  );
  if (json) output.json(checkJson(entry));
  else for (const line of entryLines(entry, context.profile.amountUnit, output.style)) output.line(line);

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
  // A pass that its author did not expect must not ship anything.
  return exit === EXIT.done && failed ? EXIT.expectation : exit;
};

async function readNamed(invocation: Invocation): Promise<Payload> {
  const name = invocation.args[0];
  const changes = invocation.options.list("set");
  if (name === undefined && changes.length === 0) {
    throw new Fault("usage", 'Give a payload file, "-" for standard input, or fields with --set path=value.');
  }
  const bytes =
    name === undefined ? null : await readDocument(name, () => invocation.stdin, invocation.signal);
  const source = name === undefined ? "The request" : name === "-" ? "Standard input" : safe(name);
  return readPayload(bytes, source, changes, Date.now());
}
