// Replays as the console remembers them: findings, the chosen group, the preflight of a source, and the replay under way.

import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { badInput, interrupted, usage } from "#src/contract/fault.ts";
import type { Environment } from "#src/contract/records/profile.ts";
import type { RunInfo, RunRow } from "#src/contract/records/run.ts";
import { enterText, focusOn, shownForm, textOf, whatIsWrong, type EntryForm } from "#src/state/entry-form.ts";
import { createLiveReplays } from "#src/state/replay/live-replay.ts";
import { createReplaysStore } from "#src/state/replay/replays-state.ts";
import type { ReplayInput } from "#src/state/replay/replay-engine.ts";
import {
  cycleGroup,
  listedCauses,
  openedResult,
  openFinding,
  selectFinding,
  sortFindings,
  shownGroup,
  stepBack,
  withRead,
} from "#src/state/replay/replay-result.ts";
import {
  againWords,
  createSetup,
  fitFields,
  isIsolated,
  noPayload,
  setupInput,
  sourceFault,
  sourceText,
  sourceWord,
} from "#src/state/replay/replay-setup.ts";
import { keyName } from "../keys/standard.ts";
import { findingGroups, NO_ROWS } from "#src/state/replay/run-findings.ts";
import { againstOf, chosenBaseline } from "#src/state/replay/chosen-baseline.ts";
import { createSourcePreflight, type PreflightState } from "#src/state/replay/source-preflight.ts";
import {
  compared,
  fakeEngine,
  keptOf,
  runInfo,
  runResult,
  runRow,
  summaryOf,
  PREFLIGHT,
} from "../console/replay-engine.ts";
import { createFakeTime } from "./fake-time.ts";

const BEFORE = [1, 2, 3, 4].map((seq) => runRow(seq));
const AFTER = [
  runRow(1, { result: runResult("block"), expect: "pass" }),
  runRow(2, { result: runResult("3ds_or_block") }),
  runRow(3, { result: runResult(null), expect: "pass" }),
  runRow(4),
];

describe("findings of a run", () => {
  it("are flips, then cells, then what went wrong, and the items last", () => {
    const summary = summaryOf(AFTER);
    const rows = keptOf(AFTER.map((row) => ({ ...row, was: "pass" })));
    const groups = findingGroups(compared(AFTER, BEFORE), rows, summary);
    expect(groups.map(({ id, count }) => [id, count])).toEqual([
      ["flips", 2],
      ["causes", 0],
      ["pass>block", 1],
      ["pass>3ds_or_block", 1],
      ["unexpected", 2],
      ["no_verdict", 1],
      ["items", 4],
    ]);
    const [flips] = groups;
    expect(flips!.findings.map(({ key, was, now }) => [key, was, now])).toEqual([
      ["o-1", "pass", "block"],
      ["o-2", "pass", "3ds_or_block"],
    ]);
    // Also in the list of items the earlier side is known where the verdict flipped.
    expect(groups.at(-1)!.findings[0]).toMatchObject({ was: "pass", now: "block", before: { key: "o-1" } });
  });

  it("hold nothing but the items of a run without comparison, however empty", () => {
    expect(findingGroups(null, NO_ROWS, null).map(({ id }) => id)).toEqual(["items"]);
  });

  it("never take an untrusted answer for the expected verdict", () => {
    const lying = runRow(1, {
      expect: "pass",
      result: { ...runResult("pass"), outcome: "indeterminate" },
    });
    expect(findingGroups(null, { ...NO_ROWS, items: [lying] }, null)[0]!.findings[0]!.now).toBeNull();
  });
});

