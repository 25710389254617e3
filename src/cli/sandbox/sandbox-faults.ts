// verdict sandbox faults: lists, adds and clears injected faults.

import type { Json } from "#src/cli/option-specs.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { noSuch } from "#src/contract/fault.ts";
import { faultShareText, faultText, readFault, type FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import { withSandbox, type Targeted } from "./sandbox-session.ts";
import type { SANDBOX_FAULTS_ADD } from "./sandbox-options.ts";

export const listFaults: CommandRun<Targeted> = async (invocation) =>
  withSandbox(invocation, async ({ admin }) => {
    show(invocation, await admin.faults());
  });

export const addFault: CommandRun<typeof SANDBOX_FAULTS_ADD> = async (invocation) => {
  const { args, options } = invocation;
  const order = readFault({
    on: args[0],
    what: args[1],
    value: args[2],
    rate: options.rate,
    count: options.count,
    retryAfter: options.retryAfter,
  });
  return withSandbox(invocation, async ({ admin }) => {
    const fault = await admin.addFault(order);
    if (options.json) return invocation.output.json(faultJson(fault));
    invocation.output.line(
      `Fault ${fault.id} on ${fault.on}: ${faultText(fault)}, ${faultShareText(fault)}.`,
    );
  });
};

export const clearFaults: CommandRun<Targeted> = async (invocation) => {
  const id = invocation.args[0];
  return withSandbox(invocation, async ({ admin }) => {
    const left = await admin.clearFaults(id);
    if (left === null) {
      throw noSuch("fault", id ?? "", "verdict sandbox faults list");
    }
    if (invocation.options.json) show(invocation, left);
    else
      invocation.output.line(left.length === 0 ? "No faults are left." : `${left.length} faults are left.`);
  });
};

function show({ options, output }: Invocation<Json>, faults: readonly FaultReading[]): void {
  if (options.json) return output.json({ schema: 1, faults: faults.map(faultJson) });
  if (faults.length === 0) return output.line("The sandbox has no faults.");
  const rows = faults.map((fault) => [
    fault.id,
    fault.on,
    String(fault.made),
    faultText(fault),
    faultShareText(fault),
  ]);
  output.table(["FAULT", "ON", "MADE", "WHAT", "HOW OFTEN"], rows, [2]);
}

/** What `verdict sandbox faults --json` prints for one fault. */
function faultJson(fault: FaultReading) {
  const { id, on, effect, rate, count, made } = fault;
  return { id, on, what: effect.do, words: faultText(fault), rate, count, made, effect };
}
