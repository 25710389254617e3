import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { CREDENTIAL_FIELDS, REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import type { Field, FieldContext } from "#src/contract/fields/field.ts";
import { checkIpAddress } from "#src/contract/fields/payer-checks.ts";
import { getPath, setPath } from "#src/contract/fields/body-path.ts";
import { checkField, readField, showField, validateBody } from "#src/contract/fields/validate.ts";
import { parseStrictJson } from "#src/contract/text/strict-json.ts";

const NOW = Date.UTC(2026, 10, 21);

const WHOLE = {
  operation: "payment",
  order_id: "o-1044",
  amount: 12000,
  currency: 980,
  description: "Two tickets",
  terminal_id: "t-7",
  payer: {
    payer_ip: "203.0.113.7",
    email: "ann@example.com",
    number_phone: "+380501234567",
    payer_id: "p-1",
  },
  card: { holder: "ANN EXAMPLE", bin_card: 411111, cin_card: 42, expiration_month: 12, expiration_year: 27 },
};

function field(path: string, fields: readonly Field[] = CHECK_FIELDS): Field {
  return fields.find((candidate) => candidate.path === path)!;
}

/** Severity and message of what is wrong when one field of a whole request has this value. */
function verdictOn(path: string, value: unknown): string {
  const findings = validateBody(CHECK_FIELDS, setPath(WHOLE, path, value), { now: NOW });
  return findings.map(({ severity, message }) => `${severity}: ${message}`).join(" | ");
}

function hintOf(
  path: string,
  value: string | number,
  body: object = WHOLE,
  amountUnit: "minor" | "major" = "minor",
) {
  const context: FieldContext = {
    body: setPath(body as Record<string, unknown>, path, value),
    now: NOW,
    amountUnit,
  };
  return field(path).hint?.(value, context);
}

describe("the tables", () => {
  test("hold exactly the fields of the specification", () => {
    expect(CHECK_FIELDS.map(({ path, type }) => [path, type])).toEqual([
      ["operation", "string"],
      ["order_id", "string"],
      ["amount", "integer"],
      ["currency", "integer"],
      ["description", "string"],
      ["terminal_id", "string"],
      ["payer.payer_ip", "string"],
      ["payer.email", "string"],
      ["payer.number_phone", "string"],
      ["payer.payer_id", "string"],
      ["card.holder", "string"],
      ["card.bin_card", "integer"],
      ["card.cin_card", "integer"],
      ["card.expiration_month", "integer"],
      ["card.expiration_year", "integer"],
    ]);
    expect(REGISTRATION_FIELDS.map(({ path, required }) => [path, required])).toEqual([
      ["merchant_id", true],
      ["name", true],
      ["description", false],
      ["currency", true],
      ["risk_level", true],
    ]);
    expect(CREDENTIAL_FIELDS.map(({ path, required }) => [path, required])).toEqual([
      ["merchant_id", true],
      ["risk_level", true],
    ]);
    expect(CHECK_FIELDS.filter((each) => each.required).map((each) => each.path)).toEqual([
      "operation",
      "order_id",
      "amount",
      "currency",
    ]);
  });

  test("a whole request and one with the required fields alone have no findings", () => {
    expect(validateBody(CHECK_FIELDS, WHOLE, { now: NOW })).toEqual([]);
    const { operation, order_id, amount, currency } = WHOLE;
    expect(validateBody(CHECK_FIELDS, { operation, order_id, amount, currency }, { now: NOW })).toEqual([]);
  });
});

const UNUSUAL =
  "note: operation is not one of payment, payout, recurring, refund, verification; it is sent as it is.";

describe("a check request", () => {
  test.each([
    ["amount", 0, ""],
    ["amount", 9007199254740991, ""],
    ["amount", -1, "error: $ must be a whole number from 0 to 9007199254740991."],
    [
      "amount",
      1.5,
      "error: $ must be a whole number from 0 to 9007199254740991, written in plain digits without point or exponent.",
    ],
    ["amount", "12000", "error: $ must be a whole number from 0 to 9007199254740991, not a text."],
    ["amount", true, "error: $ must be a whole number from 0 to 9007199254740991, not a boolean."],
    ["amount", null, "error: $ must not be null; leave it out."],
    ["operation", "", "error: $ must not be empty."],
    ["operation", "refund", ""],
    ["operation", "x".repeat(64), UNUSUAL],
    ["operation", "😀".repeat(64), UNUSUAL],
    ["operation", "x".repeat(65), "error: $ must have at most 64 characters, not 65."],
    ["operation", ["payment"], "error: $ must be a text, not a list."],
    ["order_id", 1044, "error: $ must be a text, not a number."],
    ["description", "", "warning: $ is empty; leave it out instead."],
    ["payer.payer_id", "NULL", "warning: $ is a word for an empty value, such as NULL; leave it out."],
    ["payer.payer_id", "\\N", "warning: $ is a word for an empty value, such as NULL; leave it out."],
    ["payer.payer_id", " n/a ", "warning: $ is a word for an empty value, such as NULL; leave it out."],
    ["order_id", "(null)", "warning: $ is a word for an empty value, such as NULL; leave it out."],
    ["terminal_id", "undefined", "warning: $ is a word for an empty value, such as NULL; leave it out."],
    ["payer.payer_id", "nullah-7", ""],
    ["payer.payer_id", "N", ""],
    ["description", {}, "error: $ must be a text, not an object."],
    ["currency", 36, ""],
    ["currency", 0, "error: $ must be a whole number from 1 to 999."],
    [
      "currency",
      804,
      "warning: $ is no currency number of ISO 4217; 804 is Ukraine, whose currency UAH is 980.",
    ],
    [
      "currency",
      1,
      "warning: $ is no currency number of ISO 4217; use for example 980 for UAH or 978 for EUR.",
    ],
    ["payer.payer_ip", "2001:db8::1", ""],
    ["payer.payer_ip", "::ffff:192.0.2.1", ""],
    ["payer.payer_ip", "256.0.0.1", "error: $ must be an IPv4 or IPv6 address."],
    ["payer.payer_ip", "127.1", "error: $ must be an IPv4 or IPv6 address."],
    ["payer.payer_ip", "010.0.0.1", "error: $ must be an IPv4 or IPv6 address."],
    ["payer.payer_ip", "fe80::1%eth0", "error: $ must be an IPv4 or IPv6 address."],
    ["payer.email", "ann+tag@mail.example.com", ""],
    ["payer.email", "анна@приклад.укр", ""],
    ["payer.email", "ann@localhost", "warning: $ has a domain without a dot; check it."],
    ["payer.number_phone", "+12", "warning: $ is shorter than any telephone number in use; check it."],
    [
      "card.bin_card",
      41111111,
      "note: $ has eight digits (ISO/IEC 7812-1:2017), where the service shows six.",
    ],
    ["card.bin_card", 4111111, "error: $ must have six or eight digits, and has seven."],
    ["card.bin_card", 41111, "error: $ must be a whole number from 100000 to 99999999."],
    ["card.bin_card", 411111111, "error: $ must be a whole number from 100000 to 99999999."],
    ["card.cin_card", 0, ""],
    ["card.cin_card", 9999, ""],
    ["card.cin_card", 10000, "error: $ must be a whole number from 0 to 9999."],
    ["card.expiration_month", 0, "error: $ must be a whole number from 1 to 12."],
    ["card.expiration_month", 13, "error: $ must be a whole number from 1 to 12."],
    ["card.expiration_year", 2027, "note: $ has four digits, where the service shows two."],
    ["card.expiration_year", 127, "error: $ must have two or four digits, and has three."],
    ["card.expiration_year", 25, "warning: $ shows an expired card; check year and month."],
    ["payer", "x", "error: $ must be a JSON object."],
    ["card", [], "error: $ must be a JSON object."],
    ["card", null, "error: $ must be a JSON object."],
    ["payer.emial", "x", "warning: $ is no field of this request."],
    ["card\u001b", {}, "warning: card\\x1b is no field of this request."],
  ])("with %s = %j: %s", (path, value, findings) => {
    expect(verdictOn(path, value)).toBe(findings.replace("$", path));
  });

  test.each([
    "ann",
    "@example.com",
    "ann@",
    "a@b@example.com",
    "ann @example.com",
    "ann@exam ple.com",
    "ann@-x.com",
    "ann@x..com",
    `${"x".repeat(65)}@example.com`,
    "ann@[192.0.2.1]",
  ])("has no e-mail address in %j", (email) => {
    expect(verdictOn("payer.email", email)).toBe(
      "error: payer.email must be an e-mail address such as name@example.com.",
    );
  });

  test.each(["380501234567", "+0501234567", "+380 50 123", "+3805012345678901", "+", "++380501234567"])(
    "has no telephone number in %j",
    (phone) => {
      expect(verdictOn("payer.number_phone", phone)).toMatch(/^error: payer\.number_phone must /);
    },
  );

  test.each([
    [
      "payer.email",
      ["ann", "a", "x1", "-", ".", "..", "@", "+tag", "_", "UA", "é", "їж", " ", "(", "x".repeat(63)],
    ],
  ])("what is told at a glance of %s, its pattern matches", (path, pieces) => {
    const { isUsual, regex } = field(path).pattern!;
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (each) => {
        if (isUsual!(each)) expect(each).toMatch(regex);
      }),
      { numRuns: 3000 },
    );
    expect(isUsual!(String(field(path).example))).toBe(true);
  });

  test("an address is one exactly when the platform says so", () => {
    const part = fc.oneof(
      fc.nat({ max: 300 }).map(String),
      fc.constantFrom("", "0", "00", "01", "255", "256", "1e1", "a", ":", "::", "%0", "２"),
    );
    const text = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("."));
    fc.assert(
      fc.property(fc.oneof(text, fc.ipV4(), fc.ipV6()), (each) => {
        expect(checkIpAddress(each) === null).toBe(isIP(each) !== 0 && !each.includes("%"));
      }),
      { numRuns: 3000 },
    );
  });

  test("a card is valid through its last day", () => {
    const body = setPath(setPath(WHOLE, "card.expiration_month", 11), "card.expiration_year", 26);
    const at = (now: number) => validateBody(CHECK_FIELDS, body, { now }).length;
    expect(at(Date.UTC(2026, 11, 1) - 1)).toBe(0);
    expect(at(Date.UTC(2026, 11, 1))).toBe(1);
  });

  test("missing fields are warnings, and errors where they are said to be required", () => {
    expect(validateBody(CHECK_FIELDS, {}).map(({ path, severity }) => [path, severity])).toEqual([
      ["operation", "warning"],
      ["order_id", "warning"],
      ["amount", "warning"],
      ["currency", "warning"],
    ]);
    expect(validateBody(CHECK_FIELDS, {}, { required: ["amount", "payer.email"] })).toEqual([
      { path: "operation", severity: "warning", message: "operation is missing." },
      { path: "order_id", severity: "warning", message: "order_id is missing." },
      { path: "amount", severity: "error", message: "amount is required and missing." },
      { path: "currency", severity: "warning", message: "currency is missing." },
      { path: "payer.email", severity: "error", message: "payer.email is required and missing." },
    ]);
  });

  test("an inherited property is no field", () => {
    const body = Object.create({ amount: 1 }) as object;
    expect(
      validateBody(CHECK_FIELDS, body, { required: ["amount"] }).some(({ path }) => path === "amount"),
    ).toBe(true);
  });

  test.each([[null], [[]], ["x"], [1], [undefined]])("is no %j", (body) => {
    expect(validateBody(CHECK_FIELDS, body)).toEqual([
      { path: "", severity: "error", message: "The body must be a JSON object." },
    ]);
  });

  test.each(["1e3", "12.0", "-0", "9007199254740993"])("%s is no integer, by its raw token", (token) => {
    const { value, irregularNumbers } = parseStrictJson(`{"amount":${token},"card":{"cin_card":${token}}}`);
    const errors = validateBody(CHECK_FIELDS, value, { irregularNumbers }).filter(
      ({ severity }) => severity === "error",
    );
    expect(errors.map(({ path }) => path)).toEqual(["amount", "card.cin_card"]);
  });

  test("no message repeats a value", () => {
    const canary = "canary-7f3a";
    const values = [canary, `+${canary}`, [canary], { x: canary }, `${canary}@`, canary.repeat(200)];
    fc.assert(
      fc.property(fc.constantFrom(...CHECK_FIELDS), fc.constantFrom(...values), ({ path }, value) => {
        for (const { message } of validateBody(CHECK_FIELDS, setPath(WHOLE, path, value), { now: NOW })) {
          expect(message).not.toContain(canary);
          expect(message).toMatch(/^[a-z_.]+ [^.]*\S.*\.$/);
        }
      }),
    );
  });

  test("anything at all gives findings and never throws", () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...CHECK_FIELDS), (value, { path }) => {
        validateBody(CHECK_FIELDS, value);
        validateBody(CHECK_FIELDS, setPath(WHOLE, path, value), { now: NOW });
      }),
    );
  });
});