describe("a result", () => {
  const opened = openedResult(runInfo("run-2", AFTER), "run-1");
  const result = withRead(opened, compared(AFTER, BEFORE), { ...NO_ROWS, items: AFTER });

  it("begins on the flips, turns around its groups, and stays within a group", () => {
    expect(opened.reading).toBe(true);
    expect(shownGroup(result)!.id).toBe("flips");
    expect(shownGroup(cycleGroup(result, -1))!.id).toBe("items");
    const around = result.groups.reduce((now) => cycleGroup(now, 1), result);
    expect(around.groupId).toBe(result.groupId);
    expect(selectFinding(result, 99).selected).toBe(1);
    expect(selectFinding(selectFinding(result, "last"), -99).selected).toBe(0);
    expect(cycleGroup(selectFinding(result, 1), 1).selected).toBe(0);
  });

  it("is sorted by its columns, and opens what stands in the selected row", () => {
    const verdicts = (now: typeof result) => shownGroup(now)!.findings.map(({ now: verdict }) => verdict);
    const items = cycleGroup(result, -1);
    const byNow = sortFindings(sortFindings(items, "next"), "next");
    const known = verdicts(byNow).filter((verdict) => verdict !== null);
    expect(known).toEqual(known.toSorted());
    expect(verdicts(sortFindings(byNow, "turned")).filter((verdict) => verdict !== null)).toEqual(
      known.toReversed(),
    );
    const last = selectFinding(byNow, "last");
    expect(openFinding(last).opened).toBe(shownGroup(byNow)!.findings.at(-1));
    const turned = sortFindings(items, "turned");
    expect(shownGroup(turned)!.findings).toEqual(shownGroup(items)!.findings.toReversed());
    const amounts = shownGroup(sortFindings(byNow, "next"))!.findings.map(
      ({ after }) => after!.request.amount!,
    );
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
  });

  it("opens the selected finding, and moves on while it is open", () => {
    const open = openFinding(result);
    expect(open.opened!.key).toBe("o-1");
    const next = selectFinding({ ...open, scroll: 5 }, 1);
    expect(next.opened!.key).toBe("o-2");
    expect(next.scroll).toBe(0);
    expect(stepBack(next)).toMatchObject({ opened: null, selected: 1 });
  });

  it("lists the causes, then the flips of one of them, and goes back step by step", () => {
    const decided = (rows: readonly RunRow[], rules: (seq: number) => readonly string[]) =>
      rows.map((row) => ({ ...row, result: { ...row.result!, basis: { score: 0, rules: rules(row.seq) } } }));
    const before = decided(BEFORE, () => []);
    const after = decided(AFTER, (seq) => (seq === 4 ? [] : [`RULE_${seq}`, "MINOR"]));
    const read = withRead(opened, compared(after, before), { ...NO_ROWS, items: after });
    const causes = cycleGroup(read, 1);
    expect(listedCauses(causes)!.map(({ after: rule, count }) => [rule, count])).toEqual([
      ["RULE_1", 1],
      ["RULE_2", 1],
    ]);
    const chosen = openFinding(selectFinding(causes, 1));
    expect(listedCauses(chosen)).toBeNull();
    expect(shownGroup(chosen)!.findings.map(({ key }) => key)).toEqual(["o-2"]);
    const both = openFinding(chosen);
    expect(both.opened!.key).toBe("o-2");
    expect(stepBack(both)).toMatchObject({ opened: null, cause: { after: "RULE_2" } });
    expect(stepBack(stepBack(both)!)).toMatchObject({ cause: null, selected: 1 });
    expect(stepBack(causes)).toBeNull();
    expect(cycleGroup(chosen, 1)).toMatchObject({ cause: null, selected: 0 });
  });

  it("begins on the items where nothing was found, and survives having none", () => {
    expect(withRead(opened, null, { ...NO_ROWS, items: BEFORE }).groupId).toBe("items");
    const empty = withRead(opened, null, NO_ROWS);
    expect(openFinding(cycleGroup(selectFinding(empty, 1), 1)).opened).toBeNull();
  });
});

const remarkOn = (form: EntryForm, path: string): string | undefined =>
  shownForm(form).fields.find((field) => field.path === path)?.remark?.text;

