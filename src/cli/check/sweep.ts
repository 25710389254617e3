// verdict sweep: varies one field over a range or a list and reports the values at which the verdict changes.

import { requireSendable } from "#src/actions/check/may-send.ts";
import { mostSent, sweep as sweepField, type SweepEvent } from "#src/actions/check/sweep.ts";
import type { Context } from "#src/app/context.ts";
import { confirmByName, noTerminal } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { readWantedPayload } from "#src/cli/replay/named-payload.ts";
import { interrupted, usage } from "#src/contract/fault.ts";
import type { Field } from "#src/contract/fields/field.ts";
import {
  proposedValues,
  readSweepList,
  readSweepRange,
  readSweepValues,
  STEPS,
  sweptField,
} from "#src/actions/check/sweep-values.ts";
import type { SweepPoint, SweepResult, SweepValues } from "#src/contract/records/sweep.ts";
import { safe } from "#src/display/safe.ts";
import { paintLine } from "#src/display/span.ts";
import { sweepLines } from "#src/display/sweep-lines.ts";
import type { SWEEP } from "./check-options.ts";

type Sweeping = Invocation<typeof SWEEP>;

export const sweep: CommandRun<typeof SWEEP> = async (invocation) => {
  const { args, options, output, signal } = invocation;
  const field = sweptField(options.field);
  // Before anything is opened, so that a typing mistake fails at once.
  const { steps } = options;
  const asked = valuesOf(invocation, field, steps ?? STEPS.sandbox);
  const payload = await readWantedPayload(
    invocation,
    args[0],
    options.set,
    'Give a payload file, the name of a saved payload, "-" for standard input, or fields with --set path=value.',
  );
  const context = await invocation.context();
  const { profile } = context;
  const isReal = profile.environment !== "SANDBOX";
  const values =
    isReal && steps === undefined && asked.kind === "range" ? { ...asked, steps: STEPS.real } : asked;
  const confirmed = isReal ? await confirmedName(invocation, context, values) : null;

  for (const warning of payload.warnings) output.note(`Warning: ${safe(warning)}`);
  const input = {
    request: payload.request,
    project: options.project,
    field: field.path,
    values,
    confirmed,
  };
  const onEvent = ({ done, planned }: SweepEvent): void =>
    output.progress(`Trying values: ${done} of ${planned}`);
  const result = await sweepField(context, input, signal, onEvent);
  output.progress(null);
  if (options.json) output.json(sweepJson(result));
  else output.lines(textLines(result, invocation, context));
  if (signal.aborted) return EXIT.interrupted;
  return result.stopped !== null || result.points.some((point) => isWithoutVerdict(point, result))
    ? EXIT.unknown
    : EXIT.done;
};

/** @throws Fault("usage") for invalid values */
function valuesOf({ options }: Sweeping, field: Field, steps: number): SweepValues {
  const { range, list } = options;
  if (list !== undefined) return readSweepList(field, list);
  if (range !== undefined) return readSweepRange(field, range, steps);
  const proposed = proposedValues(field.path, Date.now());
  if (proposed === null) {
    throw usage`There are no proposed values for ${field.path}; name them with --list a,b,c.`;
  }
  return readSweepValues(field, proposed, steps);
}

/**
 * Confirmation for sending real checks: the name of the profile, by --confirm or typed.
 * @throws Fault("read_only" | "usage" | "interrupted"): nothing was sent
 */
async function confirmedName(
  invocation: Sweeping,
  { profile }: Context,
  values: SweepValues,
): Promise<string> {
  const { options, stdin } = invocation;
  requireSendable(profile);
  const name = safe(profile.name, { max: 64 });
  const most = mostSent(values);
  const given = options.confirm;
  if (given !== undefined) {
    if (given === profile.name) return given;
    throw usage`--confirm names ${given}, and the profile is ${name}; nothing was sent.`;
  }
  if (stdin.isTTY !== true) {
    throw usage`A sweep on the profile ${name} sends up to ${most} real checks, and ${noTerminal(invocation, "to confirm on")}; add --confirm ${name}.`;
  }
  const warning = `A sweep on the ${profile.environment} profile ${name} sends up to ${most} real checks. The service counts them.`;
  if (await confirmByName(invocation, warning, profile.name)) return profile.name;
  throw interrupted`That is not the name of the profile; nothing was sent.`;
}

/** Narrowest and widest chart, in columns. */
const BAR = { least: 24, most: 96 } as const;

function textLines(result: SweepResult, { output }: Invocation, { profile }: Context): string[] {
  const { style, columns } = output;
  const width = Math.min(BAR.most, Math.max(BAR.least, columns - 4));
  const options = { width, ascii: style.ascii, unit: profile.amountUnit, masked: false };
  return sweepLines(result, options).map((line) => paintLine(line, style));
}

/** True without a verdict; a refusal by the sandbox is a known result. */
function isWithoutVerdict({ verdict }: SweepPoint, { real }: SweepResult): boolean {
  return verdict === "refused" ? real : !["pass", "block", "3ds_or_block"].includes(verdict);
}

/** What `verdict sweep --json` prints. */
function sweepJson(result: SweepResult) {
  const { values } = result;
  return {
    schema: 1,
    type: "sweep",
    profile: result.profile,
    project: result.project,
    field: result.field,
    range: values.kind === "range" ? { from: values.from, to: values.to } : null,
    real: result.real,
    asked: result.asked,
    stopped: result.stopped,
    stretches: result.stretches.map(({ from, to, exact, gained, lost }) => ({
      from: from.value,
      to: to.value,
      verdict: from.verdict,
      exact,
      rule: from.codes?.[0] ?? null,
      reason: from.reason,
      gained,
      lost,
    })),
    points: result.points.map(({ value, verdict, codes }) => ({ value, verdict, rules: codes })),
  };
}
