import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCardData, namesCardNumber, reduceCardNumber } from "#src/contract/fields/card-data.ts";
import { CARD_SCHEMES } from "#src/contract/lists/card-schemes.ts";

/** Groups of digits as they stand on cards. */
const PRINTED = [
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 4, 3],
];

/** Numbers that schemes and payment services publish for testing. */
const TEST_CARDS = [
  ["Visa", "4111111111111111"],
  ["Visa", "4242424242424242"],
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

/** Zeros of scripts that have digits of their own. */
const ZEROS = ["\u0660", "\u06f0", "\u0966", "\u0e50", "\uff10", "\ua9d0", "\u{11066}", "\u{1d7ce}"];

function inScript(number: string, zero: string): string {
  return number.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero.codePointAt(0)! + Number(digit)));
}

/** A number in one piece, and in the groups in which cards of its length are printed, once for each separator. */
function layouts(number: string): string[] {
  const sizes = PRINTED.find((each) => each.reduce((sum, size) => sum + size) === number.length);
  if (sizes === undefined) return [number];
  let at = 0;
  const groups = sizes.map((size) => number.slice(at, (at += size)));
  const gaps = [
    " ",
    "  ",
    "-",
    " - ",
    ".",
    "/",
    "_",
    ",",
    ", ",
    "\u00a0",
    "\u2013",
    "\u2212",
    "\u00b7",
    "\u2022",
    "*",
    "+",
    "\t",
    "\n",
    "\u3000",
  ];
  return [number, ...gaps.map((gap) => groups.join(gap))];
}

