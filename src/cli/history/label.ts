// verdict label: what became of payments, by order id.

import { importLabels } from "#src/actions/history/import-labels.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { declined, sayDone } from "#src/cli/done.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { progressBar } from "#src/cli/progress-bar.ts";
import { Rejects } from "#src/cli/replay/rejects.ts";
import { orderIdProblem } from "#src/contract/fields/order-id.ts";
import { Fault, interrupted, usage, whole } from "#src/contract/fault.ts";
import {
  isLabel,
  LABEL_CHOICE,
  type Label,
  type LabelledOrder,
  type OrderLabel,
} from "#src/contract/records/label.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { formatZoned, isoTime } from "#src/display/time.ts";
import type { LABEL_IMPORT, LABEL_LIST, LABEL_SET } from "./history-options.ts";
import type { Asking } from "#src/cli/option-specs.ts";

const SHOWN_ORDERS = 100;

export const set: CommandRun<typeof LABEL_SET> = async (invocation) => {
  const { args, context, options } = invocation;
  const [orderId = "", label = ""] = args;
  if (!isLabel(label)) {
    throw usage`"${label}" is no label; write ${LABEL_CHOICE}.`;
  }
  const opened = await context();
  const at = options.at ?? opened.now();
  const { labels } = await opened.history();
  const known = async (): Promise<Label | null> => (await labels.of([orderId], null)).get(orderId) ?? null;
  const before = await known();
  await labels.set([{ orderId, label, at }]);
  const counts = await known();
  sayDone(
    invocation,
    { order_id: orderId, outcome: label, at: isoTime(at), counts, before },
    `Order ${safe(orderId)} is ${label} as of ${formatZoned(at)}${before === null ? "" : `; before it was ${before}`}.`,
    counts === label ? null : `A later label of this order is in effect: ${counts}.`,
  );
};

export const importFile: CommandRun<typeof LABEL_IMPORT> = async (invocation) => {
  const { args, context, options, output, signal } = invocation;
  const rejects = new Rejects(options.rejects, "imported");
  try {
    const bar = progressBar(output, "Importing labels");
    const onRejected: Rejects["take"] = (line) => rejects.take(line);
    const input = { path: args[0]!, map: options.map };
    const counts = await importLabels(await context(), input, signal, onRejected, bar).finally(() =>
      output.progress(null),
    );
    for (const { origin, message } of rejects.kept) output.complain(`${safe(origin)}: ${message}`);
    sayDone(
      invocation,
      { ...counts, rejected: rejects.count },
      `${counted(counts.outcomes, "label")} imported: ${counted(counts.labelled, "order", "orders")} had none before, and ${counts.changed} changed.`,
    );
    if (rejects.failure !== null) throw rejects.failure;
    if (rejects.untaken === null) return EXIT.done;
    output.complain(rejects.untaken);
    return EXIT.usage;
  } finally {
    rejects.close();
  }
};

export const list: CommandRun<typeof LABEL_LIST> = async ({ context, options, output, signal }) => {
  const limit = options.limit;
  const most = limit ?? (options.json ? Infinity : SHOWN_ORDERS);
  const { labels } = await (await context()).history();
  const rows: string[][] = [];
  let count = 0;
  for await (const order of labels.list()) {
    if (signal.aborted) throw interrupted`Stopped.`;
    count += 1;
    if (count > most) break;
    const { orderId, label, at, known } = order;
    const asOf = at === null ? "no time" : formatZoned(at);
    if (options.json) output.json(labelledJson(order));
    else rows.push([safe(orderId, { max: 128 }), label, asOf, String(known.length)]);
    await output.drained(signal);
  }
  if (options.json) return;
  if (count === 0)
    output.advise('No order has a label yet; "verdict label set" and "verdict label import" add labels.');
  else output.table(["ORDER", "LABEL", "AS OF", "SET"], rows, [3]);
  if (count > most) output.line(`The first ${most} orders are shown; --limit shows more, and --json all.`);
};

export const remove: CommandRun<Asking> = async (invocation) => {
  const { args, context } = invocation;
  const orderId = args[0]!;
  const problem = orderIdProblem(orderId);
  if (problem !== null) throw new Fault("usage", whole(problem));
  const { labels } = await (await context()).history();
  const known = await labels.of([orderId], null).catch((error: unknown) => {
    // A damaged one is what a removal is for.
    if (error instanceof Fault && error.code === "corrupt") return null;
    throw error;
  });
  const label = known === null ? "damaged" : known.get(orderId);
  if (label === undefined) {
    throw usage`The order "${orderId}" has no label; "verdict label list" lists the orders that have one.`;
  }
  if (!(await confirm(invocation, `Remove all labels of order ${safe(orderId)} (${label}) for good?`))) {
    return declined(invocation, { order_id: orderId, removed: false });
  }
  await labels.remove(orderId);
  sayDone(
    invocation,
    { order_id: orderId, removed: true, outcome: label },
    `The labels of order ${safe(orderId)} are removed; what counted was ${label}.`,
  );
};

function labelledJson({ orderId, known, ...latest }: LabelledOrder) {
  const json = ({ label, at }: Pick<OrderLabel, "label" | "at">) => ({
    outcome: label,
    at: at === null ? null : isoTime(at),
  });
  /** `known`: all that was ever set, in that order. */
  return { schema: 1, order_id: orderId, ...json(latest), known: known.map(json) };
}
