// Prints 200 payments of one day as NDJSON, the same ones each time. Ten of them are between 8 000 and 9 000 UAH.

import { writeFileSync } from "node:fs";

function payment(n) {
  const buyer = n % 60;
  const usual = 1_000 + ((n * 7_919) % 700_000);
  const amount = n % 20 === 7 ? 800_000 + n * 400 : n % 50 === 3 ? 950_000 : usual;
  return {
    operation: "payment",
    order_id: `order-${String(n).padStart(3, "0")}`,
    amount,
    currency: 980,
    payer: { payer_id: `buyer-${buyer}`, email: `buyer-${buyer}@example.com` },
    card: { bin_card: 444433, cin_card: 1_000 + buyer, expiration_month: 12, expiration_year: 28 },
  };
}

const lines = Array.from({ length: 200 }, (_, index) => {
  const at = new Date(Date.UTC(2026, 2, 16, 8) + index * 20_000).toISOString();
  return `${JSON.stringify({ at, request: payment(index + 1) })}\n`;
});
writeFileSync(1, lines.join(""));
