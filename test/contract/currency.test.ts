import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { registrationFields } from "#src/contract/fields/registration-fields.ts";
import { checkField, readField } from "#src/contract/fields/validate.ts";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";
import {
  bothReadings,
  likelyCurrencyText,
  readCountry,
  readCurrency,
} from "#src/contract/lists/currency-words.ts";
import {
  CURRENCY_NUMBERS,
  countryByAlpha,
  countryByNumeric,
  currencyByAlpha,
  currencyByNumeric,
  currencyOfNumber,
  likelyCurrencyForCountry,
  minorAmount,
  minorUnits,
  moneyText,
} from "#src/contract/lists/currency.ts";

const CURRENCIES = CURRENCY_NUMBERS.map((numeric) => currencyByNumeric(numeric)!);

describe("the table of ISO 4217", () => {
  test("is whole: 178 entries, no number or code twice, every decimal known", () => {
    expect(CURRENCIES).toHaveLength(178);
    expect(new Set(CURRENCIES.map((currency) => currency.numeric)).size).toBe(178);
    expect(new Set(CURRENCIES.map((currency) => currency.alpha)).size).toBe(178);
    for (const { numeric, alpha, minorUnits: decimals, name } of CURRENCIES) {
      expect(numeric).toBeGreaterThan(0);
      expect(numeric).toBeLessThan(1000);
      expect(alpha).toMatch(/^[A-Z]{3}$/);
      expect([0, 2, 3, 4, null]).toContain(decimals);
      expect(name).not.toBe("");
    }
  });

  test.each([
    [980, "UAH", 2],
    [978, "EUR", 2],
    [840, "USD", 2],
    [36, "AUD", 2],
    [8, "ALL", 2],
    [392, "JPY", 0],
    [410, "KRW", 0],
    [152, "CLP", 0],
    [48, "BHD", 3],
    [414, "KWD", 3],
    [788, "TND", 3],
    [990, "CLF", 4],
    [927, "UYW", 4],
    [959, "XAU", null],
    [963, "XTS", null],
    [999, "XXX", null],
  ])("%d is %s with %j decimals", (numeric, alpha, decimals) => {
    expect(currencyByNumeric(numeric)).toMatchObject({ numeric, alpha, minorUnits: decimals });
    expect(currencyByAlpha(alpha.toLowerCase())?.numeric).toBe(numeric);
    expect(minorUnits(numeric)).toBe(decimals);
  });

  test("agrees with the platform's own data on decimals in everyday use", () => {
    // The platform rounds some currencies by custom; those with 3 decimals, and the rest of this list, it takes from the standard.
    for (const alpha of [
      "EUR",
      "USD",
      "UAH",
      "PLN",
      "GBP",
      "JPY",
      "KRW",
      "VND",
      "BHD",
      "KWD",
      "OMR",
      "JOD",
      "TND",
    ]) {
      const { maximumFractionDigits } = new Intl.NumberFormat("en", {
        style: "currency",
        currency: alpha,
      }).resolvedOptions();
      expect(currencyByAlpha(alpha)?.minorUnits, alpha).toBe(maximumFractionDigits);
    }
  });

  test("does not know what is none", () => {
    for (const numeric of [0, -1, 1, 804, 1000, 980.5, NaN])
      expect(currencyByNumeric(numeric)).toBeUndefined();
    for (const alpha of ["", "UA", "XBT", "980"]) expect(currencyByAlpha(alpha)).toBeUndefined();
    expect(minorUnits(804)).toBeNull();
  });
});

