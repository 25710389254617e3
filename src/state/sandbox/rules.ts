// The store of the Rules screen: the active rules, errors of their file, and unsaved edits.

import { createStore } from "zustand/vanilla";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import type { SeenRules, WrongRules } from "#src/actions/sandbox/sandbox-rules.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Sort } from "#src/contract/records/list-sort.ts";
import { allOf } from "#src/contract/records/outcome-shares.ts";
import type { RuleWorth } from "#src/contract/records/outcomes.ts";
import type { RuleFacts } from "#src/contract/records/rule-facts.ts";
import { NO_RECORD, type RuleRecords } from "#src/contract/records/rule-record.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleActivity, RulesReading } from "#src/contract/wire/sandbox-wire.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { changedSort, sortedRows } from "#src/state/list-selection.ts";
import { LISTING, listingVerbs, matching, selectedOf, type ListingState } from "#src/state/listing.ts";
import { faultOf, problemIn, reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { everyInterval, type Every } from "#src/state/timers.ts";

export type { SeenRules, WrongRules } from "#src/actions/sandbox/sandbox-rules.ts";

/** What was written and cannot be rules, kept so that nothing typed is lost. */
export interface RulesDraft {
  readonly text: string;
  /** The text that was changed. */
  readonly basedOn: string;
  /** Null where only the sandbox was not there to take it. */
  readonly wrong: WrongRules;
}

export interface RulesState extends ListingState {
  /** Null until the first read, and where there are none to read. */
  readonly seen: SeenRules | null;
  /** Why they could not be read; null when they could. */
  readonly fault: string | null;
  readonly draft: RulesDraft | null;
  readonly sort: RulesSort;
  /** What they did since a chosen time; null to show what the sandbox has counted since its start. */
  readonly records: RuleRecords | null;
}

const REFRESH_MS: Milliseconds = 1_000;

/** Columns that the rules are sorted by; at first they stand as in their file. */
export const RULE_ORDERS = ["file", "hits", "last", "rule"] as const;
type RulesSort = Sort<(typeof RULE_ORDERS)[number]>;

/** Offered first. */
const USUAL_SINCE = "7d";

/** What the editor calls the text. */
const FILE_NAME = "rules.yaml";

/** A rule with what it has done. */
export interface ListedRule extends RuleFacts {
  readonly activity: RuleActivity | null;
  /** Null while no time was chosen. */
  readonly record: RuleWorth | null;
}

/** The rules that the filter lets through, in their order: every word of it is in the code, the mode or the condition. */
export function listedRules({ seen, filter, sort, records }: RulesState): readonly ListedRule[] {
  if (seen === null) return [];
  const done = new Map(seen.reading.rules.map((activity) => [activity.code, activity]));
  const textOf = ({ code, mode, effect, condition, text }: RuleFacts): string =>
    `${code} ${mode} ${effect} ${condition} ${text}`;
  const listed = matching(seen.facts.rules, filter, textOf).map((rule, place) => ({
    ...rule,
    place,
    activity: done.get(rule.code) ?? null,
    record: records === null ? null : (records.rules.get(rule.code) ?? NO_RECORD),
  }));
  return sortedRows(listed, sort, ({ place, code, mode, activity, record }) => {
    const counted = mode === "shadow" ? activity?.shadowHits : activity?.hits;
    const hits = record === null ? counted : allOf(record.hits).count;
    return { file: place, hits: hits ?? 0, last: activity?.lastHitAt, rule: code }[sort.by];
  });
}

const LISTED = { items: listedRules, id: ({ code }: ListedRule) => code };

/** The selected rule, else the first; null while none is listed. */
export function selectedRule(state: RulesState): ListedRule | null {
  return selectedOf(LISTED, state);
}

export function createRules(context: SandboxContext, session: Session, every: Every = everyInterval) {
  const isThere = context.profile.environment === "SANDBOX";
  const store = createStore<RulesState>(() => ({
    seen: null,
    fault: null,
    draft: null,
    ...LISTING,
    sort: { by: "file", turned: false },
    records: null,
  }));
  const { getState: get, setState: set } = store;
  let reading = false;

  const actions = (): Promise<typeof import("#src/actions/sandbox/sandbox-rules.ts")> =>
    import("#src/actions/sandbox/sandbox-rules.ts");

  const load = async (): Promise<void> => {
    if (!isThere || reading) return;
    reading = true;
    try {
      const { seeRules } = await actions();
      const before = get().seen;
      const seen = await seeRules(context, before);
      // Nothing is drawn again for what has not changed.
      if (get().fault !== null || JSON.stringify(seen) !== JSON.stringify(before)) set({ seen, fault: null });
    } catch (error) {
      set({ fault: faultOf(error).message });
    } finally {
      reading = false;
    }
  };

  let since = USUAL_SINCE;
  const readSince = async (text: string): Promise<void> => {
    if (text === "") return set({ records: null });
    const { readRuleRecords } = await import("#src/actions/rules/rule-records.ts");
    set({ records: await readRuleRecords(context, text) });
    since = text;
  };

  const openEditor = (text: string, basedOn: string, line?: number): void =>
    session.edit({ text, fileName: FILE_NAME, line, onText: (edited) => void take(edited, basedOn) });

  const take = async (text: string, basedOn: string): Promise<void> => {
    if (text === basedOn) {
      set({ draft: null });
      return session.say("Nothing was changed; the rules are as they were.", "note");
    }
    await save(text, basedOn, false);
  };

  /** Saves what was written, or keeps it as a draft. */
  const save = async (text: string, basedOn: string, replace: boolean): Promise<void> => {
    const keep = (wrong: WrongRules): void => set({ draft: { text, basedOn, wrong } });
    try {
      const { saveRules } = await actions();
      const saved = await saveRules(context, text, replace ? null : basedOn);
      if (saved.kind === "wrong") {
        keep(saved.wrong);
      } else if (saved.kind === "overtaken") {
        keep({ message: "The rule file was changed elsewhere since it was opened.", excerpt: null });
        const agreed = await session.agree({
          text: "The rule file was changed while you wrote. Replace it with what you wrote, and lose that change?",
          yes: "replace",
        });
        if (agreed) return await save(text, basedOn, true);
      } else {
        set({ draft: null });
        session.say(`${deciding(saved.reading)}, from the next check on.`, "done");
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      keep({ message: error.message, excerpt: null });
    }
    await load();
  };

  return {
    store,
    /** False where the service is not the sandbox: its rules cannot be read. */
    isThere,
    /** Polls them while they are shown; returns how to stop. */
    watch() {
      void load();
      return isThere ? every(REFRESH_MS, () => void load()) : () => undefined;
    },
    ...listingVerbs(store, session, LISTED, "velocity shadow"),
    /** Sorts by the next column, or the other way round. */
    sort: (how: "next" | "turned") => set(({ sort }) => ({ sort: changedSort(RULE_ORDERS, sort, how) })),
    /** Asks for a time since which the checks of the history are judged; none goes back to the counts of the sandbox. */
    async askSince() {
      await session.askUntil(
        {
          label: "Since",
          initial: since,
          placeholder: "7d, 2026-01-31; empty for the counts of the sandbox",
        },
        (text) => problemIn(() => readSince(text)),
      );
    },
    /** Opens the editor: on what was written and is wrong, on the rule file, or after a question on the starter rules. @param number `BIN_BURST.limit`: at its line */
    async edit(number?: string) {
      const { draft } = get();
      if (draft !== null) return openEditor(draft.text, draft.basedOn);
      const found = await reportFaults(session, async () => {
        const { rulesText } = await actions();
        return { ...(await rulesText(context)), file: get().seen?.reading.file ?? FILE_NAME };
      });
      if (found === null) return;
      const line = number === undefined ? undefined : lineOf(found.text, number);
      if (found.fromFile) return openEditor(found.text, found.text, line);
      const agreed = await session.agree({
        text: `The starter rules decide now. What you change in a copy is kept in ${safe(found.file)} and decides from then on. Edit a copy?`,
        yes: "edit a copy",
      });
      if (agreed) openEditor(found.text, found.text, line);
    },
    /** Forgets what was written and is wrong. */
    discard() {
      set({ draft: null });
      session.say("Your changes are discarded; the rules did not change.", "note");
    },
    /** Reads the rule file again. */
    async reload() {
      const reading = await reportFaults(session, async () => (await actions()).reloadRules(context));
      if (reading === null) return;
      await load();
      if (reading.error === null) session.say(`${deciding(reading)}, just read again.`, "done");
      else session.say("The rule file is wrong; the previous rules stay in effect.", "error");
    },
    /** Goes back to the starter rules, after a question. */
    async toStarter() {
      const agreed = await session.agree({
        text: `The starter rules decide again. Remove the rule file ${safe(get().seen?.reading.file ?? "")} for good?`,
        yes: "remove it",
      });
      if (!agreed) return;
      const reading = await reportFaults(session, async () => (await actions()).removeRules(context));
      if (reading === null) return;
      session.say(`${deciding(reading)}.`, "done");
      await load();
    },
  };
}

export type Rules = ReturnType<typeof createRules>;

function deciding({ rules, fromFile }: RulesReading): string {
  return `${counted(rules.length, "rule")} of ${fromFile ? "the rule file" : "the starter set"} decide`;
}

/** The line of a number in a rule file, from 1: below the code of its rule, or below the thresholds. */
function lineOf(text: string, number: string): number | undefined {
  const lines = text.split("\n");
  const [owner = "", name = ""] = number.split(".");
  const start = lines.findIndex((line) => line === `${owner}:` || line.trim().endsWith(`code: ${owner}`));
  const at = lines.findIndex((line, index) => index >= start && line.includes(`${name}:`));
  return start < 0 || at < 0 ? undefined : at + 1;
}
