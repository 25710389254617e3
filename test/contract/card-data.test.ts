import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCardData } from "#src/contract/card-data.ts";

/** Numbers that schemes and payment services publish for testing. */
const TEST_CARDS = [
  ["Visa", "4111111111111111"],
  ["Visa", "4242424242424242"],
  ["Visa, 13 digits", "4222222222222"],
  ["Mastercard", "5555555555554444"],
  ["Mastercard, 2 series", "2223003122003222"],
  ["American Express", "378282246310005"],
  ["American Express", "341111111111111"],
  ["Discover", "6011111111111117"],
  ["Discover", "6445644564456445"],
  ["Diners Club", "30569309025904"],
  ["Diners Club", "36227206271667"],
  ["Diners Club", "3056930009020004"],
  ["JCB", "3530111333300000"],
  ["UnionPay", "6200000000000005"],
  ["UnionPay, 19 digits", "6205500000000000004"],
  ["Maestro", "6759649826438453"],
] as const;

function withCheckDigit(digits: string): string {
  for (let check = 0; check < 10; check++) {
    // An independent formulation of the Luhn sum, from the right, with a table for the doubled digits.
    const sum = Array.from(`${digits}${check}`)
      .reverse()
      .reduce(
        (total, digit, index) =>
          total + (index % 2 === 0 ? Number(digit) : Number("0246813579"[Number(digit)])),
        0,
      );
    if (sum % 10 === 0) return `${digits}${check}`;
  }
  throw new Error("one of ten check digits always fits");
}

