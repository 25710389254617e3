// verdict payload pseudonymise: payments with stand-ins for people and cards, and the proof that rules see no difference.

import { pseudonymise as run, type Pseudonymised } from "#src/actions/rules/pseudonymise.ts";
import { CURRENT } from "#src/app/named-rules.ts";
import { typedPath } from "#src/app/typed-path.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { sayDone } from "#src/cli/done.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { pointedAt } from "#src/cli/history/filter-caret.ts";
import { progressBar } from "#src/cli/progress-bar.ts";
import { loadNamedRules } from "#src/cli/rules/rule-excerpt.ts";
import { onlyFilter, readTransactionsInput } from "#src/cli/rules/rules-backtest.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { Rejects } from "./rejects.ts";
import { rejectedLines } from "./run-text.ts";
import type { PAYLOAD_PSEUDONYMISE } from "./replay-options.ts";

export const pseudonymise: CommandRun<typeof PAYLOAD_PSEUDONYMISE> = async (invocation) => {
  const { args, options, output, signal } = invocation;
  const sources = args.filter((word) => word !== undefined);
  const rejects = new Rejects(options.rejects);
  const context = await invocation.context();
  try {
    const { ruleSet } = await loadNamedRules(invocation, options.rules ?? CURRENT);
    const [keyFile, out] = [typedPath(options.keyFile), typedPath(options.output)];
    const transactions = { ...(await readTransactionsInput(invocation, context)), sources };
    const bar = progressBar(output, "Pseudonymising");
    const done = await pointedAt(output, onlyFilter(sources), () =>
      run(context, { ...transactions, ruleSet, keyFile, out }, signal, (event) => {
        if (event.type === "rejected") rejects.take(event.line);
        else if (event.fraction !== null) bar(event.fraction, 1);
        else output.progress(`Pseudonymising: ${formatCount(event.taken)}`);
      }),
    ).finally(() => output.progress(null));
    return tell(invocation, done, rejects);
  } finally {
    rejects.close();
    if (args.includes("-")) invocation.stdin.destroy();
  }
};

/** 8 where rules differ, else 2 for rejected lines. */
function tell(
  invocation: Invocation<typeof PAYLOAD_PSEUDONYMISE>,
  done: Pseudonymised,
  rejects: Rejects,
): number {
  const { output } = invocation;
  const { isNewKey, ...facts } = done;
  const { total, equal, differing, repeats, untimed, written } = facts;
  const { options } = invocation;
  const [keyFile, out] = [options.keyFile, options.output].map((path) => safe(path, { max: 1_000 }));
  sayDone(
    invocation,
    { ...facts, new_key: isNewKey },
    isNewKey
      ? `The new key is in ${keyFile}. Anyone with this key can re-identify people: keep the key secret.`
      : null,
    repeats === 0
      ? null
      : `${counted(repeats, "identical repeat")} within 60 s left out, as the service does.`,
    untimed === 0 ? null : `${counted(untimed, "payment")} without a time got one (--step, --start-at).`,
    ...rejectedLines(rejects.kept, done.rejected, output.style),
    `${formatCount(equal)} of ${formatCount(total)} verdicts equal`,
    written ? `Written: ${out}` : null,
  );
  if (total === 0) output.complain("There is no payment to pseudonymise; name a source that holds some.");
  else if (!written) {
    const rules = differing.map(({ code, count }) => `${safe(code)} (${formatCount(count)})`).join(", ");
    output.complain(
      `Nothing was written, because rules see a difference: ${rules}; they look at values that stand-ins cannot keep.`,
    );
  }
  const code = rejects.judge(output.complain);
  if (total > 0 && !written) return EXIT.expectation;
  return total === 0 && code === EXIT.done ? EXIT.usage : code;
}
