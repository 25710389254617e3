import { expect, test } from "vitest";
import { lanesOf } from "#src/actions/replay/lanes.ts";

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
