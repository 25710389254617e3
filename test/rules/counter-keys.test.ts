// What counts as the same card, mailbox or address.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { COUNTER_KEYS, counterKeys } from "#src/rules/counters/counter-keys.ts";
import { normalEmail } from "#src/contract/text/normal-email.ts";
import { normalHolder, normalPhone, normalText } from "#src/rules/values/normal-forms.ts";
import { payment } from "./sample.ts";

const keys = (request: CheckRequest, project = "p", secret = "s") => counterKeys(request, project, secret);

describe("normalEmail", () => {
  it.each([
    ["Olena@Example.COM", "olena@example.com"],
    ["olena+shop@example.com", "olena@example.com"],
    ["o.le.na@example.com", "o.le.na@example.com"],
    ["o.le.na+x@gmail.com", "olena@gmail.com"],
    ["olena@googlemail.com", "olena@gmail.com"],
    [" olena@example.com. ", "olena@example.com"],
    ["+tag@example.com", "+tag@example.com"],
    ["a@пошта.укр", "a@xn--80a1acn3a.xn--j1amh"],
    ["a@XN--80A1ACN3A.xn--j1amh.", "a@xn--80a1acn3a.xn--j1amh"],
    ["A+x@BÜCHER.example", "a@xn--bcher-kva.example"],
    ["a@bu\u0308cher.example", "a@xn--bcher-kva.example"],
    ["a@straße.example", "a@xn--strae-oqa.example"],
    ["олена@example.com", "олена@example.com"],
    // What no domain can be stays as it is.
    ["a@é<b", "a@é<b"],
  ])("%s is %s", (email, expected) => expect(normalEmail(email)).toBe(expected));

  it.each(["", "olena", "@example.com", "olena@", 7, null, undefined])("%j is no mailbox", (email) =>
    expect(normalEmail(email)).toBeNull(),
  );
});

