import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasHidden, safe, safeJson } from "#src/display/safe.ts";

/** What a terminal would obey, hide or reorder: a list of its own, by code points (Cc is C0, DEL and C1). */
const DANGEROUS =
  /[\p{Cc}\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "a",
      "\u001b",
      "[31m",
      "\u009b",
      "\u202e",
      "\u200b",
      "\u{e0041}",
      "\n",
      "\r",
      "\ud800",
      "é",
    ),
  }),
);

describe("safe", () => {
  test("lets nothing through that a terminal obeys", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(safe(text)).not.toMatch(DANGEROUS);
        expect(safe(text, { block: true }).replaceAll("\n", "")).not.toMatch(DANGEROUS);
        expect(hasHidden(safe(text))).toBe(false);
        expect(safe(text).isWellFormed()).toBe(true);
      }),
    );
  });

  test.each([
    ["pa\0ss", "pa\\x00ss"],
    ["pa\u200bss", "pa\\u200bss"],
    ["ok\n\u001b[2J", "ok\\n\\x1b[2J"],
  ])("makes a look-alike visible: %j", (text, shown) => {
    expect(safe(text)).toBe(shown);
    expect(hasHidden(text)).toBe(true);
    expect(hasHidden(shown)).toBe(false);
  });

  test("keeps line feeds in a block only, and caps the length", () => {
    expect(safe("a\r\nb", { block: true })).toBe("a\\r\nb");
    expect(safe("abcdef", { max: 3 })).toBe("ab…");
    expect(safe("x".repeat(500))).toHaveLength(200);
  });
});

describe("safeJson", () => {
  test("is exactly the data, and nothing a terminal obeys", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.dictionary(anyText, anyText)),
        fc.constantFrom(0, 2),
        (data, indent) => {
          const line = safeJson(data, indent);
          expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(data)));
          expect(line.replaceAll("\n", "")).not.toMatch(DANGEROUS);
          if (indent === 0) expect(line).not.toContain("\n");
        },
      ),
    );
  });

  test("escapes every dangerous code point there is", () => {
    for (let code = 0; code <= 0xe0fff; code++) {
      const text = String.fromCodePoint(code);
      if (!DANGEROUS.test(text)) continue;
      expect(safeJson(text), code.toString(16)).not.toMatch(DANGEROUS);
      expect(safe(text), code.toString(16)).not.toMatch(DANGEROUS);
    }
  });

  test("writes C1, bidi and tag characters as escapes", () => {
    expect(safeJson({ a: "\u009b\u202e\u{e0041}é" })).toBe('{"a":"\\u009b\\u202e\\udb40\\udc41é"}');
  });
});
