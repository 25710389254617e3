// What a second terminal is told of a deck: its place, the note, what comes next, and nothing personal.

import { maskedFrame, maskOf } from "#src/actions/sandbox/demo-frame.ts";
import { deckFiles } from "#src/app/deck-files.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { deckNotes } from "#src/actions/sandbox/deck-notes.ts";
import type { CheckFrame } from "#src/actions/sandbox/demo.ts";
import { frameCount, type Deck } from "#src/replay/decks/deck.ts";
import { readDeck } from "#src/replay/decks/deck-reader.ts";
import { PLAIN_FRAME } from "../check-frame.ts";
import { answer, intent } from "../storage/entries.ts";

function deckOf(words: string, payer: Record<string, string>, holder: string, lastFour: number): Deck {
  const text = (value: string): string => JSON.stringify(value);
  return readDeck(
    `title: ${text(`About ${holder}`)}
summary: A summary.
start: "2026-01-15T10:00:00Z"
seed: 1
project: { merchant: shop, currency: UAH, risk_level: medium }
steps:
  - say: ${text(`First ${words}`)}
    note: ${text(`Note ${words}`)}
    payload:
      operation: payment
      order_id: "o-{n}"
      amount: 18750
      currency: 980
      payer: ${JSON.stringify(payer)}
      card: { holder: ${text(holder)}, bin_card: 444411, cin_card: ${lastFour}, expiration_month: 11, expiration_year: 31 }
    repeat: 2
    expect: [pass, block]
  - say: ${text(`Second ${words}`)}
    change: { amount: 100 }
`,
    { file: "story.yaml", name: "story", files: deckFiles(".") },
  );
}

function frameOf(deck: Deck, number: number, outcome: "answered" | "unknown" = "answered"): CheckFrame {
  const index = number < 2 ? 0 : 1;
  const step = deck.steps[index]!;
  const attempt = number < 2 ? number : 0;
  const recommendation = outcome === "answered" ? ("pass" as const) : null;
  const entry = intent("e", {
    request: step.checks[attempt]!.request,
    result: answer({ outcome, recommendation, explanation: "No answer came." }),
  });
  const expected = step.checks[attempt]!.expected;
  return {
    ...PLAIN_FRAME,
    index,
    total: 2,
    say: step.say,
    note: step.note,
    request: entry.request,
    entries: Array.from({ length: attempt + 1 }, () => entry),
    attempts: step.checks.length,
    expected,
    asExpected: expected === null ? null : recommendation === expected,
    finalAction: null,
    projectKey: "shop/medium",
    riskLevel: "medium",
    virtualTime: deck.startAt,
  };
}

const PLAIN = deckOf("words", { payer_id: "p-1" }, "ANN EXAMPLE", 9173);
const AT = Date.UTC(2026, 0, 2, 10);

function told(at: number, deck: Deck = PLAIN, frames = [0, 1, 2].map((number) => frameOf(deck, number))) {
  const checks = frameCount(deck);
  const masked = frames.map((frame) => maskedFrame(frame, maskOf(deck)));
  return deckNotes({ deck, frames: masked, checks, at, failed: null, startedAt: AT, nextAt: AT + 5_000 });
}

it("says where the deck stands, what is noted, and what is said next", () => {
  expect(told(0)).toMatchObject({
    place: "title",
    step: null,
    note: null,
    next: "First words",
    verdicts: [],
  });
  expect(told(1)).toMatchObject({
    place: "step",
    step: 1,
    steps: 2,
    attempt: 1,
    attempts: 2,
    say: "First words",
    note: "Note words",
    next: "First words",
    verdicts: [{ side: null, verdict: "pass" }],
    as_expected: true,
    started_at: "2026-01-02T10:00:00.000Z",
    next_at: "2026-01-02T10:00:05.000Z",
  });
  expect(told(2)).toMatchObject({ attempt: 2, next: "Second words", as_expected: false, expected: "block" });
  expect(told(3)).toMatchObject({ step: 2, note: null, next: null, as_expected: null });
  expect(told(4)).toMatchObject({ place: "end", step: null, say: null, next: null, verdicts: [] });
});

it("names the verdict of every side, and never a pass that is none", () => {
  const frame = frameOf(PLAIN, 0, "unknown");
  const side = { ...PLAIN.steps[0]!, title: "low", rules: null, expected: null };
  const sides = [
    { ...side, entry: frameOf(PLAIN, 0).entries[0]! },
    { ...side, title: "high", entry: frame.entries[0]! },
  ];
  expect(told(1, PLAIN, [{ ...frame, sides }]).verdicts).toEqual([
    { side: "low", verdict: "pass" },
    { side: "high", verdict: "unknown" },
  ]);
  expect(told(1, PLAIN, [frame]).verdicts).toEqual([{ side: null, verdict: "unknown" }]);
});

it("has nothing of a payer or a card in any line", () => {
  const letters = fc.stringMatching(/^[bcdfghjkmpqrvwxz]{6,12}$/);
  const digits = (count: number) => fc.stringMatching(new RegExp(`^[1-9]{${count}}$`));
  fc.assert(
    fc.property(letters, letters, letters, digits(4), digits(9), (holder, mailbox, payerId, last, phone) => {
      const email = `${mailbox}@cage.example`;
      const number = `+380${phone}`;
      const ip = "203.0.113.77";
      const upper = holder.toUpperCase();
      const words = `of ${upper} (${payerId}), ${email}, ${number}, ${ip}, ${last}, 11/2031`;
      const payer = { payer_ip: ip, email, number_phone: number, payer_id: payerId };
      const deck = deckOf(words, payer, upper, Number(last));
      for (let at = 0; at <= 4; at += 1) {
        const line = JSON.stringify(told(at, deck));
        for (const canary of [upper, mailbox, payerId, last, phone, ip, "11/2031"]) {
          expect(line).not.toContain(canary);
        }
      }
    }),
    { numRuns: 25 },
  );
});
