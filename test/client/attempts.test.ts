// Each request of a call is reported with what was sent and what came, and each wait before the next one.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { AttemptEvent } from "#src/contract/records/exchange.ts";
import { CHECK, clientFor, CREDENTIAL, CREDENTIAL_REQUEST, KEY, REGISTRATION } from "./calling.ts";
import { answer, cut, startHostileService, type HostileService } from "./hostile-service.ts";

let service: HostileService;
beforeAll(async () => void (service = await startHostileService([])));
afterAll(() => service[Symbol.asyncDispose]());

test("retries are announced before each wait, and each exchange is told with its number", async () => {
  const busy = answer(503, '{"error":"unavailable"}', { "retry-after": "2" });
  service.play(busy, cut);
  const events: AttemptEvent[] = [];
  const own: AttemptEvent[] = [];
  await using made = clientFor(service.url, { onAttempt: (event) => events.push(event) });
  await made.client.check(CHECK, CREDENTIAL, { onAttempt: (event) => own.push(event) });
  expect(own).toEqual(events);
  expect(events.map(({ type, attempt }) => `${type} ${attempt}`)).toEqual([
    "exchanged 1",
    "waiting 2",
    "exchanged 2",
  ]);
  expect(events[1]).toEqual({ type: "waiting", attempt: 2, most: 3, ms: 2_000 });
  const [first, , last] = events;
  if (first?.type !== "exchanged" || last?.type !== "exchanged") throw new Error("no exchange");
  expect(JSON.parse(first.body)).toEqual(CHECK);
  expect(first.record()).toMatchObject({
    url: `${service.url}/v1/check`,
    answer: { status: 503, body: '{"error":"unavailable"}' },
  });
  expect(last).toMatchObject({ sent: true });
  expect(last.record().answer).toBeNull();
  const sent = service.requests[0]!.headers.get("authorization")!;
  const signature = /signature="([^"]+)"/.exec(sent)![1]!;
  expect(JSON.stringify(first.record())).not.toContain(signature);
});

test("what was not sent is told as not sent", async () => {
  const events: AttemptEvent[] = [];
  await using made = clientFor("http://127.0.0.1:9", { onAttempt: (event) => events.push(event) });
  const { attempts } = await made.client.check(CHECK, CREDENTIAL);
  expect(attempts).toBe(3);
  expect(events.filter(({ type }) => type === "exchanged")).toHaveLength(3);
  expect(events.every((event) => event.type === "waiting" || !event.sent)).toBe(true);
});

const NEXT = String.raw`\(next: verdict sign FILE --explain, verdict recipe infer --request FILE\)`;
test.each([
  [
    401,
    "assumed",
    `check key, secret and the recipe http-signatures, which is assumed, not confirmed ${NEXT}`,
  ],
  [401, "confirmed", `the recipe http-signatures, which is confirmed ${NEXT}`],
  [
    403,
    "assumed",
    `belongs to this project, and the recipe http-signatures, which is assumed, not confirmed ${NEXT}`,
  ],
  [400, "assumed", `or check the recipe http-signatures, which is assumed, not confirmed ${NEXT}`],
] as const)("a %d names the recipe that is %s, and the next commands", async (status, recipeStatus, says) => {
  service.play(answer(status, '{"error":"strange","message":"Wrong"}'));
  await using made = clientFor(service.url, { recipeStatus });
  const { explanation } = await made.client.check(CHECK, CREDENTIAL);
  expect(explanation).toMatch(new RegExp(says));
  expect(explanation).toContain('saying "Wrong"');
});

test("registration and credential are explained as their own calls; fields and a wrong clock come first", async () => {
  await using made = clientFor(service.url, { recipeStatus: "assumed" });
  service.play(answer(401, "{}"));
  const registered = await made.client.register(REGISTRATION, KEY);
  expect(registered.explanation).toContain("verdict sign FILE --call register --explain");
  const fetched = await made.client.credential(CREDENTIAL_REQUEST, KEY);
  expect(fetched.explanation).toContain("verdict sign FILE --call credential --explain");
  service.play(
    answer(400, '{"error":"invalid_request","fields":[{"path":"amount","message":"is missing"}]}'),
    answer(400, '{"error":"strange","fields":[{"path":"amount","message":"is missing"}]}'),
    answer(401, "{}", { date: new Date(Date.now() - 3_600_000).toUTCString() }),
  );
  for (const says of [
    "because amount is missing",
    '("strange"), because amount is missing',
    "the clock of this machine",
  ]) {
    const { explanation } = await made.client.check(CHECK, CREDENTIAL);
    expect(explanation).toContain(says);
    expect(explanation).not.toContain("recipe");
  }
});
