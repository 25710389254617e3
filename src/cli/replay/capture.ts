// verdict capture: stands between an integration and its service, and writes the checks that pass as payloads.

import { once } from "node:events";
import { startCapture, type CaptureEvent, type LeftOut } from "#src/actions/replay/capture.ts";
import { callAddresses } from "#src/app/call-addresses.ts";
import { CURRENT } from "#src/app/named-rules.ts";
import { readNetwork } from "#src/app/network.ts";
import { typedPath } from "#src/app/typed-path.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { sayDone } from "#src/cli/done.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { loadNamedRules } from "#src/cli/rules/named-rules.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { isLoopbackHost, originOf } from "#src/contract/wire/service-url.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { rateText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import type { Style } from "#src/display/style.ts";
import { verdictMix } from "#src/display/verdict-mix.ts";
import { VERDICT_KINDS, type VerdictKind } from "#src/display/verdict.ts";
import { Events } from "./events.ts";

const DEFAULT_LISTEN = "127.0.0.1:8788";
const REDRAW_MS = 500;
/** Different requests that were not forwarded and are told; all are counted. */
const MOST_TOLD = 10;
const MIB = 1024 * 1024;

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  card_data: "with card data",
  not_a_payment: "not a payment",
  too_large: "too large",
  no_room: "while the disk was too slow",
  not_written: "after the file could not be written",
};

export const capture: CommandRun = async (invocation) => {
  const { options, output, signal, env } = invocation;
  const listen = readListen(options.text("listen") ?? DEFAULT_LISTEN);
  const maxMib = options.integer("maxSize", "--max-size", { min: 1, max: 1_000_000 });
  const events = new Events(options.text("events"), output.complain);
  const sums = new Sums();
  const tell = (event: CaptureEvent): void => {
    sums.take(event);
    switch (event.type) {
      case "check":
        return events.emit({
          schema: 1,
          type: "check",
          at: new Date(event.at).toISOString(),
          ...event.answer,
        });
      case "left_out":
        return events.emit({ schema: 1, type: "not_recorded", reason: event.why });
      case "not_forwarded": {
        events.emit({ schema: 1, type: "not_forwarded", http_status: event.status, message: event.why });
        if (sums.isNew(event.why))
          output.complain(`Not forwarded (${event.status}): a request ${event.why}.`);
        return;
      }
      case "next_file":
        events.emit({ schema: 1, type: "file", out: event.path });
        return output.note(`Checks are now written to ${escapeText(event.path)}.`);
      case "problem":
        return output.complain(`${event.problem.message} Calls are still forwarded, and no longer recorded.`);
    }
  };
  try {
    const context = await invocation.context();
    const { profile } = context;
    const standIns = await readStandIns(invocation);
    const addresses = await callAddresses(context);
    const running = await startCapture(
      context,
      {
        ...listen,
        out: typedPath(options.text("out")!),
        maxBytes: maxMib === undefined ? null : maxMib * MIB,
        addresses,
        network: readNetwork(env, profile),
        sandbox: context.sandbox()?.endpoint ?? null,
        standIns,
      },
      tell,
    );
    const url = originOf(listen.host, running.port, false);
    const out = running.path();
    const ready = {
      type: "ready",
      url,
      profile: profile.name,
      base_url: addresses.baseUrl,
      out,
      pid: process.pid,
    };
    events.emit({ schema: 1, ...ready });
    if (running.cut > 0) output.note(`${escapeText(out)} ended inside a line, which was cut off.`);
    sayDone(
      invocation,
      ready,
      `Forwarding ${safe(url)} to ${safe(addresses.baseUrl)} (profile ${safe(profile.name)}).`,
      `Checks are written to ${escapeText(out)}${standIns === null ? ", with the personal data of payers" : ", with stand-ins for people and cards"}.`,
      "Ctrl-C ends it.",
    );
    const redraw = setInterval(() => output.progress(sums.line(output.style)), REDRAW_MS);
    if (!signal.aborted) await once(signal, "abort");
    clearInterval(redraw);
    await running.end();
    output.progress(null);
    const exit = sums.isBroken ? EXIT.notWritten : EXIT.done;
    const ended = { type: "ended", ...sums.json(), out: running.path() };
    events.emit({ schema: 1, ...ended, exit_code: exit }, true);
    sayDone(invocation, ended, ...sums.lines(output.style));
    return exit;
  } finally {
    await events.close();
  }
};

