// Saved payloads for pictures.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "./studio.ts";

/** Saved payloads in several currencies; a few of them are changed for the second run, and one was never a payload. */
export function savePayloads(home: Home, changed: boolean, count: number = 60): void {
  const data = join(home.env["VERDICT_HOME"]!, "data/payloads");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  for (let number = 0; number < count; number += 1) {
    const name =
      number % 13 === 5 ? `shop-of-the-northern-region-order-${100 + number}` : `order-${100 + number}`;
    const disposable = changed && number % 9 === 4;
    const request = {
      operation: "payment",
      order_id: `o-${10_100 + number}`,
      amount: changed && number % 20 === 7 ? 4_900_000 : 1_250 + 735 * number,
      currency: [980, 978, 980, 840][number % 4],
      description: "Order in the demo shop",
      payer: {
        payer_ip: `91.198.${(number % 250) + 1}.14`,
        email: disposable ? "buyer@mailinator.com" : `payer${number}@shop-customer.example`,
        payer_id: `c-${number}`,
      },
      card: {
        holder: `OLENA KOVALENKO ${letter(number)}${letter(number / 26)}`,
        bin_card: 444433,
        cin_card: 1_000 + number,
        expiration_month: 9,
        expiration_year: 40,
      },
    };
    const expect = number % 5 === 0 ? "pass" : null;
    writeFileSync(join(data, `${name}.json`), JSON.stringify({ name, expect, tags: [], request }), {
      mode: 0o600,
    });
  }
  writeFileSync(join(data, "not-a-payload.json"), '{"amount":"twelve"}', { mode: 0o600 });
}

function letter(number: number): string {
  return String.fromCharCode(65 + (Math.floor(number) % 26));
}
