import { describe, expect, test } from "vitest";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { getPath } from "#src/contract/fields/body-path.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { presentedState } from "#src/display/presented-state.ts";
import { maskedMessage, maskedWords } from "#src/display/masked-words.ts";
import { isPersonal, MASK, redactRequest, redactText, withoutCase } from "#src/display/mask.ts";

const REQUEST: CheckRequest = {
  operation: "payment",
  order_id: "o-1044",
  amount: 12000,
  currency: 980,
  description: "Tickets for Ann",
  payer: {
    payer_ip: "203.0.113.7",
    email: "ann@example.com",
    number_phone: "+380501234567",
    payer_id: "p-1",
  },
  card: { holder: "ANN EXAMPLE", bin_card: 411111, cin_card: 42, expiration_month: 12, expiration_year: 27 },
};

test("of every field of the check it is decided whether it belongs to a person", () => {
  const open = CHECK_FIELDS.map(({ path }) => path).filter((path) => !isPersonal(path));
  expect(open).toEqual(["operation", "order_id", "amount", "currency", "terminal_id", "card.bin_card"]);
  const personal = CHECK_FIELDS.map(({ path }) => path).filter(isPersonal);
  const shown = presentedState(Object.fromEntries(personal.map((path) => [path.split(".").at(-1), "seen"])));
  expect(new Set(Object.values(shown))).toEqual(new Set([MASK]));
});

