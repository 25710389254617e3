import fc from "fast-check";
import { expect, test } from "vitest";
import { fillTemplate, readTemplate, runsTogether, strayBrace } from "#src/signing/recipes/template.ts";

function lookup(values: Readonly<Record<string, string>>): (name: string) => string | undefined {
  return (name) => values[name];
}

function read(template: string, text: string): Record<string, string> | string {
  const values = readTemplate(template, text);
  return typeof values === "string" ? values : Object.fromEntries(values);
}

const SIGNATURE = 'Signature keyId="{key_id}",signature="{signature}"';

test("what was filled in is read back", () => {
  const value = fc.string({ unit: fc.constantFrom("a", "Z", "0", "9", "-", "+", "/", "=", ".") });
  fc.assert(
    fc.property(
      fc.constantFrom(SIGNATURE, "HMAC {key_id}:{signature}", "{key_id} {signature}!"),
      value,
      value,
      (template, key_id, signature) => {
        expect(read(template, fillTemplate(template, lookup({ key_id, signature })))).toEqual({
          key_id,
          signature,
        });
      },
    ),
  );
});

test("auth-params may come in any order and with blanks", () => {
  const values = { key_id: "k", signature: "s" };
  expect(read(SIGNATURE, 'Signature signature="s",keyId="k"')).toEqual(values);
  expect(read(SIGNATURE, 'signature  keyId="k" ,\tsignature="s"')).toEqual(values);
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
  expect(read(SIGNATURE, text)).toContain(reason);
});

test.each(["", "HMAC k", "HMAC  k:s ", "hmac k:s", "HMAC k:s"])(
  "a plain template reads %j from end to end",
  (text) => {
    const got = read("HMAC {key_id}:{signature}", text);
    if (text === "HMAC k:s") expect(got).toEqual({ key_id: "k", signature: "s" });
    else if (text === "HMAC  k:s ") expect(got).toEqual({ key_id: " k", signature: "s " });
    else expect(got).toContain("form");
  },
);

test("a placeholder that nobody knows is a mistake of the recipe", () => {
  expect(() => fillTemplate("{colour}", lookup({}))).toThrow("{colour}");
});

test("filters change a value, and uri is undone when it is read", () => {
  const values = lookup({ name: "A b/c", algorithm: "hmac-sha256" });
  expect(fillTemplate("{name:lower} {name:upper} {name:uri}", values)).toBe("a b/c A B/C A%20b%2Fc");
  expect(read('X id="{name:uri}", a="{algorithm:upper}"', 'X id="A%20b%2Fc", a="HMAC-SHA256"')).toEqual({
    name: "A b/c",
    "algorithm:upper": "HMAC-SHA256",
  });
  expect(read("{name:uri}", "A b")).toContain("form");
  expect(read("{name:uri}", "%zz")).toContain("form");
  expect(() => fillTemplate("{name:caesar}", values)).toThrow("{name:caesar}");
});

test("an optional part is there only with its value", () => {
  const template = 'H id="{id}"{#ext}, ext="{ext}"{/ext}, mac="{mac}"';
  expect(fillTemplate(template, lookup({ id: "i", ext: "", mac: "m" }))).toBe('H id="i", mac="m"');
  expect(fillTemplate(template, lookup({ id: "i", ext: "e", mac: "m" }))).toBe('H id="i", ext="e", mac="m"');
  expect(read(template, 'H id="i", mac="m"')).toEqual({ id: "i", mac: "m" });
  expect(read(template, 'H mac="m",ext="e",id="i"')).toEqual({ id: "i", ext: "e", mac: "m" });
  expect(read(template, 'H id="i", ext="e"')).toContain("no parameter mac");
  expect(read("{id}{#ext};{ext}{/ext}", "i")).toEqual({ id: "i" });
  expect(read("{id}{#ext};{ext}{/ext}", "i;e")).toEqual({ id: "i", ext: "e" });
});

test("one placeholder in two places must say the same", () => {
  expect(read("{id}/{id}", "a/a")).toEqual({ id: "a" });
  expect(read("{id}/{id}", "a/b")).toContain("two things about id");
  expect(read('X a="{id}",b="{id}"', 'X a="1",b="2"')).toContain("two things about id");
});

test("what belongs to no placeholder is found", () => {
  expect(strayBrace('{"a":{time}}')).toBe(0);
  expect(strayBrace("{#a}{b}{/a}{c:lower}")).toBeNull();
  expect(strayBrace("{#a}{b}")).toBe(0);
  expect(strayBrace("{Time}")).toBe(0);
  expect(runsTogether("{a}{b}")).toBe(true);
  expect(runsTogether("{a}{#b},{b}{/b}")).toBe(false);
  expect(runsTogether("{a}{#b}{b}{/b}")).toBe(true);
});
