import fc from "fast-check";
import { expect, test } from "vitest";
import { createNonce, formatTime, isNonce, parseTime } from "#src/signing/recipes/time-format.ts";

const FORMATS = ["http-date", "unix-s", "unix-ms", "iso8601", "amz-basic"] as const;

test("times are written as their standards say", () => {
  // RFC 9110 section 5.6.7
  const at = Date.UTC(1994, 10, 6, 8, 49, 37);
  expect(FORMATS.map((format) => formatTime(format, at))).toEqual([
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "784111777",
    "784111777000",
    "1994-11-06T08:49:37.000Z",
    "19941106T084937Z",
  ]);
});

test("what is written is read back to the second", () => {
  fc.assert(
    fc.property(fc.constantFrom(...FORMATS), fc.integer({ min: 0, max: 4102444800 }), (format, seconds) => {
      expect(parseTime(format, formatTime(format, seconds * 1000))).toBe(seconds * 1000);
    }),
  );
});

test("a text that was just read in one format is read anew in another", () => {
  expect(parseTime("unix-s", "784111777")).toBe(784111777000);
  expect(parseTime("unix-ms", "784111777")).toBe(784111777);
  expect(parseTime("http-date", "784111777")).toBe(null);
  expect(parseTime("http-date", "784111777")).toBe(null);
  expect(parseTime("unix-s", "784111777")).toBe(784111777000);
});

test.each([
  ["http-date", "Sunday, 06-Nov-94 08:49:37 GMT"],
  ["http-date", "Mon, 06 Nov 1994 08:49:37 GMT"],
  ["http-date", "Sun, 06 Nov 1994 08:49:37 +0000"],
  ["http-date", "Sun, 6 Nov 1994 08:49:37 GMT"],
  ["http-date", ""],
  ["unix-s", "0784111777"],
  ["unix-s", "1e9"],
  ["unix-s", " 1"],
  ["unix-s", ""],
  ["unix-ms", "1.5"],
  ["unix-ms", "9e99"],
  ["iso8601", "1994-11-06"],
  ["iso8601", "1994-02-31T08:49:37.000Z"],
  ["amz-basic", "19941106T084937"],
] as const)("%s does not read %j", (format, text) => {
  expect(parseTime(format, text)).toBeNull();
});

test("nonces have their form and differ", () => {
  for (const format of ["uuid4", "hex:32"] as const) {
    const [one, other] = [createNonce(format), createNonce(format)];
    expect(isNonce(format, one)).toBe(true);
    expect(one).not.toBe(other);
    expect(isNonce(format, `${one}0`)).toBe(false);
    expect(isNonce(format, one.replace(/./, "x"))).toBe(false);
  }
});