describe("presenter mode", () => {
  test("masks every personal field and no other", () => {
    const shown = redactRequest(REQUEST);
    const masked = CHECK_FIELDS.map(({ path }) => path).filter((path) => getPath(shown, path) === MASK);
    expect(masked).toEqual(CHECK_FIELDS.map(({ path }) => path).filter(isPersonal));
    expect(masked).toEqual([
      "description",
      "payer.payer_ip",
      "payer.email",
      "payer.number_phone",
      "payer.payer_id",
      "card.holder",
      "card.cin_card",
      "card.expiration_month",
      "card.expiration_year",
    ]);
    expect(getPath(shown, "amount")).toBe(12000);
    expect(getPath(shown, "card.bin_card")).toBe(411111);
    expect(REQUEST.payer?.email).toBe("ann@example.com");
  });

  test("masks what stands in place of a personal object", () => {
    expect(redactRequest({ payer: ["ann@example.com"] } as CheckRequest)).toEqual({ payer: MASK });
    expect(redactRequest({ card: { holder: { first: "Ann" } } } as unknown as CheckRequest)).toEqual({
      card: { holder: MASK },
    });
  });

  test("masks all that no field of the contract is, at any depth, and where a sentence repeats it", () => {
    const unknown = { passport: "ZL-17", address: { street: "Ash Lane" }, "card.bin_card": 77_777 };
    const request = {
      ...REQUEST,
      ...unknown,
      payer: unknown,
      card: { amount: 5 },
    } as unknown as CheckRequest;
    const hidden = { passport: MASK, address: MASK, "card.bin_card": MASK };
    expect(redactRequest(request)).toMatchObject({ ...hidden, payer: hidden, card: { amount: MASK } });
    expect(redactText("ZL-17 of Ash Lane, 77777", request)).toBe("(hidden) of (hidden), (hidden)");
  });

  test("masks personal texts inside a sentence, longest first", () => {
    expect(redactText("6 attempts by ann@example.com from 203.0.113.7 (o-1044)", REQUEST)).toBe(
      "6 attempts by (e-mail hidden) from (address hidden) (o-1044)",
    );
    expect(redactText("ann@example.com", { payer: { payer_id: "ann", email: "ann@example.com" } })).toBe(
      "(e-mail hidden)",
    );
    expect(redactText("a passing word", { payer: { payer_id: "a" } })).toBe("a passing word");
  });

  test.each<[CheckRequest, string]>([
    [{ order_id: "6372319", payer: { payer_id: "2319" } }, "order 6372319"],
    [{ order_id: "A-2319", payer: { payer_id: "2319" } }, "order A-2319, again A-2319#2"],
    [{ order_id: "SLEEVE-12", card: { holder: "LEE" } }, "order SLEEVE-12"],
    [{ order_id: "LEE-12", card: { holder: "LEE" } }, "order LEE-12"],
    [{ order_id: "A-1001", description: "A-1001" }, "A-1001"],
    [{ order_id: "9f4071ab", card: { cin_card: 4071 } }, "9f4071ab, 7e4071, 4071d"],
    [{ order_id: "o-4071", card: { cin_card: 4071 } }, "o-4071"],
    [{ order_id: "ann@x.example", payer: { email: "Ann@x.example" } }, "ann@x.example"],
  ])("keeps an order id and longer words whole: %j", (request, text) => {
    expect(redactText(text, request)).toBe(text);
    expect(maskedWords(text, [request])).toBe(text);
    expect(redactRequest(request)).toMatchObject({ order_id: request.order_id });
    const row = { key: request.order_id, request };
    expect(presentedState({ row, flip: { key: request.order_id, before: row } })).toMatchObject({
      row: { key: request.order_id, request: { order_id: request.order_id } },
      flip: { key: request.order_id },
    });
  });

  test("hides what is personal beside an order id that begins like it", () => {
    const card = { expiration_month: 9, expiration_year: 2031 };
    const payer = { payer_ip: "203.0.113.7" };
    expect(redactText("2031-09 and 203.0.113.7", { order_id: "2031", card, payer })).toBe(
      "(month hidden) and (address hidden)",
    );
    expect(redactText("203.0.113.7", { order_id: "203", payer })).toBe("(address hidden)");
    expect(
      redactText("Ann paid XXXX4071 as 4071.", { order_id: "o-1", card: { cin_card: 4071, holder: "Ann" } }),
    ).toBe("(holder hidden) paid XXXX(last four hidden) as (last four hidden).");
  });

  test.each<[written: string, said: string]>([
    ["z.ofia+shop@gmail.com", "zofia@gmail.com"],
    ["zofia@gmail.com", "Zo.Fia+x@GoogleMail.com"],
    ["Zofia+a@shop.example", "ZOFIA@SHOP.EXAMPLE"],
    ["zofia@shop.example", "zofia+news@shop.example"],
  ])("hides the mailbox %s where it is written %s", (email, said) => {
    const request = { payer: { email } };
    expect(redactText(`email ${said} is on the block list, ${said}.`, request)).toBe(
      "email (e-mail hidden) is on the block list, (e-mail hidden).",
    );
    expect(redactText("zo-fia@gmail.com, azofia@shop.example", request)).toBe(
      "zo-fia@gmail.com, azofia@shop.example",
    );
  });

  test("never hides a part of the words that hide something", () => {
    const payer = { email: "hidden@example.com", payer_id: "address", payer_ip: "203.0.113.7" };
    expect(redactText("hidden@example.com, 203.0.113.7, address", { payer })).toBe(
      "(e-mail hidden), (address hidden), (payer id hidden)",
    );
    expect(maskedWords("mail@mail.example and mail", [{ payer: { email: "mail@mail.example" } }])).toBe(
      "(e-mail hidden) and (e-mail hidden)",
    );
  });

  test.each([
    ["+380501234567", "050-123-45-67"],
    ["+380501234567", "050 123 45 67"],
    ["+380501234567", "0501234567"],
    ["+380501234567", "(050) 123-45-67"],
    ["+380501234567", "050.123.45.67"],
    ["+380501234567", "050\u2011123\u201145\u201167"],
    ["+380501234567", "050\u00a0123\u00a045\u00a067"],
    ["+380501234567", "501234567"],
    ["+380501234567", "380501234567"],
    ["+380501234567", "00380501234567"],
    ["+380501234567", "00 380 50 123 45 67"],
    ["+380501234567", "+38 050 123 45 67"],
    ["+380501234567", "+38 (050) 123-45-67"],
    ["+380501234567", "050\t123\n45_67"],
    ["+380501234567", "050\u2212123\u00b745*67"],
    ["+380501234567", "050\u200b1234567"],
    ["00380501234567", "0501234567"],
    ["0501234567", "+380501234567"],
    ["501234567", "380501234567"],
    ["+380 (0) 50 123 45 67", "380501234567"],
    ["+44 (0)20 7946 0000", "442079460000"],
    ["0501234567", "380501234567"],
    ["+442079460000", "+44 (0)20 7946 0000"],
    ["+442079460000", "020 7946 0000"],
    ["+12025550143", "(202) 555-0143"],
    ["+12025550143", "1-202-555-0143"],
    ["+3725123456", "512 3456"],
  ])("hides the telephone number %s where it is written %s", (number_phone, said) => {
    const request = { order_id: "501234567", payer: { number_phone } };
    for (const around of [(text: string) => text, (text: string) => `Call ${text}, now.`])
      expect(maskedWords(around(said), [{ ...request, order_id: "o-1" }])).toBe(around("(telephone hidden)"));
  });

  test.each([
    "order 501234567",
    "order-501234567-1 of 45 67",
    "123-45-67 and 4567",
    "5012345670 or 15012345678",
    "12 345.67 UAH on 2026-01-15 at 10:00, 1501234567.00",
    "380 of 501 payments, 234 of 567",
  ])("keeps what is no telephone number: %s", (text) => {
    const request = { order_id: "501234567", payer: { number_phone: "+380501234567" } };
    expect(maskedWords(text, [request])).toBe(text);
  });

  test("hides one directly behind the number of a line", () => {
    const request = { payer: { number_phone: "+380501234567" } };
    expect(maskedWords("1.0501234567", [request])).toBe("1.(telephone hidden)");
  });

  // A search that began anew at each character took minutes for these.
  test.each(["1", "a", "0", ".", "+1", "1.", "@", "a@", "a.", "/a ", "/a", "such as a", "(0) ", "050 "])(
    "is soon done with a long text of %s",
    (part) => {
      const request = { payer: { number_phone: "+380501234567", email: "olena@shop.example" } };
      const text = `${part.repeat(100_000 / part.length)} olena@shop.example /b.csv 050-123-45-67`;
      expect(maskedMessage(text, [request])).toContain("hidden)");
    },
  );

  test("masks last four and expiry as they are written, and nothing that only looks alike", () => {
    expect(redactText("card 0042 expired at the end of 12/2027 (12/27, 2027-12)", REQUEST)).toBe(
      "card (last four hidden) expired at the end of (month hidden) ((month hidden), (month hidden))",
    );
    for (const text of ["42 attempts", "10042 and 0042.50 EUR", "112/2027", "12/2028", "on 2027-121"]) {
      expect(redactText(text, REQUEST)).toBe(text);
    }
  });
});

