import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attempt } from "#src/rules/counters/attempt-view.ts";
import { COUNTER_KEYS } from "#src/rules/counters/counter-keys.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import {
  decisionLine,
  orderKey,
  readBody,
  readHead,
  type CountedAttempt,
} from "#src/sandbox/decisions/decision-line.ts";
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
const counted = fc.array(fc.tuple(fc.nat(), attempt), { maxLength: 2 });
const orderId = fc.option(fc.string({ unit: "binary" }));

test("a decision is read back from its line", () => {
  fc.assert(
    fc.property(orderId, counted, (order, attempts: CountedAttempt[]) => {
      const body = { id: "dec-1-0011aabb", orderId: order, record };
      const line = decisionLine(body, "digest", attempts);
      const head = {
        order: order === null ? null : orderKey(project.projectId, order),
        answer: { digest: "digest", at, decisionId: body.id, recommendation, message },
        counted: attempts,
      };
      const text = JSON.stringify(line);
      // Filled up with blanks, as it is sealed.
      for (const written of [text, `${text}  `]) {
        expect(readHead(written)).toEqual(head);
        expect(readBody(written)).toEqual(body);
      }
    }),
    { numRuns: 50 },
  );
});
