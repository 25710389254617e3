// verdict payload: lists, shows, saves, edits and removes saved payloads.

import { declined, sayDone } from "#src/cli/done.ts";
import { editUntilValid } from "#src/cli/edit-text.ts";
import { noSuchPayload, payloadText, savePayloadText } from "#src/actions/check/edit-payload.ts";
import { savePayload } from "#src/actions/check/save-payload.ts";
import { findEntry } from "#src/actions/history/find-history.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { payloadJson } from "#src/cli/json-shapes.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { payloadSearch, readExpectation, type PayloadRow } from "#src/contract/records/saved-payload.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { formatZoned } from "#src/display/time.ts";
import { paintedVerdict } from "#src/display/verdict.ts";
import { readWantedPayload } from "./named-payload.ts";
import type { Asking, Json } from "#src/cli/option-specs.ts";
import type { PAYLOAD_LIST, PAYLOAD_SAVE } from "./replay-options.ts";

export const list: CommandRun<typeof PAYLOAD_LIST> = async ({ context, options, output }) => {
  const opened = await context();
  const payloads = await opened.payloads();
  const all = await payloads.list();
  const tags = options.tag.map((tag) => `tag:${tag}`);
  const found = all.filter(payloadSearch([...tags, options.search ?? ""].join(" ")));
  if (options.json) return found.forEach((row) => output.json(payloadJson(row)));
  if (found.length === 0)
    return output.advise(
      all.length === 0
        ? `No payload is saved yet; "verdict payload save NAME FILE" keeps one in ${safe(payloads.dir, { max: 400 })}.`
        : "No payload matches; without --tag and --search all are listed.",
    );
  const { amountUnit } = opened.profile;
  const rows = found.map((row) => [
    safe(row.name, { max: 64 }),
    row.problem === null
      ? paintedVerdict(row.expect, output.style)
      : output.style.paint("error", "unreadable"),
    row.problem === null ? safe(formatMoney(row.amount, row.currency, amountUnit)) : "",
    row.modifiedAt === null ? "" : formatZoned(row.modifiedAt),
    row.problem === null ? words(row) : safe(row.problem, { max: 400 }),
  ]);
  output.table(["NAME", "EXPECTS", "AMOUNT", "SAVED", "ORDER AND TAGS"], rows, [2]);
};

export const show: CommandRun<Json> = async ({ args, context, options, output }) => {
  const name = args[0]!;
  const payloads = await (await context()).payloads();
  const payload = await payloads.read(name);
  if (payload === null) throw noSuchPayload(name);
  const { expect, tags, request, warnings } = payload;
  const path = payloads.path(name);
  if (options.json) return output.json({ schema: 1, name, expect, tags, request, warnings, path });
  output.table(
    ["payload", name],
    [
      ["expects", paintedVerdict(expect, output.style)],
      ["tags", tags.length === 0 ? "none" : safe(tags.join(" "), { max: 400 })],
      ["file", safe(path, { max: 1_000 })],
    ],
  );
  output.line();
  output.line(output.style.paint("heading", "Request"));
  for (const line of safeJson(request, 2).split("\n")) output.line(`  ${line}`);
  for (const warning of warnings) output.note(`Warning: ${safe(warning)}`);
};

export const save: CommandRun<typeof PAYLOAD_SAVE> = async (invocation) => {
  const { args, context, options, output } = invocation;
  const name = args[0]!;
  const payloads = await (await context()).payloads();
  // Reports an invalid name before waiting for standard input.
  payloads.path(name);
  const source = await sourceOf(invocation);
  const payload = {
    name,
    expect: options.expect === undefined ? source.expect : (readExpectation(options.expect) ?? null),
    tags: options.tag.length === 0 ? source.tags : [...new Set(options.tag)],
    request: source.request,
  };
  const { saved, path } = await savePayload(await context(), { ...payload, replace: options.yes });
  if (!saved) {
    throw usage`There is a payload "${name}" already, and it is as it was; --yes overwrites it.`;
  }
  for (const warning of source.warnings) output.note(`Warning: ${safe(warning)}`);
  sayDone(
    { options, output },
    { name, expect: payload.expect, tags: payload.tags, warnings: source.warnings, path },
    `Payload ${name} saved, expecting ${payload.expect ?? "nothing in particular"}: ${safe(path, { max: 1_000 })}`,
  );
};

interface Source {
  readonly request: CheckRequest;
  readonly expect: Recommendation | null;
  readonly tags: readonly string[];
  readonly warnings: readonly string[];
}

async function sourceOf(invocation: Invocation<typeof PAYLOAD_SAVE>): Promise<Source> {
  const id = invocation.options.fromHistory;
  const file = invocation.args[1];
  const missing =
    'Give one source: a payload file, "-" for standard input, or a check with --from-history ID.';
  if (id === undefined) return readWantedPayload(invocation, file, [], missing);
  if (file !== undefined) throw new Fault("usage", whole(missing));
  const entry = await findEntry(await invocation.context(), id);
  return { request: entry.request, expect: entry.result?.recommendation ?? null, tags: [], warnings: [] };
}

export const edit: CommandRun<Json> = async (invocation) => {
  const name = invocation.args[0]!;
  const context = await invocation.context();
  let before = await payloadText(context, name);
  return editUntilValid(invocation, {
    fileName: `${name}.json`,
    text: before.text,
    instead: `change the file and save it with "verdict payload save ${name} FILE --yes"`,
    unchanged: "Nothing was saved.",
    async save(text) {
      const from = before;
      // A change by another process is reported once; saving again overwrites it.
      before = await payloadText(context, name);
      const { changed, warnings } = await savePayloadText(context, from, text);
      for (const warning of warnings) invocation.output.note(`Warning: ${safe(warning)}`);
      sayDone(
        invocation,
        { name, changed, warnings },
        changed ? `Payload ${name} saved.` : `Payload ${name} is as it was.`,
      );
    },
  });
};

export const remove: CommandRun<Asking> = async (invocation) => {
  const name = invocation.args[0]!;
  const payloads = await (await invocation.context()).payloads();
  payloads.path(name);
  // An unreadable payload can be removed as well.
  if (!(await payloads.list()).some((row) => row.name === name)) throw noSuchPayload(name);
  if (!(await confirm(invocation, `Remove payload ${name} for good?`))) {
    return declined(invocation, { name, removed: false });
  }
  if (!(await payloads.remove(name))) throw noSuchPayload(name);
  sayDone(invocation, { name, removed: true }, `Payload ${name} removed.`);
};

function words({ orderId, tags }: PayloadRow): string {
  const order = orderId === null ? "no order id" : safe(orderId, { max: 60 });
  return [order, ...tags.map((tag) => `#${safe(tag, { max: 40 })}`)].join(" ");
}
