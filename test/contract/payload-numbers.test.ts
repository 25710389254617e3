// Numbers of unknown fields are sent with the value that the file has, or refused with their path.

import { describe, expect, it } from "vitest";
import { readPayload } from "#src/contract/fields/payload.ts";

const read = (text: string) => readPayload(Buffer.from(text), "x.json", [], 0).request;
const CHECK = '"operation":"payment","order_id":"a-1","amount":12000,"currency":980';

const PLACES: readonly (readonly [path: string, text: string])[] = [
  ["merchant_ref", `{${CHECK},"merchant_ref":N}`],
  ["card.token", `{${CHECK},"card":{"token":N}}`],
  ["more.deep.2.ref", `{${CHECK},"more":{"deep":[1,2,{"ref":N}]}}`],
  ["refs.1", `{"name":"n","at":1773651612400.0,"request":{${CHECK},"refs":[0,N]}}`],
];

describe.each(PLACES)("a number at %s", (path, text) => {
  it.each([
    "4634343214213523454",
    "9007199254740993",
    "-9007199254740993",
    "0.12345678901234567890",
    "1234567890123456.78",
    "-0",
    "-0.0",
    "1e-400",
    "9.007199254740993e15",
  ])("is refused where its value would change: %s", (token) => {
    expect(() => read(text.replace("N", token))).toThrow(
      `x.json: ${path} is a number that cannot be sent as it is written; write it in quotes.`,
    );
  });

  it.each([
    ["0.1", "0.1"],
    ["1.10", "1.1"],
    ["12.0", "12"],
    ["1e2", "100"],
    ["1E+2", "100"],
    ["10e-1", "1"],
    ["0.000", "0"],
    ["0e7", "0"],
    ["1e22", "1e+22"],
    ["1.50e-7", "1.5e-7"],
    ["-1.0", "-1"],
    ["9007199254740992", "9007199254740992"],
    ["100000000000000000000", "100000000000000000000"],
    ["1000000000000000000000000", "1e+24"],
  ])("is sent with its value: %s", (token, sent) => {
    const last = path.split(".").at(-1)!;
    expect(JSON.stringify(read(text.replace("N", token)))).toMatch(
      last === "1" ? `[0,${sent}]` : `"${last}":${sent}}`,
    );
  });
});

it("of a known field is told by that field, and others beside it", () => {
  const text = `{${CHECK.replace("12000", "1e4")},"a":-0,"b":-0}`;
  expect(() => read(text)).toThrow(
    /amount must be a whole number .* without point or exponent; also wrong: a, b\.$/,
  );
});

it("is not asked about where --set replaces it", () => {
  const text = `{${CHECK.replace("12000", "9007199254740993")}}`;
  expect(readPayload(Buffer.from(text), "x.json", ["amount=5"], 0).request.amount).toBe(5);
});
