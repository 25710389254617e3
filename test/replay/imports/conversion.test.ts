// Conversions of a map: what the columns of other programs' exports become.

import { describe, expect, test } from "vitest";

import { minorAmount, withoutExponent } from "#src/contract/lists/currency.ts";
import { importText } from "./importing.ts";

/** One payment of a table of one column and an order id; its problem where it is none. */
async function converted(column: string, cell: string, ...fields: readonly string[]): Promise<unknown> {
  const map = fields.map((field) => `${column}=${field}`);
  const words = { map, set: ["currency=EUR"] };
  const { payloads, untaken } = await importText("t.csv", `order_id;${column}\no;${cell}\n`, words);
  return untaken[0] ?? payloads[0];
}

test.each([
  ["06/2027", 6, 2027],
  ["6/2027", 6, 2027],
  ["2027-06", 6, 2027],
  ["06/27", 6, 27],
  ["27-06", 6, 27],
  ["0627", 6, 27],
  ["2706", 6, 27],
  ["062027", 6, 2027],
  ["202006", 6, 2020],
  ["12.2031", 12, 2031],
])("expiry reads %s in one column", async (cell, month, year) => {
  const found = await converted("Exp", cell, "card.expiration_month:expiry", "card.expiration_year:expiry");
  expect(found).toMatchObject({ request: { card: { expiration_month: month, expiration_year: year } } });
});

test.each(["11/12", "1112", "13/2027", "00/27", "6/7", "June 2027", "2027", "06/20277"])(
  "expiry refuses %s",
  async (cell) => {
    const found = await converted("Exp", cell, "card.expiration_month:expiry", "card.expiration_year:expiry");
    expect(found).toContain("must be a month and a year such as 06/2027");
  },
);

test("a month and a year that no conversion reads are told of it", async () => {
  expect(await converted("Exp", "06/2027", "card.expiration_month")).toContain(
    '--map "COLUMN=card.expiration_month:expiry"',
  );
});

test.each([
  ["seconds since 2017-12-01", "86469", "2017-12-02T00:01:09.000Z"],
  ["seconds since 2013-09-01 00:00", "1e+05", "2013-09-02T03:46:40.000Z"],
  ["hours since 2026-01-01", "25", "2026-01-02T01:00:00.000Z"],
  ["days since 2026-01-01", "0", "2026-01-01T00:00:00.000Z"],
  ["minutes since 2026-01-01T10:00Z", "1.5", "2026-01-01T10:01:30.000Z"],
])("at:%s counts %s", async (word, cell, at) => {
  expect(await converted("step", cell, `at:${word}`)).toMatchObject({ at });
});

test.each(["-1", "x", "1e99", "0x10"])("a count since a start refuses %s", async (cell) => {
  expect(await converted("step", cell, "at:days since 2026-01-01")).toContain("must be a count of days");
});

test("a count needs a start that is a time", async () => {
  await expect(converted("step", "1", "at:hours since Monday")).rejects.toThrow("is no conversion to at");
  expect(await converted("step", "86400", "at")).toContain("at:seconds since 2026-01-01");
});

describe("the zone of a column", () => {
  const read = async (order: string, when: string, zone: string): Promise<unknown> => {
    const words = { map: ["n=order_id", `when=at:${order}zone Time Zone`] };
    const { payloads, untaken } = await importText("t.csv", `n;when;Time Zone\no;${when};${zone}\n`, words);
    return untaken[0] ?? payloads[0]!["at"];
  };

  test.each([
    ["", "2026-01-15 12:00:00", "CET", "2026-01-15T11:00:00.000Z"],
    ["", "2026-07-15 12:00:00", "CEST", "2026-07-15T10:00:00.000Z"],
    ["", "2026-07-15 12:00", "PDT", "2026-07-15T19:00:00.000Z"],
    ["", "2026-01-15 12:00", "PST", "2026-01-15T20:00:00.000Z"],
    ["", "2026-01-15 12:00", "+02:00", "2026-01-15T10:00:00.000Z"],
    ["", "2026-01-15 12:00Z", "-0530", "2026-01-15T12:00:00.000Z"],
    ["", "2026-07-15", "+05:30", "2026-07-14T18:30:00.000Z"],
    ["", "2026-07-15", "PDT", "2026-07-15T07:00:00.000Z"],
    ["DD.MM.YYYY ", "15.07.2026", "-0300", "2026-07-15T03:00:00.000Z"],
    ["DD.MM.YYYY ", "15.07.2026 12:00", "Europe/Kyiv", "2026-07-15T09:00:00.000Z"],
  ])("reads %j %s in %s", async (order, when, zone, at) => {
    expect(await read(order, when, zone)).toBe(at);
  });

  test.each(["", "BST", "Middle-earth"])("refuses %j, which is none or several", async (zone) => {
    expect(await read("", "2026-01-15 12:00", zone)).toContain('"Time Zone" holds none such as Europe/Kyiv');
  });

  test("is a column of the file", async () => {
    const words = { map: ["a=at:zone b"] };
    await expect(importText("t.csv", "a,order_id\n1,o", words)).rejects.toThrow('has no column "b"');
    const template = '{"at":"{{a:zone b}}","order_id":"{{c}}"}';
    const { payloads } = await importText("t.csv", "a,b,c\n2026-01-15 12:00,CET,o", {}, { template });
    expect(payloads).toMatchObject([{ at: "2026-01-15T11:00:00.000Z" }]);
  });
});

