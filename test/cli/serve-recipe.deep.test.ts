// A signing recipe of one's own: served by the sandbox, used through a profile, refused with its place when it is broken.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startServing } from "./serving-process.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const ACME = `recipe: acme
time: { header: x-acme-time, format: unix-ms, skew_s: 60 }
nonce: { header: x-acme-nonce, format: alnum:12 }
canonical: { style: template, text: "{method}\\n{target}\\n{time}\\n{nonce}\\n{owner}\\n{body}" }
signature: { encoding: HEX }
emit: { authorization: "ACME {key_id}/{signature}" }
`;

let home: TestHome;
let recipes: string;

beforeEach(() => {
  home = testHome();
  recipes = join(home.folder, "verdict", "config", "recipes");
  mkdirSync(recipes, { recursive: true });
  writeFileSync(join(recipes, "acme.yaml"), ACME);
  writeFileSync(join(recipes, "broken.yaml"), ACME.replace("recipe: acme", "recipe: broken\ncolour: red"));
});

afterEach(() => home.remove());

test.each(["acme", "own.yaml"])(
  "serve --recipe %s is used through a profile with that recipe",
  async (recipe) => {
    writeFileSync(join(home.folder, "own.yaml"), ACME);
    const { child, said, url } = await startServing(
      home,
      `--credential-delay 0 --ephemeral --state served --recipe ${recipe}`,
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    expect(said).toContain("(recipe acme)");
    const keys = JSON.parse(readFileSync(/Integration keys: (\S+) /.exec(said)![1]!, "utf8")) as {
      companies: { company_id: string; integration_keys: { key_id: string; secret: string }[] }[];
    };
    const [
      {
        company_id: company,
        integration_keys: [key],
      },
    ] = keys.companies as [(typeof keys.companies)[0]];
    for (const [name, id] of [
      ["mine", "acme"],
      ["other", "http-signatures"],
    ] as const) {
      const added = await home.run(
        `profile add ${name} --base-url ${url} --credential-wait 0 --recipe ${id}`,
      );
      expect(added).toMatchObject({ code: 0, stderr: "" });
      await home.run(
        `vault add --profile ${name} --key-id ${key!.key_id} --company-id ${company} --secret-stdin`,
        { input: key!.secret },
      );
    }
    const register = "--merchant-id shop --name Shop --currency 978 --risk-level high --wait";
    const registered = await home.run(`register --profile mine ${register}`);
    expect(registered).toMatchObject({ code: 0, stderr: "" });
    const payment = "--set operation=payment --set order_id=s-1 --set amount=4999 --set currency=EUR --json";
    const checked = await home.run(`check --profile mine ${payment}`);
    expect(JSON.parse(checked.stdout)).toMatchObject({ recommendation: "pass" });
    const refused = await home.run(`register --profile other ${register}`);
    expect(refused.code).not.toBe(0);
    expect(`${refused.stdout}${refused.stderr}`).toContain("401");
  },
);

test("a broken or unknown recipe is refused by name where it is asked for, and disturbs nothing else", async () => {
  const add = "profile add mine --base-url https://risk.example.com --recipe";
  const broken = await home.run(`${add} broken`);
  expect(broken.code).not.toBe(0);
  expect(broken.stderr).toContain('broken.yaml:2:1: unknown key "colour" in the recipe');
  const unknown = await home.run(`${add} morse`);
  expect(unknown.stderr).toMatch(
    /There is no signing recipe "morse"; choose one of http-signatures, .*, none, acme\./,
  );
  expect((await home.run(`${add} acme`)).code).toBe(0);
  const served = await home.run("serve --port 0 --recipe broken");
  expect(served.stderr).toContain("broken.yaml:2:1");
});