describe("the form of a new replay", () => {
  const runs = [runInfo("run-aaaa", AFTER), runInfo("run-bbbb", BEFORE)];
  const offer = {
    projects: ["a/low", "b/high"] as const,
    project: "b/high",
    runs,
    baseline: "run-bbbb",
    keyName,
  };

  it("asks for what was chosen", () => {
    const form = createSetup({ ...offer, projects: ["a/low", "b/high"] });
    expect(setupInput(form)).toEqual({
      source: "saved payloads",
      project: "b/high",
      time: undefined,
      isolated: null,
      freshOrderIds: false,
      concurrency: 8,
      ratePerS: null,
    });
    const typed = enterText(focusOn(form, "rate"), "2.5");
    expect(textOf(typed, "rate")).toBe("2.5");
    expect(setupInput(typed).ratePerS).toBe(2.5);
  });

  it("takes the time in the words of the command line, and rules of a file only where a file is asked for", () => {
    const form = createSetup(offer);
    const typed = (path: string, text: string) => enterText(focusOn(form, path), text);
    expect(setupInput(typed("time", " x2.5 ")).time).toBe("x2.5");
    expect(setupInput(typed("time", "recorded")).time).toBe("recorded");
    expect(remarkOn(typed("time", "x0"), "time")).toContain("takes now, recorded, or a speed");

    expect(isIsolated(form)).toBe(false);
    expect(setupInput(typed("isolated", "s")).isolated).toBe("starter");
    const file = fitFields(typed("isolated", "a"), keyName);
    expect(whatIsWrong(file)).toContain("Rule file is missing");
    expect(setupInput(file).isolated).toBe("");
    const named = enterText(focusOn(file, "rules"), "current");
    expect(setupInput(named).isolated).toBe(resolve("current"));
    expect(fitFields(enterText(focusOn(named, "isolated"), "n"), keyName).fields).toEqual(form.fields);
  });

  it("begins as the last one was left, but for project and baseline", () => {
    const typed = enterText(focusOn(createSetup({ ...offer, baseline: null }), "isolated"), "a");
    const last = enterText(focusOn(fitFields(typed, keyName), "rules"), "new.yaml");
    const next = createSetup({ ...offer, project: "a/low", last });
    expect(setupInput(next)).toEqual({
      ...setupInput(last),
      project: "a/low",
    });
  });

  it("offers nothing but isolation where no project has a credential", () => {
    const form = createSetup({ ...offer, projects: [] });
    expect(setupInput(form)).toMatchObject({ project: "isolated/medium", isolated: "current" });
    expect(isIsolated(enterText(focusOn(form, "isolated"), "n"))).toBe(true);
  });

  it("sends some items of a run again, of the kinds that there are, with the run's own project", () => {
    const run = runInfo("run-cccc", AFTER, { project: "a/low" });
    const words = againWords(run, 2);
    expect(words).toEqual(["failed 1", "unknown 1", "changed 2"]);
    expect(againWords(run, undefined)).toContain("changed");
    expect(againWords({ ...run, summary: null }, undefined)).toHaveLength(4);
    expect(againWords(runInfo("run-dddd", BEFORE), 0)).toEqual([]);

    const form = createSetup({ ...offer, again: { run, words: ["failed 1", "changed 2"] } });
    expect(setupInput(form)).toMatchObject({ source: "run:run-cccc:failed", project: "a/low" });
    const changed = enterText(focusOn(form, "run:run-cccc"), "c");
    expect(setupInput(changed).source).toBe("run:run-cccc:changed");
    // The next form of any source begins on it again.
    expect(setupInput(createSetup({ ...offer, last: changed })).source).toBe("saved payloads");
  });

  it("takes tags as words, and none for all", () => {
    const form = createSetup(offer);
    const typed = (text: string) => enterText(focusOn(form, "onlyTags"), text);
    expect(setupInput(typed("vip, eur")).onlyTags).toEqual(["vip", "eur"]);
    expect(setupInput(typed(" "))).toMatchObject({ onlyTags: undefined, skipTags: undefined });
    expect(remarkOn(typed("a=b"), "onlyTags")).toContain("takes words");
  });

  const against = (baseline: string | null, preflight: PreflightState, among = runs) => {
    const form = createSetup({ ...offer, runs: among, baseline });
    return chosenBaseline({ form, preflight }, among, "/data")?.id ?? null;
  };

  it("tells two runs of the same second and size apart", () => {
    expect(against("run-aaaa", { state: "reading" })).toBe("run-aaaa");
    expect(against("run-bbbb", { state: "reading" })).toBe("run-bbbb");
  });

  it("compares with the last finished run of the same payloads by itself", () => {
    const done = (items: number): PreflightState => ({ state: "done", preflight: { ...PREFLIGHT, items } });
    const cut = runInfo("run-cccc", BEFORE, { state: "partial" });
    const tagged = runInfo("run-dddd", BEFORE, { onlyTags: ["vip"] });
    const among = [cut, tagged, ...runs];
    expect(against(null, done(AFTER.length), among)).toBe("run-aaaa");
    expect(against(null, { state: "long" }, among)).toBe("run-aaaa");
    expect(against(null, done(AFTER.length + 1), among)).toBeNull();
    expect(against(null, done(AFTER.length), [cut, tagged])).toBeNull();
  });

  it("tells a baseline of another place or of other rules from one of the same", () => {
    const elsewhere = (change: Partial<RunInfo>, rules?: string): boolean => {
      const among = [runInfo("run-aaaa", AFTER, change)];
      const form = createSetup({ ...offer, runs: among, baseline: "run-aaaa" });
      const found = { ...PREFLIGHT, ...(rules !== undefined && { rules }) };
      const setup = { form, preflight: { state: "done", preflight: found } } as const;
      const profile = { name: "sandbox", environment: "SANDBOX" } as const;
      return againstOf(setup, among, { data: "/data", profile }).isElsewhere;
    };
    const { project } = setupInput(createSetup(offer));
    const same = { profile: "sandbox", project };
    expect(elsewhere(same)).toBe(false);
    expect(elsewhere({ ...same, profile: "staging" })).toBe(true);
    expect(elsewhere({ ...same, project: "other/low" })).toBe(true);
    expect(elsewhere({ ...same, isolated: "mine.yaml" })).toBe(true);
    expect(elsewhere({ ...same, isolated: "mine.yaml" }, "mine.yaml")).toBe(false);
    expect(elsewhere(same, "mine.yaml")).toBe(true);
  });

  it("knows whether the sandbox has counted the same payloads before", () => {
    const isCounted = (
      change: Partial<RunInfo>,
      environment: Environment = "SANDBOX",
      edit = (form: EntryForm) => form,
    ): boolean => {
      const among = [runInfo("run-aaaa", AFTER, { state: "partial", ...change })];
      const form = edit(createSetup({ ...offer, runs: among, baseline: null }));
      const setup = { form, preflight: { state: "reading" } } as const;
      return againstOf(setup, among, { data: "/data", profile: { name: "sandbox", environment } }).isCounted;
    };
    expect(isCounted({})).toBe(true);
    expect(isCounted({ sources: ["/other"] })).toBe(false);
    expect(isCounted({ profile: "staging" })).toBe(false);
    expect(isCounted({ isolated: "mine.yaml" })).toBe(false);
    expect(isCounted({ copyOf: ["run-bbbb"] })).toBe(false);
    expect(isCounted({}, "TEST")).toBe(false);
    expect(isCounted({}, "SANDBOX", (form) => enterText(focusOn(form, "isolated"), "c"))).toBe(false);
  });

  it("takes a folder of payloads that is not there for an empty library, and another source for a wrong name", () => {
    const missing = usage`/home/data/payloads is not there.`;
    expect(sourceFault("saved payloads", missing, keyName).message).toBe(noPayload(keyName));
    expect(sourceFault("x.csv", missing, keyName)).toBe(missing);
    const unreadable = badInput`/home/data/payloads cannot be read.`;
    expect(sourceFault("saved payloads", unreadable, keyName)).toBe(unreadable);
  });

  it("knows the folder of the saved payloads by its name", () => {
    const word = sourceWord("saved payloads", "/home/data");
    expect(word).toMatch(/payloads$/);
    expect(sourceText([word, "x.csv"], "/home/data")).toBe("saved payloads, x.csv");
  });
});

