import { expect, test } from "vitest";
import { formatMoney } from "#src/display/money.ts";

test.each([
  [12000, 980, "120.00 UAH"],
  [240000, 978, "2 400.00 EUR"],
  [980, 392, "980 JPY"],
  [100, 959, "100 XAU"],
  [12000, 804, "120.00 UAH"],
  [12000, 10, "12000 (currency 10)"],
  [12000, undefined, "12000"],
  [12000, null, "12000"],
  [undefined, 980, "no amount"],
  [1.5, 980, "1.5 UAH"],
])("%j in %j is %s", (amount, currency, text) => {
  expect(formatMoney(amount, currency)).toBe(text);
});

test("major units are shown as they are", () => {
  expect(formatMoney(120, 980, "major")).toBe("120 UAH");
});
