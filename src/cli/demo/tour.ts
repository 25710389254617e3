// verdict tour: registration, credential and checks from end to end, on a temporary sandbox and home.

import { findHistory } from "#src/actions/history/find-history.ts";
import { fetchCredential } from "#src/actions/register/fetch-credential.ts";
import { register } from "#src/actions/register/register.ts";
import { playDeck } from "#src/actions/sandbox/demo.ts";
import type { Context } from "#src/app/context.ts";
import { openEphemeral } from "#src/app/ephemeral.ts";
import { checkJson } from "#src/actions/check/check-json.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import type { Output } from "#src/cli/output.ts";
import { layOut } from "#src/cli/table.ts";
import { Fault, interrupted, sandboxFault, whole } from "#src/contract/fault.ts";
import { currencyByNumeric } from "#src/contract/lists/currency.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { hitsOf } from "#src/contract/wire/explanation.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { MASK } from "#src/display/mask.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import type { Ascii } from "#src/display/sign.ts";
import { formatCountdown, formatDuration, formatLatency } from "#src/display/time.ts";
import {
  NO_OBJECTION,
  paintedVerdict,
  reasonText,
  verdictKind,
  verdictLabel,
  VERDICTS,
} from "#src/display/verdict.ts";
import { builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import { checkCount, type Deck } from "#src/replay/decks/deck.ts";
import { consoleGate } from "#src/terminal/gate.ts";
import type { TOUR } from "#src/cli/check/check-options.ts";

/** Columns for the whole table. */
const WIDE_TABLE = 150;

export const tour: CommandRun<typeof TOUR> = async (invocation) => {
  const { env, executable, output } = invocation;
  // On a terminal the console is better, but not on a CI server, where no person is present.
  const gate = { env, stdout: { isTTY: output.isTerminal }, stdin: { isTTY: invocation.stdin.isTTY } };
  const isJson = invocation.options.json;
  if (!env["CI"] && !isJson && consoleGate(gate).ok) return invocation.openConsole("sandbox");

  const deck = builtInDeck("tour");
  const { context, end } = await openEphemeral({
    env,
    executable,
    seed: deck.seed,
    startAt: deck.startAt,
    onProblem: ({ message }) => output.complain(message),
  });
  try {
    const told = isJson ? { ...invocation, output: silent(output) } : invocation;
    const checks = await walk(told, context, deck);
    if (isJson) for (const { entry } of checks) output.json(checkJson(entry));
  } catch (error) {
    // The user stopped the tour; the error of the running call does not matter.
    if (invocation.signal.aborted) throw interrupted`The tour was stopped.`.causedBy(error);
    throw error;
  } finally {
    await end();
  }
  return EXIT.done;
};

/** With --json the story is left out. */
function silent(output: Output): Output {
  return Object.assign(Object.create(output) as Output, { line: () => undefined });
}

async function walk(
  invocation: Pick<Invocation, "output" | "signal">,
  context: Context,
  deck: Deck,
): Promise<readonly Checked[]> {
  const { output, signal } = invocation;
  const heading = (text: string): void => output.line(output.style.paint("heading", text));
  const { registration } = deck.projects[0]!;
  await context.service();
  const { admin } = context.sandbox()!;
  // Frozen, so that the output is the same every time; the tour advances it.
  await admin.changeClock({ do: "freeze" });
  await admin.changeClock({ do: "set", at: deck.startAt });

  output.line(
    "The whole way on a sandbox of its own: real HTTP, real signatures, a virtual clock. Nothing of yours is touched.",
  );
  output.line();
  heading("1. Register a project for a merchant");
  output.line(
    `   merchant ${registration.merchant_id}, project "${registration.name}", currency ${currencyByNumeric(registration.currency)?.alpha} (${registration.currency}), risk level ${registration.risk_level}`,
  );
  const registered = await register(context, { request: registration }, signal, () => undefined);
  if (!registered.result.registered) throw new Fault("refused", whole(registered.result.explanation));
  output.line(`   Answer: ${safe(registered.result.message ?? "")}`);
  output.line();

  heading("2. Fetch its credential, which is possible for 24 hours");
  const request = { merchant_id: registration.merchant_id, risk_level: registration.risk_level };
  const early = await fetchCredential(context, { request, wait: false }, signal, () => undefined);
  if (early.result.state !== "not_ready") throw new Fault("sandbox", whole(early.result.explanation));
  const waitMs = (early.result.retryAfterS ?? 0) * 1000;
  output.line(
    `   Not ready yet: recommended to fetch in ${formatCountdown(waitMs)}, window closes in ${formatCountdown(CREDENTIAL_WINDOW_MS)}.`,
  );
  await admin.changeClock({ do: "advance", byMs: waitMs });
  output.line(`   The sandbox's clock moves on by ${formatDuration(waitMs)} instead of a real wait.`);
  const fetched = await fetchCredential(context, { request, wait: false }, signal, () => undefined);
  const { credential } = fetched.result;
  if (credential === null) throw new Fault("refused", whole(fetched.result.explanation));
  if (fetched.notSaved !== null) throw fetched.notSaved.fault;
  output.line(
    `   Credential in the vault: key id ${safe(credential.keyId)}, project id ${safe(credential.projectId)},`,
  );
  output.line(`   algorithm ${safe(credential.algorithm)}, secret ${MASK}`);
  output.line();

  const total = checkCount(deck);
  heading(`3. Check ${total} payments`);
  const checks: Checked[] = [];
  const demo = playDeck({ main: context, beside: new Map() }, deck, { days: new Map(), asks: false });
  for (let frame = await demo.forward(signal); frame !== null; frame = await demo.forward(signal)) {
    if (signal.aborted) throw interrupted`The tour was stopped.`;
    if (frame.kind !== "check") continue;
    checks.push({ story: frame.say, entry: frame.entries.at(-1)! });
    output.progress(`Checking ${Math.min(checks.length + 1, total)} of ${total}`);
  }
  output.lines(checkedTable(checks, output));
  output.line();
  for (const code of RECOMMENDATIONS) {
    const label = verdictLabel(code, output.style.ascii).padEnd(8);
    output.line(`   ${output.style.paint(VERDICTS[code].role, label)} ${VERDICTS[code].reaction}`);
  }
  output.line();

  heading("4. Find them again");
  for (const code of RECOMMENDATIONS) {
    const found = await findHistory(context, `verdict:${code}`, total);
    const orders = found.entries.map((entry) => safe(entry.request.order_id ?? "-")).toReversed();
    output.line(
      `   history --where verdict:${code}`.padEnd(42) + `${found.entries.length} found: ${orders.join(", ")}`,
    );
  }
  output.line();
  output.advise('Your turn: "verdict project register --help", then "verdict check --help".');
  if (checks.some(({ entry }) => entry.result?.outcome !== "answered")) {
    throw sandboxFault`A check of the tour had no trustworthy answer; run it again, and report it if that repeats.`;
  }
  return checks;
}

interface Checked {
  readonly story: string;
  readonly entry: HistoryEntry;
}

/** One row per check; on a narrow terminal the reason is below its row and the legend has the reactions. */
function checkedTable(checks: readonly Checked[], output: Output): string[] {
  const narrow = !output.style.spoken && output.isTerminal && output.columns < WIDE_TABLE;
  const indent = "   ";
  const rows = checks.map(({ story, entry }, index) => [
    `${indent}${index + 1}`,
    story,
    formatMoney(entry.request.amount, entry.request.currency),
    paintedVerdict(verdictKind(entry.result), output.style),
    ...(narrow ? [] : [shortReaction(entry)]),
    formatLatency(entry.result?.latencyMs ?? null),
    ...(narrow ? [] : [because(entry, output.style.ascii)]),
  ]);
  const reaction = narrow ? [] : ["REQUIRED REACTION"];
  const headings = [`${indent}#`, "WHAT HAPPENS", "AMOUNT", "VERDICT", ...reaction, "LATENCY", "REASON"];
  const [heading, ...lines] = layOut(output.style, headings.slice(0, narrow ? -1 : undefined), rows, [
    2,
    narrow ? 4 : 5,
  ]);
  if (!narrow) return [heading!, ...lines];
  return [
    heading!,
    ...lines.flatMap((line, index) => [
      line,
      `${indent}    ${because(checks[index]!.entry, output.style.ascii)}`,
    ]),
  ];
}

/** The required reaction, short enough for a column. */
function shortReaction({ result }: HistoryEntry): string {
  switch (result?.recommendation) {
    case "pass":
      return "continue";
    case "block":
      return "block";
    case "3ds_or_block":
      return "3-D Secure, or block";
    default:
      return "do not continue";
  }
}

/** The strongest reason; the sandbox's message only repeats the recommendation. */
function because(entry: HistoryEntry, ascii: Ascii): string {
  const { result, explanation } = entry;
  if (result?.outcome !== "answered" || explanation === null) return reasonText(result, ascii);
  const [strongest] = hitsOf(explanation);
  return strongest === undefined ? NO_OBJECTION : safe(strongest.text);
}
