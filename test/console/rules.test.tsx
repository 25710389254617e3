// The Rules screen: exactly their area in every size, and what a user does with them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RuleWorth } from "#src/contract/records/outcomes.ts";
import { AREAS, KEY, openConsole, WINDOWS } from "./driver.tsx";
import { describe, expect, it, vi } from "vitest";
import { levelOf, rulesView } from "#screens/rules/view-model.ts";
import type { RulesReading } from "#src/contract/wire/sandbox-wire.ts";
import { conditionMarks } from "#src/state/sandbox/conditions.ts";
import { listedRules, type RulesState } from "#src/state/sandbox/rules.ts";
import { widthOf } from "#src/ui/fit.ts";
import { headerSpans } from "#src/ui/header.tsx";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";
import { payment, starterText } from "../rules/sample.ts";
import { FACTS, READING } from "./sandbox-stub.ts";

const NOW = Date.UTC(2026, 2, 16, 12);
const { esc: ESC } = KEY;

const SEEN: RulesState = {
  seen: { reading: READING, facts: FACTS, wrong: null },
  fault: null,
  draft: null,
  filter: "",
  sort: { by: "file", turned: false },
  selectedId: "CARD_VELOCITY_1H",
  opened: false,
  records: null,
  scroll: 0,
};

const WRONG = {
  message: `rules.yaml:12:240: CARD_VELOCITY_1H: in when: \u001b[31m ${"something is missing ".repeat(20)}`,
  excerpt: `    when: ${'velocity("card", "1h") > 3 || '.repeat(10)}\n${" ".repeat(240)}^`,
};
const FROM_FILE: RulesReading = { ...READING, fromFile: true };
const BROKEN: RulesReading = { ...FROM_FILE, error: { message: WRONG.message, at: NOW } };

/** Everything that the screen can be. */
const STATES: readonly (readonly [string, RulesState])[] = [
  ["before the first read", { ...SEEN, seen: null }],
  ["without a sandbox", { ...SEEN, seen: null, fault: `It does not answer. ${"Again. ".repeat(60)}` }],
  ["the starter rules", SEEN],
  ["a rule", { ...SEEN, opened: true }],
  ["a rule scrolled to its end", { ...SEEN, opened: true, scroll: 99 }],
  ["a rule file", { ...SEEN, seen: { reading: FROM_FILE, facts: FACTS, wrong: null } }],
  ["a wrong rule file", { ...SEEN, seen: { reading: BROKEN, facts: FACTS, wrong: WRONG } }],
  ["a wrong draft", { ...SEEN, draft: { text: "x", basedOn: "y", wrong: WRONG } }],
  ["a wrong draft over a rule", { ...SEEN, opened: true, draft: { text: "x", basedOn: "y", wrong: WRONG } }],
  ["a filter that finds nothing", { ...SEEN, filter: "no such rule" }],
  ["a sandbox that is gone", { ...SEEN, fault: "It does not answer." }],
];

const SIZES = AREAS;

function textOf(state: RulesState, columns: number, rows: number, ascii = false, isThere = true): string {
  const theme = createTheme({ keyName, color: !ascii, ascii });
  const view = rulesView(
    { ...state, listed: listedRules(state) },
    { columns, rows },
    { theme, now: NOW, level: "medium", isThere },
  );
  const { panes, height } = view.bands[0]!;
  expect(view.top.length + 1 + height).toBe(rows);
  const lines = Array.from({ length: height }, (_, row) =>
    panes.map((pane) => {
      expect(pane.rows).toHaveLength(height);
      const line = pane.rows[row]!.map(({ text }) => text).join("");
      expect(widthOf(line), line).toBe(pane.width);
      return line;
    }),
  );
  const top = view.top.map((row) => row.map(({ text }) => text).join(""));
  for (const line of top) expect(widthOf(line), line).toBe(columns);
  return [...top, panes.map(({ title }) => title).join(" | "), ...lines.map((line) => line.join("|"))].join(
    "\n",
  );
}