describe("the preflight of a source", () => {
  function preflight(count: (source: string, signal: AbortSignal) => Promise<typeof PREFLIGHT>) {
    const time = createFakeTime(0);
    const found: PreflightState["state"][] = [];
    const made = createSourcePreflight(count, time.after, ({ state }) => found.push(state));
    return { ...made, time, found };
  }

  it("counts once the typing rests, and the same source only once", async () => {
    const counted: string[] = [];
    const { look, time, found, settled } = preflight(async (source) => {
      counted.push(source);
      return PREFLIGHT;
    });
    for (const source of ["a", "a.", "a.csv", "a.csv"]) {
      look(source);
      time.pass(50);
    }
    time.pass(500);
    await settled();
    expect(counted).toEqual(["a.csv"]);
    expect(found.at(-1)).toBe("done");
  });

  it("gives up on what takes long, and does not mistake that for a fault", async () => {
    const { look, time, found, settled } = preflight(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(interrupted`Stopped.`));
        }),
    );
    look("big.ndjson", true);
    time.pass(3_000);
    await settled();
    expect(found).toEqual(["reading", "long"]);
  });

  it("says what is wrong, and forgets an answer to an older question", async () => {
    let answer: (value: typeof PREFLIGHT) => void = () => undefined;
    const { look, found, settled } = preflight((source) =>
      source === "old"
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : Promise.reject(usage`There is no such file.`),
    );
    look("old", true);
    look("new", true);
    answer(PREFLIGHT);
    await settled();
    expect(found).toEqual(["reading", "reading", "fault"]);
  });
});

