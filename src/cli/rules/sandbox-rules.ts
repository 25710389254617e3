// verdict rules print, use and edit: the rules that the sandbox decides by, and their hits.

import type { Confirmed, Json, Asking } from "#src/cli/option-specs.ts";
import { CURRENT, readRuleText, STARTER, starterText } from "#src/app/named-rules.ts";
import { schemaComment } from "#src/app/schemas.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { declined } from "#src/cli/done.ts";
import { editUntilValid } from "#src/cli/edit-text.ts";
import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { hasBuildCommand } from "#src/contract/text/build-commands.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { RulesReading } from "#src/contract/wire/sandbox-wire.ts";
import { safe } from "#src/display/safe.ts";
import { formatZoned } from "#src/display/time.ts";
import { RULE_FILE_LIMIT } from "#src/rules/rule-file/rule-file.ts";
import { withSandbox, type Target, type Targeted } from "#src/cli/sandbox/sandbox-session.ts";

/** `--hits` */
export const listHits: CommandRun<Targeted> = async (invocation) =>
  withSandbox(invocation, async ({ admin }) => {
    show(invocation, await admin.rules());
  });

export const print: CommandRun<Target> = async (invocation) => {
  const { args, output } = invocation;
  const word = args[0] ?? CURRENT;
  if (word === STARTER) return output.exact(`${schemaComment("rules")}\n${(await starterText()).text}`);
  if (word !== CURRENT) throw usage`verdict rules print knows current and starter, not "${word}".`;
  return withSandbox(invocation, async ({ admin }) => {
    const { text } = await admin.rulesText();
    if (!output.isTerminal && hasBuildCommand(text)) {
      throw badInput`The rules were not printed, because one line contains a command for a build server; show the rules on a terminal, and remove that line.`;
    }
    output.exact(text);
  });
};

export const use: CommandRun<Targeted & Asking> = async (invocation) => {
  const { args, options, output } = invocation;
  const word = args[0]!;
  if (word === STARTER) return useStarter(invocation);
  if (word === CURRENT) return reload(invocation);
  const { text, name } = await readRuleText(invocation, word);
  // Checked here, because the sandbox does not read a much too long body and could not name the problem.
  if (text.length > RULE_FILE_LIMIT) {
    throw badInput`${name} is longer than the ${RULE_FILE_LIMIT} characters of a rule file.`;
  }
  return withSandbox(invocation, async ({ admin }) => {
    const rules = await admin.saveRules(text, name);
    if (options.json) show(invocation, rules);
    else output.line(`${deciding(rules)}, from the next check on.`);
  });
};

/** The rule file is removed; the starter rules apply again. */
function useStarter(invocation: Invocation<Targeted & Asking>): Promise<void> {
  return withSandbox(invocation, async ({ admin }) => {
    const { fromFile } = await admin.rules();
    if (fromFile && !(await confirm(invocation, "Remove the sandbox's rule file for good?")))
      return declined(invocation, { removed: false });
    const rules = await admin.removeRules();
    if (invocation.options.json) show(invocation, rules);
    else invocation.output.line(`${deciding(rules)}.`);
  });
}

/** The rule file is read again, which also happens automatically when it changes. */
function reload(invocation: Invocation<Targeted>): Promise<void> {
  return withSandbox(invocation, async ({ admin }) => {
    const rules = await admin.reloadRules();
    if (invocation.options.json) show(invocation, rules);
    else if (rules.error === null) invocation.output.line(`${deciding(rules)}.`);
    if (rules.error !== null) throw new Fault("bad_input", whole(escapeText(rules.error.message, 500)));
  });
}

export const edit: CommandRun<Target & Confirmed> = async (invocation) =>
  withSandbox(invocation, async ({ admin }) => {
    const { output } = invocation;
    const { text: before } = await admin.rulesText();
    const unchanged = "The rules are as they were.";
    return editUntilValid(invocation, {
      fileName: "rules.yaml",
      text: before,
      instead:
        'write the rules with "verdict rules print > FILE" and load them with "verdict rules use FILE"',
      unchanged,
      async save(text) {
        if (text === before) output.line(unchanged);
        else output.line(`${deciding(await admin.saveRules(text))}, from the next check on.`);
      },
    });
  });

function deciding({ rules, file, fromFile }: RulesReading): string {
  return `${rules.length} rules ${fromFile ? `of ${safe(file)}` : "of the starter set"} decide`;
}

function show({ options, output }: Invocation<Json>, rules: RulesReading): void {
  if (options.json) return output.json(rulesJson(rules));
  output.line(`${deciding(rules)}, read ${formatZoned(rules.loadedAt)} (${safe(rules.hash.slice(0, 12))}).`);
  if (rules.error !== null) {
    output.line(
      `The rule file has been invalid since ${formatZoned(rules.error.at)}: ${safe(rules.error.message)}`,
    );
  }
  output.advise(
    `Hits are counted since the sandbox started, ${formatZoned(rules.countedSince)}; an embedded sandbox ends ten seconds after its last user. A run keeps its own hits: verdict run show.`,
  );
  output.line();
  const rows = rules.rules.map(({ code, mode, hits, shadowHits, notEvaluated }) => [
    code,
    mode,
    String(hits),
    String(shadowHits),
    String(notEvaluated),
  ]);
  output.table(["RULE", "MODE", "HITS", "SHADOW HITS", "NOT EVALUATED"], rows, [2, 3, 4]);
}

/** What `verdict rules list --hits --json` and `rules use --json` print. */
function rulesJson(reading: RulesReading) {
  const { name, hash, file, fromFile, loadedAt, countedSince, error, rules } = reading;
  return {
    schema: 1,
    name,
    hash,
    file,
    from_file: fromFile,
    loaded_at: new Date(loadedAt).toISOString(),
    counted_since: new Date(countedSince).toISOString(),
    error: error === null ? null : { message: error.message, at: new Date(error.at).toISOString() },
    rules: rules.map(({ code, mode, hits, shadowHits, notEvaluated, lastHitAt }) => ({
      code,
      mode,
      hits,
      shadow_hits: shadowHits,
      not_evaluated: notEvaluated,
      last_hit_at: lastHitAt === null ? null : new Date(lastHitAt).toISOString(),
    })),
  };
}
