// verdict rules check and list: validates a rule file with its tests, and lists its rules.

import { CURRENT, readRuleText, type RuleText } from "#src/app/named-rules.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { usage } from "#src/contract/fault.ts";
import type { RuleFacts } from "#src/contract/records/rule-facts.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { YamlFault } from "#src/contract/text/yaml-source.ts";
import type { RuleMode } from "#src/contract/wire/explanation.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import { counted } from "#src/display/count.ts";
import { ruleEffect } from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { ruleSetFacts } from "#src/rules/rule-facts.ts";
import { checkRules } from "#src/rules/rule-file/embedded-tests.ts";
import { loadRulesUntested, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { perLevel } from "#src/rules/rule-file/rule-set.ts";
import { excerptLines, loadNamedRules } from "./rule-excerpt.ts";
import type { RULES_LIST } from "./rules-options.ts";
import type { Json } from "#src/cli/option-specs.ts";

const MODES: readonly RuleMode[] = ["live", "shadow", "off"];

/** An error in a rule file, with its position. */
interface Problem {
  readonly line: number;
  readonly column: number;
  /** Code of the rule; null for another part of the file. */
  readonly code: string | null;
  /** One sentence with the position. */
  readonly message: string;
}

interface Checked {
  /** Null where the file could not be loaded. */
  readonly ruleSet: RuleSet | null;
  readonly tests: number;
  readonly problems: readonly Problem[];
}

export const check: CommandRun<Json> = async (invocation) => {
  const { options, output } = invocation;
  const read = await readRuleText(invocation, invocation.args[0]!);
  const checked = await checkText(read);
  if (options.json) output.json(checkJson(read, checked));
  else if (checked.problems.length === 0) showSound(invocation, read, checked);
  else for (const line of problemLines(read, checked, invocation)) output.complain(line);
  return checked.problems.length === 0 ? EXIT.done : EXIT.usage;
};

/** Parses, compiles, type-checks and tests a rule file; returns all failing tests, or the first other error. */
async function checkText({ text, name }: RuleText): Promise<Checked> {
  let ruleSet: RuleSet;
  try {
    ruleSet = await loadRulesUntested(text, name);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const { line, column, subject, message } = error;
    return { ruleSet: null, tests: 0, problems: [{ line, column, code: subject, message }] };
  }
  const results = checkRules(ruleSet);
  const lines = text.split("\n");
  const problems = results
    .filter(({ ok }) => !ok)
    .map(({ code, line, message }): Problem => {
      const column = (lines[line - 1] ?? "").search(/\S/) + 1 || 1;
      return {
        line,
        column,
        code,
        message: `${name}:${line}:${column}: ${code}: ${escapeText(message, 600)}`,
      };
    });
  return { ruleSet, tests: results.length, problems };
}

function problemLines(read: RuleText, { problems, tests }: Checked, { output }: Invocation): string[] {
  const lines = problems.flatMap((problem) => [
    ...excerptLines(read.text, problem, output.columns, output.style),
    problem.message,
  ]);
  return tests === 0
    ? lines
    : [
        ...lines,
        `${problems.length} of ${tests} embedded tests ${problems.length === 1 ? "fails" : "fail"}.`,
      ];
}

function showSound({ output }: Invocation, { name }: RuleText, { ruleSet, tests }: Checked): void {
  const { rules, hash } = ruleSet!;
  const modes = MODES.map((mode) => `${rules.filter((rule) => rule.mode === mode).length} ${mode}`);
  const done = output.style.symbol(SIGN.done);
  output.line(
    `${done} ${name}: ${counted(rules.length, "rule")} (${modes.join(", ")}), ${counted(tests, "test")} passed`,
  );
  output.line(`  name ${safe(ruleSet!.name)}, SHA-256 ${hash}`);
  const untested = rules
    .filter((rule) => rule.mode !== "off" && rule.tests.length === 0)
    .map(({ code }) => code);
  if (untested.length > 0) output.line(`  without a test: ${safe(untested.join(", "), { max: 1_000 })}`);
}

/** What `verdict rules check --json` prints. */
function checkJson({ name }: RuleText, { ruleSet, tests, problems }: Checked) {
  const inMode = (wanted: RuleMode): number =>
    ruleSet?.rules.filter(({ mode }) => mode === wanted).length ?? 0;
  const [live, shadow, off] = [inMode("live"), inMode("shadow"), inMode("off")];
  return {
    schema: 1,
    file: name,
    sound: problems.length === 0,
    name: ruleSet?.name ?? null,
    hash: ruleSet?.hash ?? null,
    rules: ruleSet === null ? null : { total: ruleSet.rules.length, live, shadow, off },
    tests: { run: tests, failed: tests === 0 ? 0 : problems.length },
    problems,
  };
}

export const list: CommandRun<typeof RULES_LIST> = async (invocation) => {
  const { args, options, output } = invocation;
  if (options.hits && (args[0] ?? CURRENT) !== CURRENT)
    throw usage`--hits lists the rules that decide now; leave "${args[0]!}" out.`;
  if (options.hits) {
    const { listHits } = await import("./sandbox-rules.ts");
    return listHits(invocation);
  }
  const { ruleSet, name } = await loadNamedRules(invocation, args[0] ?? CURRENT);
  const { rules, thresholds, hash } = ruleSetFacts(ruleSet);
  if (options.json)
    return output.json({
      schema: 1,
      file: name,
      name: ruleSet.name,
      hash,
      thresholds: perLevel((level) => ({
        three_ds: thresholds[level].threeDs,
        block: thresholds[level].block,
      })),
      rules,
    });
  output.line(`${name}: ${counted(rules.length, "rule")}, SHA-256 ${hash.slice(0, 12)}`);
  output.line();
  const rows = rules.map((rule) => [
    rule.code,
    rule.mode,
    ...RISK_LEVELS.map((level) => weightText(rule, level)),
    safe(rule.text),
  ]);
  const limits = (word: string, of: (level: RiskLevel) => number): string[] => [
    word,
    "",
    ...RISK_LEVELS.map((level) => String(of(level))),
    "",
  ];
  const heads = ["RULE", "MODE", ...RISK_LEVELS.map((level) => level.toUpperCase()), "TEXT"];
  const foot = [
    limits("3-D Secure from", (level) => thresholds[level].threeDs),
    limits("block from", (level) => thresholds[level].block),
  ];
  output.table(heads, [...rows, ...foot], [2, 3, 4]);
};

/** `+40`, or the effect of a rule without a weight. */
function weightText({ weights, effect }: RuleFacts, level: RiskLevel): string {
  return ruleEffect({ effect, weight: weights === null ? null : weights[level] });
}
