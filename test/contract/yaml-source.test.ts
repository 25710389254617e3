// Texts and keys of YAML files are read as they are written, or refused.

import { describe, expect, it } from "vitest";
import { YamlSource } from "#src/contract/text/yaml-source.ts";

const NOT_TEXTS: readonly (readonly [written: string, problem: string])[] = [
  ["00123", ", not a number. Write it in quotes."],
  ["1e5", ", not a number. Write it in quotes."],
  ["0x10", ", not a number. Write it in quotes."],
  ["0o17", ", not a number. Write it in quotes."],
  ["+5", ", not a number. Write it in quotes."],
  [".inf", ", not a number. Write it in quotes."],
  ["4634343214213523454", ", not a number. Write it in quotes."],
  ["True", ", not a boolean. Write it in quotes."],
  ["null", ", not null. Write it in quotes."],
  ["~", ", not null. Write it in quotes."],
  ["", ""],
  ["[a]", ""],
  ["{ a: b }", ""],
];

function valueOf(text: string): { source: YamlSource; value: Parameters<YamlSource["text"]>[0] } {
  const source = new YamlSource(text, "a.yaml");
  return { source, value: source.entries(source.root, "the file").get("id")!.value };
}

describe("a text", () => {
  it.each(NOT_TEXTS)("is not %s", (written, problem) => {
    const { source, value } = valueOf(`id: ${written}`);
    const message = `the id must be a text${problem}`;
    expect(() => source.text(value, "the id")).toThrow(new RegExp(`^a\\.yaml:1:\\d: ${message}$`));
    expect(() => source.anyText(value, "the id")).toThrow(message);
  });

  it("is not an alias of a number", () => {
    const source = new YamlSource("a: &n 007\nid: *n", "a.yaml");
    const { value } = source.entries(source.root, "the file").get("id")!;
    expect(() => source.text(value, "the id")).toThrow("a.yaml:2:5: the id must be a text, not a number");
  });

  it.each(['"007"', "'007'", "!!str 007", "|-\n  007", "2026-01-01", "no", "1_000", "0b11", "1:30"])(
    "is %j, exactly so",
    (written) => {
      const { source, value } = valueOf(`id: ${written}`);
      const text = /007/.test(written) ? "007" : written;
      expect(source.text(value, "the id").value).toBe(text);
      expect(source.digits(value, "the id")).toBe(text);
    },
  );
});

it.each([
  ["007", "007"],
  ["+380501234567", "+380501234567"],
  ["4634343214213523454", "4634343214213523454"],
  ["1e5", null],
  ["0x10", null],
  ["-5", null],
  ["411111.0", null],
  ["true", null],
])("digits without quotes are read as written: %s", (written, text) => {
  const { source, value } = valueOf(`id: ${written}`);
  if (text === null) expect(() => source.digits(value, "the id")).toThrow("must be a text, not a");
  else expect(source.digits(value, "the id")).toBe(text);
});

describe("a key", () => {
  it("is what is written", () => {
    const source = new YamlSource("007: a\n7: b\n1e5: c\n200: d\nTrue: e", "a.yaml");
    const keys = [...source.entries(source.root, "the file").keys()];
    expect(keys).toEqual(["007", "7", "1e5", "200", "True"]);
  });

  it.each(['7: a\n"7": b', "true: a\n'true': b", "a: 1\na: 2"])("does not stand there twice: %j", (text) => {
    expect(() => new YamlSource(text, "a.yaml")).toThrow(/^a\.yaml:2:1: Map keys must be unique/);
  });
});
