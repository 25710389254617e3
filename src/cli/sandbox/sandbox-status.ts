// verdict sandbox status: address, state, settings, rules and injected faults of the running sandbox.

import type { CommandRun } from "#src/cli/command.ts";
import { sandboxStatusJson } from "#src/cli/json-shapes.ts";
import { layOut } from "#src/cli/table.ts";
import { faultShareText, faultText } from "#src/contract/wire/sandbox-fault.ts";
import { originOf } from "#src/contract/wire/service-url.ts";
import type { SandboxMember, SandboxStatus } from "#src/contract/wire/sandbox-wire.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import type { Style } from "#src/display/style.ts";
import { formatZoned } from "#src/display/time.ts";
import { runningSandbox, sandboxName, type Targeted } from "./sandbox-session.ts";

export const status: CommandRun<Targeted> = async (invocation) => {
  const { options, output } = invocation;
  const running = await runningSandbox(invocation);
  if (running === null) {
    const starts = options.state === undefined ? "; it starts with the first check or registration" : "";
    if (options.json) output.json(sandboxStatusJson(null));
    else output.line(`${sandboxName(invocation)} is not running${starts}.`);
    return;
  }
  try {
    const now = await running.admin.status();
    const address = originOf(running.host, now.port, now.tls);
    if (options.json) output.json(sandboxStatusJson(now));
    else output.lines(statusLines(now, address, output.style));
  } finally {
    running.close();
  }
};

function statusLines(now: SandboxStatus, address: string, style: Style): string[] {
  const { switches, signatures, connections } = now;
  const rows = [
    ["address", `${address}, ${connections.open} of ${connections.limit} connections`],
    ["running since", `${formatZoned(now.startedAt)}, ${counted(now.requests, "request")}`],
    ["virtual time", `${formatZoned(now.virtualTime)}${now.clockFrozen ? " (frozen)" : ""}`],
    ["tenant", `${now.tenant}, beside ${counted(now.otherTenants, "other")}`],
    ["state", stateText(now)],
    ["holds", `${counted(now.projects, "project")}, ${counted(now.decisions, "decision")}`],
    [
      "signatures",
      `${signatures.remembered} of ${signatures.capacity} stored, to detect repeated signatures`,
    ],
    ["rules", rulesText(now)],
    ["recipe", safe(now.recipe)],
    ["credential", credentialText(switches)],
    ["currency numbers", numberingText(switches)],
    ["amount unit", switches.amountUnit],
    ["required", safe(switches.require.join(", "))],
    ["magic", switches.magic ? 'on; "verdict help magic-orders" lists the order ids' : "off"],
    ...now.faults.map((fault, index) => [
      index === 0 ? "faults" : "",
      `${fault.id} on ${fault.on}: ${faultText(fault)}, ${faultShareText(fault)}, made ${counted(fault.made, "time")}`,
    ]),
    ...(now.faults.length === 0 ? [["faults", "none"]] : []),
    ...now.members.map((member, index) => [index === 0 ? "workers" : "", memberText(member, now)]),
  ];
  return layOut(style, ["sandbox", `${now.version}, instance ${now.instance}, process ${now.pid}`], rows);
}

/** One of the workers that share the state, and where it differs from the one that was asked. */
function memberText(member: SandboxMember, now: SandboxStatus): string {
  const own = now.members.find(({ instance }) => instance === now.instance);
  const { version, ruleSetHash, world } = member;
  const text = [
    member.address,
    `process ${member.pid} of ${member.host}`,
    `since ${formatZoned(member.startedAt)}`,
    version !== now.version && `version ${version}`,
    ruleSetHash !== now.ruleSetHash && ruleSetHash && `other rules ${ruleSetHash.slice(0, 12)}`,
    world === null ? "has not served this tenant" : world !== own?.world && "has not taken the last change",
  ];
  return safe(text.filter(Boolean).join(", "));
}

function stateText({ writable, ephemeral, switches, leases, members }: SandboxStatus): string {
  const kept =
    members.length > 0
      ? `on a server, shared by ${counted(members.length, "worker")}`
      : ephemeral
        ? "gone at its end"
        : "kept on disk";
  const seed = switches.seeded ? ", ids and secrets from a seed" : "";
  const lives = counted(leases, "user");
  return writable
    ? `${kept}${seed}, ${lives}`
    : `NOT WRITABLE: the sandbox answers 503 until ${members.length > 0 ? "its server can be written" : "it is started again"} (${lives})`;
}

function rulesText({ rules, ruleSetHash, ruleFile, ruleError }: SandboxStatus): string {
  const origin = ruleFile === null ? "starter set" : safe(ruleFile);
  const problem = ruleError === null ? "" : `; the file is wrong: ${safe(ruleError)}`;
  return `${rules}, ${origin}, ${ruleSetHash.slice(0, 12)}${problem}`;
}

function credentialText({ credentialDelayS, credentialUnsigned }: SandboxStatus["switches"]): string {
  const unsigned = credentialUnsigned ? ", unsigned requests accepted" : "";
  return `ready ${credentialDelayS} s after the registration, until 24 hours after it${unsigned}`;
}

function numberingText({
  currencyNumbering,
  registrationCurrencyNumbering,
}: SandboxStatus["switches"]): string {
  return registrationCurrencyNumbering === currencyNumbering
    ? currencyNumbering
    : `${currencyNumbering}, at registration ${registrationCurrencyNumbering}`;
}
