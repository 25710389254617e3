// verdict tour: the main job from end to end in plain text, on a sandbox and in a home of its own, removed at the end.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "#src/actions/check.ts";
import { fetchCredential } from "#src/actions/fetch-credential.ts";
import { findHistory } from "#src/actions/find-history.ts";
import { register } from "#src/actions/register.ts";
import { createContext, type Context } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import { endSandbox } from "#src/app/sandbox-launch.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/clock.ts";
import { Fault } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/history-entry.ts";
import { RECOMMENDATIONS } from "#src/contract/recommendation.ts";
import type { RegistrationRequest } from "#src/contract/wire.ts";
import { MASK } from "#src/display/mask.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { formatCountdown, formatDuration, formatLatency } from "#src/display/time.ts";
import { VERDICTS, verdictLabel } from "#src/display/verdict.ts";
import { consoleGate } from "#src/terminal/gate.ts";
import type { CommandRun, Invocation } from "./command.ts";
import { paintedVerdict, reasonText } from "./entry-text.ts";
import type { Output } from "./output.ts";
import { EXIT } from "./exit-code.ts";
import { layOut } from "./table.ts";
import { TOUR_START, TOUR_STEPS } from "./tour-deck.ts";

const SEED = 7;
const REGISTRATION: RegistrationRequest = {
  merchant_id: "demo-shop",
  name: "Demo shop",
  description: "Online shop of the tour",
  currency: 980,
  risk_level: "medium",
};

/** Columns from which the whole table fits. */
const WIDE_TABLE = 150;

