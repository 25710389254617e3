// Stand-ins: whatever rules look at is the same of them as of the values they stand for, and two never become one.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emailAddress } from "#src/contract/fields/payer-checks.ts";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { counterKeys, COUNTER_KEYS } from "#src/rules/counters/counter-keys.ts";
import { createKeyedDraws } from "#src/rules/stand-ins/keyed-draws.ts";
import { createStandIns } from "#src/rules/stand-ins/payment-stand-ins.ts";
import { isBogon, readAddress } from "#src/rules/values/address.ts";
import { holderAnomaly, localRandomness, phoneProblem } from "#src/rules/values/anomalies.ts";
import { emailDomain } from "#src/rules/values/normal-forms.ts";
import { normalEmail } from "#src/contract/text/normal-email.ts";
import { changedRules } from "../actions/backtest-bench.ts";
import { loadStarter, PAYMENT } from "./sample.ts";

const KEY = Buffer.from("a key for tests alone, of 32 bytes and some more");
const LISTED = [
  "{ card: 411111 0042 12/29 }",
  "{ email: fraud@example.org }",
  "{ domain: listed.example }",
  "{ domain: пошта.укр }",
  "{ ip: 198.51.7.9 }",
  "{ ip: 91.198.0.0/20 }",
  "{ phone: '+380501112233' }",
  "{ payer: c-1001 }",
  "{ terminal: web-1 }",
];
const starter = await loadStarter();
const listing = await changedRules("blocked: []", `blocked: [${LISTED.join(", ")}]`);
const standIn = createStandIns(KEY, starter);
const listed = createStandIns(KEY, listing);

const payer = (fields: NonNullable<CheckRequest["payer"]>, by: typeof standIn = standIn) =>
  by({ payer: fields }).payer!;
const ip = (text: string, by: typeof standIn = standIn): string => payer({ payer_ip: text }, by).payer_ip!;
const email = (text: string): string => payer({ email: text }).email!;
const phone = (text: string): string => payer({ number_phone: text }).number_phone!;
const holder = (text: string): string => standIn({ card: { holder: text } }).card!.holder!;

const word = fc.stringMatching(/^[a-z0-9]{1,9}$/);
const anyDomain = fc.oneof(
  fc.constantFrom(
    "gmail.com",
    "googlemail.com",
    "GMAIL.com",
    "x.yopmail.com",
    "acme.com.ua",
    "mail.acme.com.ua",
  ),
  fc.tuple(word, word).map((labels) => labels.join(".")),
);
const anyEmail = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9äñ][a-zA-Z0-9._+ä-]{0,14}$/), anyDomain)
  .map((parts) => parts.join("@"));