describe("a registration", () => {
  const registration = { merchant_id: "m-1", name: "Demo shop", currency: 980, risk_level: "medium" };
  const required = ["merchant_id", "name", "currency", "risk_level"];

  test("is whole without a description", () => {
    expect(validateBody(REGISTRATION_FIELDS, registration, { required })).toEqual([]);
  });

  test.each([
    ["currency", 804, "$ must be a currency number of ISO 4217; 804 is Ukraine, whose currency UAH is 980."],
    ["currency", undefined, "$ is required and missing."],
    ["risk_level", "High", "$ must be one of low, medium, high."],
    ["risk_level", "", "$ must be one of low, medium, high."],
    ["merchant_id", "", "$ must not be empty."],
    ["name", "x".repeat(129), "$ must have at most 128 characters, not 129."],
  ])("with %s = %j is refused", (path, value, message) => {
    expect(validateBody(REGISTRATION_FIELDS, setPath(registration, path, value), { required })).toEqual([
      { path, severity: "error", message: message.replace("$", path) },
    ]);
  });
});

describe("hints", () => {
  test.each([
    ["currency", 980, "UAH, 2 decimals, Hryvnia"],
    ["currency", 392, "JPY, 0 decimals, Yen"],
    ["currency", 959, "XAU, no minor unit, Gold"],
    ["currency", 1, null],
    ["amount", 12000, "120.00 UAH"],
    ["payer.payer_ip", "10.0.0.1", "IPv4, private network"],
    ["payer.payer_ip", "8.8.8.8", "IPv4, public"],
    ["payer.payer_ip", "203.0.113.7", "IPv4, documentation"],
    ["payer.payer_ip", "2001:db8::7", "IPv6, documentation"],
    ["payer.payer_ip", "240.0.0.1", "IPv4, reserved"],
    ["payer.payer_ip", "100.64.0.9", "IPv4, shared by a carrier"],
    ["payer.payer_ip", "127.0.0.1", "IPv4, loopback"],
    ["payer.payer_ip", "fd00::1", "IPv6, private network"],
    ["payer.payer_ip", "2a00:1450::1", "IPv6, public"],
    ["payer.payer_ip", "::ffff:10.0.0.1", "IPv4 written as IPv6, private network"],
    ["payer.payer_ip", "::1", "IPv6, loopback"],
    ["payer.payer_ip", "x", null],
    ["card.cin_card", 42, "sent as 42"],
    ["card.cin_card", 4242, null],
    ["payer.number_phone", "+380501234567", "Ukraine"],
    ["payer.number_phone", "+390612345678", "Italy or Holy See"],
    ["payer.number_phone", "+12025550143", "United States of America or 24 more"],
    ["payer.number_phone", "+38345123456", "Kosovo"],
    ["payer.number_phone", "+88161234567", "an international service"],
    ["payer.number_phone", "+21012345678", "no country has this code"],
    ["payer.number_phone", "0501234567", null],
    ["card.bin_card", 444433, "Visa"],
    ["card.bin_card", 51_000_000, "Mastercard"],
    ["card.bin_card", 222100, "Mastercard"],
    ["card.bin_card", 601111, "Discover"],
    ["card.bin_card", 607000, "RuPay"],
    ["card.bin_card", 506100, "Verve"],
    ["card.bin_card", 501800, "Maestro"],
    ["card.bin_card", 676300, "Maestro"],
    ["card.bin_card", 123456, "no known card scheme"],
    ["card.bin_card", 4111, null],
    ["card.expiration_year", 27, "end of 12/2027, in 13 months"],
    ["card.expiration_year", 24, "expired end of 12/2024, 23 months ago"],
    ["card.expiration_year", 127, null],
  ])("%s %j: %j", (path, value, hint) => {
    expect(hintOf(path, value)).toBe(hint);
  });

  test("an amount needs a currency, and a unit", () => {
    expect(hintOf("amount", 12000, {})).toBeNull();
    expect(hintOf("amount", 12000, { currency: 1 })).toBeNull();
    expect(hintOf("amount", 120, WHOLE, "major")).toBe("120 UAH");
  });

  test("a registration's currency has both readings", () => {
    const context: FieldContext = { body: {}, now: NOW, amountUnit: "minor" };
    expect(field("currency", REGISTRATION_FIELDS).hint?.(36, context)).toBe(
      "AUD, 2 decimals; as a country 036 is Australia",
    );
  });
});