export const tour: CommandRun = async (invocation) => {
  const { env, output } = invocation;
  // With a terminal the console shows it better; a CI server may have one, and nobody in front of it.
  const gate = { env, stdout: { isTTY: output.isTerminal }, stdin: { isTTY: invocation.stdin.isTTY } };
  if (!env["CI"] && consoleGate(gate).ok) return invocation.openConsole("sandbox");

  const folder = mkdtempSync(join(tmpdir(), "verdict-tour-"));
  const context = await createContext({
    home: findHome(invocation.env, folder),
    env: invocation.env,
    profile: "sandbox",
    executable: invocation.executable,
    ephemeral: { seed: SEED, startAt: TOUR_START },
  });
  try {
    await walk(invocation, context);
  } catch (error) {
    // Whatever the call under way made of it: the user stopped the tour.
    if (invocation.signal.aborted) throw new Fault("interrupted", "The tour was stopped.", { cause: error });
    throw error;
  } finally {
    const sandbox = context.sandbox();
    await context.close();
    if (sandbox !== null) await endSandbox(sandbox).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
  return EXIT.done;
};

async function walk(invocation: Invocation, context: Context): Promise<void> {
  const { output, signal } = invocation;
  const heading = (text: string): void => output.line(output.style.paint("heading", text));
  await context.service();
  const { admin } = context.sandbox()!;
  // Frozen, so that the tour reads the same every time; it moves by hand from here on.
  await admin.changeClock({ do: "freeze" });
  await admin.changeClock({ do: "set", at: TOUR_START });

  output.line(
    "The whole way on a sandbox of its own: real HTTP, real signatures, a virtual clock. Nothing of yours is touched.",
  );
  output.line();
  heading("1. Register a project for a merchant");
  output.line(
    `   merchant ${REGISTRATION.merchant_id}, project "${REGISTRATION.name}", currency UAH (980), risk level ${REGISTRATION.risk_level}`,
  );
  const registered = await register(context, { request: REGISTRATION }, signal, () => undefined);
  if (!registered.result.registered) throw new Fault("refused", registered.result.explanation);
  output.line(`   Answer: ${safe(registered.result.message ?? "")}`);
  output.line();

  heading("2. Fetch its credential, which is possible for 24 hours");
  const request = { merchant_id: REGISTRATION.merchant_id, risk_level: REGISTRATION.risk_level };
  const early = await fetchCredential(context, { request, wait: false }, signal, () => undefined);
  if (early.result.state !== "not_ready") throw new Fault("sandbox", early.result.explanation);
  const waitMs = (early.result.retryAfterS ?? 0) * 1000;
  output.line(
    `   Not ready yet: recommended to fetch in ${formatCountdown(waitMs)}, window closes in ${formatCountdown(CREDENTIAL_WINDOW_MS)}.`,
  );
  await admin.changeClock({ do: "advance", byMs: waitMs });
  output.line(`   The sandbox's clock moves on by ${formatDuration(waitMs)} instead of a real wait.`);
  const fetched = await fetchCredential(context, { request, wait: false }, signal, () => undefined);
  const { credential } = fetched.result;
  if (credential === null) throw new Fault("refused", fetched.result.explanation);
  output.line(
    `   Credential in the vault: key id ${safe(credential.keyId)}, project id ${safe(credential.projectId)},`,
  );
  output.line(`   algorithm ${safe(credential.algorithm)}, secret ${MASK}`);
  output.line();

  heading(`3. Check ${TOUR_STEPS.length} payments`);
  const entries: HistoryEntry[] = [];
  for (const [index, step] of TOUR_STEPS.entries()) {
    output.progress(`Checking ${index + 1} of ${TOUR_STEPS.length}`);
    if (step.later > 0) await admin.changeClock({ do: "advance", byMs: step.later });
    const { entry, notSaved } = await check(
      context,
      {
        request: step.request,
        project: undefined,
        canForce3ds: null,
        warnings: [],
        repeats: null,
        record: true,
      },
      signal,
      () => undefined,
    );
    if (notSaved !== null) throw notSaved;
    if (signal.aborted) throw new Fault("interrupted", "The tour was stopped.");
    entries.push(entry);
  }
  for (const line of checkedTable(entries, output)) output.line(line);
  output.line();
  for (const code of RECOMMENDATIONS) {
    const label = verdictLabel(code, output.style.ascii).padEnd(8);
    output.line(`   ${output.style.paint(VERDICTS[code].role, label)} ${VERDICTS[code].reaction}`);
  }
  output.line();

  heading("4. Find them again");
  for (const code of RECOMMENDATIONS) {
    const found = await findHistory(context, `verdict:${code}`, TOUR_STEPS.length);
    const orders = found.entries.map((entry) => safe(entry.request.order_id ?? "-")).toReversed();
    output.line(
      `   history --where verdict:${code}`.padEnd(42) + `${found.entries.length} found: ${orders.join(", ")}`,
    );
  }
  output.line();
  output.line('Your turn: "verdict register --help", then "verdict check --help".');
  if (entries.some((entry) => entry.result?.outcome !== "answered")) {
    throw new Fault(
      "sandbox",
      "A check of the tour had no trustworthy answer; run it again, and report it if that repeats.",
    );
  }
}

/** One row a check; on a narrow terminal the reason stands below its row, and the legend has the reactions. */
function checkedTable(entries: readonly HistoryEntry[], output: Output): string[] {
  const narrow = output.isTerminal && output.columns < WIDE_TABLE;
  const indent = "   ";
  const rows = entries.map((entry, index) => [
    `${indent}${index + 1}`,
    TOUR_STEPS[index]!.story,
    formatMoney(entry.request.amount, entry.request.currency),
    paintedVerdict(entry, output.style),
    ...(narrow ? [] : [shortReaction(entry)]),
    formatLatency(entry.result?.latencyMs ?? null),
    ...(narrow ? [] : [because(entry, output.style)]),
  ]);
  const reaction = narrow ? [] : ["REQUIRED REACTION"];
  const headings = [`${indent}#`, "WHAT HAPPENS", "AMOUNT", "VERDICT", ...reaction, "LATENCY", "REASON"];
  const [heading, ...lines] = layOut(headings.slice(0, narrow ? -1 : undefined), rows, [2, narrow ? 4 : 5]);
  if (!narrow) return [heading!, ...lines];
  return [
    heading!,
    ...lines.flatMap((line, index) => [line, `${indent}    ${because(entries[index]!, output.style)}`]),
  ];
}

/** What is asked of the caller, short enough for a column. */
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

/** The strongest reason of the sandbox; its message repeats the recommendation, which the table shows already. */
function because(entry: HistoryEntry, style: Invocation["output"]["style"]): string {
  const strongest = entry.explanation?.rules.find((rule) => rule.outcome === "hit" && rule.mode === "live");
  if (entry.result?.outcome === "answered" && entry.explanation !== null) {
    return strongest === undefined ? "no rule had an objection" : safe(strongest.text);
  }
  return reasonText(entry, style);
}
