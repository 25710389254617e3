// Prints a day of 60 payments, the same ones each time: node day.mjs > day.ndjson, or node day.mjs csv > day.csv.

import { writeFileSync } from "node:fs";

/** A linear congruential generator (Numerical Recipes), so that the day never changes. */
let state = 7;
function below(limit) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const NAMES = [
  "OLENA KOVALENKO",
  "TARAS SHEVCHUK",
  "IRYNA MELNYK",
  "PETRO KOVAL",
  "MARTA BONDAR",
  "OLEH TKACHUK",
];
const START = Date.UTC(2026, 2, 16, 8);

function payment(n) {
  const buyer = below(24);
  const isEuro = below(10) === 0;
  // Now and then an expensive order, which needs 3-D Secure.
  const amount = isEuro ? 2_000 + below(40_000) : n % 15 === 7 ? 1_500_000 : 10_000 + below(400_000);
  return {
    at: new Date(START + n * 600_000 + below(600) * 1000).toISOString(),
    operation: "payment",
    order_id: `day-${String(n).padStart(3, "0")}`,
    amount,
    currency: isEuro ? 978 : 980,
    terminal_id: `web-${1 + below(3)}`,
    payer: {
      payer_ip: `91.198.36.${10 + buyer}`,
      email: `buyer-${buyer}@shop-customer.example`,
      payer_id: `buyer-${buyer}`,
    },
    card: {
      holder: NAMES[buyer % NAMES.length],
      bin_card: buyer % 2 === 0 ? 444433 : 555544,
      cin_card: 1000 + buyer * 37,
      expiration_month: 1 + (buyer % 12),
      expiration_year: 40,
    },
  };
}

const payments = Array.from({ length: 60 }, (_, index) => payment(index + 1));

function flat(value, path = "") {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "object" ? flat(inner, `${path}${key}.`) : [[path + key, inner]],
  );
}

const lines =
  process.argv[2] === "csv"
    ? [flat(payments[0]).map(([path]) => path), ...payments.map((each) => flat(each).map(([, cell]) => cell))]
    : payments.map(({ at, ...request }) => JSON.stringify({ at, request }));
writeFileSync(1, lines.map((line) => `${line}\n`).join(""));
