// In the built console: a held key, a question that stands, another project, an error that stays, and an id that is copied.

import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import { withProbe } from "./probe.ts";
import {
  fakeService,
  KEY,
  readyConsole,
  sendChallenged,
  succeeds,
  challengedHome,
  copies,
  type FakeService,
} from "./stage.ts";

async function servedHome(): Promise<{ readonly home: TestHome; readonly service: FakeService }> {
  const home = testHome();
  onTestFinished(() => home.remove());
  const service = await fakeService(home);
  onTestFinished(() => service.close());
  return { home, service };
}

it("sends one check while Enter is held for a second", async () => {
  const { home, service } = await servedHome();
  // A second of repeated keys, on a clock so slow that a busy machine makes no pause of a delay between them.
  const terminal = await readyConsole(home, { env: withProbe(home, 0.05).env });
  for (let key = 0; key < 30; key += 1) {
    terminal.type(KEY.enter);
    await delay(33);
  }
  await terminal.until("✔ PASS");
  // What was typed before has been read when the screen changes.
  await terminal.type("4").until("1 of 1, following");
  expect(service.received).toHaveLength(1);
});

const challenged = challengedHome();

it("sends nothing while it is asked whether 3-D Secure can be forced", async () => {
  const { home, service } = challenged;
  const terminal = await readyConsole(home);
  await sendChallenged(terminal);
  const before = service.received.length;
  terminal.type(KEY.enter + KEY.enter);
  terminal.type(KEY.sendAnywhere);
  // An answer that comes in the same moment was not meant for the question.
  await expect
    .poll(() => {
      terminal.type("y");
      return terminal.screen();
    })
    .toContain("Final action: Send to 3-D Secure.");
  expect(service.received).toHaveLength(before);
});

it("switches the project by some letters of its name, and sends for it", async () => {
  const { home } = await servedHome();
  const owner = [
    "--merchant-id",
    "bakery",
    "--risk-level",
    "high",
    "--key-id",
    "key-2",
    "--project-id",
    "prj-2",
  ];
  await succeeds(home, ["vault", "add", ...owner, "--secret-stdin"], "cafe".repeat(16));
  const terminal = await readyConsole(home);
  await terminal.type("P").until("Project");
  await terminal.type("bak").until(/› .*bakery\/high/);
  await terminal.type(KEY.enter).until(/^ +TEST .*bakery\/high/m);
  await expect
    .poll(async () => {
      terminal.type(KEY.enter);
      return home.json(["history", "--json"]);
    })
    .not.toEqual([]);
  await terminal.until("✔ PASS");
  for (const row of await home.json(["history", "--json"]))
    expect(row).toMatchObject({ project: "bakery/high" });
});

it("still shows an error after a minute, until a key", async () => {
  const { home, service } = await servedHome();
  const { env, probed } = withProbe(home, 1);
  const terminal = await readyConsole(home, { env });
  await service.close();
  await terminal.type("3").until("t test");
  const failed = await terminal.type("t").until("✖");
  const row = failed.split("\n").find((line) => line.includes("✖"))!;
  const { at } = await probed(terminal);
  const waited = async (): Promise<number> => (await probed(terminal)).at - at;
  await expect.poll(waited, { interval: 2_000, timeout: 120_000 }).toBeGreaterThan(60_000);
  expect(terminal.screen()).toContain(row);
  await terminal.type("j").until((screen) => !screen.includes(row));
});

it("copies an order id to the clipboard of the terminal", async () => {
  const { home } = await servedHome();
  const request = { operation: "payment", order_id: "o-to-copy", amount: 1_000, currency: 980 };
  await succeeds(home, ["check", "-"], JSON.stringify(request));
  const terminal = await readyConsole(home);
  await terminal.type("4").until("o-to-copy");
  await terminal.type("y").until("order id");
  terminal.type("o");
  await expect.poll(() => copies(terminal)).toEqual(["o-to-copy"]);
});
