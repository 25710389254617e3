import { expect, test } from "vitest";
import { badInput } from "#src/contract/fault.ts";
import { PRESETS } from "#src/signing/recipes/presets.ts";
import { createRecipeBook } from "#src/signing/recipes/recipe-book.ts";

function document(id: string, more = ""): string {
  return `recipe: ${id}\ncanonical: { style: template, text: "{body}" }\nemit: { authorization: "{signature}" }\n${more}`;
}

test("the built-in recipes come first, then the user's", async () => {
  const book = await createRecipeBook([{ name: "acme.yaml", text: document("acme") }]);
  expect(book.list().map(({ recipe, origin }) => [recipe.recipe, origin])).toEqual([
    ...PRESETS.map(({ recipe }) => [recipe, "built in"]),
    ["acme", "acme.yaml"],
  ]);
  expect(book.byId("acme").emit).toEqual({ authorization: "{signature}" });
  expect(book.byId("kong").recipe).toBe("kong");
  expect(book.problems).toEqual([]);
});

test("an unknown id names the known ones", async () => {
  const book = await createRecipeBook([{ name: "acme.yaml", text: document("acme") }]);
  expect(() => book.byId("mo\u001brse")).toThrow(
    /"mo\\x1brse"; choose one of http-signatures, .*, none, acme\.$/,
  );
  expect(() => book.byId("morse")).toThrow(expect.objectContaining({ code: "usage" }));
});

test("a broken document stops no other and speaks up when it is used", async () => {
  const book = await createRecipeBook(
    [
      { name: "broken.yaml", text: document("acme", "colour: red\n") },
      { name: "good.yaml", text: document("good") },
    ],
    [{ file: "huge.yaml", fault: badInput`huge.yaml is larger than 64 KiB.` }],
  );
  expect(book.byId("good").recipe).toBe("good");
  expect(book.byId("http-signatures").recipe).toBe("http-signatures");
  expect(book.problems.map(({ file }) => file)).toEqual(["huge.yaml", "broken.yaml"]);
  for (const id of ["acme", "broken"])
    expect(() => book.byId(id)).toThrow(/broken\.yaml:4:1: unknown key "colour"/);
  expect(() => book.byId("huge")).toThrow(/larger than 64 KiB/);
});

test("an id is given once: the built-in recipe, and the first document, keep theirs", async () => {
  const book = await createRecipeBook([
    { name: "a.yaml", text: document("acme") },
    { name: "b.yaml", text: document("acme") },
    { name: "c.yaml", text: document("none") },
  ]);
  expect(book.problems.map(({ fault }) => fault.message)).toEqual([
    "b.yaml: the recipe id acme is already in a.yaml; give yours another id.",
    "c.yaml: the recipe id none is built in; give yours another id.",
  ]);
  expect(book.byId("none").canonical).toBeNull();
});