describe("a field as typed", () => {
  test.each([
    ["card.cin_card", "0042", 42],
    ["card.cin_card", "0000", 0],
    ["card.cin_card", "42", 42],
    ["card.expiration_month", "05", 5],
    ["card.expiration_year", "07", 7],
    ["card.expiration_year", "2027", 2027],
    ["currency", "980", 980],
    ["currency", "036", 36],
    ["currency", "uah", 980],
    ["amount", " 12000 ", 12000],
    ["amount", "9007199254740991", 9007199254740991],
    ["operation", " payment ", " payment "],
    ["description", "", ""],
  ])("%s %j is %j", (path, text, value) => {
    expect(readField(field(path), text)).toEqual({ value });
  });

  test.each([
    ["amount", "", "$ must be a whole number from 0 to 9007199254740991."],
    [
      "amount",
      "012",
      "$ is sent as an integer, which keeps no leading zero: write it without, or leave the field out.",
    ],
    [
      "card.bin_card",
      "012345",
      "$ is sent as an integer, which keeps no leading zero: write it without, or leave the field out.",
    ],
    ["amount", "1e3", "$ must be a whole number from 0 to 9007199254740991."],
    ["amount", "12.0", "$ must be a whole number: 12000 for 120.00 where the service takes minor units."],
    ["amount", "-1", "$ must be a whole number from 0 to 9007199254740991."],
    ["amount", "0x10", "$ must be a whole number from 0 to 9007199254740991."],
    ["amount", "120 000", "$ must be a whole number from 0 to 9007199254740991."],
    ["card.cin_card", "00042", "$ must be a whole number from 0 to 9999."],
    ["card.expiration_month", "13", "$ must be a whole number from 1 to 12."],
    ["currency", "XYZ", "$ has three letters that are no currency of ISO 4217; use for example UAH or 980."],
    ["operation", "x".repeat(65), "$ must have at most 64 characters, not 65."],
  ])("%s %j is refused", (path, text, error) => {
    expect(readField(field(path), text)).toEqual({ error: error.replace("$", path) });
  });

  test("an integer beyond what is exact is refused, never rounded", () => {
    expect(readField(field("amount"), "9007199254740993")).toHaveProperty("error");
    expect(readField(field("amount"), "9".repeat(400))).toHaveProperty("error");
  });

  test("comes back as it was shown", () => {
    const integers = CHECK_FIELDS.filter(({ type }) => type === "integer");
    const pair = fc
      .constantFrom(...integers)
      .chain((each) => fc.tuple(fc.constant(each), fc.integer({ min: each.min!, max: each.max! })));
    fc.assert(
      fc.property(pair, ([each, value]) => {
        expect(readField(each, showField(each, value))).toEqual({ value });
      }),
    );
  });

  test("shows leading zeros where they belong, and raw JSON for what does not fit", () => {
    expect(showField(field("card.cin_card"), 42)).toBe("0042");
    expect(showField(field("card.expiration_month"), 5)).toBe("05");
    expect(showField(field("currency"), 36)).toBe("036");
    expect(showField(field("amount"), 42)).toBe("42");
    expect(showField(field("amount"), undefined)).toBe("");
    expect(showField(field("amount"), -1.5)).toBe("-1.5");
    expect(showField(field("operation"), "payment")).toBe("payment");
    expect(showField(field("operation"), ["x"])).toBe('["x"]');
  });

  test("is judged alone while it is typed", () => {
    const context: FieldContext = { body: {}, now: NOW, amountUnit: "minor" };
    expect(checkField(field("payer.email"), "ann", context)).toHaveLength(1);
    expect(checkField(field("payer.email"), "ann@example.com", context)).toEqual([]);
  });
});