describe("a card number", () => {
  test.each(TEST_CARDS)("of %s is found: %s", (_scheme, number) => {
    const grouped = number.match(/.{1,4}/g)!;
    for (const text of [
      number,
      grouped.join(" "),
      grouped.join("-"),
      grouped.join(" - "),
      grouped.join("\u00a0"),
      grouped.join("\u2013"),
      `paid with ${number}, thanks`,
      `x${number}y`,
      `order 12 ${grouped.join(" ")} 12 27`,
      number.split("").join("\u200b"),
      number.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
    ]) {
      expect(findCardData({ description: text }), text).toEqual({ path: "description", kind: "card_number" });
    }
  });

  test.each(["9804", "8600", "9860", "9792", "2200", "5019"])(
    "of a national scheme is found: %s...",
    (prefix) => {
      expect(findCardData(withCheckDigit(prefix.padEnd(15, "7")))).toEqual({ path: "", kind: "card_number" });
    },
  );

  test("is found at any depth, in numbers and in keys, and never repeated in the path", () => {
    const number = "4111111111111111";
    expect(findCardData({ payer: { payer_id: number } })).toEqual({
      path: "payer.payer_id",
      kind: "card_number",
    });
    expect(findCardData({ card: { bin_card: Number(number) } })).toEqual({
      path: "card.bin_card",
      kind: "card_number",
    });
    expect(findCardData([{ note: ["", number] }])).toEqual({ path: "0.note.1", kind: "card_number" });
    expect(findCardData({ extra: { [number]: true } })).toEqual({
      path: "extra.(a key)",
      kind: "card_number",
    });
    expect(findCardData(number)).toEqual({ path: "", kind: "card_number" });
  });

  test("is found whichever digits it is written in", () => {
    for (let code = 0x80; code <= 0xffff; code++) {
      const digit = String.fromCharCode(code);
      if (!/^[0-9]$/.test(digit.normalize("NFKC"))) continue;
      const spellings = Array.from("0123456789", (check) => `4000000000${check}${digit.repeat(5)}`);
      expect(
        spellings.filter((text) => findCardData(text) !== null),
        `U+${code.toString(16)}`,
      ).toHaveLength(1);
    }
  });

  test("is told at a glance as it is by a long look", () => {
    const digits = ["4111", "1111", "4222222222222", "30569309", "025904", "1", "0", "²", "１", "\u0661"];
    const gaps = [" ", "-", "\u2013", "\u2212", "\u00a0", "\u200b", "\u00ad", "\u034f", "\t", "\u3000"];
    const others = ["a", "Я", "é", "\u0301", "\u0338", "=", ".", ":", "/", "~", "’", "№", "½", "漢", "😀"];
    const piece = fc.constantFrom(...digits, ...gaps, ...others);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        // A last letter of this script changes nothing, and is looked at closely.
        expect(findCardData(text)).toEqual(findCardData(`${text}漢`));
      }),
      { numRuns: 3000 },
    );
  });

  test("needs the Luhn check: one digit changed is no card number", () => {
    for (const [, number] of TEST_CARDS) {
      for (let at = 0; at < number.length; at++) {
        const changed = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1);
        expect(findCardData({ order_id: changed }), changed).toBeNull();
      }
    }
  });

  test.each([
    ["an unknown prefix", withCheckDigit("123456789012345")],
    ["an unknown prefix", withCheckDigit("999999999999999")],
    ["Visa with 14 digits", withCheckDigit("4111111111111")],
    ["Visa with 15 digits", withCheckDigit("41111111111111")],
    ["Mastercard with 15 digits", withCheckDigit("55555555555544")],
    ["American Express with 16 digits", withCheckDigit("378282246310000")],
    ["20 digits in one piece", withCheckDigit("4111111111111111000")],
    ["a card number inside a longer number", "9411111111111111119"],
    ["digits broken by letters", "4111a1111b1111c1111"],
    ["a BIN and four digits", "411111 1111"],
    ["a masked number", "411111******1111"],
    ["nothing", ""],
  ])("is not %s", (_name, text) => {
    expect(findCardData({ order_id: text })).toBeNull();
  });

  test("is not a timestamp in milliseconds, of which a tenth passes the Luhn check", () => {
    const start = Date.UTC(2026, 0, 1);
    for (let at = start; at < start + 3_000; at++) expect(findCardData(`o-${at}`)).toBeNull();
  });

  test("is exempt as a telephone number and as an amount", () => {
    expect(findCardData({ payer: { number_phone: "4222222222222" } })).toBeNull();
    expect(findCardData({ amount: 4111111111111111 })).toBeNull();
    expect(findCardData({ amount: { note: "4111111111111111" } })).toEqual({
      path: "amount.note",
      kind: "card_number",
    });
  });

  test("is found wherever it is grouped and whatever stands beside it", () => {
    const body = fc.stringMatching(/^[0-9]{14}$/).map((digits) => withCheckDigit(`4${digits}`));
    const gap = fc.constantFrom("", " ", "-", "  ", " - ", "\t");
    const words = fc.stringMatching(/^[a-z .,]{0,20}$/);
    fc.assert(
      fc.property(
        body,
        fc.array(gap, { minLength: 15, maxLength: 15 }),
        words,
        words,
        (number, gaps, before, after) => {
          const spaced = Array.from(number)
            .map((digit, index) => digit + (gaps[index] ?? ""))
            .join("");
          expect(findCardData({ holder: `${before}${spaced}${after}` })).toEqual({
            path: "holder",
            kind: "card_number",
          });
        },
      ),
    );
  });
});

describe("a forbidden key", () => {
  test.each(["cvv", "CVV", "Cvc", "cvv2", "PAN", "track", "trac\u212a"])(
    "%s is refused, whatever it holds",
    (key) => {
      for (const value of ["123", 123, "", null, {}]) {
        expect(findCardData({ card: { bin_card: 411111, [key]: value } })).toEqual({
          path: `card.${key}`,
          kind: "forbidden_key",
        });
      }
    },
  );

  test("is a whole name", () => {
    expect(findCardData({ company: "1", pan_european: 1, tracking: "x", cvv_present: true })).toBeNull();
  });
});

test("BIN and last four digits alone are fine", () => {
  const request = {
    operation: "payment",
    order_id: "o-1044",
    amount: 12000,
    currency: 980,
    payer: {
      payer_ip: "203.0.113.7",
      email: "ann@example.com",
      number_phone: "+380501234567",
      payer_id: "p-1",
    },
    card: {
      holder: "ANN EXAMPLE",
      bin_card: 41111111,
      cin_card: 1111,
      expiration_month: 12,
      expiration_year: 27,
    },
  };
  expect(findCardData(request)).toBeNull();
});