describe("the rules as rows", () => {
  it.each(STATES)("%s fills exactly its area in every size", (_what, state) => {
    for (const ascii of [false, true]) {
      for (const [columns, rows] of SIZES) {
        const text = textOf(state, columns, rows, ascii);
        expect(text).not.toContain("\u001b");
        // oxlint-disable-next-line no-control-regex
        if (ascii) expect(text).toMatch(/^[\x20-\x7e\n]*$/);
      }
    }
  });

  it("lists effect at the level of the project, hits, shadow hits and the last hit", () => {
    const text = textOf(SEEN, 80, 22);
    expect(text).toContain("medium: 3DS from 35, block from 75");
    expect(text).toMatch(/CARD_EXPIRED +live +block +· +- +· +-/);
    expect(text).toMatch(/› CARD_VELOCITY_1H +live +\+40 +12 +- +· +\d\d:\d\d:\d\d/);
    expect(text).toMatch(/TEST_BIN +shadow +3DS +· +7 +2 +-/);
    expect(levelOf("a/b/high")).toBe("high");
    expect(levelOf(null)).toBe("medium");
  });

  it("lists what the rules did since a time, and how far that can be trusted", () => {
    const none = { count: 0, eur: 0 };
    const record: RuleWorth = {
      hits: {
        bad: { count: 9, eur: 800 },
        good: { count: 3, eur: 120 },
        unlabelled: { count: 1_192, eur: 61_010.4 },
      },
      alone: { bad: none, good: none, unlabelled: { count: 17, eur: 0 } },
    };
    const records = {
      since: NOW - 7 * 86_400_000,
      checks: 10_000,
      labelled: { bad: 70, good: 303 },
      rules: new Map([["CARD_VELOCITY_1H", record]]),
    };
    const text = textOf({ ...SEEN, records }, 80, 22);
    expect(text).toMatch(/Since .+: 10 000 checks, 70 fraudulent, 303 good\./);
    expect(text).toMatch(/Rule +Mode +Effect +Hits +Alone +Fraud +EUR/);
    expect(text).toMatch(/› CARD_VELOCITY_1H +live +\+40 +1 204 +17 +75\.0 % +61 930/);
    expect(text).toMatch(/CARD_EXPIRED +live +block +· +· +- +·/);
    const detail = textOf({ ...SEEN, records, opened: true }, 80, 30);
    expect(detail).toMatch(/Precision +9 of 12, 75\.0 %; between 46 and 92 %, 95 % sure from 12/);
    const sorted = textOf({ ...SEEN, records, sort: { by: "hits", turned: false } }, 80, 22);
    expect(sorted.indexOf("CARD_VELOCITY_1H")).toBeLessThan(sorted.indexOf("CARD_EXPIRED"));
  });

  it("shows all about a rule: condition, parameters by level, its text and its tests", () => {
    const text = textOf({ ...SEEN, opened: true }, 80, 30);
    expect(text).toMatch(/When +velocity\("card", "1h"\) > limit/);
    expect(text).toMatch(/low +\[medium\] +high/);
    expect(text).toMatch(/limit +5 +3 +2/);
    expect(text).toMatch(/weight +40 +40 +50/);
    expect(text).toMatch(/Says +\{n\} attempts/);
    expect(text).toMatch(/✔ hit +over the limit/);
  });

  it("shows the place of a fault, also one far to the right, and what goes on meanwhile", () => {
    for (const [columns, rows] of SIZES) {
      const lines = textOf(
        { ...SEEN, draft: { text: "x", basedOn: "y", wrong: WRONG } },
        columns,
        rows,
      ).split("\n");
      const at = lines.findIndex((line) => /^ +\^ *$/.test(line));
      expect(at, lines.join("\n")).toBeGreaterThan(0);
      // The mark stands below the character that it means.
      const column = lines[at]!.indexOf("^");
      expect(lines[at - 1]![column]).toBe(WRONG.excerpt[240]);
      const below = lines
        .slice(at + 1, at + 3)
        .join(" ")
        .replaceAll(/\s+/g, " ");
      expect(below).toContain("e opens it again, d discards it; the previous rules stay in effect.");
    }
  });

  it("is sorted by its columns, and the heading tells", () => {
    const codes = (state: RulesState): readonly string[] => listedRules(state).map(({ code }) => code);
    const inFile = codes(SEEN);
    expect(codes({ ...SEEN, sort: { by: "file", turned: true } })).toEqual(inFile.toReversed());
    expect(codes({ ...SEEN, sort: { by: "rule", turned: false } })).toEqual(inFile.toSorted());
    const byHits = listedRules({ ...SEEN, sort: { by: "hits", turned: false } });
    const hits = byHits.map(
      ({ mode, activity }) => (mode === "shadow" ? activity?.shadowHits : activity?.hits) ?? 0,
    );
    expect(hits).toEqual(hits.toSorted((one, other) => other - one));
    for (const [columns, rows] of [
      [60, 17],
      [80, 21],
      [120, 37],
      [200, 57],
    ] as const) {
      expect(textOf({ ...SEEN, sort: { by: "hits", turned: false } }, columns, rows)).toContain("Hits ▾");
      expect(textOf({ ...SEEN, sort: { by: "last", turned: true } }, columns, rows)).toContain("Last hit ▴");
      expect(textOf({ ...SEEN, sort: { by: "rule", turned: false } }, columns, rows, true)).toContain(
        "Rule ^",
      );
    }
  });

  it("is one sentence where the service is not the sandbox", () => {
    const text = textOf({ ...SEEN, seen: null }, 80, 22, false, false);
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      "only the sandbox shows its rules and lets you change them.",
    );
  });
});