describe("paths", () => {
  test("read own properties only", () => {
    expect(getPath(WHOLE, "payer.email")).toBe("ann@example.com");
    expect(getPath(WHOLE, "payer.toString")).toBeUndefined();
    expect(getPath(WHOLE, "operation.length")).toBeUndefined();
    expect(getPath(null, "x")).toBeUndefined();
  });

  test("write a copy", () => {
    const before = structuredClone(WHOLE);
    const after = setPath(WHOLE, "payer.email", "bob@example.com");
    expect(WHOLE).toEqual(before);
    expect(after).toEqual({ ...WHOLE, payer: { ...WHOLE.payer, email: "bob@example.com" } });
    expect(setPath({}, "card.bin_card", 411111)).toEqual({ card: { bin_card: 411111 } });
    expect(setPath({ card: "x" }, "card.bin_card", 411111)).toEqual({ card: { bin_card: 411111 } });
  });

  test("take out, and the emptied object with it", () => {
    expect(setPath({ amount: 1, payer: { email: "x" } }, "payer.email", undefined)).toEqual({ amount: 1 });
    expect(setPath({ payer: { email: "x", payer_id: "y" } }, "payer.email", undefined)).toEqual({
      payer: { payer_id: "y" },
    });
    expect(setPath({ amount: 1 }, "payer.email", undefined)).toEqual({ amount: 1 });
  });

  test("never reach a prototype", () => {
    const after = setPath({}, "__proto__.polluted", 1);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
  });

  test("what was written is read", () => {
    const key = fc.stringMatching(/^[a-z_]{1,8}$/);
    const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((keys) => keys.join("."));
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), path, fc.integer(), (body, where, value) => {
        expect(getPath(setPath(body, where, value), where)).toBe(value);
      }),
    );
  });
});
