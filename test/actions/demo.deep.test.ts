// The built-in decks on the real sandbox with its starter rules: the verdicts that they promise do come out.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { openDemo, type CheckFrame, type DemoFrame, type StreamFrame } from "#src/actions/sandbox/demo.ts";
import { deckFiles } from "#src/app/deck-files.ts";
import { openEphemeral } from "#src/app/ephemeral.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { BUILT_IN_DECKS, builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import { checkCount, frameCount, type Deck } from "#src/replay/decks/deck.ts";
import { readDeck } from "#src/replay/decks/deck-reader.ts";
import starterText from "#src/rules/rule-file/starter-rules.yaml";
import { PROGRAM } from "../cli/verdict-process.ts";
import { noDamage } from "../storage/no-damage.ts";

// The version of the built program, whose sandbox would be replaced as another one's otherwise.
vi.hoisted(() => {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  (globalThis as { VERDICT_VERSION?: string }).VERDICT_VERSION = version;
});

const { signal } = new AbortController();

const STRICT = starterText.replace(
  "medium: { three_ds: 35, block: 75 }",
  "medium: { three_ds: 20, block: 35 }",
);
const PAYMENT = {
  operation: "payment",
  amount: 18_750,
  currency: 980,
  payer: { payer_ip: "91.198.40.9", email: "night.owl@shop-customer.example", payer_id: "c-1004" },
  card: {
    holder: "PAVLO BONDAR",
    bin_card: 444_411,
    cin_card: 9090,
    expiration_month: 6,
    expiration_year: 27,
  },
};
const folder = mkdtempSync(join(tmpdir(), "verdict-deck-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "strict.yaml"), STRICT);
writeFileSync(join(folder, "wrong.yaml"), "rules: []");
const LABELS = ["good", "good", undefined, "fraud", "fraud"];
const DAY = LABELS.map((outcome, i) => ({
  at: new Date(Date.UTC(2026, 0, 14, 10, i)).toISOString(),
  outcome,
  request: { ...PAYMENT, order_id: `d-${i}` },
}));
writeFileSync(join(folder, "day.ndjson"), DAY.map((each) => `${JSON.stringify(each)}\n`).join(""));

/** A deck of one payment, and what is behind it. */
function deckOf(steps: string): Deck {
  const text = `title: A story
summary: One card.
start: "2026-01-15T10:00:00Z"
seed: 3
project: { merchant: demo-shop, currency: UAH, risk_level: medium }
steps:
  - say: First
    payload: ${JSON.stringify({ ...PAYMENT, order_id: "o-{n}" })}
    expect: pass
${steps}`;
  return readDeck(text, { file: "story.yaml", name: "story", files: deckFiles(folder) });
}

async function checksOf(deck: Deck): Promise<CheckFrame[]> {
  return (await framesOf(deck)).filter((frame) => frame.kind === "check");
}

async function played(name: (typeof BUILT_IN_DECKS)[number]): Promise<CheckFrame[]> {
  const deck = builtInDeck(name);
  const frames = await checksOf(deck);
  expect(frames).toHaveLength(checkCount(deck));
  return frames;
}

/** All frames of a deck, on sandboxes of its own that leave nothing behind. */
async function framesOf(
  deck: Deck,
  onDecided: (share: number) => void = () => undefined,
): Promise<DemoFrame[]> {
  const folders: string[] = [];
  const demo = await openDemo(
    async (seed, startAt) => {
      const executable = [process.execPath, PROGRAM];
      const env = { PATH: process.env["PATH"] };
      const opened = await openEphemeral({ onProblem: noDamage, env, executable, seed, startAt });
      folders.push(dirname(opened.context.home.data));
      return opened;
    },
    deck,
    signal,
    { onDecided },
  );
  try {
    const frames: DemoFrame[] = [];
    for (;;) {
      const frame = await demo.forward(signal);
      if (frame === null) break;
      frames.push(frame);
    }
    expect(await demo.forward(signal)).toBeNull();
    expect(frames).toHaveLength(frameCount(deck));
    return frames;
  } finally {
    await demo.end();
    expect(folders.map((folder) => existsSync(folder))).toEqual(folders.map(() => false));
  }
}

const shown = (frames: readonly CheckFrame[]): string[] =>
  frames.map(({ entries }) => verdictKind(entries.at(-1)!.result));

describe("a deck on a sandbox of its own", () => {
  it.each(BUILT_IN_DECKS)("%s comes out as it expects, explained check by check", async (name) => {
    const frames = await played(name);
    for (const frame of frames.filter(({ fault }) => fault === null)) {
      expect(frame, `${frame.index + 1}: ${frame.say}`).toMatchObject({ asExpected: true });
      expect(frame.entries.at(-1)!.explanation).not.toBeNull();
    }
  });

  it("fills counters attempt by attempt, does not count a repeat, and moves only the virtual clock", async () => {
    const frames = await played("one-card");
    const card = frames.map(
      ({ entries }) =>
        entries.at(-1)!.explanation!.counters.find(({ key, window }) => key === "card" && window === "1h")!
          .value,
    );
    expect(card).toEqual([1, 1, 2, 3, 4, 5, 6, 1]);
    expect(frames[1]!.entries[0]!.explanation!.repeat).toBe(true);
    expect(frames.map(({ entries, attempts }) => `${entries.length}/${attempts}`)).toEqual([
      "1/1",
      "1/1",
      "1/2",
      "2/2",
      "1/1",
      "1/2",
      "2/2",
      "1/1",
    ]);
    const { startAt } = builtInDeck("one-card");
    expect(frames.map(({ virtualTime }) => (virtualTime - startAt) / 60_000)).toEqual([
      0, 0, 1, 2, 3, 4, 5, 2885,
    ]);
    expect(frames[4]!.finalAction).toBe("3ds");
  });

  it("gives one payment three verdicts in three projects", async () => {
    const [, asked, expired] = await played("three-levels");
    const verdicts = (frame: CheckFrame): unknown =>
      frame.sides.map(({ riskLevel, entry }) => [riskLevel, verdictKind(entry.result)]);
    expect(verdicts(asked!)).toEqual([
      ["low", "pass"],
      ["medium", "3ds_or_block"],
      ["high", "block"],
    ]);
    expect(verdicts(expired!)).toEqual(["low", "medium", "high"].map((level) => [level, "block"]));
  });

  it("never shows silence, nonsense or a refusal as a pass, and counts the order once behind them", async () => {
    const frames = await played("silent");
    expect(shown(frames)).toEqual(["pass", "unknown", "indeterminate", "refused", "pass"]);
    const [, ...sameOrder] = frames;
    expect(new Set(sameOrder.map(({ request }) => request.order_id)).size).toBe(1);
    const { counters, repeat } = frames.at(-1)!.entries[0]!.explanation!;
    expect(repeat).toBe(true);
    expect(counters.find(({ key, window }) => key === "card" && window === "1h")!.value).toBe(2);
  });

  it("tells what a changed rule gains over a day, and what that costs", async () => {
    const frames = await framesOf(builtInDeck("rule-changed"));
    const { day } = frames.find((frame) => frame.kind === "stream")!;
    expect(day).toMatchObject({ today: "three a day", proposed: "ten a day", stops: [] });
    expect(day.changes).toEqual(["limit of ADDRESS_PER_DAY from 3 to 10"]);
    expect(day.payments).toHaveLength(3_000);
    expect(day.payments.every(({ worth }) => worth !== null)).toBe(true);
    expect(day.sentences[0]).toMatch(
      /^\d+ good payments \([^)]+ EUR\) are no longer blocked; [a-z]+ fraudulent ones \([^)]+ EUR\) are no longer blocked, [a-z]+ of them pass(?:es)? \(/,
    );
    expect(frames.at(-1)).toMatchObject({ rules: "ten a day", asExpected: true });
  });

  it("turns one recommendation into 3-D Secure, a block, or an open question", async () => {
    const frames = await played("3ds-or-block");
    const asked = frames.filter(({ expected }) => expected === "3ds_or_block");
    expect(asked.map(({ finalAction }) => finalAction)).toEqual(["3ds", "block", "3ds", null]);
  });

  it("shows sides that have counted the whole story, each under its own rules", async () => {
    const story = (rest: string): Deck =>
      deckOf(`  - { say: Again, repeat: 2, every: +1m, clock: +1m }
  - { say: Levels, side_by_side: [low, high], clock: +1m, expect: pass }
  - { say: Lost, fault: garbage, clock: +1m }
${rest}`);
    const frames = await checksOf(
      story(`  - { say: Rules, side_by_side: [starter, strict.yaml], clock: +1m, expect: [3ds_or_block, block] }
  - { say: Strict, rules: strict.yaml, clock: +1m, expect: block }
`),
    );
    const alone = await checksOf(story("  - { say: Alone, clock: +1m, expect: 3ds_or_block }\n"));
    const counted = (frame: CheckFrame): unknown => {
      const { score, counters, at } = frame.entries.at(-1)!.explanation!;
      return { score, counters, at };
    };
    const [levels, lost, rules, strict] = frames.slice(-4) as [
      CheckFrame,
      CheckFrame,
      CheckFrame,
      CheckFrame,
    ];
    expect(levels.sides.map(({ title, entry }) => [title, entry.project])).toEqual([
      ["low", "demo-shop/low"],
      ["high", "demo-shop/high"],
    ]);
    expect(lost).toMatchObject({ fault: "a body that is not JSON", asExpected: null, finalAction: null });
    expect(verdictKind(lost.entries[0]!.result)).not.toBe("pass");
    // As one sandbox that saw everything, with the payment that went wrong.
    expect(counted(rules)).toEqual(counted(alone.at(-1)!));
    for (const { sides, request } of [levels, rules])
      expect(sides.map(({ entry }) => entry.request)).toEqual(sides.map(() => request));
    expect([levels, rules, strict].map(({ asExpected }) => asExpected)).toEqual([true, true, true]);
    expect([rules.rules, strict.rules]).toEqual([null, "strict.yaml"]);
    // The sandbox of the story has counted what was shown side by side.
    const cards = [rules, strict].map(
      ({ entries }) =>
        entries[0]!.explanation!.counters.find(({ key, window }) => key === "card" && window === "1h")!.value,
    );
    expect(cards).toEqual([5, 6]);
  });

  it("answers what an audience asks as of before the payment", async () => {
    const [first, second] = await checksOf(deckOf("  - { say: Next, clock: +1m }\n"));
    for (const { answers, entries, request } of [first!, second!]) {
      const { amounts, flips } = answers[0]!;
      expect(amounts!.points.find(({ value }) => value === 100)!.verdict).toBe("pass");
      expect(amounts!.stretches.length).toBeGreaterThan(1);
      expect(amounts!.request).toEqual(request);
      expect(flips[0]).toMatchObject({ what: "amount", from: request.amount });
      expect(entries[0]!.explanation!.recommendation).toBe("pass");
    }
    expect(
      second!.entries[0]!.explanation!.counters.find(({ key, window }) => key === "card" && window === "1h")!
        .value,
    ).toBe(2);
  });

  it("answers about each side for itself, on an axis with the payment's own amount", async () => {
    const [, levels] = await checksOf(
      deckOf("  - { say: Levels, side_by_side: [low, high], clock: +1m, change: { amount: 150000000 } }\n"),
    );
    const asked = levels!.answers.map(({ amounts }) => amounts!);
    expect(asked.map(({ project }) => project)).toEqual(["demo-shop/low", "demo-shop/high"]);
    expect(asked[0]!.points).not.toEqual(asked[1]!.points);
    for (const { values } of asked) expect(values).toMatchObject({ from: 100, to: 1_000_000_000 });
  });

  it("asks for no amount that a payment cannot have", async () => {
    const [, large] = await checksOf(
      deckOf("  - { say: Large, clock: +1m, change: { amount: 2000000000000000 } }\n"),
    );
    expect(large!.answers[0]!.amounts!.values).toMatchObject({ to: Number.MAX_SAFE_INTEGER });
  });

  it.each(["timeout", "503", "reset", "garbage", "truncated", "duplicate-keys"])(
    "shows %s as what it is, in seconds, and never as a pass",
    async (fault) => {
      const started = performance.now();
      const [, wrong, after] = await checksOf(
        deckOf(`  - { say: Wrong, fault: ${fault}, clock: +1m }\n  - { say: After, clock: +1m }\n`),
      );
      expect(wrong!.entries[0]!.result!.recommendation).toBeNull();
      expect(["unknown", "refused", "indeterminate", "not_sent"]).toContain(
        verdictKind(wrong!.entries[0]!.result),
      );
      expect(wrong!.answers).toEqual([]);
      expect((wrong!.virtualTime - after!.virtualTime) / 60_000).toBeCloseTo(-1, 0);
      expect(shown([after!])).toEqual(["pass"]);
      expect(performance.now() - started).toBeLessThan(30_000);
    },
  );

  it("decides a day under two rule sets before it runs past", async () => {
    const shares: number[] = [];
    const deck = deckOf(
      "  - { say: A day, stream: day.ndjson, rules: [starter, strict.yaml], stop_at: [d-2] }\n",
    );
    const frames = await framesOf(deck, (share) => shares.push(share));
    const { day } = frames[1] as StreamFrame;
    expect(day).toMatchObject({
      today: "starter",
      proposed: "strict.yaml",
      stops: [2],
      changes: ["3-D Secure mark at medium from 35 to 20", "block mark at medium from 75 to 35"],
    });
    expect(day.payments.map(({ today }) => today)).toEqual([
      "pass",
      "pass",
      "pass",
      "3ds_or_block",
      "3ds_or_block",
    ]);
    expect(day.payments.map(({ proposed }) => proposed)).toEqual(["pass", "pass", "pass", "block", "block"]);
    expect(day.payments.map(({ worth }) => worth)).toEqual(["good", "good", null, "bad", "bad"]);
    expect(day.payments[4]!.why).toMatch(/attempts with this card/);
    expect(day.payments[2]!.why).toBeNull();
    expect(day.sentences[0]).toMatch(/^Two fraudulent payments .*newly blocked/);
    expect(day.outcomes).not.toBeNull();
    expect(JSON.stringify([day.sentences, day.payments.map(({ why }) => why)])).not.toContain("night.owl");
  });

  it("opens nothing where rules or counters of a deck are wrong", async () => {
    const opened = vi.fn();
    const open = (deck: Deck): Promise<unknown> => openDemo(opened, deck, signal);
    await expect(open(deckOf("  - { say: x, rules: wrong.yaml }\n"))).rejects.toThrow(/wrong.yaml:1:1/);
    await expect(open(deckOf("  - { say: x, watch: [card/2h] }\n"))).rejects.toThrow(
      /Step 2 watches card\/2h, but the rules starter have no such counter; their counters are .*card\/1h/,
    );
    expect(opened).not.toHaveBeenCalled();
  });

  it.each([
    ["bad.ndjson", "[d-2]", /bad\.ndjson:2:.* amount must be a whole number/],
    ["day.ndjson", "[d-2, d-9]", /stop_at: day\.ndjson has no payment d-9; write the order id or the key/],
  ])("shows nothing of a deck whose day is wrong: %s, %s", async (day, stops, why) => {
    const [first, second] = DAY;
    const lines = [first, { ...second, request: { ...second!.request, amount: "much" } }];
    writeFileSync(join(folder, "bad.ndjson"), lines.map((each) => JSON.stringify(each)).join("\n"));
    await expect(framesOf(deckOf(`  - { say: A day, stream: ${day}, stop_at: ${stops} }\n`))).rejects.toThrow(
      why,
    );
  });

  it("says the same twice", async () => {
    const still = (frames: readonly CheckFrame[]): unknown =>
      frames.map(({ entries, virtualTime }) => {
        const { explanation, result } = entries.at(-1)!;
        return [virtualTime, explanation?.id, explanation?.score, result?.message];
      });
    expect(still(await played("one-card"))).toEqual(still(await played("one-card")));
  });
});
