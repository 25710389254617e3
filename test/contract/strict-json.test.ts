import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPlainJson } from "#src/contract/text/plain-json.ts";
import {
  parseStrictJson,
  parseWithPositions,
  StrictJsonError,
  type StrictJsonLimits,
} from "#src/contract/text/strict-json.ts";

function fault(input: Uint8Array | string, limits?: StrictJsonLimits): StrictJsonError {
  try {
    parseStrictJson(input, limits);
  } catch (error) {
    if (error instanceof StrictJsonError) return error;
    throw error;
  }
  throw new Error(`accepted: ${String(input)}`);
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const irregular = (text: string): [string, string][] => [...parseStrictJson(text).irregularNumbers];

describe("ordinary JSON", () => {
  test("reads what JSON.stringify writes, as JSON.parse does", () => {
    const wellFormed = fc.string({ unit: "grapheme" });
    const { value: anyJson } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, false),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        wellFormed,
        fc.array(tie("value"), { maxLength: 5 }),
        fc.dictionary(
          wellFormed.filter((key) => !["__proto__", "constructor", "prototype"].includes(key)),
          tie("value"),
          { maxKeys: 5 },
        ),
      ),
    }));
    fc.assert(
      fc.property(anyJson, fc.constantFrom(0, 2, "\t"), fc.boolean(), (data, indent, asBytes) => {
        const text = JSON.stringify(data, null, indent);
        const read = parseStrictJson(asBytes ? utf8(text) : text).value;
        expect(read).toEqual(JSON.parse(text));
        expect(JSON.stringify(read, null, indent)).toBe(text);
      }),
    );
  });

  test("never accepts what JSON.parse refuses, and refuses more only for a reason of its own", () => {
    const piece = fc.constantFrom(
      ...Array.from('{}[]:," \n\t\\/-+.eE0123456789abu'),
      '"a"',
      '"b":',
      "true",
      "null",
      "1.5",
      "\\u0061",
      "\\ud800",
      "\\udc00",
      "\u0000",
      "\u00a0",
      "\ufeff",
      "'",
    );
    const own = new Set(["duplicate_key", "forbidden_key", "lone_surrogate", "number_range", "bom"]);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        let expected: { value: unknown } | null = null;
        try {
          expected = { value: JSON.parse(text) };
        } catch {
          // Not JSON at all.
        }
        try {
          const { value } = parseStrictJson(text);
          // The mark at the start is the one thing accepted beyond the platform's parser.
          expect({ value }).toEqual(
            text.startsWith("\ufeff") ? { value: JSON.parse(text.slice(1)) } : expected,
          );
        } catch (error) {
          if (!(error instanceof StrictJsonError)) throw error;
          if (expected !== null) expect(own).toContain(error.code);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['"\\u0061\\/\\"\\\\\\b\\f\\n\\r\\t"', 'a/"\\\b\f\n\r\t'],
    ['"\\ud83d\\ude00"', "😀"],
    ['"\\u0000"', "\0"],
    ['"\u007f\u2028\u2029"', "\u007f\u2028\u2029"],
    [' \t\r\n{ "a" : [ ] } \n', { a: [] }],
    ['{"":0," ":1}', { "": 0, " ": 1 }],
    ['{"toString":1,"hasOwnProperty":2}', { toString: 1, hasOwnProperty: 2 }],
    ["-0.5e-2", -0.005],
    ["1e-400", 0],
  ])("reads %s", (text, value) => {
    expect(parseStrictJson(text).value).toEqual(value);
  });
});

