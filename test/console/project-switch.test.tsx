// The switch of the project: found by letters, used, remembered for the next start, and never by accident.

import { expect, it, onTestFinished, vi } from "vitest";
import { openConsole } from "./driver.tsx";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { putCredential, testContext, type TestContext } from "./test-context.ts";
import { projectOf } from "./samples.ts";

const START = Date.UTC(2026, 10, 21, 12);

async function home(): Promise<TestContext> {
  const test = await testContext({ now: () => START });
  onTestFinished(() => test.remove());
  const projects = await test.context.projects();
  const levels: readonly RiskLevel[] = ["low", "medium", "high"];
  for (const [index, riskLevel] of levels.entries()) {
    const key = `demo-shop/${riskLevel}`;
    await projects.put(
      projectOf({
        key,
        profile: test.context.profile.name,
        companyId: "company-1",
        merchantId: "demo-shop",
        riskLevel,
        name: "Demo shop",
        currency: riskLevel === "low" ? 978 : 980,
        state: riskLevel === "high" ? "registered" : "ready",
        startedAt: START - 1_000 + index,
      }),
    );
    if (riskLevel === "high") continue;
    await putCredential(test.context, key, { keyId: `key-${riskLevel}`, projectId: `project-${riskLevel}` });
  }
  return test;
}

async function open(home: TestContext, columns = 80) {
  const opened = await openConsole({ home, columns });
  await opened.model.start();
  return { ...opened, project: () => opened.model.session.store.getState().project };
}

it("starts with the last registered project, and with the last used one from then on", async () => {
  const test = await home();
  const first = await open(test);
  expect(first.project()).toBe("demo-shop/medium");
  await first.screen.press("P").until("Switch project");
  expect(first.screen.frame()).toMatch(/› +demo-shop\/medium +medium +UAH +never +in the vault/);
  await first.screen.press("lo\r").until("The project is demo-shop/low now");
  expect(first.project()).toBe("demo-shop/low");
  await vi.waitFor(async () => {
    const memory = await test.context.projectMemory();
    expect(await memory.list("sandbox")).toMatchObject([{ project: "demo-shop/low", at: START }]);
  });
  expect((await open(test)).project()).toBe("demo-shop/low");
});

it("changes nothing with Esc, with Enter on the one in use, or for one without a credential; nothing is sent", async () => {
  const { screen, project, model } = await open(await home());
  for (const keys of ["P\r", "P\u001b"]) {
    await screen.press(keys).until((frame) => frame.includes("Compose") && !frame.includes("Switch project"));
    expect(project()).toBe("demo-shop/medium");
  }
  await screen.press("Phigh\r").until("demo-shop/high has no credential yet");
  expect(screen.frame()).toContain("Switch project");
  await screen.press("zzz").until("No project matches.");
  screen.press("\r");
  expect(project()).toBe("demo-shop/medium");
  expect(model.checks.store.getState()).toMatchObject({ inFlight: null, latest: null });
});

it("leaves the rest of the screen where it is, and fits at 60 columns", async () => {
  const { screen } = await open(await home(), 60);
  await screen.until("Compose");
  const before = screen.lines();
  await screen.press("P").until("Switch project");
  const lines = screen.lines();
  // The one pointer of the screen is in the drawer.
  expect(lines.slice(12, -1)).toEqual(before.slice(12, -1).map((line) => line.replace(/^›/, " ")));
  expect(lines.some((line) => /demo-shop\/low +low +EUR +never/.test(line))).toBe(true);
  expect(lines.join("\n")).toMatch(/Switching sends nothing\. *\n/);
  expect(lines.at(-1)).toContain("Enter use it   Esc leave");
});

it("uses the selected project of Register with Enter, while nothing is typed into the form", async () => {
  const { screen, project, model } = await open(await home());
  expect(await screen.press("2").until("Register a project")).not.toContain("use the project");
  model.registrations.select("last");
  await screen.until("use the project");
  await screen.press("\r").until("The project is demo-shop/low now");
  expect(project()).toBe("demo-shop/low");
});

it("is found in the palette", async () => {
  const { screen } = await open(await home());
  await screen.press(":switch project\r").until("Switching sends nothing.");
});

it("is found in the palette by its own name, too", async () => {
  const { screen, project } = await open(await home());
  await screen.press(":demo low").until(/› +switch project to demo-shop\/low/);
  screen.press("\r");
  await vi.waitFor(() => expect(project()).toBe("demo-shop/low"));
});

it("begins a sweep, loads a saved payload and opens an order from the palette, and sends nothing by it", async () => {
  const test = await home();
  const { screen, model } = await open(test);
  await screen.press(":sweep curr\r").until(/Sweep currency \S/);
  await screen.press("\u001b").until((frame) => !frame.includes("Sweep currency"));
  const payloads = await test.context.payloads();
  await payloads.save(
    {
      name: "big-one",
      request: { ...model.composer.toRequest(), order_id: "o-named" },
      expect: null,
      tags: [],
    },
    false,
  );
  await screen.press("4:").until("Palette");
  await model.verbs.learn();
  await screen.press("big-one\r").until(/Order id +o-named/);
  await screen.press(":open order\r").until("its order id; *");
  await screen.press("o-never\r").until("order:o-never");
  expect(model.session.store.getState().screen).toBe("history");
  expect(model.checks.store.getState()).toMatchObject({ inFlight: null, latest: null });
});

it("forgets that the composed payment repeats a check of the project before", async () => {
  const { model } = await open(await home());
  const request = model.composer.toRequest();
  model.composer.loadRequest(request, { from: "an-entry", repeats: "an-entry" });
  expect(model.composer.draft().repeats).not.toBeNull();
  model.projects.use({ key: "demo-shop/low", ready: true });
  expect(model.composer.draft().repeats).toBeNull();
  expect(model.composer.toRequest().order_id).not.toBe(request.order_id);
});

it("takes the currency along, unless another one or a payload was chosen", async () => {
  const { screen, model } = await open(await home());
  const { composer } = model;
  const change = async (to: string): Promise<string> => {
    await screen.press(`P${to}\r`).until(`The project is demo-shop/${to} now`);
    model.session.dismissToasts();
    return composer.store.getState().fields["currency"]!.text;
  };
  await screen.press("Plow\r").until("checks are sent for it, in EUR.");
  expect(composer.toRequest().currency).toBe(978);
  model.session.dismissToasts();
  composer.focus("currency");
  composer.key("ctrl+u");
  composer.enter("eur");
  composer.focus("submit");
  expect(await change("medium")).toBe("980");
  composer.focus("currency");
  composer.key("ctrl+u");
  composer.enter("840");
  composer.focus("submit");
  expect(await change("low")).toBe("840");
  composer.loadPayload({ name: "euro", expect: null, tags: [], request: { amount: 1, currency: 978 } });
  expect(await change("medium")).toBe("978");
});
