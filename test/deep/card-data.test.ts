// Random ids by the million: none of them is a card number, though a tenth of all digits pass the Luhn check.

import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findCardData } from "#src/contract/fields/card-data.ts";

const MANY = 400_000;

test("no random UUID is refused", () => {
  const refused: string[] = [];
  for (let count = 0; count < MANY; count++) {
    const id = randomUUID();
    for (const text of [id, id.toUpperCase(), `order-${id}`, `${id}/1`]) {
      if (findCardData({ order_id: text }) !== null) refused.push(text);
    }
  }
  expect(refused).toEqual([]);
});

test.each(["md5", "sha1", "sha256", "sha512"])("no %s in hexadecimal is refused", (algorithm) => {
  const refused: string[] = [];
  for (let count = 0; count < MANY; count++) {
    const digest = createHash(algorithm).update(`${count}`).digest("hex");
    for (const text of [digest, `o_${digest.toUpperCase()}`]) {
      if (findCardData({ order_id: text }) !== null) refused.push(text);
    }
  }
  expect(refused).toEqual([]);
});
