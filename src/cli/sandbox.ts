// verdict sandbox: the administrative side of the embedded sandbox.

import { endSandbox, joinSandbox, leaseSandbox, type LeasedSandbox } from "#src/app/sandbox-launch.ts";
import { VERSION } from "#src/app/version.ts";
import { parseDuration } from "#src/contract/duration.ts";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { parseInstant } from "#src/contract/instant.ts";
import type { ClockChange, ClockReading } from "#src/contract/sandbox-wire.ts";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime, formatDuration } from "#src/display/time.ts";
import type { CommandRun, Invocation } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { sandboxPanelJson, sandboxStatusJson } from "./json-shapes.ts";
import { layOut } from "./table.ts";

export const status: CommandRun = async ({ home, options, output }) => {
  const running = await joinSandbox(home);
  if (running === null) {
    if (options.flag("json")) output.json(sandboxStatusJson(null));
    else
      output.line(
        "The embedded sandbox of this home is not running; it starts with the first check or registration.",
      );
    return EXIT.done;
  }
  try {
    const now = await running.admin.status();
    if (options.flag("json")) {
      output.json(sandboxStatusJson(now));
      return EXIT.done;
    }
    for (const line of layOut(
      ["sandbox", `${now.version}, instance ${now.instance}, process ${now.pid}`],
      [
        ["address", `http://${running.endpoint.host}:${now.port}`],
        ["running since", formatDateTime(now.startedAt)],
        ["virtual time", `${formatDateTime(now.virtualTime)}${now.clockFrozen ? " (frozen)" : ""}`],
        ["recipe", now.recipe],
        ["projects", String(now.projects)],
        ["decisions", String(now.decisions)],
        ["rules", `${now.rules}, file ${now.ruleSetHash.slice(0, 12)}`],
      ],
    )) {
      output.line(line);
    }
    return EXIT.done;
  } finally {
    running.lease.close();
  }
};

export const panel: CommandRun = async (invocation) => {
  const { options, output } = invocation;
  const wanted = options.text("secret");
  if (wanted !== undefined && output.isTerminal) {
    throw new Fault(
      "usage",
      'A secret is not written to a terminal; pipe it on, for example into "verdict vault add credential ... --secret-stdin".',
    );
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
        throw new Fault(
          "usage",
          `The panel shows no key "${escapeText(wanted, 80)}"; "verdict sandbox panel" lists those it shows.`,
        );
      }
      output.raw(`${key.secret}\n`);
      return EXIT.done;
    }
    if (options.flag("json")) {
      output.json(sandboxPanelJson({ companies }));
      return EXIT.done;
    }
    for (const company of companies) {
      output.line(`Company ${company.companyId}`);
      output.line();
      const keys = company.integrationKeys.map((key) => [`  ${key.keyId}`, key.algorithm, MASK]);
      for (const line of layOut(["  INTEGRATION KEY", "ALGORITHM", "SECRET"], keys)) output.line(line);
      output.line();
      if (company.projects.length === 0) output.line("  No projects are registered.");
      for (const project of company.projects) {
        output.line(`  ${safe(project.merchantId)}/${project.riskLevel}, ${safe(project.name)}`);
        output.line(
          `    registered ${formatDateTime(project.registeredAt)}, window closes ${formatDateTime(project.windowClosesAt)}`,
        );
        output.line(
          project.credential === null
            ? "    credential: to be fetched by the credential request while the window is open"
            : `    key id ${project.credential.keyId}, project id ${project.credential.projectId}, ${project.credential.algorithm}, secret ${MASK}`,
        );
      }
    }
    output.line();
    output.line(
      "A secret goes on through a pipe only: verdict sandbox panel --secret KEY_ID | verdict vault add ... --secret-stdin",
    );
    return EXIT.done;
  });
};

export const clock: CommandRun = async (invocation) => {
  const change = readChange(invocation.args[0], invocation.args[1]);
  return withSandbox(invocation, async ({ admin }) => {
    const reading: ClockReading = change === null ? await admin.clock() : await admin.changeClock(change);
    if (invocation.options.flag("json")) {
      invocation.output.json({
        virtual_time: new Date(reading.virtualTime).toISOString(),
        real_time: new Date(reading.realTime).toISOString(),
        frozen: reading.frozen,
      });
      return EXIT.done;
    }
    const ahead = reading.virtualTime - reading.realTime;
    const side =
      Math.abs(ahead) < 1000
        ? "with real time"
        : `${formatDuration(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} real time`;
    invocation.output.line(
      `Virtual time ${formatDateTime(reading.virtualTime)}, ${side}${reading.frozen ? ", frozen" : ""}.`,
    );
    return EXIT.done;
  });
};

export const stop: CommandRun = async ({ home, output }) => {
  const running = await joinSandbox(home);
  if (running === null) {
    output.line("The embedded sandbox of this home is not running.");
    return EXIT.done;
  }
  await endSandbox(running);
  output.line("The embedded sandbox has ended; its projects, keys and counters stay on disk.");
  return EXIT.done;
};

async function withSandbox<T>(
  invocation: Invocation,
  work: (sandbox: LeasedSandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await leaseSandbox({
    home: invocation.home,
    version: VERSION,
    executable: invocation.executable,
    env: invocation.env,
    ephemeral: null,
  });
  try {
    return await work(sandbox);
  } finally {
    sandbox.lease.close();
  }
}

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
      if (at === null)
        throw new Fault("usage", "clock set takes a time in ISO 8601, for example 2026-03-01T12:00:00Z.");
      return { do: "set", at };
    }
    case "advance": {
      const byMs = value === undefined ? null : parseDuration(value.replace(/^\+/, ""));
      if (byMs === null) throw new Fault("usage", "clock advance takes a duration such as 24h, 90s or 1d2h.");
      return { do: "advance", byMs };
    }
    default:
      throw new Fault(
        "usage",
        `The clock knows freeze, resume, reset, set and advance, not "${escapeText(action, 40)}".`,
      );
  }
}
