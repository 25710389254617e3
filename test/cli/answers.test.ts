// Forms of answers of a profile: given, shown wherever a verdict of it is, and never of the sandbox.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { answersWarning, SANDBOX_PROFILE, type Profile } from "#src/contract/records/profile.ts";
import { answer, PASS, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

const HTML = answer(200, PASS, { "content-type": "text/html; charset=UTF-8" });

let service: HostileService;
let home: InProcessHome;
beforeAll(async () => void (service = await startHostileService([])));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  home = inProcessHome();
  await pointAt(home, service.url);
  service.play(HTML);
});
afterEach(() => home.remove());

const shown = async () => (await home.json("profile show test --json"))[0]!["answers"];

test("a service that answers as HTML is used after the command that its refusal names", async () => {
  const refused = await home.run("check --set order_id=o");
  expect(refused).toMatchObject({ code: 7 });
  const [, forms] = /"verdict profile add NAME (--answers html)"/.exec(refused.stdout)!;
  expect(await home.run(`profile add test ${forms!}`)).toMatchObject({ code: 0 });
  const passed = await home.run("check --set order_id=o");
  const warning = answersWarning({ name: "test", answers: ["html"] } as unknown as Profile)!;
  expect(passed).toMatchObject({ code: 0, stderr: expect.stringContaining(warning) });
  expect((await home.run("doctor")).stdout.replaceAll(/\s+/g, " ")).toContain(warning);
  expect((await home.run("profile show test")).stdout).toMatch(/answers +JSON, html/);
  service.play(answer(200, "<title>Sign in</title>", { "content-type": "text/html" }));
  expect(await home.run("check --set order_id=o2")).toMatchObject({ code: 7 });
});

test("forms are given in any order, stay, and are removed by none", async () => {
  for (const [given, kept] of [
    ["--answers bom,html,bom", ["html", "bom"]],
    ["--amount-unit major", ["html", "bom"]],
    ["--answers=201, untyped,text", ["text", "untyped", "201"]],
    ["--answers none", []],
    ["--answers text", ["text"]],
    ["--answers=", []],
  ] as const) {
    const [option, ...value] = given.split(/ (.*)/).filter((word) => word !== "");
    const words = given.includes("=") ? [given] : [option!, ...value];
    expect(await home.run(["profile", "add", "test", ...words])).toMatchObject({ code: 0 });
    expect(await shown()).toEqual(kept);
  }
  for (const wrong of ["xml", "html,xml", "html bom", "none,html", "HTML", "html,"]) {
    const ran = await home.run(["profile", "add", "test", "--answers", wrong]);
    expect(ran, wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("html, text, untyped, bom, 201"),
    });
    expect(await shown()).toEqual([]);
  }
});

test("init proves a key by such an answer, and the sandbox takes no form", async () => {
  const secret = "9f".repeat(32);
  const words = `--base-url ${service.url} --key-id k --project-id p --secret-stdin`;
  expect(await home.run(`init shop ${words}`, secret)).toMatchObject({ code: 7 });
  expect(await home.run(`init shop ${words} --answers html`, secret)).toMatchObject({ code: 0 });
  expect(await home.run("profile add sandbox --answers html")).toMatchObject({ code: 2 });
  expect(answersWarning({ ...SANDBOX_PROFILE, answers: ["html"] })).toBeNull();
});