describe("what is written plainly already", () => {
  const PARTS = [
    "a",
    "Z",
    "7",
    " ",
    "  ",
    ".",
    "@",
    "+",
    "-",
    "é",
    "ß",
    "\u00a0",
    "A\u030a",
    "OLENA",
    "Sample",
  ];
  const MAILBOXES = ["@gmail.com", "@googlemail.com", "@example.com"];
  const part = fc.constantFrom(...PARTS, ...MAILBOXES);
  const written = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));

  // A blank before it, or what is no digit and no letter, keeps a text from being taken for plain.
  it("comes to the same as what is not", () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(normalText(text)).toBe(text.trim().normalize("NFC") || null);
        expect(normalEmail(text)).toBe(normalEmail(` ${text}`));
        expect(normalPhone(text)).toBe(normalPhone(`(${text}`));
        expect(normalHolder(text)).toBe(normalHolder(`${text},`));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("counterKeys", () => {
  const same = (a: CheckRequest, b: CheckRequest, kind: keyof ReturnType<typeof keys>): boolean =>
    keys(a)[kind] === keys(b)[kind];

  it("gives every key of a full request", () => {
    expect(Object.keys(keys(payment())).toSorted()).toEqual(COUNTER_KEYS.toSorted());
  });

  // What was counted by earlier versions is found by these.
  it("gives the keys that it always gave", () => {
    expect(keys(payment())).toEqual({
      card: "nk89-U73Qt-UVG_9hhw1LQ",
      email: "9tPtYvB8cJTTmAsGt8rNJ8",
      ip: "jywqD8MQd8OPJuaMd330K-",
      ip_net: "F3lrEZ2E6XX6ysjecBpHp5",
      payer: "ZxlLBrWvu87H7Y4NN08SQQ",
      phone: "BMCQJvL5NmVUKWmSii34p1",
      terminal: "cGIMKibK2xDcGWPBoV9r38",
      holder: "-GJrEfqThjBCLrNJzG1-FH",
      bin_terminal: "kfxI6tnxlXlEVVDCG0_67z",
      last_four: "jsowSYwgOm9kcuc3ypPjNn",
      order: "R9rym6pj63KUj2MBHbSfLD",
      charge: "cIjeEbFpJyXPzySTeC7t42",
    });
  });

  it("leaves out what is missing or unusable", () => {
    expect(keys({})).toEqual({});
    expect(keys(payment({ card: { cin_card: undefined } })).card).toBeUndefined();
    expect(keys(payment({ payer: { payer_ip: "10.0.0" } })).ip).toBeUndefined();
    expect(keys(payment({ payer: { payer_id: " " } })).payer).toBeUndefined();
  });

  it("takes a card for the same whether BIN and year are long or short", () => {
    expect(same(payment(), payment({ card: { bin_card: 41_111_122, expiration_year: 2029 } }), "card")).toBe(
      true,
    );
    expect(same(payment(), payment({ card: { cin_card: 43 } }), "card")).toBe(false);
    expect(same(payment(), payment({ card: { expiration_month: 11 } }), "card")).toBe(false);
    expect(same(payment(), payment({ card: { holder: "SOMEBODY ELSE" } }), "card")).toBe(true);
  });

  it("counts an address once however it is written, and its network apart", () => {
    const from = (payer_ip: string): CheckRequest => payment({ payer: { payer_ip } });
    expect(same(from("2001:db8::1"), from("2001:0DB8:0:0:0:0:0:1"), "ip")).toBe(true);
    expect(same(from("::ffff:203.0.113.10"), from("203.0.113.10"), "ip")).toBe(true);
    expect(same(from("203.0.113.10"), from("203.0.113.99"), "ip")).toBe(false);
    expect(same(from("203.0.113.10"), from("203.0.113.99"), "ip_net")).toBe(true);
    expect(same(from("203.0.113.10"), from("203.0.114.10"), "ip_net")).toBe(false);
    expect(same(from("2001:db8::1"), from("2001:db8::ffff:1"), "ip_net")).toBe(true);
    expect(same(from("2001:db8::1"), from("2001:db8:0:1::1"), "ip_net")).toBe(false);
  });

  it("takes a holder for the same whatever case, accents and order of the words", () => {
    const named = (holder: string): CheckRequest => payment({ card: { holder } });
    expect(same(named("Olena Syla"), named("SYLA, OLENA"), "holder")).toBe(true);
    expect(same(named("Olena Šyla"), named("OLENA  SYLA"), "holder")).toBe(true);
    expect(same(named("OLENA SYLA"), named("OLENA SALA"), "holder")).toBe(false);
    expect(keys(named(" ")).holder).toBeUndefined();
  });

  it("tells the BIN of one terminal from that of another, and a charge by card and amount", () => {
    const at = (terminal_id: string): CheckRequest => payment({ request: { terminal_id } });
    expect(same(at("a"), at("b"), "bin_terminal")).toBe(false);
    expect(same(payment(), payment({ card: { cin_card: 43 } }), "bin_terminal")).toBe(true);
    expect(same(payment(), payment({ card: { cin_card: 43 } }), "charge")).toBe(false);
    expect(same(payment(), payment({ request: { amount: 12_001 } }), "charge")).toBe(false);
    expect(same(payment(), payment({ request: { terminal_id: "b" } }), "charge")).toBe(true);
  });

  it("takes a phone number for the same with and without blanks", () => {
    expect(same(payment(), payment({ payer: { number_phone: "+380 (50) 123-45-67" } }), "phone")).toBe(true);
  });

  it("differs by project and secret, and repeats nothing of the request", () => {
    const one = keys(payment());
    expect(keys(payment(), "other").card).not.toBe(one.card);
    expect(keys(payment(), "p", "other").card).not.toBe(one.card);
    expect(JSON.stringify(one)).not.toMatch(/411111|olena|203\.0/i);
    for (const key of Object.values(one)) expect(key).toMatch(/^[\w-]{22}$/);
  });
});
