// The dialogue of verdict init on a real terminal: it asks, hides the secret, and changes nothing when it is left.

import { afterEach, beforeEach, expect, it } from "vitest";
import { answer, PASS, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const SECRET = "c4n4ry-of-the-dialogue";

let home: TestHome;
let service: HostileService;
const terminals: PseudoTerminal[] = [];

beforeEach(async () => {
  home = testHome();
  service = await startHostileService([answer(200, PASS)]);
});
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close();
  await service[Symbol.asyncDispose]();
  await home.remove();
});

function begin(words: string): PseudoTerminal {
  const terminal = openPseudoTerminal({
    cwd: home.folder,
    env: home.env,
    args: words.split(" "),
    columns: 100,
    rows: 60,
  });
  terminals.push(terminal);
  return terminal;
}

/** Answers the questions before `last`, all by default; empty answers take what is offered. */
async function answerAll(
  terminal: PseudoTerminal,
  { environment = "", last = "" }: { environment?: string; last?: string } = {},
): Promise<void> {
  const answers: readonly (readonly [string, string])[] = [
    ["Good request: ", ""],
    ["Address: ", service.url],
    ["Name [service]: ", "shop"],
    ["Environment [test]: ", environment],
    ["Key of [project]: ", ""],
    ["Id of the key: ", "k-1"],
    ["Id of the project: ", "p-1"],
    ["Secret (not shown): ", SECRET],
    ["Recipe [http-signatures]: ", "kong"],
  ];
  for (const [question, text] of answers) {
    if (question === last) return;
    await terminal.until(question);
    terminal.type(`${text}\r`);
  }
}

const profiles = async (): Promise<unknown[]> =>
  (await home.json("profile list --json")).map((profile) => profile["name"]);

it("ends with a profile that works, after one check that was shown first", async () => {
  const terminal = begin("init");
  await answerAll(terminal);
  await terminal.until("Send it now? [Y/n]");
  expect(service.requests).toHaveLength(0);
  terminal.type("\r");
  expect((await terminal.exit).code).toBe(0);
  expect(terminal.screen()).toContain("Profile shop is in use");
  expect(terminal.written()).not.toContain(SECRET);
  expect(service.requests).toHaveLength(1);
  expect(service.requests[0]!.headers.get("authorization")).toMatch(/^hmac username="k-1"/);
  expect(await profiles()).toEqual(["sandbox", "shop"]);
});

it("asks again for an answer that cannot be", async () => {
  const terminal = begin("init");
  await terminal.until("Good request: ");
  await terminal.type("\r").until("Address: ");
  await terminal.type("http://elsewhere.example\r").until("Address must start with https://");
  await terminal.type(`${service.url}\r`).until("Name [service]: ");
  await terminal.type("sandbox\r").until("Name belongs to a profile");
});

it.each(["\x03", "\x04"])("is left by %j at any question, and nothing is saved", async (key) => {
  for (const question of [
    "Good request: ",
    "Address: ",
    "Environment [test]: ",
    "Secret (not shown): ",
    "Send it now?",
  ]) {
    const terminal = begin("init");
    await answerAll(terminal, { last: question });
    await terminal.until(question);
    terminal.type(key);
    expect((await terminal.exit).code, question).toBe(130);
    expect(await profiles()).toEqual(["sandbox"]);
    expect(await home.json("vault list --json")).toEqual([]);
  }
  expect(service.requests).toHaveLength(0);
});

it("sends nothing to a LIVE service unless its name is typed", async () => {
  const terminal = begin("init");
  await answerAll(terminal, { environment: "live" });
  await terminal.until("Type its name to continue:");
  terminal.type("\r");
  expect((await terminal.exit).code).toBe(0);
  expect(service.requests).toHaveLength(0);
});

it("offers to keep what a refused check leaves unproved", async () => {
  service.play(answer(401, "{}"));
  for (const [typed, code, kept] of [
    ["n\r", 5, ["sandbox"]],
    ["y\r", 0, ["sandbox", "shop"]],
  ] as const) {
    const terminal = begin("init");
    await answerAll(terminal);
    await terminal.until("Send it now? [Y/n]");
    await terminal.type("\r").until("Type the secret again? [y/N]");
    await terminal.type("\r").until("Keep the profile and its key? [y/N]");
    terminal.type(typed);
    expect((await terminal.exit).code).toBe(code);
    expect(await profiles()).toEqual(kept);
  }
  expect(service.requests).toHaveLength(2);
});
