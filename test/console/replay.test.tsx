// The Replay screen in terminals of several sizes: the list, the form, a replay under way, its result, both sides of a flip.

import { AREAS, type Given, KEY, openConsole } from "./driver.tsx";
import type { Mounted } from "./harness.tsx";
import { keyName } from "../keys/standard.ts";
import { describe, expect, it } from "vitest";

import { ReplayScreen } from "#screens/replay/replay-screen.tsx";
import type { RunRow } from "#src/contract/records/run.ts";
import { whyNotGoOn } from "#src/state/replay/replays-state.ts";
import { credentialMissing } from "#src/contract/fault.ts";
import { widthOf } from "#src/ui/fit.ts";
import { PREFLIGHT, runInfo, runResult, runRow, RUN_AT, summaryOf, type StoredRun } from "./replay-engine.ts";
import { putCredential } from "./test-context.ts";

const NOW = RUN_AT + 3_600_000;

/** Forty payments: before all pass, with the last without a verdict; now some are blocked, challenged, lost. */
const BEFORE: readonly RunRow[] = Array.from({ length: 40 }, (_, index) =>
  runRow(index + 1, { result: runResult(index === 39 ? null : "pass") }),
);
const AFTER: readonly RunRow[] = BEFORE.map((row, index) => {
  const verdict = index < 3 ? "block" : index < 8 ? "3ds_or_block" : index === 20 ? null : ("pass" as const);
  return {
    ...row,
    result: runResult(verdict, { latencyMs: 14 + index }),
    expect: index < 2 ? ("pass" as const) : null,
    request:
      index === 0
        ? { ...row.request, amount: 12_500, card: { bin_card: 444_433, cin_card: 42 } }
        : row.request,
  };
});

const STORED: readonly StoredRun[] = [
  { info: runInfo("run-2", AFTER, { baseline: "run-1", at: RUN_AT + 60_000 }), rows: AFTER },
  { info: runInfo("run-1", BEFORE, { state: "partial" }), rows: BEFORE },
];

const { esc: ESC, enter: ENTER, tab: TAB } = KEY;

type Shown = Awaited<ReturnType<typeof show>>;

async function show(
  runs: readonly StoredRun[] = STORED,
  { whole = false, ...given }: Given & { /** All of the console around it. */ readonly whole?: boolean } = {},
) {
  return openConsole({
    service: { now: () => NOW },
    runs,
    rows: 22,
    before: async ({ session, context }) => {
      await putCredential(context, "demo-shop/medium", { projectId: "prj-1" });
      session.go("replay");
    },
    ...(whole ? {} : { area: (size) => <ReplayScreen {...size} /> }),
    ...given,
  });
}

/** The same once the runs are listed. */
async function listed(...given: Parameters<typeof show>): Promise<Shown> {
  const shown = await show(...given);
  await shown.screen.until(/1 of \d/);
  return shown;
}

/** Opens the newest run, which is compared with the older one. */
async function result(options: Parameters<typeof show>[1] = {}, stored = STORED): Promise<Shown> {
  const shown = await listed(stored, options);
  await shown.screen.press(ENTER).until("was / now");
  return shown;
}

/** Starts a replay of forty payments that is compared with the older run. */
async function running(options: Parameters<typeof show>[1] = {}): Promise<Shown> {
  const shown = await listed(STORED, options);
  const { screen } = shown;
  await screen.press("jbn").until("would be sent");
  await screen.press(ENTER).until("Changes so far");
  return shown;
}

function settleSome({ engine, time }: Shown, count: number, moved = {}): void {
  engine.settle(AFTER.slice(0, count), moved);
  time.pass(300);
}

