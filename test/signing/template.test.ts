import fc from "fast-check";
import { expect, test } from "vitest";
import { fillTemplate, readTemplate } from "#src/signing/template.ts";

const SIGNATURE = 'Signature keyId="{key_id}",signature="{signature}"';

test("what was filled in is read back", () => {
  const value = fc.string({ unit: fc.constantFrom("a", "Z", "0", "9", "-", "+", "/", "=", ".") });
  fc.assert(
    fc.property(
      fc.constantFrom(SIGNATURE, "HMAC {key_id}:{signature}", "{key_id} {signature}!"),
      value,
      value,
      (template, key_id, signature) => {
        expect(readTemplate(template, fillTemplate(template, { key_id, signature }))).toEqual({
          key_id,
          signature,
        });
      },
    ),
  );
});

test("auth-params may come in any order and with blanks", () => {
  const values = { key_id: "k", signature: "s" };
  expect(readTemplate(SIGNATURE, 'Signature signature="s",keyId="k"')).toEqual(values);
  expect(readTemplate(SIGNATURE, 'signature  keyId="k" ,\tsignature="s"')).toEqual(values);
});

test.each([
  ["", "scheme"],
  ["Signature", "scheme"],
  ['Bearer keyId="k",signature="s"', "scheme"],
  ['Signature keyId="k"', "no parameter signature"],
  ['Signature keyId="k",signature="s",', "comma"],
  ['Signature keyId="k",keyId="k",signature="s"', "twice"],
  ['Signature keyId="k",signature="s",expires="1"', "does not know: expires"],
  ['Signature keyId=k,signature="s"', "cannot be read"],
  ['Signature keyId="k" signature="s"', "cannot be read"],
  ['Signature keyId="k\\"",signature="s"', "cannot be read"],
])("%j is refused", (text, reason) => {
  expect(readTemplate(SIGNATURE, text)).toContain(reason);
});

test.each(["", "HMAC k", "HMAC  k:s ", "hmac k:s", "HMAC k:s"])(
  "a plain template reads %j from end to end",
  (text) => {
    const read = readTemplate("HMAC {key_id}:{signature}", text);
    if (text === "HMAC k:s") expect(read).toEqual({ key_id: "k", signature: "s" });
    else if (text === "HMAC  k:s ") expect(read).toEqual({ key_id: " k", signature: "s " });
    else expect(read).toContain("form");
  },
);

test("a placeholder that nobody knows is a mistake of the recipe", () => {
  expect(() => fillTemplate("{colour}", {})).toThrow("{colour}");
});
