// verdict capture: stands between an integration and its service, and writes the checks that pass as payloads.

import { once } from "node:events";
import { startCapture, type CaptureEvent, type NotRecorded } from "#src/actions/replay/capture.ts";
import { CURRENT } from "#src/app/named-rules.ts";
import { readNetwork } from "#src/app/network.ts";
import { typedPath } from "#src/app/typed-path.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { sayDone } from "#src/cli/done.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { loadNamedRules } from "#src/cli/rules/rule-excerpt.ts";
import { usage } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { isLoopbackHost, originOf } from "#src/contract/wire/service-url.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { rateText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { verdictMix, type KindCount } from "#src/display/verdict-mix.ts";
import { VERDICT_KINDS, type VerdictKind } from "#src/display/verdict.ts";
import { Events } from "./events.ts";
import type { CAPTURE } from "./replay-options.ts";

const DEFAULT_LISTEN = "127.0.0.1:8788";
const REDRAW_MS = 1_000;
/** Different requests that were not forwarded and are told; all are counted. */
const MOST_TOLD = 10;
const MIB = 1024 * 1024;

type Other = NotRecorded | "other_call" | "not_forwarded" | "file" | "problem";
type Counts = Partial<Record<VerdictKind | Other, number>>;

/** What is counted beside verdicts, in the order in which it is told. */
const OTHERS: Readonly<Partial<Record<Other, string>>> = {
  card_data: "not recorded, because of card data",
  not_a_payment: "not recorded: not valid as payloads",
  too_large: "not recorded, because they are too large",
  no_room: "not recorded, because the disk was too slow",
  not_written: "not recorded, because the file could not be written",
  other_call: "forwarded without a check",
  not_forwarded: "not forwarded",
};

export const capture: CommandRun<typeof CAPTURE> = async (invocation) => {
  const { options, output, signal, env } = invocation;
  const listen = readListen(options.listen ?? DEFAULT_LISTEN);
  const maxMib = options.maxSize;
  const events = new Events(options.events, output.complain);
  const counts: Counts = {};
  const told = new Set<string>();
  const tell = (event: CaptureEvent): void => {
    events.emit({ schema: 1, ...event });
    const kind = kindOf(event);
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (event.type === "file") output.note(`Checks are now written to ${escapeText(event.out)}.`);
    if (event.type === "problem")
      output.complain(`${event.message} Calls are still forwarded, and no longer recorded.`);
    if (event.type !== "not_forwarded" && event.type !== "not_recorded") return;
    const { message = "" } = event;
    if (message === "" || told.size === MOST_TOLD || told.has(message)) return;
    told.add(message);
    const status = event.type === "not_forwarded" ? `forwarded (HTTP ${event.http_status})` : "recorded";
    output.complain(`Not ${status}: ${message}`);
  };
  const figures = (perS: number | null): string => {
    const kinds = VERDICT_KINDS.map((kind): KindCount => [kind, counts[kind] ?? 0]);
    const recorded = recordedOf(counts);
    const others = Object.entries(OTHERS).flatMap(([kind, what]) => {
      const count = counts[kind as Other] ?? 0;
      return count === 0 ? [] : [`${formatCount(count)} ${what}`];
    });
    const rate = perS === null ? [] : [rateText(perS)];
    const labels = verdictMix(kinds, 0, output.style.ascii).map(({ label }) => label);
    return [`${counted(recorded, "check")} recorded`, ...rate, ...labels, ...others].join("  ");
  };
  try {
    const context = await invocation.context();
    const { profile } = context;
    if (profile.environment === "SANDBOX")
      throw usage`The sandbox of this home has no lasting address; run "verdict serve", and name its profile with --profile.`;
    const key = options.pseudonymise;
    const standIns =
      key === undefined
        ? null
        : { keyFile: typedPath(key), ruleSet: (await loadNamedRules(invocation, CURRENT)).ruleSet };
    const running = await startCapture(
      context,
      {
        ...listen,
        out: typedPath(options.output),
        maxBytes: maxMib === undefined ? Infinity : maxMib * MIB,
        network: readNetwork(env, profile),
        standIns,
      },
      tell,
    );
    const [url, out] = [originOf(listen.host, running.port, false), running.path()];
    const { name, baseUrl } = profile;
    const ready = { type: "ready", url, profile: name, base_url: baseUrl, out, pid: process.pid };
    events.emit({ schema: 1, ...ready });
    if (running.cut > 0) output.note(`${escapeText(out)} ended inside a line, which was cut off.`);
    const whose = standIns === null ? "the personal data of payers" : "stand-ins for people and cards";
    sayDone(
      invocation,
      ready,
      `Forwarding ${safe(url)} to ${safe(baseUrl)} (profile ${safe(name)}).`,
      `Checks are written to ${escapeText(out)}, with ${whose}.`,
    );
    output.note("Ctrl-C ends it.");
    let before = 0;
    const redraw = setInterval(() => {
      const recorded = recordedOf(counts);
      output.progress(figures(((recorded - before) * 1_000) / REDRAW_MS));
      before = recorded;
    }, REDRAW_MS);
    if (!signal.aborted) await once(signal, "abort");
    clearInterval(redraw);
    await running.end();
    output.progress(null);
    const exit = counts.problem === undefined ? EXIT.done : EXIT.notWritten;
    const ended = { type: "ended", checks: recordedOf(counts), counts, out: running.path() };
    events.emit({ schema: 1, ...ended, exit_code: exit }, true);
    sayDone(invocation, ended, `${figures(null)}.`);
    return exit;
  } finally {
    await events.close();
  }
};

function kindOf(event: CaptureEvent): VerdictKind | Other {
  if (event.type === "not_recorded") return event.reason;
  if (event.type !== "check") return event.type;
  return event.verdict ?? (event.outcome === "answered" ? "indeterminate" : event.outcome);
}

function recordedOf(counts: Counts): number {
  return VERDICT_KINDS.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

/** @throws Fault("usage") for anything but a port of this machine alone */
function readListen(text: string): { host: string; port: number } {
  const [, host = "127.0.0.1", port] = /^(?:(.*):)?(\d{1,5})$/.exec(text) ?? [];
  const bare = host.replace(/^\[|\]$/g, "");
  if (port === undefined || Number(port) > 65_535 || !isLoopbackHost(bare)) {
    throw usage`--listen takes a port of this machine, such as 127.0.0.1:8788, not "${text}"; payments pass in plain text.`;
  }
  // The name could be that of another address.
  return { host: bare === "localhost" ? "127.0.0.1" : bare, port: Number(port) };
}