describe("the fast path", () => {
  /** The fast path must agree with the strict parser. */
  function expectAgreement(text: string, maxDepth: number): void {
    const value = readPlainJson(text, maxDepth);
    if (value === undefined) return;
    const strict = parseWithPositions(text, maxDepth);
    expect(value).toEqual(strict.value);
    expect(JSON.stringify(value)).toBe(JSON.stringify(strict.value));
    expect(strict.irregularNumbers.size).toBe(0);
  }

  test("agrees with the strict parser on texts that are JSON, or nearly", () => {
    const key = fc.constantFrom(
      '"a"',
      '"b"',
      '"\\u0061"',
      '"\\"{"',
      '"__proto__"',
      '"constructor"',
      '"1"',
      '""',
    );
    const digits = fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,19})(?:\.[0-9]{1,3})?(?:[eE][+-]?[0-9]{1,3})?$/);
    const string = fc.constantFrom(
      '"x:,{["',
      '"\\""',
      '"\\\\"',
      '"\\\\u"',
      '"\\ud83d\\ude00"',
      '"\\uD800"',
      '"\\ud7ff"',
      '"😀"',
    );
    const blank = fc.constantFrom("", "", " ", "\n");
    const { value: text } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        digits,
        string,
        fc.constantFrom("true", "false", "null", "{}", "[]"),
        fc
          .tuple(blank, fc.array(tie("value"), { maxLength: 3 }))
          .map(([gap, list]) => `[${gap}${list.join(`${gap},`)}]`),
        fc
          .tuple(blank, fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }))
          .map(
            ([gap, members]) =>
              `{${members.map(([name, inner]) => `${name}${gap}:${inner}`).join(",")}${gap}}`,
          ),
      ),
    }));
    fc.assert(
      fc.property(
        text,
        fc.nat({ max: 4 }),
        fc.nat(),
        fc.constantFrom("", "", ":", ",", '"', "0", "}"),
        (...drawn) => {
          const [whole, maxDepth, at, slip] = drawn;
          const place = at % (whole.length + 1);
          expectAgreement(whole.slice(0, place) + slip + whole.slice(place), maxDepth);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['{"order_id":"o-1","amount":1200,"payer":{"email":"a@b.c"},"card":{"bin_card":444433}}'],
    ['{"description":"\\u0414\\u0432\\u0456 \\"\\/\\" 😀 Дві","amount":-15}'],
    [" [ 0 , -1.5 , 1e-7 , 9007199254740991 , true , null , [ ] ]\n"],
  ])("is taken by %s", (text) => {
    expect(readPlainJson(text, 3)).toEqual(JSON.parse(text));
    expectAgreement(text, 3);
  });

  test.each([
    "1.50",
    "1e3",
    "-0",
    "9007199254740993",
    '"\\ud800"',
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    "[[[[]]]]",
    "x",
  ])("leaves %s to the strict parser", (text) => {
    expect(readPlainJson(text, 3)).toBeUndefined();
  });
});

describe("what is not JSON", () => {
  test.each([
    "{'a':1}",
    '{"a":1,}',
    "[1,]",
    "[,1]",
    "[1 2]",
    '{"a" 1}',
    '{"a":1 "b":2}',
    "{a:1}",
    "{1:1}",
    "{,}",
    "01",
    "-01",
    "1.",
    ".5",
    "+1",
    "-",
    "1e",
    "1e+",
    "0x10",
    "1_000",
    "NaN",
    "Infinity",
    "-Infinity",
    "undefined",
    "True",
    "nul",
    "nulll",
    "[1]]",
    "{}{}",
    "1 2",
    "// comment\n1",
    "/* comment */ 1",
    "\u00a01",
    "\v1",
    "1\u0000",
    '"\u0000"',
    '"a\nb"',
    '"a\tb"',
    '"\\x41"',
    '"\\u12"',
    '"\\u12G4"',
    '"\\U0041"',
    '"\\\u0000"',
    "\ufeff\ufeff1",
  ])("refuses %j", (text) => {
    expect(fault(text).code).toMatch(/^(?:syntax|truncated)$/);
  });

  test("every beginning of a document is truncated", () => {
    const whole = '{"status":"success","code":"pass","list":[1,{"a":null}],"text":"a\\u0041\\n"}';
    for (let end = 0; end < whole.length; end++) {
      // A cut inside a word or an escape looks like a misspelt one.
      expect(["truncated", "syntax"], whole.slice(0, end)).toContain(fault(whole.slice(0, end)).code);
    }
    expect(fault("").code).toBe("truncated");
    expect(fault(whole.slice(0, -1)).code).toBe("truncated");
    expect(parseStrictJson(whole).value).toEqual(JSON.parse(whole));
  });

  test("says where", () => {
    expect(fault('{\n  "a": 1,\n  b: 2\n}')).toMatchObject({
      code: "syntax",
      line: 3,
      column: 3,
      message: 'Line 3, column 3: a key in double quotes or "}" is expected, not "b".',
    });
    expect(fault('["😀", x]')).toMatchObject({ line: 1, column: 7 });
    expect(fault('{"a":1,\n "a":2}')).toMatchObject({
      code: "duplicate_key",
      line: 2,
      column: 2,
      message: 'Line 2, column 2: the key "a" occurs twice.',
    });
    expect(fault("[\u001b]").message).toBe('Line 1, column 2: a value is expected, not "\\x1b".');
  });
});

