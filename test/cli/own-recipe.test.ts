// verdict recipe edit and remove: the user's own documents, and no others.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inProcessHome, type InProcessHome } from "./in-process.ts";
import { writeOwnRecipe } from "./own-recipe.ts";

let home: InProcessHome;
let path: string;
beforeEach(() => {
  home = inProcessHome();
  path = writeOwnRecipe(join(home.folder, "config"), "mine");
});
afterEach(() => home.remove());

test.each([
  [
    "kong",
    /^kong is built in and stays as it is; write one of your own: verdict recipe show kong > mine\.yaml\.\n$/,
  ],
  ["nothing", /^There is no signing recipe "nothing"; choose one of .*, mine\.\n$/],
])("%s is neither edited nor removed", async (name, sentence) => {
  for (const words of [`recipe edit ${name}`, `recipe remove ${name} --yes`]) {
    expect(await home.run(words)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(sentence),
    });
  }
  expect(existsSync(path)).toBe(true);
});

test("one is removed for good, also a broken one", async () => {
  expect(await home.run("recipe remove mine --yes")).toMatchObject({
    code: 0,
    stdout: "Recipe mine removed.\n",
  });
  expect(existsSync(path)).toBe(false);
  const broken = writeOwnRecipe(join(home.folder, "config"), "broken", "colour: red\n");
  expect(await home.json("recipe remove broken --yes --json")).toEqual([
    { schema: 1, recipe: "broken", removed: true },
  ]);
  expect(existsSync(broken)).toBe(false);
});

test("one that a profile signs with stays, and the profile is named", async () => {
  expect((await home.run("profile add shop --base-url http://127.0.0.1:9 --recipe mine")).code).toBe(0);
  const { code, stderr } = await home.run("recipe remove mine --yes");
  expect([code, stderr]).toEqual([
    2,
    "The profile shop signs with mine; give it another recipe first: verdict profile add shop --recipe ID.\n",
  ]);
  expect(existsSync(path)).toBe(true);
});

test("without a terminal the file is named", async () => {
  const { code, stderr } = await home.run("recipe edit mine");
  expect([code, stderr]).toEqual([2, `There is no terminal for an editor; change the file ${path}.\n`]);
});