/** @throws Fault("usage") for anything but a port of this machine alone */
function readListen(text: string): { host: string; port: number } {
  const [, host = "127.0.0.1", port] = /^(?:(.*):)?(\d{1,5})$/.exec(text) ?? [];
  const bare = host.replace(/^\[|\]$/g, "");
  if (port === undefined || Number(port) > 65_535 || !isLoopbackHost(bare)) {
    throw new Fault(
      "usage",
      `--listen takes a port of this machine, such as 127.0.0.1:8788, not "${escapeText(text, 60)}"; payments pass in plain text.`,
    );
  }
  // The name could be that of another address.
  return { host: bare === "localhost" ? "127.0.0.1" : bare, port: Number(port) };
}

async function readStandIns(invocation: Invocation) {
  const keyFile = invocation.options.text("pseudonymise");
  const rules = invocation.options.text("rules");
  if (keyFile === undefined) {
    if (rules === undefined) return null;
    throw new Fault("usage", "--rules goes with --pseudonymise.");
  }
  const { ruleSet } = await loadNamedRules(invocation, rules ?? CURRENT);
  return { keyFile: typedPath(keyFile), ruleSet };
}

/** What passed so far. */
class Sums {
  readonly #kinds = new Map<VerdictKind, number>(VERDICT_KINDS.map((kind) => [kind, 0]));
  readonly #leftOut = new Map<LeftOut, number>();
  readonly #told = new Set<string>();
  #recorded = 0;
  #others = 0;
  #notForwarded = 0;
  isBroken = false;
  /** Checks at the last looks, for the rate. */
  #looks: { readonly at: number; readonly recorded: number }[] = [];

  take(event: CaptureEvent): void {
    switch (event.type) {
      case "check": {
        const { verdict, outcome } = event.answer;
        const kind = verdict ?? (outcome === "answered" ? "indeterminate" : outcome);
        this.#kinds.set(kind, this.#kinds.get(kind)! + 1);
        this.#recorded += 1;
        return;
      }
      case "left_out":
        this.#leftOut.set(event.why, (this.#leftOut.get(event.why) ?? 0) + 1);
        return;
      case "other":
        this.#others += 1;
        return;
      case "not_forwarded":
        this.#notForwarded += 1;
        return;
      case "problem":
        this.isBroken = true;
    }
  }

  /** True for the first of its kind, and for a few kinds. */
  isNew(why: string): boolean {
    const before = this.#told.size;
    return before < MOST_TOLD && this.#told.add(why).size > before;
  }

  /** `1 234 checks  50.0/s  + 1 200  x 34  2 not recorded` */
  line(style: Style): string {
    const now = { at: performance.now(), recorded: this.#recorded };
    this.#looks = [...this.#looks.slice(-9), now];
    const [first = now] = this.#looks;
    const perS = ((now.recorded - first.recorded) * 1_000) / Math.max(1, now.at - first.at);
    return [counted(this.#recorded, "check"), rateText(perS), ...this.#parts(style)].join("  ");
  }

  lines(style: Style): string[] {
    const reasons = Array.from(this.#leftOut, ([why, count]) => `  ${formatCount(count)} ${LEFT_OUT[why]}`);
    return [
      `${counted(this.#recorded, "check")} recorded  ${this.#parts(style).join("  ")}`.trimEnd(),
      ...reasons,
    ];
  }

  #parts(style: Style): string[] {
    const leftOut = [...this.#leftOut.values()].reduce((sum, count) => sum + count, 0);
    const more = [
      [leftOut, "not recorded"],
      [this.#others, "other calls"],
      [this.#notForwarded, "not forwarded"],
    ] as const;
    return [
      ...verdictMix([...this.#kinds], 0, style.ascii).map(({ label }) => label),
      ...more.flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(count)} ${what}`])),
    ];
  }

  json() {
    return {
      checks: this.#recorded,
      verdicts: Object.fromEntries(this.#kinds) as Record<VerdictKind, number>,
      not_recorded: Object.fromEntries(this.#leftOut) as Partial<Record<LeftOut, number>>,
      other_calls: this.#others,
      not_forwarded: this.#notForwarded,
    };
  }
}
