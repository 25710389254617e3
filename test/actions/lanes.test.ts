import { expect, test } from "vitest";
import { lanesOf, LaneWatch } from "#src/actions/replay/lanes.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { chainedText } from "#src/display/run-lines.ts";

const PAYMENT = {
  operation: "payment",
  order_id: "o-1",
  amount: 1_000,
  currency: 980,
  terminal_id: "t-1",
  payer: {
    payer_ip: "198.51.100.7",
    email: "a@shop.example",
    payer_id: "p-1",
    number_phone: "+380501234567",
  },
  card: { holder: "OLENA K", bin_card: 444_433, cin_card: 42, expiration_month: 9, expiration_year: 40 },
} as const;

const OTHER = {
  ...PAYMENT,
  order_id: "o-2",
  amount: 2_000,
  terminal_id: "t-2",
  payer: { payer_ip: "203.0.113.9", email: "b@shop.example", payer_id: "p-2", number_phone: "+380509999999" },
  card: { holder: "IVAN S", bin_card: 555_566, cin_card: 77, expiration_month: 9, expiration_year: 40 },
};

const shared = (a: typeof PAYMENT, b: object, isSandbox: boolean): number =>
  lanesOf(b as typeof PAYMENT, isSandbox).filter((lane) => lanesOf(a, isSandbox).includes(lane)).length;

test.each([
  ["nothing", {}, 0],
  ["the card", { card: PAYMENT.card }, 1],
  ["the payer", { payer: { ...OTHER.payer, payer_id: "p-1" } }, 1],
  ["the e-mail, in other letters", { payer: { ...OTHER.payer, email: "A@Shop.example" } }, 1],
  ["the address", { payer: { ...OTHER.payer, payer_ip: "198.51.100.7" } }, 1],
  ["the telephone", { payer: { ...OTHER.payer, number_phone: "+38 050 123-45-67" } }, 1],
  ["the terminal", { terminal_id: "t-1" }, 1],
  ["the order", { order_id: "o-1" }, 1],
  ["a network", { payer: { ...OTHER.payer, payer_ip: "198.51.100.8" } }, 0],
  ["a holder", { card: { ...OTHER.card, holder: "OLENA K" } }, 0],
])("two payments to any service that share %s", (_, same, lanes) => {
  expect(shared(PAYMENT, { ...OTHER, ...same }, false)).toBe(lanes);
});

test.each([
  ["a network", { payer: { ...OTHER.payer, payer_ip: "198.51.100.8" } }],
  ["a holder", { card: { ...OTHER.card, holder: "OLENA K" } }],
])("the sandbox counts by %s as well", (_, same) => {
  expect(shared(PAYMENT, { ...OTHER, ...same }, true)).toBe(1);
});

/** What is said about so many payments, and after how many of them. */
function said(
  count: number,
  requestOf: (index: number) => CheckRequest,
  { isSandbox = false, concurrency = 64 } = {},
): readonly [text: string | null, seen: number] {
  let told: string | null = null;
  let at = 0;
  const watch = new LaneWatch(isSandbox, concurrency, (chained) => {
    expect(told).toBeNull();
    told = chainedText(chained);
  });
  for (let index = 0; index < count; index += 1) {
    watch.look(requestOf(index));
    if (told === null) at = index + 1;
  }
  watch.end();
  return [told, at];
}

const orders = (more: (index: number) => CheckRequest) => (index: number) => ({
  operation: "payment",
  order_id: `o-${index}`,
  ...more(index),
});

test("a replay in which all share a key says so as soon as it is known", () => {
  const web = orders(() => ({ terminal_id: "web-1\u001b" }));
  expect(said(1_000, web)).toEqual([
    "1 of 64 in flight: the first 64 payments share terminal web-1\\x1b, and go one after the other.",
    63,
  ]);
  expect(said(20, web)[0]).toMatch(/^1 of 64 in flight: all payments share terminal web-1/);
  expect(said(200, web, { concurrency: 100 })[1]).toBe(99);
  const payer = said(
    64,
    orders(() => ({ payer: { payer_id: "zofia", email: "z@shop.example" } })),
  )[0];
  expect(payer).toMatch(/share one e-mail address,/);
  expect(payer).not.toContain("z@shop");
  const two = orders((index) => ({ terminal_id: `t-${index % 2}` }));
  expect(said(64, two)[0]).toMatch(/^At most 2 of 64 in flight: .* have 2 terminals/);
  const holder = orders(() => ({ card: { holder: "ZOFIA K" } }));
  expect(said(64, holder, { isSandbox: true })[0]).toContain("share one card holder");
  expect(said(64, holder)[0]).toBeNull();
});

test.each<[string, number, (index: number) => CheckRequest, number]>([
  ["terminals of their own", 64, orders((index) => ({ terminal_id: `t-${index}` })), 64],
  ["one without the key", 64, orders((index) => (index === 9 ? {} : { terminal_id: "t" })), 64],
  ["one at a time, as asked", 64, orders(() => ({ terminal_id: "t" })), 1],
  ["too few to matter", 3, orders(() => ({ terminal_id: "t" })), 64],
  ["none of them there", 0, orders(() => ({ terminal_id: "t" })), 64],
])("nothing is said about payments with %s", (_, count, requestOf, concurrency) => {
  expect(said(count, requestOf, { concurrency })[0]).toBeNull();
});
