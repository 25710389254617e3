// What a decision says: its reasons or why there are none, what to do, and nothing of what cannot be trusted.

import { expect, it } from "vitest";
import { AUDIENCE_WORDS } from "#src/display/audience-words.ts";
import { decisionOf, type Decided } from "#src/display/decision.ts";
import { NO_OBJECTION, NO_OUTCOME, overrulingSentence } from "#src/display/verdict.ts";
import { explanationOf, traceOf } from "../console/samples.ts";
import { answer } from "../storage/entries.ts";

const TEXT = "6 attempts with this card";
const HIT = traceOf({ code: "CARD_VELOCITY_1H", text: TEXT });
const EXPLAINED = explanationOf({
  message: "",
  decidedBy: "hard_block",
  rules: [HIT, { ...HIT, code: "IP_BOGON", outcome: "not_evaluated", missing: "payer.payer_ip" }],
  repeat: true,
});
const GIVEN: Decided = { result: answer(), explanation: EXPLAINED, finalAction: null };

it("gives the rules that hit, and what decided in place of the score", () => {
  const { reasons, ...decision } = decisionOf(GIVEN);
  expect(reasons).toMatchObject([{ code: HIT.code, effect: "+40", text: TEXT }]);
  expect(decision).toMatchObject({
    silence: null,
    ruling: overrulingSentence("hard_block"),
    lacking: ["IP_BOGON"],
  });
});

it.each<readonly [what: string, change: Partial<Decided>, silence: string]>([
  ["no outcome", { result: null }, NO_OUTCOME],
  ["no answer", { result: answer({ outcome: "unknown", recommendation: null }) }, answer().explanation],
  ["no explanation", { explanation: null }, answer().message!],
  ["no hit", { explanation: { ...EXPLAINED, decidedBy: "pass", rules: [] } }, NO_OBJECTION],
  ["an order id", { explanation: { ...EXPLAINED, decidedBy: "magic" } }, overrulingSentence("magic")],
])("says why there is no reason: %s", (_, change, silence) => {
  expect(decisionOf({ ...GIVEN, ...change })).toMatchObject({ reasons: [], silence, ruling: null });
});

it("has no score beside an answer that cannot be trusted", () => {
  const result = answer({ outcome: "indeterminate", recommendation: null });
  expect(decisionOf({ ...GIVEN, result })).toMatchObject({ score: null, repeat: false });
});

it("says what to do, and what is left to do once that is decided", () => {
  const result = answer({ recommendation: "3ds_or_block" });
  const reaction = AUDIENCE_WORDS["3ds_or_block_reaction"];
  const open = decisionOf({ ...GIVEN, result });
  expect(open).toMatchObject({ todo: reaction, reactions: [reaction, AUDIENCE_WORDS.open] });
  const { kinds, todo, reactions } = decisionOf({ ...GIVEN, result, finalAction: "block" });
  expect(kinds).toEqual(["3ds_or_block", "block"]);
  expect(todo).toContain(AUDIENCE_WORDS.final_block);
  expect(reactions).toEqual([reaction, `${AUDIENCE_WORDS.not_forced}. ${todo}`]);
});