describe("the list of runs", () => {
  it("teaches what a replay is while there is none", async () => {
    const { screen } = await show([]);
    expect(await screen.until("No replay has been run yet.")).toContain("Press n to set one up.");
    expect(screen.dispatcher.active().find(({ binding }) => binding.id === "replay.open")?.disabled).toBe(
      "There is no run to open yet; n sets one up.",
    );
  });

  it("shows the newest first with items, mix, flips and state, and what is known of the selected one", async () => {
    const { screen } = await show();
    const frame = await screen.until(/12:05:11 .*40 .* 8 *$/m);
    const lines = frame.split("\n");
    expect(lines[2]).toMatch(/^› 12:05:11 \/data\/payloads +\S*mo-shop\/medium /);
    expect(lines[3]).toMatch(/12:04:11 .*40 .* - partial/);
    expect(frame).toContain("run run-2");
    expect(frame).toContain("✔ 31 PASS  ◆ 5 3DS  ✖ 3 BLOCK  ? 1 UNKNOWN");
    expect(frame).toContain("Compared with the run of 2026-11-21 12:04:11.");
    await screen.press("j").until("It was not finished; r sends the rest.");
  });

  it("tells runs apart by source, rules and place", async () => {
    const uk = runInfo("run-4", AFTER, { sources: ["/days/march-uk.ndjson"], isolated: "rules-uk.yaml" });
    const day = runInfo("run-3", AFTER, { profile: "staging", at: RUN_AT - 86_400_000 });
    const stored = [uk, day].map((info) => ({ info, rows: AFTER }));
    const { screen } = await show(stored, { columns: 119, rows: 37 });
    const frame = await screen.until("of 2");
    expect(frame).toMatch(/12:04:11 +\S*march-uk.ndjson +rules-uk.yaml +40 /);
    expect(frame).toMatch(/11-20 12:04 +\/data\/payloads +\S*demo-shop\/medium +40 /);
  });

  it("says why a complete run cannot be gone on with", async () => {
    const { screen, model, engine } = await listed(STORED, { whole: true, rows: 24 });
    expect(screen.dispatcher.active().find(({ binding }) => binding.id === "replay.goOn")?.disabled).toBe(
      "The run is complete; n begins a new one.",
    );
    await model.replays.goOn();
    expect(engine.inputs).toEqual([]);
  });

  it.each(["jm kc", "m jc"])(
    "compares the later run with the earlier one, however they are chosen: %s",
    async (keys) => {
      const { screen, model } = await listed([
        { ...STORED[0]!, info: { ...STORED[0]!.info, baseline: null } },
        STORED[1]!,
      ]);
      const [mark, compare] = keys.split(" ") as [string, string];
      await screen.press(mark).until("m Marked");
      await screen.press(compare).until("Compared with the run of 2026-11-21 12:04:11.");
      expect(model.replays.store.getState().result).toMatchObject({
        info: { id: "run-2" },
        baseline: "run-1",
      });
    },
  );

  it("compares with a marked run, whose mark ends with that or with Esc", async () => {
    const { screen, model } = await listed([
      { ...STORED[0]!, info: { ...STORED[0]!.info, baseline: null } },
      STORED[1]!,
    ]);
    expect(await screen.press("jm").until("m Marked: c on another run compares them.")).toMatch(/^›m/m);
    await screen.press("kc").until("Compared with the run of 2026-11-21 12:04:11.");
    await screen.press(ESC).until("Replay runs");
    expect(model.replays.store.getState().markedId).toBeNull();
    await screen.press("m").until("m Marked");
    await screen.press(ESC).until((frame) => !frame.includes("m Marked"));
  });

  it("has a filter, which takes every key that is typed, selects a listed run and ends with Esc", async () => {
    const { screen, model } = await listed(STORED, { whole: true, rows: 24 });
    await screen.press("/").until("Filter");
    await screen.press("d-partial").until("No run matches the filter; Esc shows all.");
    expect(model.session.store.getState().dialog).toBeNull();
    await screen.press(ESC).until("of 2");
    const frame = await screen.press("/partial demo-shop\r").until("1 of 1");
    expect(frame).toContain("Replay runs · partial demo-shop ");
    expect(frame).not.toContain("12:05:11");
    expect(model.replays.store.getState().selectedId).toBe("run-1");
    await screen.press(ESC).until("of 2");
  });

  it("removes a run once that is confirmed", async () => {
    const { screen, model } = await listed();
    screen.press("d");
    const { dialog } = model.session.store.getState();
    expect(dialog?.text).toContain("Remove the run run-2 and its 40 verdicts for good?");
    model.session.answer(true);
    expect(await screen.until("1 of 1")).not.toContain("12:05:11");
  });
});