describe("a card number", () => {
  test.each(TEST_CARDS)("of %s is found: %s", (_scheme, number) => {
    const written = [
      ...layouts(number),
      number.split("").join("\u200b"),
      ...ZEROS.flatMap((zero) => layouts(inScript(number, zero))),
    ];
    for (const text of written) {
      for (const said of [
        text,
        `paid with ${text}, thanks`,
        `paid with ${text}.`,
        `order${text}x`,
        `order 12 ${text} 12 27`,
        `${text} 12/27 123`,
        `0ba5fe54-29af-4537-8821-75950d48bd22 ${text}`,
      ]) {
        expect(findCardData({ description: said }), said).toEqual({
          path: "description",
          kind: "card_number",
        });
      }
    }
  });

  test("of every scheme is found in every layout", () => {
    for (const { from, to, lengths } of CARD_SCHEMES) {
      for (const prefix of new Set([from, to])) {
        for (const length of lengths) {
          const number = withCheckDigit(String(prefix).padEnd(length - 1, "7"));
          for (const text of layouts(number)) expect(findCardData(text), text).not.toBeNull();
        }
      }
    }
  });

  test.each([
    "0ba5fe54-29af-4537-8821-75950d48bd22",
    "0BA5FE54-29AF-4537-8821-75950D48BD22",
    "order 41111111-1111-4111-8111-411111111111",
    "a4111111111111111aaaaaaaaaaaaaaa",
    "sha256:4111111111111111aaaaaaaaaaaaaaaa4111111111111111aaaaaaaaaaaaaaaa",
  ])("is not looked for in a random id: %s", (text) => {
    expect(findCardData({ order_id: text })).toBeNull();
  });

  test.each([
    "a4111111111111111aaaaaaaaaaaaaa",
    "x4111111111111111aaaaaaaaaaaaaaaa",
    "41111111111111110000000000000000 4111111111111111",
    "41111111-1111-4111-8111-41111111111 4111111111111111",
    "g0ba5fe54-4111111111111111-8821-75950d48bd22",
  ])("is found in what only resembles a random id: %s", (text) => {
    expect(findCardData({ order_id: text })).not.toBeNull();
  });

  test("has no further group joined to it, and may have words beside it", () => {
    for (const text of [
      "4111-1111-1111-1111-1111",
      "1111-4111-1111-1111-1111",
      "4111.1111.1111.1111.12",
      "1_4111_1111_1111_1111",
      "4111 11111111 1111",
      "411111 1111111111",
      "4111--1111--1111--1111",
      "4111:1111:1111:1111",
    ]) {
      expect(findCardData({ order_id: text }), text).toBeNull();
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

  test("is judged by the fast path as it is by the whole search", () => {
    const digits = [
      "4111",
      "1111",
      "30569309025904",
      "3056",
      "930902",
      "5904",
      "1",
      "0",
      "²",
      "１",
      "\u0661",
    ];
    const gaps = [" ", "-", "\u2013", "\u2212", "\u00a0", "\u200b", "\u00ad", "\u034f", "\t", "\u3000"];
    const others = [
      "a",
      "Я",
      "é",
      "\u0301",
      "\u0338",
      "=",
      ".",
      ":",
      "/",
      "·",
      "•",
      "*",
      "+",
      "~",
      "’",
      "№",
      "½",
      "漢",
      "😀",
      "_",
      ",",
    ];
    const piece = fc.constantFrom(...digits, ...gaps, ...others);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        // A last word of this script changes nothing, and is looked at closely.
        expect(findCardData(text)).toEqual(findCardData(`${text} 漢`));
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
    ["13 digits, as Visa's were long ago", "4222222222222"],
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
    expect(findCardData({ payer: { number_phone: "30569309025904" } })).toBeNull();
    expect(findCardData({ amount: 4111111111111111 })).toBeNull();
    expect(findCardData({ amount: { note: "4111111111111111" } })).toEqual({
      path: "amount.note",
      kind: "card_number",
    });
  });

  test("is found in whichever layout and script it is written and whatever words stand beside it", () => {
    const digits = fc.stringMatching(/^[0-9]{15}$/);
    const scheme = fc.constantFrom(...CARD_SCHEMES.filter(({ lengths }) => lengths.length > 0));
    const words = fc.stringMatching(/^[a-z .,]{0,20}$/);
    fc.assert(
      fc.property(scheme, digits, fc.nat(), fc.constantFrom("0", ...ZEROS), words, words, (...made) => {
        const [{ from, lengths }, rest, chosen, zero, before, after] = made;
        const length = lengths[chosen % lengths.length]!;
        const number = inScript(withCheckDigit(`${from}${rest}777`.slice(0, length - 1)), zero);
        const written = zero === "0" ? layouts(number) : [number];
        expect(findCardData({ holder: `${before}${written[chosen % written.length]}${after}` })).toEqual({
          path: "holder",
          kind: "card_number",
        });
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a forbidden key", () => {
  test.each([
    "cvv",
    "CVV",
    "Cvc",
    "cvv2",
    "cvc2",
    "CVC2",
    "cid",
    "csc",
    "CAV2",
    "cvn",
    "cvd",
    "security_code",
    "Security Code",
    "securityCode",
    "card_cvv",
    "card-security-code",
    "card_cvc",
    "cvv_code",
    "cvc2Code",
    "cardVerificationValue",
    "card_verification_code",
    "card_pan",
    "primaryAccountNumber",
    "track1Data",
    "track_2_data",
    "ｃｖｃ２",
    "pin",
    "PIN_block",
    "PAN",
    "card_number",
    "cardNumber",
    "card.number",
    "track",
    "track1",
    "track_2",
    "trac\u212a",
    "magstripe",
    "mag_stripe",
  ])("%s is refused, whatever it holds", (key) => {
    for (const value of ["123", 123, "", null, {}]) {
      // Twice: a key that was seen before is judged by what was found then.
      for (const deep of [
        { card: { bin_card: 411111, [key]: value } },
        { list: [{ x: { [key]: value } }] },
      ]) {
        expect(findCardData(deep)).toMatchObject({ kind: "forbidden_key" });
      }
    }
  });

  test("is a whole name", () => {
    expect(
      findCardData({ company: "1", pan_european: 1, tracking: "x", cvv_present: true, pinned: 1, acid: 1 }),
    ).toBeNull();
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

describe("a random id", () => {
  test("is no card number, in a hundred thousand of UUIDs, SHA-1 and SHA-256", () => {
    for (let index = 0; index < 100_000; index++) {
      const digest = hash("sha256", String(index), "hex");
      const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
      for (const id of [digest, uuid, uuid.toUpperCase(), digest.slice(0, 40)]) {
        if (findCardData({ order_id: id }) !== null) expect.fail(id);
      }
    }
  });
});

describe("a reduced card number", () => {
  test.each(TEST_CARDS)("%s %s keeps its first six and last four digits", (_scheme, number) => {
    const reduced = { bin: number.slice(0, 6), lastFour: number.slice(-4) };
    const groups = number.match(/.{1,4}/g)!;
    for (const text of [number, groups.join(" "), groups.join("-"), ` ${number} `]) {
      expect(reduceCardNumber(text), text).toEqual(reduced);
    }
    expect(findCardData(`${reduced.bin} ${reduced.lastFour}`)).toBeNull();
  });

  test.each(["411111******1111", "411111xxxxxx1111", "4111 11** **** 1111", "41111111****1111"])(
    "is what a half hidden one has already: %s",
    (text) => {
      expect(reduceCardNumber(text)).toEqual({ bin: "411111", lastFour: "1111" });
    },
  );

  test("needs 12 to 19 digits and a valid check digit, as changing any digit shows", () => {
    for (const text of [
      "",
      "4111",
      "41111111111",
      "4111111111111112",
      "41111111111111111111",
      "4111,1111,1111,1111",
      "a",
    ])
      expect(reduceCardNumber(text), text).toBeNull();
    fc.assert(
      fc.property(
        fc.stringMatching(/^[1-9]\d{10,17}$/),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (digits, at, by) => {
          const number = withCheckDigit(digits);
          expect(reduceCardNumber(number)).toEqual({ bin: number.slice(0, 6), lastFour: number.slice(-4) });
          const index = at % number.length;
          const wrong = String((Number(number[index]) + by) % 10);
          expect(reduceCardNumber(number.slice(0, index) + wrong + number.slice(index + 1))).toBeNull();
        },
      ),
    );
  });

  test("is allowed in a column of numbers, and in no column of verification values", () => {
    expect(["PAN", "Card Number", "card_number"].filter(namesCardNumber)).toHaveLength(3);
    expect(["CVV", "cvc2", "Security Code", "PIN", "track2"].filter(namesCardNumber)).toEqual([]);
  });
});
