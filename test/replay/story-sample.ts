// A deck with one frame of every kind, and any text in every place that a deck, a rule or a service fills.

import type { CheckFrame, Deck, DemoFrame, StreamFrame } from "#src/actions/sandbox/demo.ts";
import { maskedFrame, maskOf } from "#src/actions/sandbox/demo-frame.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Outcomes } from "#src/contract/records/outcomes.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { maskedDeck } from "#src/replay/decks/masked-deck.ts";
import { PLAIN_FRAME } from "../check-frame.ts";
import { answer, intent } from "../storage/entries.ts";
import { decisionDay } from "./decision-sample.ts";

export interface StoryTexts {
  /** In every text that an audience may read. */
  readonly said: string;
  /** In every note. */
  readonly note: string;
  readonly request: CheckRequest;
  readonly words?: Deck["words"];
  /** Of the day; null without labels. */
  readonly outcomes?: Outcomes | null;
}

export const PAYMENT: CheckRequest = {
  operation: "payment",
  order_id: "o-1",
  amount: 18_750,
  currency: 980,
  card: { bin_card: 444_411 },
};

const judged = (await decisionDay(600)).outcomes;

/** Six frames: two attempts, the second not as expected; two sides; a fault; a 3-D Secure that is blocked; and a day. */
export function storyOf({ said, note, request, words = new Map(), outcomes = judged }: StoryTexts): {
  readonly deck: Deck;
  readonly frames: readonly DemoFrame[];
} {
  const entry = (recommendation: Recommendation | null, changes: Partial<HistoryEntry> = {}): HistoryEntry =>
    intent("e1", {
      request,
      result:
        recommendation === null
          ? answer({ outcome: "unknown", recommendation: null, explanation: said, message: said })
          : answer({ recommendation, message: said }),
      explanation: recommendation === null ? null : explained(recommendation, said),
      ...changes,
    });
  const texts = { total: 5, say: said, note };
  const frame = (index: number, changes: Partial<CheckFrame>): CheckFrame => ({
    ...PLAIN_FRAME,
    ...texts,
    index,
    request,
    entries: [entry("pass")],
    attempts: 1,
    expected: null,
    asExpected: null,
    finalAction: null,
    projectKey: "shop/medium",
    riskLevel: "medium",
    virtualTime: Date.UTC(2026, 0, 15, 10),
    ...changes,
  });
  const side = { projectKey: "shop/medium", riskLevel: "medium", rules: null, expected: null } as const;
  const day: StreamFrame = {
    kind: "stream",
    ...texts,
    index: 4,
    seconds: null,
    overMs: 20_000,
    day: {
      today: said,
      proposed: said,
      changes: [said],
      payments: (["block", "pass", "3ds_or_block"] as const).map((today, index) => ({
        at: Date.UTC(2026, 0, 15, 10 + index),
        request,
        today,
        proposed: "pass",
        worth: index === 1 ? "bad" : "good",
        eur: 1,
        why: said,
      })),
      stops: [0],
      outcomes,
      sentences: [said],
    },
  };
  const frames: DemoFrame[] = [
    frame(0, {
      attempts: 2,
      expected: "pass",
      asExpected: true,
      rules: said,
      answers: [answersOf(said, request)],
    }),
    frame(0, {
      attempts: 2,
      entries: [entry("pass"), entry("block")],
      expected: "pass",
      asExpected: false,
    }),
    frame(1, {
      sides: [
        { ...side, title: said, entry: entry("pass") },
        { ...side, title: said, entry: entry("block") },
      ],
    }),
    frame(2, { entries: [entry(null)], fault: said, expected: null }),
    frame(3, {
      entries: [entry("3ds_or_block", { finalAction: "block" })],
      finalAction: "block",
      expected: "3ds_or_block",
      asExpected: true,
    }),
    day,
  ];
  const checks = [{ request, expected: null, advanceMs: 0 }];
  const steps = Array.from({ length: 5 }, () => ({ ...texts, checks })) as unknown as Deck["steps"];
  const deck = { name: said, title: said, summary: said, startAt: 0, seed: 1, projects: [], steps, words };
  return { deck: maskedDeck(deck), frames: frames.map((each) => maskedFrame(each, maskOf(deck))) };
}

function explained(recommendation: Recommendation, text: string): Explanation {
  const hit = (effect: "score" | "block" | "3ds", weight: number | null) =>
    ({
      code: "AMOUNT_LIMIT",
      text,
      outcome: "hit",
      mode: "live",
      weight,
      effect,
      values: { [text]: text },
    }) as const;
  return {
    id: "d-1",
    recommendation,
    message: text,
    at: 0,
    projectId: "p-1",
    riskLevel: "medium",
    orderId: "o",
    score: 40,
    thresholds: { threeDs: 35, block: 75 },
    decidedBy: recommendation === "block" ? "hard_block" : "3ds_score",
    rules: [hit("score", 40), hit("block", null)],
    counters: [
      { key: "card", window: "1h", value: 3, limit: 3 },
      { key: "spent per payer", window: "24h", value: 4, limit: 3 },
    ],
    ruleSetHash: "aa",
    repeat: false,
  };
}

function answersOf(text: string, request: CheckRequest): CheckFrame["answers"][number] {
  const point = (value: number, verdict: Recommendation) =>
    ({ value, verdict, reason: text, codes: ["AMOUNT_LIMIT"], reasons: [text] }) as const;
  const [low, high] = [point(100, "pass"), point(90_000, "block")];
  return {
    flips: [{ what: "amount", from: 1, to: 2, recommendation: "block", text }],
    amounts: {
      profile: "sandbox",
      project: "shop/medium",
      field: "amount",
      values: { kind: "range", from: 100, to: 90_000, steps: 2 },
      request,
      at: 0,
      points: [low, high],
      stretches: [
        { from: low, to: low, exact: true, gained: [], lost: [] },
        { from: high, to: high, exact: true, gained: ["AMOUNT_LIMIT"], lost: [] },
      ],
      real: false,
      asked: 2,
      stopped: text,
    },
  };
}