describe("the form of a new replay", () => {
  it("says the same of what it will be compared with while presenting", async () => {
    const { screen, model } = await listed(STORED, { whole: true, columns: 120, rows: 38 });
    screen.press("n");
    const none = "finished run has";
    await screen.until(none);
    model.present();
    expect(await screen.until("PRESENTER")).toContain(none);
  });

  it.each([
    [{ profile: "staging", project: "other/low" }, "sent to staging:other/low."],
    [{ isolated: "mine.yaml" }, "decided with mine.yaml for demo-shop/medium."],
  ])("says where the verdicts come from that it will be compared with: %o", async (change, words) => {
    const { screen } = await listed([{ info: runInfo("run-1", BEFORE, change), rows: BEFORE }]);
    const frame = await screen.press("bn").until("would be sent");
    expect(frame.replaceAll(/\s+/g, " ")).toContain(`Compared with the run of 2026-11-21 12:04:11, ${words}`);
  });

  it("begins no replay of a source without a payment to send", async () => {
    const { screen, engine, model } = await listed(STORED, { whole: true, rows: 24 });
    engine.preflighted = { ...PREFLIGHT, items: 0 };
    await screen.press("n").until("The source is empty");
    await screen.press(ENTER).until("There is no payment to send: change Source or the tags.");
    expect(engine.inputs).toEqual([]);
    expect(model.replays.store.getState().setup).not.toBeNull();
  });

  it("shows rejected lines with their place, escaped", async () => {
    const { screen, engine, model } = await listed();
    engine.preflighted = {
      items: 1,
      leftOut: 0,
      rejected: [{ origin: "a\u202e.csv:17", message: "amount must be a number." }],
      rejectedCount: 1,
      warnings: { payloads: 2, sentences: [{ message: "x\u202e is no field of this request.", count: 2 }] },
      money: [],
      expectations: 0,
    };
    await model.replays.setUp();
    const frame = await screen.until("1 line is rejected and not sent.");
    expect(frame).toContain("a\\u202e.csv:17: amount must be a number.");
    expect(frame).toContain("2 payments have warnings; most often: x\\u202e is no field of this request.");
  });

  it.each([
    ["TEST", "confirm"],
    ["LIVE", "type"],
  ] as const)("on %s sends nothing before somebody agreed", async (environment, how) => {
    const profile = { environment, name: "shop-9", baseUrl: "https://risk.example" };
    const { screen, model, engine } = await show([], { profile });
    await screen.until("No replay has been run yet.");
    await model.replays.setUp();
    await screen.until("would be sent");
    screen.press(ENTER);
    const { session } = model;
    await expect.poll(() => session.store.getState().dialog).not.toBeNull();
    expect(engine.inputs).toEqual([]);
    const { dialog } = session.store.getState();
    expect(dialog!.text).toContain("Send 40 checks worth 12 345.00 UAH to the ");
    expect(dialog!.text).toContain("service at https://risk.example, profile shop-9?");
    expect(dialog!.typed).toBe(how === "type" ? "shop-9" : undefined);
    session.answer(true);
    await expect.poll(() => engine.inputs.length).toBe(1);
    expect(engine.inputs[0]).toMatchObject({ project: "demo-shop/medium", concurrency: 8, strict: false });
  });

  it("asks nothing for an isolated replay, not even on a read-only LIVE profile, and says where it ran", async () => {
    const { screen, model, engine } = await show([], {
      whole: true,
      rows: 24,
      profile: { environment: "LIVE", name: "shop-9", readOnly: true },
    });
    await screen.until("No replay has been run yet.");
    await screen.press("n").until("would be sent");
    const start = () =>
      screen.dispatcher.active().find(({ binding }) => binding.id === "replay.setup.submit")?.disabled;
    expect(start()).toContain("read-only");
    screen.press(ENTER);
    await screen.press(TAB.repeat(7)).until("› Isolated");
    await screen.press("a").until("Rule file");
    await screen.press("s").until((frame) => !frame.includes("Rule file"));
    expect(engine.inputs).toEqual([]);
    screen.press(ESC);
    await expect.poll(start).toBeNull();
    screen.press(ENTER);
    await expect.poll(() => engine.inputs.length).toBe(1);
    expect(model.session.store.getState().dialog).toBeNull();
    engine.settle(AFTER.slice(0, 3), { summary: summaryOf(AFTER.slice(0, 3), { time: "recorded" }) });
    engine.finish("cancelled");
    expect(await screen.until(/Run of .* partial/)).toContain("On a sandbox of its own with starter rules.");
    expect(whyNotGoOn(model.replays.store.getState(), "sandbox", keyName)).toContain("is gone");
    expect(model.replays.sent()).toEqual({ items: 0, partial: null });
    // It opens as it was left, so that leaving it loses nothing until something is typed.
    await screen.press("n").until("› Start");
    await screen.press(ESC).until((shown) => !shown.includes("› Start"));
    expect(model.session.store.getState().dialog).toBeNull();
    await screen.press("n").until("› Start");
    screen.press(`${TAB}x${ESC}${ESC}`);
    await expect.poll(() => model.session.store.getState().dialog?.text).toContain("will be lost");
  });
});