describe("the header", () => {
  const theme = createTheme({ keyName, color: false, ascii: false });
  const tabs = ["Check", "Register", "Vault", "History", "Replay"].map((label, index) => ({
    key: String(index + 1),
    label,
    current: index === 3,
  }));
  const header = (width: number, marks: readonly string[]): string =>
    headerSpans(
      {
        environment: { word: "SANDBOX", role: "sandbox" },
        profile: null,
        project: "demo-shop/medium",
        marks,
        tabs,
        width,
      },
      theme,
    )
      .map(({ text }) => text)
      .join("");

  it.each([60, 80, 100, 140])("shows what is unusual at %i columns, and the screen", (width) => {
    const text = header(width, ["CLOCK +1 d", "2 FAULTS"]);
    expect(widthOf(text)).toBe(width);
    expect(text).toContain("[CLOCK +1 d]  [2 FAULTS]");
    expect(text).toContain(width < 70 ? "[4]" : "[4 History]");
    expect(widthOf(header(width, []))).toBe(width);
    expect(header(width, [])).toMatch(width < 70 ? / 1 2 3 / : / 1 (?:Check {2})?2 /);
  });

  it("has words for a clock that is moved or stands, and for faults", () => {
    const seen = { movedByMs: 0, frozen: false, faults: [], ruleError: null };
    expect(conditionMarks(null)).toEqual([]);
    expect(conditionMarks(seen)).toEqual([]);
    expect(conditionMarks({ ...seen, movedByMs: 90_000_000 })).toEqual(["CLOCK +1 d 1 h"]);
    expect(conditionMarks({ ...seen, movedByMs: -60_000 })).toEqual(["CLOCK -1 min"]);
    expect(conditionMarks({ ...seen, movedByMs: 5_000, frozen: true })).toEqual(["FROZEN"]);
  });
});

async function show(columns = 80, rows = 24) {
  const service = { credentialWaitS: 0, now: () => NOW };
  const opened = await openConsole({ service, onSandbox: () => ({}), columns, rows });
  await opened.screen.until("Compose");
  return { ...opened, editing: () => opened.asked.edit.mock.lastCall![0] };
}

/** The shortest rule file that is right. */
const RIGHT = `name: ours
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
sample: { at: "2026-03-16T12:00:00Z", project_currency: 980, request: { operation: payment, amount: 1, currency: 980 } }
rules:
  - { code: OURS, text: "{amount}", when: amount > 5, score: 10 }
`;

describe("the screen Rules", () => {
  it.each(WINDOWS.slice(0, 3))("is walked through, filtered, and left at %i x %i", async (columns, rows) => {
    const { screen } = await show(columns, rows);
    await screen.press("7").until("1 of 4");
    screen.expectWhole();
    await screen.press("j\r").until(/When +velocity/);
    screen.expectWhole();
    await screen.press(ESC).until("2 of 4");
    await screen.press("/shadow").until("1 of 1");
    await screen.press("\r").until(/Starter rules · shadow/);
    screen.expectWhole();
    await screen.press(ESC).until("of 4");
    await screen.press(":hist\r").until("No single check has been sent yet");
  });

  it("keeps what was written and is wrong, opens it again, and saves what is right", async () => {
    const { screen, sandbox, editing } = await show();
    await screen.press("7").until("1 of 4");
    await screen.press("e").until("y edit a copy");
    await screen.press("\r").until("1 of 4");
    expect(sandbox.told).toEqual([]);
    await screen.press("e").until("y edit a copy");
    screen.press("y");
    await vi.waitFor(() => expect(editing().text).toBe("rules: []"));
    editing().onText(RIGHT.replace("amount > 5", "amount >"));
    expect(await screen.until("What you wrote cannot be used")).toMatch(/rules\.yaml:8:\d+: OURS: in when/);
    screen.expectWhole();
    expect(sandbox.told).toEqual([]);
    screen.press("e");
    await vi.waitFor(() => expect(editing().text).toContain("amount >,"));
    editing().onText(RIGHT);
    await screen.until((frame) => !frame.includes("cannot be used"));
    expect(sandbox.told).toEqual(["save"]);
    expect(sandbox.text).toBe(RIGHT);
  });

  it("does not overwrite what somebody else has written meanwhile, unless told", async () => {
    const { screen, sandbox, editing } = await show();
    sandbox.reading = FROM_FILE;
    await screen.press("7").until("Rules of your file");
    screen.press("e");
    await vi.waitFor(() => expect(editing().text).toBe("rules: []"));
    sandbox.text = "theirs";
    editing().onText(RIGHT);
    await screen.until("y replace");
    expect(sandbox.told).toEqual([]);
    await screen.press("\r").until("What you wrote cannot be used");
    expect(sandbox.text).toBe("theirs");
    await screen.press("d").until((frame) => !frame.includes("cannot be used"));
    screen.press("R");
    await vi.waitFor(() => expect(sandbox.told).toEqual(["reload"]));
  });

  it("shows damage of the file, and goes back to the starter rules after a question", async () => {
    const { screen, sandbox } = await show();
    sandbox.text = "rules: [";
    sandbox.reading = BROKEN;
    const frame = await screen.press("7").until("The rule file is wrong since");
    expect(frame).toMatch(/rules\.yaml:1:\d+/);
    expect(frame).toContain("e opens it; the previous rules stay in effect.");
    await screen.press("d").until("y remove it");
    await screen.press("y").until("Starter rules");
    expect(sandbox.told).toEqual(["remove"]);
  });
});

