// verdict sandbox panel, clock and stop.

import { sayDone } from "#src/cli/done.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { sandboxPanelJson } from "#src/cli/json-shapes.ts";
import { usage } from "#src/contract/fault.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { parseInstant } from "#src/contract/text/instant.ts";
import type { ClockChange, ClockReading } from "#src/contract/wire/sandbox-wire.ts";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import { formatZoned, formatDuration, isoTime } from "#src/display/time.ts";
import { runningSandbox, sandboxName, withSandbox, type Targeted } from "./sandbox-session.ts";
import type { SANDBOX_PANEL } from "./sandbox-options.ts";

export const panel: CommandRun<typeof SANDBOX_PANEL> = async (invocation) => {
  const { options, output } = invocation;
  const wanted = options.secret;
  if (wanted !== undefined && output.isTerminal) {
    throw usage`A secret is not written to a terminal; pipe it on, for example into "verdict vault add ... --secret-stdin".`;
  }
  return withSandbox(invocation, async ({ admin }) => {
    const { companies } = await admin.panel();
    if (wanted !== undefined) {
      const keys = companies.flatMap((company) => [
        ...company.integrationKeys,
        ...company.projects.flatMap((project) => (project.credential === null ? [] : [project.credential])),
      ]);
      const key = keys.find((each) => each.keyId === wanted);
      if (key === undefined) {
        throw usage`The panel shows no key "${wanted}"; "verdict sandbox panel" lists those it shows.`;
      }
      return output.exact(`${key.secret}\n`);
    }
    if (options.json) return output.json(sandboxPanelJson({ companies }));
    for (const company of companies) {
      output.line(`Company ${safe(company.companyId)}`);
      output.line();
      const keys = company.integrationKeys.map((key) => [`  ${key.keyId}`, key.algorithm, MASK]);
      output.table(["  INTEGRATION KEY", "ALGORITHM", "SECRET"], keys);
      output.line();
      if (company.projects.length === 0) output.line("  No projects are registered.");
      for (const project of company.projects) {
        output.line(`  ${safe(project.merchantId)}/${safe(project.riskLevel)}, ${safe(project.name)}`);
        output.line(
          `    registered ${formatZoned(project.registeredAt)}, window closes ${formatZoned(project.windowClosesAt)}`,
        );
        output.line(
          project.credential === null
            ? "    credential: to be fetched by the credential request while the window is open"
            : safe(
                `    key id ${project.credential.keyId}, project id ${project.credential.projectId}, ${project.credential.algorithm}, secret ${MASK}`,
                { max: 500 },
              ),
        );
      }
    }
    output.line();
    output.advise(
      "A secret is only written to a pipe: verdict sandbox panel --secret KEY_ID | verdict vault add ... --secret-stdin",
    );
  });
};

export const clock: CommandRun<Targeted> = async (invocation) => {
  const change = readChange(invocation.args[0], invocation.args[1]);
  return withSandbox(invocation, async ({ admin }) => {
    const reading: ClockReading = change === null ? await admin.clock() : await admin.changeClock(change);
    const { frozen, note = null } = reading;
    sayDone(
      invocation,
      { virtual_time: isoTime(reading.virtualTime), real_time: isoTime(reading.realTime), frozen, note },
      clockSentence(reading),
      note && safe(note),
    );
  });
};

/** Rounded to seconds, because the two clocks are not read at the same instant. */
export function clockSentence({ virtualTime, realTime, frozen }: ClockReading): string {
  const ahead = Math.round((virtualTime - realTime) / 1000) * 1000;
  const side =
    ahead === 0
      ? "with real time"
      : `${formatDuration(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} real time`;
  return `Virtual time ${formatZoned(virtualTime)}, ${side}${frozen ? ", frozen" : ""}.`;
}

export const stop: CommandRun<Targeted> = async (invocation) => {
  const running = await runningSandbox(invocation);
  const name = sandboxName(invocation);
  if (running === null)
    return sayDone(invocation, { stopped: false, running: false }, `${name} is not running.`);
  const { ephemeral } = await running.admin.status();
  await running.end();
  sayDone(
    invocation,
    { stopped: true, running: false },
    `${name} has ended; its projects, keys and counters ${ephemeral ? "are gone" : "stay on disk"}.`,
  );
};

function readChange(action: string | undefined, value: string | undefined): ClockChange | null {
  switch (action) {
    case undefined:
      return null;
    case "freeze":
    case "resume":
    case "reset":
      return { do: action };
    case "set": {
      const at = value === undefined ? null : parseInstant(value);
      if (at === null) throw usage`clock set takes a time in ISO 8601, for example 2026-03-01T12:00:00Z.`;
      return { do: "set", at };
    }
    case "advance": {
      const byMs = value === undefined ? null : parseDuration(value.replace(/^\+/, ""));
      if (byMs === null) throw usage`clock advance takes a duration such as 24h, 90s or 1d2h.`;
      return { do: "advance", byMs };
    }
    default:
      throw usage`The clock knows freeze, resume, reset, set and advance, not "${action}".`;
  }
}
