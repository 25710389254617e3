// A context for back-tests: a history, runs and projects in a temporary folder, and files of payments.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ActionContext } from "#src/actions/action-context.ts";
import { runBacktest, type Backtested, type BacktestInput } from "#src/actions/rules/backtest.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { SANDBOX_PROFILE } from "#src/contract/records/profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { NOON, starterText } from "../rules/sample.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { historyIn } from "../storage/open-history.ts";
import { runsIn } from "../storage/open-runs.ts";

export interface Bench {
  readonly context: ActionContext;
  readonly runs: Runs;
  /** Writes payments, or envelopes, a line each, and gives the path of the file. */
  file(lines: readonly unknown[]): string;
  /** What a back-test says, with every row of it. */
  run(change: Partial<BacktestInput> & Pick<BacktestInput, "sources">): Promise<Ran>;
  remember(entries: readonly HistoryEntry[]): Promise<void>;
}

export interface Ran extends Backtested {
  readonly rows: readonly RunRow[];
}

export function bench(rules: RuleSet, projects: readonly Partial<Project>[] = []): Bench {
  const folder = temporaryFolder();
  const runs = runsIn(folder);
  const history = historyIn(folder);
  onTestFinished(() => history.close());
  const context = {
    profile: SANDBOX_PROFILE,
    now: () => NOON,
    runs: () => Promise.resolve(runs),
    history: () => Promise.resolve(history),
    payloads: () => Promise.resolve({ path: (name: string) => join(folder, `${name}.json`) }),
    projects: () =>
      Promise.resolve({
        get: (profile: string, key: string) =>
          Promise.resolve(projects.find((one) => one.profile === profile && one.key === key) ?? null),
      }),
  } as unknown as ActionContext;
  let files = 0;
  return {
    context,
    runs,
    file(lines) {
      const path = join(folder, `payments-${(files += 1)}.ndjson`);
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return path;
    },
    async run(change) {
      const rows: RunRow[] = [];
      const input = inputOf(rules, change);
      const done = await runBacktest(context, input, new AbortController().signal, (event) => {
        if (event.type === "decided") rows.push(event.row);
      });
      return { ...done, rows };
    },
    async remember(entries) {
      for (const entry of entries) {
        await history.intend({ ...entry, result: null });
        if (entry.result !== null) await history.settle(entry);
      }
    },
  };
}

export function inputOf(
  rules: RuleSet,
  change: Partial<BacktestInput> & Pick<BacktestInput, "sources">,
): BacktestInput {
  return {
    current: { ruleSet: rules, name: "current" },
    proposed: { ruleSet: rules, name: "proposed" },
    riskLevel: null,
    startAt: NOON,
    stepMs: 60_000,
    unitOf: () => "minor",
    strict: false,
    stdin: null,
    ...change,
  };
}

/** The starter rules with a piece of their text replaced, and without the tests that would fail then. */
export async function changedRules(from: string | RegExp, to: string): Promise<RuleSet> {
  const text = starterText.replace(from, to);
  if (text === starterText) throw new Error("nothing was replaced");
  return loadRules(text.replaceAll(/^ {4}tests:\n(?: {6}.*\n)+/gm, ""), "changed.yaml");
}
