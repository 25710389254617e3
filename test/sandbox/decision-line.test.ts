import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attempt } from "#src/rules/counters/attempt-view.ts";
import { COUNTER_KEYS } from "#src/rules/counters/counter-keys.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import {
  countedLine,
  decisionLine,
  isDecision,
  orderKey,
  readAnswer,
  readAttempt,
  readBody,
  type CountedAttempt,
  type CountedLine,
  type DecisionLine,
} from "#src/sandbox/state/decision-line.ts";
import { decideForRecord } from "../rules/decisions.ts";
import { factsOf, loadStarter, payment } from "../rules/sample.ts";

const { record } = decideForRecord(await loadStarter(), factsOf(payment()), createCounters());
const { at, recommendation, message, project } = record;

const key = fc.constantFrom(...COUNTER_KEYS);
const hashedKey = fc.base64String({ minLength: 4 }).map((text) => text.replaceAll("=", "_"));
const money = fc.record({ amount: fc.nat(), currency: fc.integer({ min: 1, max: 999 }) });
const attempt: fc.Arbitrary<Attempt> = fc
  .tuple(
    fc.record({
      keys: fc.dictionary(key, hashedKey, { noNullPrototype: true }),
      pairs: fc.array(fc.tuple(key, key), { maxLength: 4 }),
      eurCents: fc.option(fc.nat()),
      micro: fc.boolean(),
    }),
    fc.option(money),
  )
  .map(([counted, paid]) => ({ ...counted, ...paid }));
const counted = fc.option(fc.tuple(fc.nat(), attempt));
const orderId = fc.option(fc.string({ unit: "binary" }));

test("a decision is read back from its line", () => {
  fc.assert(
    fc.property(orderId, counted, (order, attempt: CountedAttempt | null) => {
      const body = { id: "dec-1-0011aabb", orderId: order, record };
      const line = written(decisionLine(body, "digest", attempt));
      expect([isDecision(line), readAttempt(line)]).toEqual([true, attempt]);
      const answer = { digest: "digest", at, decisionId: body.id, recommendation, message };
      const kept = order === null ? null : [orderKey(project.projectId, order), answer];
      expect(readAnswer(line as DecisionLine)).toEqual(kept);
      expect(readBody(line as DecisionLine)).toEqual(body);
      if (attempt === null) return;
      const alone = written(countedLine(attempt));
      expect([isDecision(alone), readAttempt(alone)]).toEqual([false, attempt]);
    }),
    { numRuns: 50 },
  );
});

function written(line: DecisionLine | CountedLine): DecisionLine | CountedLine {
  return JSON.parse(JSON.stringify(line)) as DecisionLine | CountedLine;
}
