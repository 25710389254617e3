// Findings of `verdict doctor` about the terminal.

import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { contrast, LEAST_CONTRAST } from "#src/display/contrast.ts";
import { askColors } from "#src/terminal/color-question.ts";
import { openTerminal } from "#src/terminal/raw-terminal.ts";
import { multiplexerNote, multiplexerOf } from "#src/terminal/clipboard.ts";
import { consoleGate, LEAST, speaksUtf8, takesOsc, type GateInput } from "#src/terminal/gate.ts";
import type { Invocation } from "./command.ts";

export interface TerminalFacts extends GateInput {
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Colour depth in bits that the terminal reports: 1, 4, 8 or 24. */
  readonly colorDepth: number;
}

const finding = findingsOf("terminal");

/** Pure. */
export function terminalFindings(facts: TerminalFacts): Finding[] {
  const { env } = facts;
  const gate = consoleGate(facts);
  if (facts.stdin.isTTY !== true || facts.stdout.isTTY !== true) {
    return [finding("ok", "This is no terminal: commands work, the console does not open.")];
  }
  const findings: Finding[] = [];
  if (!gate.ok) {
    findings.push(finding("problem", gate.sentence));
  } else if (!env["TERM"]) {
    findings.push(
      finding(
        "problem",
        "TERM is not set, so the abilities of this terminal are unknown.",
        "Set it, e.g. to xterm-256color.",
      ),
    );
  } else {
    findings.push(finding("ok", `The terminal calls itself ${escapeText(env["TERM"], 40)}.`));
  }
  findings.push(sizeFinding(facts), colorFinding(facts), localeFinding(env));
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) {
    findings.push(
      finding("ok", "This is an SSH session: verdict copies to the clipboard of your own terminal."),
    );
  }
  const between = multiplexerOf(env);
  findings.push(
    between === null
      ? finding(
          "ok",
          'Copying needs a terminal that takes OSC 52; "verdict vault copy" shows whether this one does.',
        )
      : finding(
          "note",
          `${between} is between verdict and your terminal when you copy a secret.`,
          multiplexerNote(between),
        ),
  );
  return findings;
}

/** The contrast of labels as the console finds it out; nothing where that asks no terminal. */
export async function quietFindings(
  { env, stdin, output }: Invocation,
  stdout: NodeJS.WriteStream,
): Promise<Finding[]> {
  const { color, spoken } = output.style;
  if (!consoleGate({ stdin, stdout, env }).ok || !takesOsc(env) || !color || spoken) return [];
  const terminal = openTerminal(stdin, stdout);
  const { colors, typed } = askColors(stdout);
  terminal.onInput(typed);
  const told = await colors;
  terminal.restore();
  if (told === null) {
    const next = 'Set "quiet: full" in settings.yaml if you cannot read them.';
    return [finding("ok", "The terminal does not report its colours, so labels are bright black.", next)];
  }
  const ratio = contrast(told.gray, told.ground);
  const ink = ratio < LEAST_CONTRAST ? "and below 3 labels look like other text" : "enough for labels";
  return [finding("ok", `Bright black has a contrast of ${ratio.toFixed(1)}, ${ink}.`)];
}

function sizeFinding({ columns = 0, rows = 0 }: TerminalFacts): Finding {
  const size = `${columns} columns and ${rows} rows`;
  if (columns === 0 || rows === 0) {
    return finding(
      "problem",
      "The terminal does not report its size.",
      'Set it with "stty columns 80 rows 24".',
    );
  }
  return columns < LEAST.columns || rows < LEAST.rows
    ? finding(
        "problem",
        `The terminal has ${size}; the console needs ${LEAST.columns} and ${LEAST.rows}.`,
        "Make the window larger.",
      )
    : finding("ok", `The terminal has ${size}.`);
}

function colorFinding({ env, colorDepth }: TerminalFacts): Finding {
  if (env["NO_COLOR"]) {
    return finding("note", "NO_COLOR is set: verdicts differ by their symbols and words only.");
  }
  return colorDepth < 4
    ? finding("note", "The terminal reports no colours: verdicts differ by their symbols and words only.")
    : finding("ok", `The terminal has ${2 ** colorDepth} colours.`);
}

function localeFinding(env: TerminalFacts["env"]): Finding {
  return speaksUtf8(env)
    ? finding("ok", "The locale is UTF-8.")
    : finding(
        "note",
        "The locale is not UTF-8, so symbols are drawn in ASCII.",
        "Set LANG to a UTF-8 locale if the terminal shows such text, e.g. C.UTF-8.",
      );
}
