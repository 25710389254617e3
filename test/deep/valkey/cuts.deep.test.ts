// The connection is cut before and after each of the three trips of a check, and the worker lives on or is killed there.

import { describe, expect, it, onTestFinished } from "vitest";
import { isUnknown, nothingMet, oneCard, post, signedCheck, untilAnswered } from "./callers.ts";
import { startCuttingProxy, type CuttingProxy } from "./cutting-proxy.ts";
import { isWithoutServer } from "./server.ts";
import { startTeam, type Team } from "./team.ts";
import type { Worker } from "./worker-processes.ts";

/** What goes to the server for a check, in this order, told by the names of its keys. */
const TRIPS = [
  { trip: "the signature", command: /:seen\r\n/ },
  { trip: "the count", command: /:number\r\n/ },
  { trip: "the answer", command: /:d:\d+\r\n/ },
];
const POINTS = TRIPS.flatMap((trip) =>
  (["before", "after"] as const).map((when) => ({ when, nth: 1, ...trip })),
);
const REFUSAL_MS = 250;
const BYTES_FURTHER = 97;

/** Two workers, the first behind a proxy. */
async function teamBehindProxy(): Promise<Team & { readonly proxy: CuttingProxy }> {
  let proxy: CuttingProxy | null = null;
  const team = await startTeam({
    workers: 2,
    prepare: async ({ port }) => {
      proxy = await startCuttingProxy({ host: "127.0.0.1", port });
      onTestFinished(() => proxy!.close());
    },
    stateOf: (place, { port }) => `valkey://127.0.0.1:${place === 0 ? proxy!.port : port}`,
  });
  return { ...team, proxy: proxy! };
}

/** How many orders of this card were counted, by the explanation of one more check. */
async function countsOf({ project }: Team, worker: Worker): Promise<number> {
  const check = oneCard("the last one");
  const { reply } = (await untilAnswered(() => [worker.port], project, check, nothingMet()))!;
  const { counters } = await worker.explanation(reply);
  return counters.find(({ key, window }) => key === "card" && window === "24h")!.value;
}

describe.skipIf(isWithoutServer())("a cut connection", () => {
  it.each(POINTS)(
    "$when $trip: refused within 250 ms, decided once",
    async ({ when, trip, command, nth }) => {
      const team = await teamBehindProxy();
      const [first, second] = team.workers as [Worker, Worker];
      const check = oneCard("cut");
      const warm = await untilAnswered(() => [first.port], team.project, oneCard("warm"), nothingMet());
      expect(warm!.reply.status).toBe(200);

      const happened = team.proxy.cut({ when, command, nth });
      const sent = signedCheck(first.port, team.project, check);
      const cut = await post(first.port, sent);
      await happened;
      // Once the answer was under way, no refusal may say that nothing was decided.
      expect(trip === "the answer" ? isUnknown(cut) : cut.status === 503, cut.text).toBe(true);
      expect(cut.ms).toBeLessThan(REFUSAL_MS);
      // The same bytes again: a replay, unless the server has never heard of them.
      const replayed = await post(second.port, sent);
      expect(replayed.status).toBe(when === "before" && trip === "the signature" ? 200 : 401);

      const met = nothingMet();
      const answers = [];
      for (const worker of [second, first, second]) {
        answers.push((await untilAnswered(() => [worker.port], team.project, check, met))!);
      }
      expect(new Set(answers.map(({ decisionId }) => decisionId)).size).toBe(1);
      expect(new Set(answers.map(({ reply }) => reply.text)).size).toBe(1);
      expect(await countsOf(team, second)).toBe(3);
    },
  );

  it.each(POINTS)(
    "$when $trip, and the worker is killed there: decided once",
    async ({ when, trip, command, nth }) => {
      const team = await teamBehindProxy();
      const [first, second] = team.workers as [Worker, Worker];
      const check = oneCard("cut");
      await untilAnswered(() => [first.port], team.project, oneCard("warm"), nothingMet());

      const happened = team.proxy.cut({ when, command, nth }, true);
      const answering = post(first.port, signedCheck(first.port, team.project, check)).catch(() => null);
      await happened;
      await first.kill();
      // It may have refused in time; it can never have said that it decided.
      const said = await answering;
      if (said !== null)
        expect(trip === "the answer" ? isUnknown(said) : said.status === 503, said.text).toBe(true);

      const one = (await untilAnswered(() => [second.port], team.project, check, nothingMet()))!;
      const replaced = await team.replace(0);
      const again = (await untilAnswered(() => [replaced.port], team.project, check, nothingMet()))!;
      expect(again.decisionId).toBe(one.decisionId);
      expect(again.reply.text).toBe(one.reply.text);
      expect(await countsOf(team, second)).toBe(3);
    },
  );

  it.each(["toServer", "toClient"] as const)("%s, at any byte of a check: decided once", async (when) => {
    const team = await teamBehindProxy();
    const [first, second] = team.workers as [Worker, Worker];
    const met = nothingMet();
    await untilAnswered(() => [first.port], team.project, oneCard("warm"), met);
    // There over all three trips; back into the reply of the count, which grows with each order of the card.
    let cuts = 0;
    const orders = when === "toServer" ? 29 : 14;
    for (let order = 1; order <= orders; order += 1) {
      const check = oneCard(`order-${order}`);
      void team.proxy.cut({ when, bytes: order * BYTES_FURTHER }).then(() => (cuts += 1));
      const one = (await untilAnswered(() => [first.port], team.project, check, met))!;
      const other = (await untilAnswered(() => [second.port], team.project, check, met))!;
      expect(other.decisionId).toBe(one.decisionId);
    }
    expect(cuts).toBe(orders);
    // One before, and one that looks.
    expect(await countsOf(team, second)).toBe(orders + 2);
  });
});

