// What an option takes and goes with, as its table says it.

import { describe, expect, it, test } from "vitest";
import {
  flag,
  flagOf,
  instant,
  names,
  oneOf,
  option,
  portion,
  readOptions,
  seconds,
  text,
  whole,
} from "#src/cli/option.ts";

const TABLE = {
  limit: option(whole(1, 9), "how many", { default: "3", variable: "TEST_LIMIT" }),
  wait: option(seconds(0, 90), "how long"),
  at: option(instant, "when"),
  kind: option(oneOf("<kind>", ["a", "b"]), "of which kind"),
  most: option(portion("1%"), "at most"),
  only: option(names("names"), "only these", { repeatable: true }),
  auto: option(seconds(1, 9), "by itself", { value: "[duration]", alone: "5" }),
  magic: flag("no magic", { off: true, variable: "TEST_NO_MAGIC" }),
  update: flag("write it", { needs: "file" }),
  file: text("<file>", "a file", { excludes: ["kind"], writes: "data" }),
  rules: text("<rules>", "rules", { implies: "isolated" }),
  isolated: flag("alone"),
};
const read = (given: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv = {}) =>
  readOptions(TABLE, (name) => given[name], env).values;

test("what is left out has its default, and what is given its type", () => {
  expect(read({})).toEqual({
    limit: 3,
    wait: undefined,
    at: undefined,
    kind: undefined,
    most: undefined,
    only: [],
    auto: undefined,
    magic: true,
    update: false,
    file: undefined,
    rules: undefined,
    isolated: false,
  });
  const given = { limit: "9", wait: "1m", at: "1970-01-02", kind: "b", only: ["x, y", "z"], auto: true };
  expect(read({ ...given, magic: false, rules: "r" })).toMatchObject({
    limit: 9,
    wait: 60,
    at: 86_400_000,
    kind: "b",
    only: [["x", "y"], ["z"]],
    auto: 5,
    magic: false,
    isolated: true,
  });
  expect(read({ file: "-" })["file"]).toBe("-");
});

test("a variable sets what the command line leaves out", () => {
  expect(read({}, { TEST_LIMIT: "4", TEST_NO_MAGIC: "true" })).toMatchObject({ limit: 4, magic: false });
  expect(read({ limit: "5" }, { TEST_LIMIT: "x" })).toMatchObject({ limit: 5 });
});

describe("a refusal names where the value came from, and what to do", () => {
  it.each([
    [{ limit: "0" }, {}, '--limit takes a whole number from 1 to 9, not "0".'],
    [{}, { TEST_LIMIT: "10" }, 'TEST_LIMIT takes a whole number from 1 to 9, not "10".'],
    [{}, { TEST_LIMIT: "" }, "TEST_LIMIT needs a value; correct or unset it."],
    [{}, { TEST_NO_MAGIC: "1" }, 'TEST_NO_MAGIC takes true or false, not "1"; correct or unset it.'],
    [{ kind: "c" }, {}, '--kind takes a or b, not "c".'],
    [{ only: ["x,,y"] }, {}, '--only takes names, not "x,,y".'],
    [{ update: true }, {}, "--update needs --file <file>; add it, or leave --update out."],
    [{ file: "f", kind: "a" }, {}, "--file and --kind exclude each other; leave one of them out."],
  ])("%o %o", (given, env, sentence) => {
    expect(() => read(given, env)).toThrow(sentence);
  });
});

test.each([
  ["stopAfter", "--stop-after"],
  ["canForce3ds", "--can-force-3ds"],
  ["maxP95", "--max-p95"],
])("%s is %s", (name, long) => {
  expect(flagOf(name)).toBe(long);
});
