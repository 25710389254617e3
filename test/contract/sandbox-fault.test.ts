import { expect, test } from "vitest";
import {
  checkFaultOrder,
  faultShareText,
  faultText,
  readFault,
  type FaultWords,
} from "#src/contract/wire/sandbox-fault.ts";

const words = (text: string, options: Partial<FaultWords> = {}): FaultWords => {
  const [on, what, value] = text.split(" ");
  return { on, what, value, rate: undefined, count: undefined, retryAfter: undefined, ...options };
};

test.each([
  [
    "check 503",
    { rate: "0.2", count: "10", retryAfter: "5" },
    "status 503, Retry-After 5 s",
    "20% of the requests, 10 of 10 left",
  ],
  ["all reset", { rate: "0.015" }, "connection reset", "1.5% of the requests"],
  ["check latency 200ms", {}, "latency 200 ms", "every request"],
  ["register latency 100ms..2s", {}, "latency 100 ms to 2 s", "every request"],
  [
    "credential latency 200ms~50ms",
    { count: "1" },
    "latency around 200 ms, deviation 50 ms",
    "every request, 1 of 1 left",
  ],
  ["check slow-body", {}, "slow body, over 5 s", "every request"],
  ["check slow-body 1s", {}, "slow body, over 1 s", "every request"],
  ["check truncated", {}, "truncated body", "every request"],
  ["check duplicate-keys", {}, "duplicate keys in the body", "every request"],
  ["check garbage", {}, "a body that is not JSON", "every request"],
  ["check timeout", {}, "no answer", "every request"],
])("%s %o", (text, options, what, share) => {
  const order = readFault(words(text, options));
  expect(faultText(order)).toBe(what);
  expect(faultShareText({ ...order, id: "f-1", made: 0 })).toBe(share);
  // What goes over the wire is read as what was typed.
  expect(checkFaultOrder(JSON.parse(JSON.stringify(order)))).toEqual(order);
});

test.each([
  ["", {}, /place/],
  ["checks 503", {}, /place: check, register/],
  ["check", {}, /status from 400 to 599/],
  ["check 200", {}, /status from 400 to 599/],
  ["check 5030", {}, /status/],
  ["check 503 5s", {}, /takes no value/],
  ["check latency", {}, /duration/],
  ["check latency 200", {}, /duration such as/],
  ["check latency 400ms..100ms", {}, /shorter to the longer/],
  ["check latency 3m", {}, /up to 120 s/],
  ["check latency 1ms..2ms..3ms", {}, /duration/],
  ["check reset", { retryAfter: "5" }, /belongs to a status/],
  ["check 503", { rate: "0" }, /--rate/],
  ["check 503", { rate: "1.1" }, /--rate/],
  ["check 503", { rate: "often" }, /--rate/],
  ["check 503", { count: "0" }, /--count/],
  ["check 503", { count: "1.5" }, /--count/],
  ["check 503", { retryAfter: "-1" }, /--retry-after/],
])("refuses %j %o in words", (text, options, sentence) => {
  expect(() => readFault(words(text, options))).toThrow(sentence);
});

test.each([
  null,
  [],
  {},
  { on: "check" },
  { on: "check", effect: { do: {} }, rate: 1 },
  { on: [], effect: 5 },
])("refuses %j from the wire", (value) => {
  expect(() => checkFaultOrder(value)).toThrow(/fault/i);
});