describe("items of a run again", () => {
  it("are chosen by kind, with their counts, in the form of a new replay", async () => {
    const { screen, engine } = await show();
    await screen.until(/12:05:11 .*40 .* 8 *$/m);
    const frame = await screen.press("a").until("40 checks would be sent.");
    expect(frame).toContain("Again        [failed 1] unknown 1  changed 8");
    await screen.press(`${TAB}c${ESC}`).until("[changed 8]");
    screen.press(ENTER);
    await expect
      .poll(() => engine.inputs)
      .toMatchObject([{ sources: ["run:run-2:changed"], baseline: null }]);
  });

  it("are not offered where none failed or changed", async () => {
    const passed = BEFORE.slice(0, 5);
    const info = runInfo("run-5", passed, { baseline: "run-5" });
    const { screen } = await show([{ info, rows: passed }], { whole: true, rows: 24 });
    await screen.until(/ 5 .* 0 *$/m);
    const again = screen.dispatcher.active().find(({ binding }) => binding.id === "replay.again");
    expect(again?.disabled).toBe("Nothing in the run failed or changed.");
  });
});

describe("a replay under way", () => {
  it("shows how far it is, the verdicts, the latencies and what has changed so far", async () => {
    const shown = await running({ columns: 120, rows: 38 });
    settleSome(shown, 17);
    const frame = await shown.screen.until("17 done");
    expect(frame).toContain("42 %  2 s left");
    expect(frame).toMatch(/✔ PASS +━+─+ +9 +52\.9 % /);
    expect(frame).toMatch(/✖ BLOCK +━+─+ +3 +17\.6 % /);
    // A column a payment, the blocked ones first.
    expect(frame).toMatch(/^ {2}✖ █{3}·{14} /m);
    expect(frame).toContain("p50 12 ms  p95 30 ms  p99 41 ms");
    expect(frame).toMatch(/✔ → ✖ +━+─+ 3$/m);
    expect(frame).toMatch(/✔ → ◆ +━+─+ 5$/m);
    expect(frame).toContain("Compared with the run of 2026-11-21 12:04:11.");
    expect(frame).toMatch(/\d\d:\d\d:\d\d {2}✔ → ◆ {2}o-8 +800\.00 UAH/);
    // Rules that come later stand beside the kinds, and move nothing.
    expect(frame).toMatch(/◆ → ✔.*\n.*\n.*│ {2}Latest/);
    expect(frame).toContain("2 expectations failed.");
    expect(frame.replaceAll(/\s+/g, " ")).toContain("carry their own time, and are decided at");
  });

  it("says while it runs and in its result how many answers are repeats, and on which payment", async () => {
    const shown = await running();
    const [first, ...others] = AFTER.slice(0, 5);
    const rows = [
      { ...first!, result: { ...first!.result!, repeated: true as const, basis: { score: 40, rules: [] } } },
      ...others,
    ];
    const repeated = "1 answer is a repeat: the sandbox gave its stored answer";
    shown.engine.settle(rows, { summary: summaryOf(rows, { repeated: 1 }) });
    shown.time.pass(300);
    expect(await shown.screen.until("5 done")).toContain(repeated);
    shown.engine.finish();
    expect(await shown.screen.until("Findings")).toContain(repeated);
    expect(await shown.screen.press(ENTER).until("earlier: a stored answer")).toMatch(/Score +40/);
  });

  it("asks before it is cancelled, is partial then, and goes on with c", async () => {
    const shown = await running();
    const { screen, model, engine } = shown;
    settleSome(shown, 5);
    screen.press(ESC);
    await expect.poll(() => model.session.store.getState().dialog?.yes).toBe("cancel the replay");
    expect(engine.isCancelled()).toBe(false);
    model.session.answer(true);
    await screen.until("Stopping: verdict waits for the open answers.");
    engine.finish("cancelled");
    await screen.until(/Run of .* partial/);
    await screen.press("r").until("Changes so far");
    expect(engine.inputs.at(-1)).toMatchObject({ continues: "run-3", sources: [] });
  });

  it("is told of on other screens, cancelled by the first Ctrl-C, and said at its end", async () => {
    const shown = await running({ whole: true, rows: 24 });
    const { screen, engine, model } = shown;
    await screen.press("4").until(" History ━");
    settleSome(shown, 12);
    await screen.until("Replay: 12 items, 30 %; 5 shows it.");
    await screen.press("\u0003").until("The replay is cancelled; press Ctrl-C again to quit.");
    expect(engine.isCancelled()).toBe(true);
    engine.finish("cancelled");
    await screen.until("The replay is cancelled with 12 items; 5 shows it; r continues it.");
    expect(model.session.store.getState().busy).toBeNull();
    expect(model.replays.sent()).toEqual({ items: 12, partial: "run-3" });
  });

  it("gives the form back with what was filled in when it cannot be started", async () => {
    const { screen, engine, model } = await running();
    engine.fail(credentialMissing`There is no credential any more.`);
    expect(await screen.until("New replay")).toContain("[run of 2026-11-21 12:04:11");
    expect(model.session.store.getState().toasts.at(-1)?.text).toBe("There is no credential any more.");
  });
});