const anyPhone = fc.oneof(
  fc.stringMatching(/^\+[1-9][0-9]{1,14}$/),
  fc.stringMatching(/^\+(380|1|44|7|210)[0-9]{4,9}$/),
  fc
    .tuple(fc.constantFrom("+38050", "+1201", "+4"), fc.nat(9))
    .map(([head, digit]) => head + `${digit}`.repeat(7)),
);
const anyName = fc.oneof(
  fc.stringMatching(/^[A-Za-z]{1,6}( [A-Za-z]{1,6}){0,2}$/),
  fc.string({ maxLength: 12, unit: fc.constantFrom("A", "a", "B", "é", "Я", " ", "4", "*", ".", "'") }),
  fc.constantFrom(
    "CAFE 1908 GMBH",
    "JOHN SMITH 3RD",
    "BAR 7 SP. Z O.O.",
    "3RD",
    "CARD HOLDER",
    "Holder Card",
    "TEST",
    "AAAA A",
    "J.",
    "OLENA".padEnd(70) + "S",
    "-",
  ),
);
const anyRequest: fc.Arbitrary<CheckRequest> = fc.record(
  {
    order_id: fc.constantFrom("o-1", "o-2", " o-1", "card"),
    amount: fc.constantFrom(100, 200),
    currency: fc.constantFrom(980, 978),
    terminal_id: fc.constantFrom("web-1", "web-2", ""),
    payer: fc.record(
      {
        payer_ip: fc.oneof(
          fc
            .tuple(fc.constantFrom("91.198.36.", "10.0.0.", "203.0.113.", "198.51.7."), fc.nat(12))
            .map((p) => p.join("")),
          fc
            .tuple(fc.constantFrom("2001:db8::", "2a00:1450:1:2::", "::ffff:10.0.0."), fc.nat(9))
            .map((p) => p.join("")),
        ),
        email: anyEmail,
        number_phone: anyPhone,
        payer_id: fc.constantFrom("c-1001", "c-2", "C-2"),
      },
      { requiredKeys: [] },
    ),
    card: fc.record(
      {
        holder: anyName,
        bin_card: fc.constantFrom(411_111, 41_111_199, 555_544),
        cin_card: fc.constantFrom(42, 43, 9999),
        expiration_month: fc.constantFrom(1, 12),
        expiration_year: fc.constantFrom(29, 2029),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

describe("permutations", () => {
  const draws = createKeyedDraws(KEY);

  it.each([1, 2, 3, 7, 16, 17, 256, 1_000])("of %i numbers hold each once", (size) => {
    const places = Array.from({ length: size }, (_, n) => draws.permuted("some", BigInt(size), BigInt(n)));
    expect(new Set(places).size).toBe(size);
    expect(places.every((place) => place >= 0n && place < size)).toBe(true);
  });

  it("give all last fours another one each, and all hosts of a network", () => {
    const fours = Array.from({ length: 10_000 }, (_, n) => listed({ card: { cin_card: n } }).card!.cin_card);
    expect(new Set(fours).size).toBe(10_000);
    expect(fours[42]).toBe(42);
    const hosts = Array.from({ length: 256 }, (_, n) => ip(`91.198.36.${n}`));
    expect(new Set(hosts).size).toBe(256);
    expect(new Set(hosts.map((host) => host.replace(/\.\d+$/, ""))).size).toBe(1);
  });

  it("give all numbers of a small exchange another one each, those of one digit too", () => {
    const numbers = Array.from({ length: 1_000 }, (_, n) => `+38050${String(n).padStart(3, "0")}`);
    expect(new Set(numbers.map(phone)).size).toBe(1_000);
    const repeated = Array.from(
      { length: 1_000 },
      (_, n) => `+3805${n % 100}${String(Math.floor(n / 100)).repeat(7)}`,
    );
    expect(new Set(repeated.map(phone)).size).toBe(new Set(repeated).size);
  });
});

describe("stand-ins", () => {
  it("are told from each other by counters just as the values are", () => {
    const keysOf = (request: CheckRequest) => counterKeys(request, "project", "secret");
    fc.assert(
      fc.property(anyRequest, anyRequest, fc.constantFrom(standIn, listed), (a, b, by) => {
        const [own, others] = [keysOf(a), keysOf(b)];
        const [ownStandIn, otherStandIn] = [keysOf(by(a)), keysOf(by(b))];
        for (const key of COUNTER_KEYS) {
          expect([key, ownStandIn[key] === otherStandIn[key]]).toEqual([key, own[key] === others[key]]);
          expect([key, ownStandIn[key] === undefined]).toEqual([key, own[key] === undefined]);
        }
      }),
      { numRuns: 500, examples: [[{ card: { holder: "X" } }, { card: { holder: "3RD" } }, standIn]] },
    );
  });

  it("of addresses are public where they were, and in the networks that rules name", () => {
    const network = (n: number) => [`91.198.${n >> 4}.7`, `91.198.${(n >> 4) + 16}.7`];
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const [own, other] = [readAddress(text)!, readAddress(ip(text))!];
        expect(other.range()).toBe(own.range());
        expect(isBogon(other, ["203.0.113.0/24"])).toBe(isBogon(own, ["203.0.113.0/24"]));
      }),
    );
    for (const n of [0, 100, 255]) {
      const [inside, outside] = network(n).map((text) => ip(text, listed));
      expect(inside).toMatch(/^91\.198\.(?:\d|1[0-5])\./);
      expect(outside).not.toMatch(/^91\.198\.(?:\d|1[0-5])\./);
    }
    expect(ip("198.51.7.9", listed)).toBe("198.51.7.9");
    expect(ip("198.51.7.8", listed)).not.toBe("198.51.7.9");
  });

  it("of mailboxes are valid, as random, of the same normal form, and at the same free or named domains", () => {
    const random = (text: string): number => {
      const normal = normalEmail(text)!;
      return localRandomness(normal.slice(0, normal.lastIndexOf("@")));
    };
    fc.assert(
      fc.property(anyEmail, (text) => {
        fc.pre(normalEmail(text) !== null);
        expect(emailAddress().test(email(text))).toBe(true);
        expect(random(email(text))).toBe(random(text));
        const domain = emailDomain(text)!;
        if (/^(?:google|g)mail\.com$/.test(domain)) expect(emailDomain(email(text))).toBe(domain);
        else expect(emailDomain(email(text))).not.toBe(domain);
      }),
      { numRuns: 1_000 },
    );
    expect(email("a@mail.acme.com.ua")).toMatch(new RegExp(`\\.${emailDomain(email("b@acme.com.ua"))}$`));
    expect(email("quick@box.yopmail.com")).toMatch(/^[a-z]+@[a-z]+\.yopmail\.com$/);
    // Both forms of a domain are one domain, and one mailbox at it.
    expect(emailDomain(email("a@магазин.укр"))).toBe(emailDomain(email("a@xn--80aairftm.xn--j1amh")));
    expect(email("anna+shop@post.example")).toMatch(/^[a-z]+\+[a-z]+@/);
    expect(email("..@gmail.com")).toBe(".@gmail.com");
  });

  it("of telephone numbers have the same country and the same problem", () => {
    const countries = (text: string): unknown => countriesOfPhone(text.replaceAll(/\D/g, ""));
    fc.assert(
      fc.property(anyPhone, (text) => {
        expect(phoneProblem(phone(text))).toBe(phoneProblem(text));
        expect(countries(phone(text))).toEqual(countries(text));
        expect(phone(text)).toHaveLength(text.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it("of holders have the same anomaly", () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(holderAnomaly(holder(name))).toBe(holderAnomaly(name));
      }),
      { numRuns: 500 },
    );
    expect(holder("Olena Kovalenko")).not.toBe(holder("OLENA KOVALENKO"));
  });

  it("keep what lists name, and BIN, expiry, amount and currency", () => {
    const request: CheckRequest = {
      ...PAYMENT,
      terminal_id: "web-1",
      payer: { payer_id: "c-1001", email: "Fraud+1@example.org", number_phone: "+380501112233" },
    };
    const { order_id, description, ...rest } = listed(request);
    expect(rest).toEqual({
      operation: "payment",
      amount: 12_000,
      currency: 980,
      terminal_id: "web-1",
      payer: request.payer,
      card: { ...PAYMENT.card, holder: expect.not.stringMatching("OLENA") },
    });
    expect(order_id).toMatch(/^order-[a-z]{32}$/);
    expect(description).toMatch(/^description-[a-z]{32}$/);
    expect(emailDomain(listed({ payer: { email: "a@shop.listed.example" } }).payer!.email)).toMatch(
      /^[a-z]{24}\.listed\.example$/,
    );
    const below = (domain: string): string[] =>
      emailDomain(listed({ payer: { email: `a@${domain}` } }).payer!.email)!.split(/\.(.*)/s, 2);
    const [word, unicode] = below("shop.пошта.укр");
    expect(unicode).toBe("пошта.укр");
    expect(below("shop.xn--80a1acn3a.xn--j1amh")).toEqual([word, "xn--80a1acn3a.xn--j1amh"]);
  });

  it("hang on the key alone, and leave out what no check has", () => {
    expect(createStandIns(KEY, starter)(PAYMENT)).toEqual(standIn(PAYMENT));
    const other = createStandIns(Buffer.alloc(32, 1), starter)(PAYMENT);
    expect(other.payer).not.toEqual(standIn(PAYMENT).payer);
    expect(standIn({ ...PAYMENT, note: "for Olena" } as CheckRequest)).toEqual(standIn(PAYMENT));
  });
});
