// Texts and keys of YAML files are read as they are written, or refused.

import { describe, expect, it } from "vitest";
import { packedPlace, packPlace } from "#src/contract/text/packed-place.ts";
import { placeAt, type Place } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { anyText, digits, text, type Shape } from "#src/contract/text/shape.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import { starterText } from "../rules/sample.ts";

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

function read(file: string, shape: Shape<string> = text("An id.")): string {
  return readShape(shape, placeAt(new YamlSource(file, "a.yaml").place(), "id"), "the id");
}

describe("a text", () => {
  it.each(NOT_TEXTS)("is not %s", (written, problem) => {
    const message = `the id must be a text${problem}`;
    expect(() => read(`id: ${written}`)).toThrow(new RegExp(`^a\\.yaml:1:\\d: ${message}$`));
    expect(() => read(`id: ${written}`, anyText("An id."))).toThrow(message);
  });

  it("is not an alias of a number", () => {
    expect(() => read("a: &n 007\nid: *n")).toThrow("a.yaml:2:5: the id must be a text, not a number");
  });

  it.each(['"007"', "'007'", "!!str 007", "|-\n  007", "2026-01-01", "no", "1_000", "0b11", "1:30"])(
    "is %j, exactly so",
    (written) => {
      const exactly = /007/.test(written) ? "007" : written;
      expect(read(`id: ${written}`)).toBe(exactly);
      expect(read(`id: ${written}`, digits("An id."))).toBe(exactly);
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
])("digits without quotes are read as written: %s", (written, exactly) => {
  const id = (): string => read(`id: ${written}`, digits("An id."));
  if (exactly === null) expect(id).toThrow("must be a text, not a");
  else expect(id()).toBe(exactly);
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

// JSON has no infinity.
const SPELLINGS = NOT_TEXTS.filter(([written]) => written !== ".inf");
it.each([
  [
    "every spelling",
    SPELLINGS.map(([written]) => `- ${written}\n`).join("") + "- 10.0\n- 'it''s'\n- |\n  two\n  lines\n",
  ],
  ["keys that are numbers", "980: { b: 1 }\n007: [ 1, 2 ]\n"],
  ["the starter rules", starterText],
])("what the build reads of a document has its values, lines and spellings: %s", (_, document) => {
  const place = new YamlSource(document, "a.yaml").place();
  expect(seen(packedPlace(packPlace(place)))).toEqual(seen(place));
});

function seen(place: Place): unknown {
  const { kind, scalar, source, line } = place;
  const parts =
    kind === "list"
      ? place.items("").map(seen)
      : kind === "map"
        ? Array.from(place.entries(""), ([key, { value }]) => [key, seen(value)])
        : [scalar, source];
  return { kind, line, parts };
}
