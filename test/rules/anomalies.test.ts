// Names, mailboxes, telephone numbers and addresses that cannot be a person's, and those that can.

import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";
import { isBogon, readAddress, readNetwork } from "#src/rules/values/address.ts";
import { holderAnomaly, localRandomness } from "#src/rules/values/anomalies.ts";
import { phoneProblem } from "#src/rules/values/phone.ts";

describe("holderAnomaly", () => {
  it.each(["OLENA SAMPLE", "Ольга Ковальчук", "J. O'NEIL-SMITH", "Nguyễn Văn A", "李小龍", "Li"])(
    "%s is a name",
    (name) => expect(holderAnomaly(name)).toBe(""),
  );
  it.each(["", "X", "AAAA AA", "test", "Card  Holder", "OLENA 1", "a@b.c", "A".repeat(30) + "B".repeat(40)])(
    "%j is none",
    (name) => expect(holderAnomaly(name)).not.toBe(""),
  );
});

describe("localRandomness", () => {
  it.each(["olena.kovalenko", "schwarzschild", "night.owl", "oleksandr1985", "k3j9x", "marie-christine.b"])(
    "%s could be a person's",
    (local) => expect(localRandomness(local)).toBeLessThanOrEqual(40),
  );
  it.each(["k3x9q2w7z", "xkcdqwrtzp", "a8f3c2e1b9d7"])("%s looks drawn by lot", (local) =>
    expect(localRandomness(local)).toBeGreaterThan(60),
  );
});

describe("phoneProblem", () => {
  it.each(["+380501234567", "+1 212 555 0123", "+393331234567", "+4930123456"])("%s could exist", (phone) =>
    expect(phoneProblem(phone)).toBe(""),
  );
  it.each([
    "380501234567",
    "+2101234567",
    "+1112223333",
    "+11234567890",
    "+380000000000",
    "+49301",
    "+1234567890123456",
  ])("%s could not", (phone) => expect(phoneProblem(phone)).not.toBe(""));

  it("knows which countries share a code", () => {
    expect(countriesOfPhone("77012345678")).toEqual(["RU", "KZ"]);
    expect(countriesOfPhone("87012345678")).toEqual([]);
    expect(countriesOfPhone("2101234567")).toBeNull();
  });
});

describe("addresses", () => {
  it("are read and judged as the range library does", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = readAddress(text)!;
        expect(address.toString()).toBe(ipaddr.process(text).toString());
        expect(isBogon(address, [])).toBe(ipaddr.process(text).range() !== "unicast");
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(["203.0.113.0/24", "10.0.0.1", "2001:db8::/32", "::/0"])("%s is a network", (text) =>
    expect(readNetwork(text)).not.toBeNull(),
  );
  it.each(["203.0.113.0/33", "203.0.113/24", "a/8", "1.2.3.4/8/8", "1.2.3.4/", "1.2.3.4/-1"])(
    "%s is none",
    (text) => expect(readNetwork(text)).toBeNull(),
  );
});
