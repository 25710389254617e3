// Commands that messages name reach the same files and the same service as the command that names them.

import { globSync, readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { withPlaces } from "#src/cli/next-command.ts";
import { homeOfTests, pointAt } from "./in-process.ts";

const PROFILE = { home: undefined, profile: "shop" };
const BOTH = { home: "/tmp/my home", profile: "shop" };

it.each([
  [PROFILE, '"verdict check --again k1" sends it', '"verdict check --profile shop --again k1" sends it'],
  [
    PROFILE,
    "Next: verdict project credential --merchant-id m --wait",
    "Next: verdict project credential --profile shop --merchant-id m --wait",
  ],
  [
    PROFILE,
    "next: verdict sign FILE --explain, verdict recipe infer --request FILE",
    "next: verdict sign --profile shop FILE --explain, verdict recipe infer --request FILE",
  ],
  [
    PROFILE,
    '"verdict sandbox panel --secret K | verdict vault add ... --secret-stdin"',
    '"verdict sandbox panel --secret K | verdict vault add --profile shop ... --secret-stdin"',
  ],
  [PROFILE, '"verdict replay --continue r --profile other"', '"verdict replay --continue r --profile other"'],
  [PROFILE, '"verdict history" lists the ids', '"verdict history" lists the ids'],
  [PROFILE, '"verdict check --help"', '"verdict check --help"'],
  [PROFILE, '"verdict vault help passphrase" says how', '"verdict vault help passphrase" says how'],
  [PROFILE, "the verdict checks out", "the verdict checks out"],
  [BOTH, '"verdict history"', `"verdict history --home '/tmp/my home'"`],
  [BOTH, '"verdict check x"', `"verdict check --home '/tmp/my home' --profile shop x"`],
  [{ home: undefined, profile: undefined }, '"verdict check x"', '"verdict check x"'],
])("%j %s", (places, text, expected) => {
  const placed = withPlaces(text, COMMANDS, places);
  expect(placed).toBe(expected);
  expect(withPlaces(placed, COMMANDS, places)).toBe(placed);
});

/** Messages go through `complain`, `note` or `advise`, which complete the commands in them; `line` is for data. */
it("no hint is printed past the place that completes it", () => {
  const missed: string[] = [];
  for (const file of globSync("src/cli/**/*.ts")) {
    const text = readFileSync(file, "utf8");
    for (const { index, 0: call } of text.matchAll(/output\.(?:line|exact|prompt|progress)\(/g)) {
      const given = argumentsAt(text, index + call.length);
      if (withPlaces(given, COMMANDS, BOTH) !== given) missed.push(`${file}: ${given.slice(0, 80)}`);
    }
  }
  expect(missed).toEqual([]);
});

function argumentsAt(text: string, from: number): string {
  let depth = 1;
  let at = from;
  for (; depth > 0 && at < text.length; at += 1) depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0;
  return text.slice(from, at);
}

const home = homeOfTests();
beforeAll(async () => {
  await pointAt(home, "http://127.0.0.1:9", [], "shop");
  await home.run("profile add empty --base-url http://127.0.0.1:9");
  await home.run("profile use sandbox");
});

it.each([
  ["check - --project other --profile shop", '"verdict project list --profile shop"'],
  ["check - --profile empty", '"verdict project register --profile empty --wait"'],
  ["project list --profile empty", '"verdict project register --profile empty --wait"'],
  ["vault list --profile empty", '"verdict project register --profile empty --wait"'],
])("%s", async (words, hint) => {
  const payment = JSON.stringify({ operation: "payment", order_id: "o-1", amount: 100, currency: 978 });
  for (const more of ["", " --json"]) {
    const { stdout, stderr } = await home.run(`${words}${more}`, payment);
    if (more !== "" && stderr === "") continue;
    expect(stdout + stderr, more).toContain(more === "" ? hint : JSON.stringify(hint).slice(1, -1));
  }
});