describe("tuning", () => {
  const lines = (outcomes: readonly (string | null)[]): string =>
    outcomes
      .map((outcome, i) =>
        JSON.stringify({
          at: new Date(NOW + i * 60_000).toISOString(),
          ...(outcome === null ? {} : { outcome }),
          request: payment({ request: { order_id: `o-${i}` } }),
        }),
      )
      .join("\n");

  it.each([
    [80, 24],
    [140, 40],
  ])(
    "asks for a number with values around today's, and shows what each does at %i x %i",
    async (columns, rows) => {
      const { screen, sandbox, model, editing } = await show(columns, rows);
      sandbox.text = starterText;
      const day = join(model.context.home.data, "day.ndjson");
      mkdirSync(model.context.home.data, { recursive: true });
      writeFileSync(day, lines(["good", "good", "good", "good", "fraud", "fraud", "fraud"]));
      await screen.press("7").until("of 4");
      await screen.press("j").until("› CARD_VELOCITY_1H");
      await screen.press("W").until("CARD_VELOCITY_1H.limit 1..15 over history:since:30d");
      screen.expectWhole();
      await screen.press(ESC).until((frame) => !frame.includes("history:since"));
      model.tuning.ask({ code: "CARD_VELOCITY_1H", params: [], weights: { low: 40, medium: 40, high: 50 } });
      await screen.until("CARD_VELOCITY_1H.score 10..150/10 over");
      screen.press("\u0015");
      await screen.press(`CARD_VELOCITY_1H.score 10..100/10 over ${day}\r`).until("Net EUR");
      expect(screen.frame().replaceAll(/[│\s]+/g, " ")).toContain(
        "11 values on 7 payments, 7 with a label: 3 bad, 4 good; base rate 42.9 %.",
      );
      expect(screen.frame()).toContain("Proposed: 30.");
      screen.expectWhole();
      await screen.press("e").until(/Edit a\s+copy\?/);
      screen.press("y");
      await vi.waitFor(() => {
        const { text, line } = editing();
        expect(text.split("\n")[line! - 1]).toContain("score:");
        expect(
          text
            .split("\n")
            .slice(0, line)
            .findLast((each) => each.includes("code:")),
        ).toContain("CARD_VELOCITY_1H");
      });
      await screen.press("W").until("score 10..100/10 over");
      await screen.press(ESC).until((frame) => !frame.includes("10..100/10 over"));
      await screen.press(ESC).until("of 4");
    },
  );

  it("tells what to do without labels, and opens the line again for what cannot be tried", async () => {
    const { screen, sandbox, model } = await show();
    sandbox.text = starterText;
    const day = join(model.context.home.data, "day.ndjson");
    mkdirSync(model.context.home.data, { recursive: true });
    writeFileSync(day, lines([null, null]));
    await screen.press("7").until("of 4");
    const ask = async (line: string): Promise<void> => {
      await screen.press("W").until("Tune");
      screen.press("\u0015");
      screen.press(`${line}\r`);
    };
    await ask(`CARD_VELOCITY_1H.limit 1..3 over ${day}`);
    await screen.until("No payment has a label");
    await screen.press(ESC).until("of 4");
    await ask(`CARD_VELOCITY_1H.nothing 1..3 over ${day}`);
    await screen.until("it has limit, score.");
    await screen.until("1H.nothing 1..3 over");
    screen.press(ESC);
    await ask("limit 3..1 over here");
    await screen.until("cannot be tried");
    screen.expectWhole();
  });
});