describe("the result of a replay", () => {
  it("leaves room for what has changed below the matrix", async () => {
    const { screen } = await result({ rows: 22 });
    expect(await screen.until("Money that flipped: 3 625.00 UAH")).toMatch(/^ {2}✔ PASS +30 +5 +3$/m);
  });

  it("keeps its first rows where there is no room for all", async () => {
    const { screen } = await result({ columns: 60, rows: 17 });
    const lines = screen
      .frame()
      .split("\n")
      .map((line) => line.trim());
    expect(lines[1]).toMatch(/^38 compared: 8 changed/);
    expect(lines.slice(4, 8).map((line) => line.slice(0, 9).trim())).toEqual([
      "was / now",
      "✔ PASS",
      "◆ 3DS",
      "✖ BLOCK",
    ]);
  });

  it("leaves filters out as a whole where they have no room: their numbers are never cut", async () => {
    const { screen } = await result({ columns: 60, rows: 22 });
    const frame = await screen.until("[Flips 8]");
    expect(frame.split("\n").find((line) => line.includes("[Flips 8]"))).toMatch(
      /^ \[Flips 8\](?: {1,2}\S+(?: \w+)? \d+)+ {2}…$/,
    );
  });

  it("filters by cell with left and right, and marks the cell", async () => {
    const { screen } = await result({ columns: 140, rows: 38 });
    // The new blocks as a big number, and beside it what they were.
    expect(screen.frame()).toMatch(
      /^ {2}▀▀▀▀▄ {3}New blocks: 3 \(7\.89 %\) +│.*\n {3}▀▀▀▄ {3}3 had passed +│/m,
    );
    await screen.press("\u001b[C").until("The deciding rules are not known for both runs.");
    screen.press("\u001b[C");
    // What is worst stands first, as in the list.
    const worst = await screen.until("[✔→✖ 3]");
    expect(worst).toContain("Money of this flip: 625.00 UAH");
    expect(worst).not.toMatch(/│.*→ ◆ 3DS/);
    const frame = await screen.press("\u001b[C").until("[✔→◆ 5]");
    expect(frame).toMatch(/^ {2}✔ PASS +30 +\[5\] +3 +38 /m);
    expect(frame).toMatch(/^ {2}all +30 +5 +3 +38 /m);
    expect(frame).toMatch(/^ {2}✔ PASS → ◆ 3DS +5 +3 000\.00 UAH /m);
    expect(frame).toContain("Money of this flip: 3 000.00 UAH");
    expect(frame).not.toMatch(/│.*→ ✖ BLOCK/);
    await screen.press("FFFF").until("[Items 40]");
  });

  it("lists why verdicts changed, whole below the list, and the payments of one cause", async () => {
    const ruled = (rows: readonly RunRow[], rules: (index: number) => readonly string[]) =>
      rows.map((row, index) => ({
        ...row,
        result: { ...row.result!, basis: { score: 0, rules: rules(index) } },
      }));
    const before = ruled(BEFORE, () => ["HOLDER_OF_MANY_CARDS_IN_24_HOURS"]);
    const after = ruled(AFTER, (index) => [index < 3 ? "CARD_SEEN_TOO_OFTEN_IN_ONE_HOUR" : "IP_VELOCITY"]);
    const { screen } = await listed([
      { info: runInfo("run-2", after, { baseline: "run-1", at: RUN_AT + 60_000 }), rows: after },
      { info: runInfo("run-1", before), rows: before },
    ]);
    await screen.press(ENTER).until("was / now");
    const list = await screen.press("f").until("[Causes 2]");
    // A rule that hit in a pass decided nothing.
    expect(list).toMatch(/› ✔ PASS  → ◆ 3DS +5 - +IP_VELOCITY/);
    const second = await screen.press("j").until(/› ✔ PASS  → ✖ BLOCK/);
    expect(second.replaceAll(/\s+/g, " ")).toContain(
      "CARD_SEEN_TOO_OFTEN_IN_ONE_HOUR decides now: 3 flips, 625.00 UAH",
    );
    const flips = await screen.press(ENTER).until("1 of 3");
    expect(flips).toMatch(/✔ PASS  → ✖ BLOCK +125\.00 UAH o-1/);
    expect(flips).not.toMatch(/│.*→ ◆ 3DS/);
    await screen.press(ESC).until(/› ✔ PASS  → ✖ BLOCK/);
  });

  it("shows the verdicts against what became of the payments, before and now, in both sizes", async () => {
    const labels = ["fraud", "chargeback", "refund", "good"] as const;
    const rows = AFTER.map((row, index) => ({
      ...row,
      was: "block" as const,
      ...(index < 36 ? { label: labels[index % 4]! } : {}),
    }));
    for (const [columns, height] of [
      [80, 24],
      [140, 40],
    ] as const) {
      const { screen } = await listed([{ info: runInfo("run-1", rows), rows }], { columns, rows: height });
      await screen.press(ENTER).until("was / now");
      await screen.until("Labels 36");
      const frame = await screen.press("FFFF").until("[Labels 36]");
      expect(frame).toMatch(/Label +✔ PASS +◆ 3DS +✖ BLOCK +all/);
      for (const label of labels) {
        const [pass, secure, block] = (["pass", "3ds_or_block", "block"] as const).map(
          (verdict) =>
            rows.filter((row) => row.label === label && row.result!.recommendation === verdict).length,
        );
        const count = (value: number | undefined): string => (value === 0 ? "·" : String(value));
        expect(frame).toMatch(
          new RegExp(
            `${label} +${count(pass)} +${count(secure)} +${count(block)} +${pass! + secure! + block!}\\s`,
          ),
        );
      }
      expect(frame).toMatch(/Fraud blocked .*11\.8 % .*100 %/);
    }
  });

  it("shows both sides with what differs marked, beside each other or stacked", async () => {
    const wide = await result({ columns: 120, rows: 34 });
    const beside = await wide.screen.press(ENTER).until("Before");
    expect(beside).toMatch(/! Verdict +✔ PASS +│! Verdict +✖ BLOCK/);
    expect(beside).toMatch(/! amount +10000 {2}100\.00 UAH +│! amount +12500 {2}125\.00 UAH/);
    expect(beside).toMatch(/! card\.cin_card +absent +│! card\.cin_card +0042/);
    // What is the same is below that, once.
    expect(beside).toMatch(/ {2}currency +980 +│ *$/m);
    expect(beside.indexOf("amount")).toBeLessThan(beside.indexOf("The same in both"));

    const narrow = await result({ columns: 60, rows: 18 });
    const stacked = await narrow.screen.press(ENTER).until(/! Verdict +✔ PASS\n +→ ✖ BLOCK/);
    expect(stacked).toContain("14 ms, before 12 ms");
    expect(stacked).toMatch(/! amount +10000 {2}100\.00 UAH\n +→ 12500 {2}125\.00 UAH/);
    await narrow.screen.press("G").until(/currency +980/);
    await narrow.screen.press(TAB).until(/ o-2 [─━]+ 2 of 8/);
    narrow.screen.press("nn");
    // There is no fourth one that is blocked now.
    await narrow.screen.until(/ o-3 [─━]+ 3 of 8/);
    await narrow.screen.press("N").until(/ o-2 [─━]+ 2 of 8/);
    await narrow.screen.press(ESC).until("Findings");
  });

  it("reads more items once the last one of those that are kept is selected", async () => {
    const rows = Array.from({ length: 2_500 }, (_, index) => runRow(index + 1));
    const { screen } = await listed([{ info: runInfo("run-1", rows), rows }]);
    await screen.press(ENTER).until("1 of 1 000");
    for (const place of ["1 000 of 2 000", "2 000 of 2 500", "2 500 of 2 500"]) {
      await screen.press("G").until(place);
    }
    await screen.until(/› -.* o-2500/);
  });

  it("reads more flips once the last one of those that are kept is selected, and all for a filter", async () => {
    const before = Array.from({ length: 2_500 }, (_, index) => runRow(index + 1));
    const after = before.map((row) => ({ ...row, result: runResult("block") }));
    const stored = [
      { info: runInfo("run-2", after, { baseline: "run-1" }), rows: after },
      { info: runInfo("run-1", before), rows: before },
    ];
    const { screen, model, engine } = await result({ whole: true, rows: 24 }, stored);
    await screen.until("1 of 1 000");
    await screen.press("G").until("1 000 of 2 000");
    screen.press("/");
    await expect.poll(() => model.session.store.getState().prompt).not.toBeNull();
    await screen.press("BLOCK 2345").until(/Findings · BLOCK 2345 .* 1 of 1, E exports all 2 500/);
    screen.press(ENTER);
    await expect.poll(() => model.session.store.getState().prompt).toBeNull();
    expect(screen.frame()).toMatch(/› ✔ PASS  → ✖ BLOCK .*o-2345/);
    // What a report shows does not depend on how far somebody has read.
    expect(model.replays.store.getState().result?.comparison?.flips).toHaveLength(1_000);
    await screen.press(ESC).until("2 345 of 2 500");
    screen.press("/");
    await expect.poll(() => model.session.store.getState().prompt).not.toBeNull();
    await screen.press("nothing").until("No payment here matches the filter.");
    expect(engine.inputs).toEqual([]);
  });

  it("asks where a report goes, and again with what was typed when it cannot be written", async () => {
    const { screen, model, engine } = await result();
    const ask = async (file: string): Promise<void> => {
      await expect.poll(() => model.session.store.getState().prompt).toBeNull();
      screen.press("E");
      await expect.poll(() => model.session.store.getState().prompt).not.toBeNull();
      model.session.submit(file);
    };
    await ask("flips.html");
    await expect.poll(() => engine.reports).toEqual(["flips.html"]);
    await ask("flips.html");
    await expect.poll(() => model.session.store.getState().prompt?.initial).toBe("flips.html");
    expect(model.session.store.getState().toasts.at(-1)?.text).toBe("flips.html exists already.");
  });

  it("lists the items and says how to get a baseline where there was nothing to compare with", async () => {
    const { screen } = await listed([STORED[1]!]);
    const frame = await screen.press(ENTER).until("The payloads carried no earlier verdict.");
    expect(frame).not.toContain("Compared with");
    expect(frame).toContain("[No verdict 1]");
  });

  it("shows hostile texts as escapes and never lets them speak as a verdict", async () => {
    const hostile = AFTER.slice(0, 2).map((row, index) => ({
      ...row,
      key: `pa\u200bss-${index}`,
      result: runResult(null, { explanation: "x\u001b[32m✔ PASS" }),
    }));
    const { screen } = await listed([{ info: runInfo("run-9", hostile), rows: hostile }]);
    expect(await screen.press(ENTER).until("pa\\u200bss-1")).toContain("? UNKNOWN");
    expect(await screen.press(ENTER).until("Verdict        ? UNKNOWN")).toContain("x\\x1b[32m✔ PASS");
  });
});

describe("every size", () => {
  const sizes = AREAS;
  const isExact = (screen: Mounted, columns: number, rows: number): void => {
    const lines = screen.lines();
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  };

  it.each([true, false])(
    "holds the list, the form, a replay, a result and both sides (ascii %s)",
    async (ascii) => {
      const shown = await show(STORED, { ascii });
      const { screen, engine } = shown;
      await screen.until("of 2");
      const everywhere = async (mark: string): Promise<void> => {
        for (const [columns, rows] of sizes) {
          screen.resize(columns, rows);
          await screen.until(mark);
          isExact(screen, columns, rows);
        }
        // oxlint-disable-next-line no-control-regex
        if (ascii) expect(screen.frame()).toMatch(/^[\u0000-\u007f]*$/);
      };
      await everywhere("Replay runs");
      await screen.press("jbn").until("would be sent");
      await everywhere("New replay");
      await screen.press(ENTER).until("Changes so far");
      settleSome(shown, 30);
      await everywhere("30 done");
      engine.finish();
      await screen.until("Findings");
      await everywhere("Findings");
      await screen.press(ENTER).until("Verdict");
      await everywhere("Verdict");
    },
  );
});