test.each([
  ["The report is written: /home/anna cake/report.html", "The report is written: (file hidden)"],
  ["Exported 3 checks to ./anna.csv; done.", "Exported 3 checks to (file hidden); done."],
  ["~/anna/out, line 3: no rules", "(file hidden), line 3: no rules"],
  ["anna.ndjson:12: line 12 is empty", "(file hidden):12: line 12 is empty"],
  ["../anna is not a folder", "(file hidden) is not a folder"],
  ['The snapshot "anna" has 1 project', "The snapshot (hidden) has 1 project"],
  ["Label of order o-4: fraud (was good). Press u.", "Label of order o-4: ********. Press u."],
  ["Label of 2 orders: refund (was 1 fraud, 1 good).", "Label of 2 orders: ********."],
])("a message names no file or name that a user chose, and no label: %s", (text, seen) => {
  expect(maskedMessage(text, [])).toBe(seen);
});

test.each([
  "demo-shop/medium is ready at https://risk.example/v1/check.",
  "Press / to filter, or 3DS/block.",
  "Write a file such as talk.cast.",
])("a message without one stays: %s", (text) => {
  expect(maskedMessage(text, [])).toBe(text);
});

test("letters that a pattern with the flags iu takes for each other are equal without case", () => {
  const cased: string[] = [];
  for (let code = 0; code <= 0x10_ff_ff; code += 1) {
    const letter = String.fromCodePoint(code);
    // Whatever changes its case, and what a folding changes alone.
    if (/^[\p{Cased}\p{CWCM}\p{CWCF}]$/u.test(letter)) cased.push(letter);
  }
  expect(cased.length).toBeGreaterThan(2_900);
  const all = cased.join("");
  for (const letter of cased) {
    for (const found of all.match(new RegExp(letter, "giu"))!) {
      expect(withoutCase(found)).toBe(withoutCase(letter));
    }
  }
  // A final sigma is written by its place in a word.
  expect(withoutCase("\u0391\u03a3\u0392")).toContain(withoutCase("\u0391\u03a3"));
});
