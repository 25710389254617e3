// Many workers, one card: every order is counted once, and each verdict is the one that a single process gives in that order.

import { describe, expect, it } from "vitest";
import { nothingMet, numberOf, oneCard, untilAnswered, type Answered } from "./callers.ts";
import { saidBy, sequentialModel } from "./model.ts";
import { isWithoutServer } from "./server.ts";
import { startTeam } from "./team.ts";

const WORKERS = 4;
const CLIENTS = 8;
/** All of them, as published: VERDICT_CHAOS=full. */
const EACH = process.env["VERDICT_CHAOS"] === "full" ? 1_000 : 100;
/** An explanation takes milliseconds, twice. */
const EXPLAINED = 40;
const START = Date.parse("2026-03-16T12:00:00Z");

describe.skipIf(isWithoutServer())("exactly once", () => {
  it(`${WORKERS} workers x ${CLIENTS} clients x ${EACH} checks of one card`, async () => {
    const team = await startTeam({ workers: WORKERS });
    const met = nothingMet();
    const timeOf = (place: number): number => START + place * 1_700 - (place % 7) * 90_000;
    const answered: (Answered & { readonly at: number })[] = [];
    const client = async (number: number): Promise<void> => {
      for (let turn = 0; turn < EACH; turn += 1) {
        const place = turn * WORKERS * CLIENTS + number;
        const options = { first: number, at: timeOf(place) };
        const check = oneCard(`order-${place}`);
        answered.push({
          ...(await untilAnswered(team.ports, team.project, check, met, options))!,
          at: options.at,
        });
      }
    };
    await Promise.all(Array.from({ length: WORKERS * CLIENTS }, (_, number) => client(number)));
    const checks = WORKERS * CLIENTS * EACH;
    // A server that a busy machine holds up for too long is a refusal; the check is sent again, and counted once all the same.
    expect(met.statuses.get(200)).toBe(checks);
    expect(met.cut).toBe(0);
    expect(new Set(answered.map(({ decisionId }) => decisionId)).size).toBe(checks);
    expect((await team.workers[0]!.status()).decisions).toBe(checks);

    const model = await sequentialModel(team.facts);
    answered.sort((a, b) => numberOf(a.decisionId) - numberOf(b.decisionId));
    for (const [place, { check, at, reply, decisionId, refused }] of answered.entries()) {
      const { explain, ...expected } = model.answer(check, at);
      // Counted with its number and perhaps decided when it was asked for again, by what had been counted then.
      if (refused) continue;
      expect([decisionId, saidBy(reply)]).toEqual([decisionId, expected]);
      if (place % Math.ceil(checks / EXPLAINED) !== 0 && place !== checks - 1) continue;
      const worker = team.workers[place % WORKERS]!;
      expect(await worker.explanation(reply)).toEqual({
        ...explain(),
        id: decisionId,
        orderId: check.order_id,
        repeat: false,
      });
    }
  });
});
