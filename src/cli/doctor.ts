// verdict doctor: examines terminal, files, vault, clock and process, and prints findings with next steps. Changes nothing.

import type { Verification } from "#src/app/doctor-entries.ts";
import { settingsOrNone } from "#src/app/settings.ts";
import { findingsOf, type Finding, type FindingArea } from "#src/contract/finding.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN, type SignName } from "#src/display/sign.ts";
import type { Role } from "#src/display/style.ts";
import { isAttended } from "./ask.ts";
import type { CommandRun, Invocation } from "./command.ts";
import { quietFindings, terminalFindings } from "./doctor-terminal.ts";
import { EXIT } from "./exit-code.ts";
import { askForPassphrase } from "./vault/passphrase-input.ts";
import { doctorJson } from "./json-shapes.ts";
import { progressBar } from "./progress-bar.ts";
import { layOut } from "./table.ts";
import type { DOCTOR } from "./command-options.ts";

/** Headings in the order of the output. */
const AREAS: readonly (readonly [FindingArea, string])[] = [
  ["program", "Program"],
  ["terminal", "Terminal"],
  ["files", "Files"],
  ["vault", "Vault"],
  ["clock", "Clock"],
  ["secrecy", "Secrecy of this process"],
];

const LOOK: Readonly<Record<Finding["state"], { sign: SignName; role: Role; word: string }>> = {
  ok: { sign: "done", role: "quiet", word: "ok" },
  note: { sign: "note", role: "note", word: "note" },
  problem: { sign: "error", role: "error", word: "problem" },
};

const WIDEST_STATE = "x problem".length;
const LONGEST = 1_000;

export const doctor: CommandRun<typeof DOCTOR> = async (invocation) => {
  const { options, output, env, home, signal } = invocation;
  const verification: Verification = {
    signal,
    progressOf: (work) => progressBar(output, work),
    ...(isAttended(invocation) && { askPassphrase: (problem) => askForPassphrase(invocation, problem) }),
  };
  const { examine } = await import("#src/app/doctor.ts");
  const examined = await examine({
    home,
    env,
    profile: invocation.profile,
    online: options.online,
    verification: options.verify ? verification : null,
    now: Date.now,
    signal,
  });
  output.progress(null);
  const findings = [
    ...examined,
    ...(await ownFileFindings(invocation)),
    ...terminalFindings(terminalOf(invocation)),
    ...(await quietFindings(invocation, process.stdout)),
  ];
  const problems = findings.filter(({ state }) => state === "problem").length;
  if (options.json) output.json(doctorJson(findings));
  else print(invocation, findings, problems);
  return problems === 0 ? EXIT.done : EXIT.expectation;
};

/** Findings about settings.yaml, keys.yaml and commands.yaml, which users write by hand. */
async function ownFileFindings({ home, keyTable }: Invocation): Promise<Finding[]> {
  const finding = findingsOf("files");
  const {
    settings: { colors },
    problem: settings,
  } = await settingsOrNone(home);
  const colored = Object.keys(colors);
  const { rows, problem } = await keyTable();
  const own = rows.filter(({ standard }) => standard !== null).length;
  const commands = rows.filter(({ id }) => id.startsWith("own.")).length;
  return [
    ...(settings === null
      ? []
      : [finding("problem", settings, "Correct settings.yaml in the configuration folder.")]),
    ...(problem === null
      ? []
      : [
          finding(
            "problem",
            problem,
            'Correct that file in the configuration folder; "verdict help shortcuts" lists the names.',
          ),
        ]),
    ...(colored.length === 0
      ? []
      : [finding("ok", `Colours of your own: ${colored.join(", ")}, in the theme default of the console.`)]),
    ...(own === 0
      ? []
      : [finding("ok", `${counted(own, "binding has a key", "bindings have keys")} of your own.`)]),
    ...(commands === 0 ? [] : [finding("ok", `${counted(commands, "command", "commands")} of your own.`)]),
  ];
}

function terminalOf({ env, stdin }: Invocation): Parameters<typeof terminalFindings>[0] {
  const { stdout } = process;
  return {
    env,
    stdin,
    stdout,
    columns: stdout.columns,
    rows: stdout.rows,
    colorDepth: stdout.isTTY ? stdout.getColorDepth(env) : 1,
  };
}

function print({ output }: Invocation, findings: readonly Finding[], problems: number): void {
  const { style } = output;
  const rows = findings.map(({ state, what }) => {
    const { sign, role, word } = LOOK[state];
    const told = style.spoken ? word : `${style.symbol(SIGN[sign])} ${word}`;
    return [style.paint(role, told), safe(what, { max: LONGEST })];
  });
  // One layout for all areas, so that the sentences are aligned.
  const [, ...lines] = layOut(style, [" ".repeat(WIDEST_STATE), ""], rows);
  const indent = " ".repeat(2 + WIDEST_STATE + 2);
  for (const [area, heading] of AREAS) {
    const listed = findings.flatMap((each, index) => (each.area === area ? [{ ...each, index }] : []));
    if (listed.length === 0) continue;
    output.line(style.paint("heading", heading));
    for (const { next, index } of listed) {
      output.line(`  ${lines[index]!}`);
      if (next !== null)
        output.line(
          `${indent}${style.spoken ? "What to do:" : style.symbol(SIGN.arrow)} ${safe(next, { max: LONGEST })}`,
        );
    }
  }
  output.line();
  output.line(summary(problems));
}

function summary(problems: number): string {
  if (problems === 0) return "Nothing needs attention.";
  return problems === 1 ? "One thing needs attention." : `${problems} things need attention.`;
}