describe("lists of values", () => {
  const words = ["outcome:fraudulent=fraud,*=chargeback,empty=good"];

  test.each([
    ["fraudulent", "fraud"],
    ["duplicate", "chargeback"],
    ["", "good"],
    [" ", "good"],
  ])("give %j a meaning", async (cell, outcome) => {
    expect(await converted("Reason", cell, ...words)).toMatchObject({ outcome });
  });

  test("give what a row of JSON does not have a meaning", async () => {
    const { payloads } = await importText("t.ndjson", '{"order_id":"o","r":null}\n{"order_id":"p","r":"x"}', {
      map: ["r=outcome:x=fraud,empty=good"],
    });
    expect(payloads.map(({ outcome }) => outcome)).toEqual(["good", "fraud"]);
  });
});

test.each(["'M348934600'", '"M348934600"', "M348934600"])("unquoted takes the quotes of %s", async (cell) => {
  const { payloads } = await importText("t.csv", `n|a\no|${cell}\n`, {
    map: ["n=order_id", "a=terminal_id:unquoted"],
  });
  expect(payloads).toMatchObject([{ request: { terminal_id: "M348934600" } }]);
});

test.each([
  ["37.098", "amount:major rounded", 3710],
  ["15.555", "amount:major rounded", 1556],
  ["9.999", "amount:major rounded", 1000],
  ["1e3", "amount:major rounded", 100_000],
  ["1.5E-1", "amount:major rounded", 15],
  ["1.250,005", "amount:major-comma rounded", 125_001],
  ["1e3", "amount:major-comma rounded", 100_000],
  ["1,5e2", "amount:major-comma rounded", 15_000],
  ["57", "amount:minor", 57],
])("%s with %s is %i", async (cell, field, amount) => {
  expect(await converted("sum", cell, field)).toMatchObject({ request: { amount } });
});

test("rounding is by choice, and the refusal says how", async () => {
  expect(await converted("sum", "37.098", "amount:major")).toContain('"rounded" behind the conversion');
  expect(await converted("sum", "-1", "amount:major rounded")).toContain("with no sign.");
  expect(await converted("sum", "1.234e0", "amount:major-comma rounded")).toContain("such as 57,16");
  expect(minorAmount(withoutExponent("1e99", "."), 2, ".", "round")).toBeNull();
});

describe("a filter of rows", () => {
  const text = "id,Status,a=b\n1,Paid,x\n2,Failed,x\n3,Settled,y\n4,,x\n";
  const map = ["id=order_id"];
  const taken = async (...only: readonly string[]): Promise<unknown> => {
    const { payloads, untaken } = await importText("t.csv", text, { map, only, ignoreOthers: true });
    expect(untaken).toEqual([]);
    return payloads.map(({ request }) => (request as { order_id: string }).order_id).join("");
  };

  test("takes rows of the values that it names, all filters together", async () => {
    expect(await taken("Status=Paid, Settled")).toBe("13");
    expect(await taken("Status=")).toBe("4");
    expect(await taken("Status=Paid,Settled", "a=b=y")).toBe("3");
  });

  test("names a column of the file, which needs no other option", async () => {
    await expect(taken("Stat=Paid")).rejects.toThrow("--only takes COLUMN=VALUE, such as Status=Paid, and");
    const { payloads } = await importText("t.csv", "id,Status\n1,Paid\n2,Failed\n", {
      map,
      only: ["Status=Paid"],
    });
    expect(payloads).toHaveLength(1);
  });
});

test("a BIN that begins with 0 is left out of a reduced card number", async () => {
  const { payloads } = await importText("t.csv", "order_id,cc\no,060412345674\n", { reducePan: ["cc"] });
  expect(payloads).toEqual([{ request: { order_id: "o", card: { cin_card: 5674 } } }]);
});
