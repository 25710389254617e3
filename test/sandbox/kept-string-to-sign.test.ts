import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keptStringToSign } from "#src/sandbox/state/request-journal.ts";

const part = fc.constantFrom("{", "}", '"', " ", "a", "é", "ш", "\u{feff}", "\u{1f600}", "post", "\n");
const parts = fc.array(part, { maxLength: 5 }).map((all) => all.join(""));
const bytes = fc.oneof(
  parts.map((text) => Buffer.from(text)),
  parts.map((text) => Buffer.from(text, "latin1")),
  fc.uint8Array({ maxLength: 4 }).map((all) => Buffer.from(all)),
);

test("no body is kept, in whatever form it stands in what was signed", () => {
  fc.assert(
    fc.property(
      bytes,
      fc.constantFrom("utf8", "latin1" as const),
      parts,
      parts,
      (body, form, before, after) => {
        for (const text of [`${before}${body.toString(form)}${after}`, `${before}${after}`]) {
          let kept = text;
          const digest = createHash("sha256").update(body).digest("hex");
          if (body.length > 1) {
            for (const sent of [body.toString("utf8"), body.toString("latin1")])
              kept = kept.replaceAll(sent, `<body, ${body.length} bytes, SHA-256 ${digest}>`);
          }
          expect(keptStringToSign(text, body, null)).toBe(kept);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("neither is a secret, nor a text without end", () => {
  expect(keptStringToSign("a 5ecret b", undefined, "5ecret")).toBe("a <secret> b");
  expect(keptStringToSign("x".repeat(5_000), Buffer.from("{}"), "5ecret")).toHaveLength(4_096 + 3);
  expect(keptStringToSign(null, Buffer.from("{}"), "5ecret")).toBeNull();
});