describe.skipIf(isWithoutServer())("a silent server", () => {
  it("is a refusal within 250 ms for all that wait, and answers again afterwards", async () => {
    const team = await teamBehindProxy();
    const [first] = team.workers as [Worker, Worker];
    const slowest: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const before = oneCard(`before-${round}`);
      expect(await untilAnswered(() => [first.port], team.project, before, nothingMet())).not.toBeNull();
      team.proxy.silence();
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, number) =>
          post(first.port, signedCheck(first.port, team.project, oneCard(`silent-${round}-${number}`))),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503));
      slowest.push(Math.max(...replies.map(({ ms }) => ms)));
      team.proxy.restore();
    }
    // Of the best round: a machine with other work may wake a worker late.
    expect(Math.min(...slowest)).toBeLessThan(REFUSAL_MS);
    const after = await untilAnswered(() => [first.port], team.project, oneCard("after"), nothingMet());
    expect(after!.reply.status).toBe(200);
  });
});

describe.skipIf(isWithoutServer())("a server whose every answer is late", () => {
  it("is one wait of 250 ms for all of them together, and what it was asked is decided once", async () => {
    const team = await teamBehindProxy();
    const [first, second] = team.workers as [Worker, Worker];
    await untilAnswered(() => [first.port], team.project, oneCard("warm"), nothingMet());
    // An answer in 180 ms: no silence, and three of them are 540 ms.
    team.proxy.delay(90);
    const waits: number[] = [];
    const orders = 5;
    for (let order = 1; order <= orders; order += 1) {
      const check = oneCard(`late-${order}`);
      const refused = await post(first.port, signedCheck(first.port, team.project, check));
      expect(refused.status).toBe(503);
      waits.push(refused.ms);
      // While the first one is still at it.
      const answers = [];
      for (let turn = 0; turn < 2; turn += 1) {
        answers.push(
          (await untilAnswered(() => [second.port], team.project, check, nothingMet()))!.decisionId,
        );
      }
      expect(answers[0]).toBe(answers[1]);
    }
    // Of the best one: a machine with other work may wake a worker late.
    expect(Math.min(...waits)).toBeLessThan(REFUSAL_MS);
    expect(await countsOf(team, second)).toBe(orders + 2);
    expect((await second.status()).decisions).toBe(orders + 2);
  });
});