describe("beyond the grammar", () => {
  test("a key occurs once, also when one of the two is escaped", () => {
    expect(fault('{"code":"block","code":"pass"}').code).toBe("duplicate_key");
    expect(fault('{"code":"block","\\u0063ode":"pass"}').code).toBe("duplicate_key");
    expect(fault('{"a":{"b":1,"b":1}}').code).toBe("duplicate_key");
    expect(parseStrictJson('{"a":{"b":1},"c":{"b":1}}').value).toEqual({ a: { b: 1 }, c: { b: 1 } });
  });

  test.each(["__proto__", "constructor", "prototype", "\\u005f_proto__"])("the key %s is refused", (key) => {
    expect(fault(`{"a":[{"${key}":{"polluted":true}}]}`).code).toBe("forbidden_key");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test.each(['"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"\\ud800\\u0041"', '{"\\ud800":1}', '"\ud800"'])(
    "the lone surrogate in %j is refused",
    (text) => {
      expect(fault(text).code).toBe("lone_surrogate");
    },
  );

  test("depth counts lists and objects, and ends before the stack does", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(parseStrictJson(nested(16)).value).toBeInstanceOf(Array);
    expect(fault(nested(17)).code).toBe("too_deep");
    expect(fault('{"a":'.repeat(17)).code).toBe("too_deep");
    expect(fault("[".repeat(60_000)).code).toBe("too_deep");
    expect(fault("[[]]", { maxDepth: 1 }).code).toBe("too_deep");
    expect(parseStrictJson("1", { maxDepth: 0 }).value).toBe(1);
    // Siblings do not add up.
    expect(parseStrictJson(`[${Array(100).fill("[]").join()}]`, { maxDepth: 2 }).value).toHaveLength(100);
  });

  test("size counts bytes, not characters", () => {
    expect(parseStrictJson('"€"', { maxBytes: 5 }).value).toBe("€");
    expect(fault('"€"', { maxBytes: 4 }).code).toBe("too_large");
    expect(fault(utf8(`"${"x".repeat(64 * 1024)}"`)).code).toBe("too_large");
  });

  test("one byte order mark may be there, unless refused", () => {
    expect(parseStrictJson(utf8("\ufeff{}")).value).toEqual({});
    expect(fault(utf8("\ufeff{}"), { bom: "refuse" }).code).toBe("bom");
    expect(fault(utf8("\ufeff\ufeff{}")).code).toBe("syntax");
    expect(fault(bytes(0xff, 0xfe, 0x7b, 0x00)).code).toBe("invalid_utf8");
  });

  test.each([
    ["a stray continuation byte", bytes(0x22, 0x80, 0x22), 2],
    ["an impossible byte", bytes(0x22, 0x61, 0xff, 0x22), 3],
    ["an overlong form", bytes(0x22, 0xc0, 0xaf, 0x22), 2],
    ["a surrogate", bytes(0x22, 0xed, 0xa0, 0x80, 0x22), 2],
    ["beyond U+10FFFF", bytes(0x22, 0xf4, 0x90, 0x80, 0x80, 0x22), 2],
    ["a character cut by another", bytes(0x22, 0xe2, 0x82, 0x22), 2],
    ["a character cut by the end", bytes(0x22, 0xc3, 0xa9, 0xe2, 0x82), 3],
    ["after the value", bytes(0x31, 0xfe), 2],
  ])("invalid UTF-8 is refused where it stands: %s", (_name, input, column) => {
    expect(fault(input)).toMatchObject({ code: "invalid_utf8", line: 1, column });
  });

  test("bytes are valid exactly when the platform says so", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), (inner) => {
        const clean = inner.filter((byte) => byte >= 0x20 && byte !== 0x22 && byte !== 0x5c);
        const input = Uint8Array.from([0x22, ...clean, 0x22]);
        let text: string | null = null;
        try {
          text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(clean);
        } catch {
          // Not UTF-8.
        }
        if (text === null) expect(fault(input).code).toBe("invalid_utf8");
        else expect(parseStrictJson(input).value).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("numbers by their raw token", () => {
  test.each(["0", "-1", "12000", "9007199254740991", "-9007199254740991", "0.5", "1.25"])(
    "%s is regular",
    (token) => {
      expect(irregular(token)).toEqual([]);
    },
  );

  test.each([
    "9007199254740992",
    "9007199254740993",
    "1e3",
    "1E3",
    "12.0",
    "-0",
    "0.50",
    "1e21",
    "1e+21",
    "0e0",
    "1e-400",
  ])("%s is irregular", (token) => {
    expect(irregular(token)).toEqual([["", token]]);
  });

  test("names them by dotted path", () => {
    expect(
      irregular('{"amount":1e3,"card":{"bin_card":411111.0,"cin_card":42},"list":[0,{"a":-0}]}'),
    ).toEqual([
      ["amount", "1e3"],
      ["card.bin_card", "411111.0"],
      ["list.1.a", "-0"],
    ]);
  });

  test("a number that no double holds is refused", () => {
    expect(fault('{"amount":1e400}').code).toBe("number_range");
    expect(fault("-1e999").code).toBe("number_range");
  });

  test("a plain integer is regular exactly when it is safe", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), (integer) => {
        const safe = integer >= -(2n ** 53n - 1n) && integer <= 2n ** 53n - 1n;
        expect(irregular(String(integer))).toEqual(safe ? [] : [["", String(integer)]]);
      }),
    );
  });
});