describe("a currency number read as a country", () => {
  test("60 of the 178 are no country at all", () => {
    expect(CURRENCIES.filter(({ numeric }) => countryByNumeric(numeric) === undefined)).toHaveLength(60);
    for (const numeric of [978, 980, 985]) expect(countryByNumeric(numeric)).toBeUndefined();
  });

  test.each([
    [804, 980],
    [276, 978],
    [616, 985],
    [642, 946],
    [100, 978],
    [840, undefined],
    [10, undefined],
    [1, undefined],
  ])("%d probably means %j", (numeric, currency) => {
    expect(likelyCurrencyForCountry(numeric)?.numeric).toBe(currency);
  });

  test("every country's currency is in the table, and its number has three digits at most", () => {
    let countries = 0;
    for (let numeric = 0; numeric < 1000; numeric++) {
      const country = countryByNumeric(numeric);
      if (country === undefined) continue;
      countries += 1;
      expect(country.name).not.toBe("");
      for (const alpha of country.currencies) expect(currencyByAlpha(alpha), country.name).toBeDefined();
    }
    expect(countries).toBe(249);
  });

  test("says both readings", () => {
    expect(bothReadings(978)).toBe("EUR, 2 decimals");
    expect(bothReadings(36)).toBe("AUD, 2 decimals; as a country 036 is Australia");
    expect(bothReadings(804)).toBe("no currency; as a country 804 is Ukraine");
    expect(bothReadings(1)).toBe("no currency");
    expect(likelyCurrencyText(804)).toBe("804 is Ukraine, whose currency UAH is 980");
    expect(likelyCurrencyText(975)).toBe("975 was BGN, which EUR (978) replaced on 2026-01-01");
    expect(likelyCurrencyText(810)).toBe("810 was RUR, which RUB (643) replaced on 1998-01-01");
    const currencyField = checkFields().find(({ path }) => path === "currency")!;
    expect(readField(currencyField, "bgn")).toEqual({
      error: "currency names BGN, which EUR (978) replaced on 2026-01-01; its number was 975.",
    });
    expect(readField(currencyField, "XYZ")).toEqual({
      error: "currency has three letters that are no currency of ISO 4217; use for example UAH or 980.",
    });
    expect(likelyCurrencyText(1)).toBe("use for example 980 for UAH or 978 for EUR");
    expect(bothReadings(959)).toBe("XAU, no minor unit");
    expect(readCurrency("uah")).toBe(980);
    expect(readCurrency("980")).toBeNull();
  });
});

describe("moneyText", () => {
  test.each([
    [12000, 980, "120.00 UAH"],
    [240000, 978, "2 400.00 EUR"],
    [0, 980, "0.00 UAH"],
    [5, 980, "0.05 UAH"],
    [-5, 980, "-0.05 UAH"],
    [99, 48, "0.099 BHD"],
    [12000, 392, "12 000 JPY"],
    [12345678, 990, "1 234.5678 CLF"],
    [100, 959, "100 XAU"],
    [9007199254740991, 980, "90 071 992 547 409.91 UAH"],
  ])("%d in %d is %s", (amount, numeric, text) => {
    expect(moneyText(amount, numeric)).toBe(text);
  });

  test("says nothing about what it cannot know", () => {
    expect(moneyText(12000, 804)).toBeNull();
    expect(moneyText(1.5, 980)).toBeNull();
    expect(moneyText(2 ** 53, 980)).toBeNull();
  });

  test("loses no digit", () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.constantFrom(...CURRENCIES),
        (amount, { numeric, minorUnits: decimals }) => {
          const number = moneyText(amount, numeric)!.split(" ").slice(0, -1).join("");
          expect(number.split(".")[1]?.length ?? 0).toBe(decimals ?? 0);
          expect(BigInt(number.replace(".", ""))).toBe(BigInt(amount));
        },
      ),
    );
  });
});

describe("countries by two letters", () => {
  test("are those of the calling codes, but for Kosovo, which ISO 3166 does not have", () => {
    const codes = Array.from(
      { length: 999 },
      (_, number) => countriesOfPhone(String(number + 1)) ?? [],
    ).flat();
    const unknown = [...new Set(codes)].filter((alpha) => countryByAlpha(alpha) === undefined);
    expect(unknown).toEqual(["XK"]);
  });

  test.each([
    ["UA", "Ukraine"],
    ["GB", "United Kingdom"],
    ["US", "United States of America"],
    ["DE", "Germany"],
  ])("%s is %s", (alpha, name) => expect(countryByAlpha(alpha)?.name).toContain(name));
});