describe("the replay under way", () => {
  const input: ReplayInput = {
    sources: ["x"],
    project: "a/low",
    concurrency: 8,
    ratePerS: null,
    baseline: null,
    continues: null,
    freshOrderIds: false,
    strict: false,
    stopAfterFailures: 20,
    stdin: null,
  };

  it("is looked at four times a second, not at all while paused, and cancelled when it is closed", async () => {
    const time = createFakeTime(0);
    const engine = fakeEngine();
    const store = createReplaysStore();
    const live = createLiveReplays(store, engine.start, time.after);
    const frames: number[] = [];
    store.subscribe((now) => frames.push(now.live?.progress?.summary.counts.total ?? -1));
    const running = live.run(input);
    // Before there is anything to pause.
    live.togglePause();
    await expect.poll(() => store.getState().live?.progress?.state).toBe("paused");
    live.togglePause();
    expect(time.pending()).toBe(1);
    engine.settle(AFTER);
    const before = frames.length;
    time.pass(1_000);
    expect(frames.length - before).toBe(4);
    expect(live.sent()).toBe(4);

    live.togglePause();
    const held = frames.length;
    time.pass(60_000);
    expect(frames).toHaveLength(held);
    live.togglePause();
    expect(time.pending()).toBe(1);

    const closing = live.close();
    expect(engine.isCancelled()).toBe(true);
    expect(live.cancel()).toBe(false);
    engine.finish("cancelled");
    await closing;
    expect((await running).stopped).toBe("cancelled");
    expect(store.getState().live).toBeNull();
    expect(time.pending()).toBe(0);
    expect(live.sent()).toBe(4);
  });
});