describe("a number of ISO 3166-1", () => {
  const [country] = checkFields("iso-3166-1").filter(({ path }) => path === "currency");
  const context = { body: {}, now: 0, amountUnit: "minor" } as const;

  test.each([
    [804, "Ukraine: UAH, 2 decimals", 980],
    [276, "Germany: EUR, 2 decimals", 978],
    [392, "Japan: JPY, 0 decimals", 392],
    [222, "El Salvador: no single currency, but USD or SVC", undefined],
    [10, "Antarctica: no currency", undefined],
    [978, null, undefined],
  ])("%d is %j", (numeric, words, currency) => {
    expect(country!.hint!(numeric, context)).toBe(words);
    expect(currencyOfNumber(numeric, "iso-3166-1")?.numeric).toBe(currency);
    expect(checkField(country!, numeric, context)).toHaveLength(words === null ? 1 : 0);
  });

  test("is also read from the letters of the country, or of its currency", () => {
    for (const letters of ["ua", "UAH"]) expect(readField(country!, letters)).toEqual({ value: 804 });
    expect(readField(country!, "EUR")).toEqual({
      error: expect.stringContaining("letters of a country or its currency such as UA or UAH"),
    });
  });

  test("is the currency of the amount beside it", () => {
    const [amount] = checkFields("iso-3166-1").filter(({ path }) => path === "amount");
    const hint = (currency: number) => amount!.hint!(12_000, { ...context, body: { currency } });
    expect(hint(804)).toBe("120.00 UAH");
    expect(hint(222)).toBeNull();
  });

  test("is one of a registration as well", () => {
    const paths = (fields: readonly Field[]) => fields.map(({ path }) => path);
    expect(paths(registrationFields("iso-3166-1"))).toEqual(paths(registrationFields()));
    const currency = registrationFields("iso-3166-1").find(({ path }) => path === "currency");
    expect(checkField(currency!, 978, context)).toMatchObject([{ severity: "error" }]);
  });
});

describe("an amount in major units", () => {
  test("is exact in minor ones, for every currency and every amount", () => {
    const currencies = fc.constantFrom(...CURRENCY_NUMBERS);
    fc.assert(
      fc.property(currencies, fc.maxSafeNat(), (numeric, amount) => {
        const decimals = minorUnits(numeric) ?? 0;
        const [text] = moneyText(amount, numeric)!.split(/ (?=[A-Z])/);
        expect(minorAmount(text!, decimals)).toBe(amount);
        expect(minorAmount(text!.replaceAll(" ", ","), decimals)).toBe(amount);
        expect(
          minorAmount(
            text!.replaceAll(" ", ".").replace(/\.(?=\d*$)/, decimals === 0 ? "." : ","),
            decimals,
            ",",
          ),
        ).toBe(amount);
        // Division of bigints, in place of digits that are moved.
        const scale = 10n ** BigInt(decimals);
        const fraction = String(BigInt(amount) % scale).padStart(decimals, "0");
        const plain = decimals === 0 ? String(amount) : `${BigInt(amount) / scale}.${fraction}`;
        expect(minorAmount(plain, decimals)).toBe(amount);
        expect(minorAmount(`${plain}${decimals === 0 ? ".0" : "0"}`, decimals)).toBe(amount);
      }),
    );
  });

  test.each([
    ["57.16", 2, ".", 5716],
    ["1.005", 3, ".", 1005],
    ["57.1", 2, ".", 5710],
    ["57", 2, ".", 5700],
    ["0.07", 2, ".", 7],
    ["1,234.5", 2, ".", 123_450],
    ["1.234,5", 2, ",", 123_450],
    ["1\u00a0234,50", 2, ",", 123_450],
    ["57.165", 2, ".", null],
    ["57,16", 2, ".", null],
    ["12,34.5", 2, ".", null],
    ["12.5", 0, ".", null],
    ["-1", 2, ".", null],
    ["+1", 2, ".", null],
    [".5", 2, ".", null],
    ["5.", 2, ".", null],
    ["1e3", 2, ".", null],
    ["57.16 EUR", 2, ".", null],
    ["\u0665", 2, ".", null],
    ["90071992547409.92", 2, ".", null],
    ["9".repeat(400), 2, ".", null],
  ] as const)("%j with %i decimals behind %j is %j", (text, decimals, mark, amount) => {
    expect(minorAmount(text, decimals, mark)).toBe(amount);
  });
});

test.each([
  ["UA", 804],
  ["uah", 804],
  ["USD", 840],
  ["PLN", 616],
  ["EUR", null],
  ["XAF", null],
  ["ZZZ", null],
])("as the country of a registration, %s is %j", (text, expected) => {
  expect(readCountry(text)).toBe(expected);
});
