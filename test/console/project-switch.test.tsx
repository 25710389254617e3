// The switch of the project: found by letters, used, remembered for the next start, and never by accident.

import { expect, it, onTestFinished, vi } from "vitest";
import { mount, type Mounted } from "./harness.tsx";
import { keyName } from "../keys/standard.ts";
import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { Secret } from "#src/contract/secret.ts";
import { TEST_SECRET, testContext, type TestContext } from "./test-context.ts";

const START = Date.UTC(2026, 10, 21, 12);

interface Stage {
  readonly model: ConsoleModel;
  readonly screen: Mounted;
  readonly project: () => string | null;
}

async function home(): Promise<TestContext> {
  const test = await testContext({ now: () => START });
  onTestFinished(() => test.remove());
  const projects = await test.context.projects();
  const vault = await test.context.vault();
  const levels: readonly RiskLevel[] = ["low", "medium", "high"];
  for (const [index, riskLevel] of levels.entries()) {
    const key = `demo-shop/${riskLevel}`;
    await projects.put({
      key,
      profile: test.context.profile.name,
      companyId: "company-1",
      merchantId: "demo-shop",
      riskLevel,
      name: "Demo shop",
      description: null,
      currency: riskLevel === "low" ? 978 : 980,
      state: riskLevel === "high" ? "registered" : "ready",
      startedAt: START - 1_000 + index,
      provenStartAt: null,
      serviceOffsetMs: null,
      projectId: null,
    });
    if (riskLevel === "high") continue;
    await vault.put({
      kind: "project_credential",
      profile: test.context.profile.name,
      projectKey: key,
      projectId: `project-${riskLevel}`,
      keyId: `key-${riskLevel}`,
      algorithm: "hmac-sha256",
      baseUrl: test.context.addresses().baseUrl,
      secret: new Secret(TEST_SECRET),
    });
  }
  return test;
}

async function open({ context }: TestContext, columns = 80): Promise<Stage> {
  const own = { ...context, close: () => Promise.resolve() };
  const model = createConsoleModel(own, { keyName, now: () => START, ascii: false, quit: vi.fn() });
  const screen = mount(
    <ConsoleModelProvider value={model}>
      <App onInterrupt={vi.fn()} onSuspend={vi.fn()} onEdit={vi.fn()} />
    </ConsoleModelProvider>,
    { bindings: BINDINGS, columns },
  );
  onTestFinished(async () => {
    screen.unmount();
    await model.close();
  });
  await model.start();
  return { model, screen, project: () => model.session.store.getState().project };
}

it("starts with the last registered project, and with the last used one from then on", async () => {
  const test = await home();
  const first = await open(test);
  expect(first.project()).toBe("demo-shop/medium");
  first.screen.press("P");
  await first.screen.until("Switch project");
  expect(first.screen.frame()).toMatch(/› +demo-shop\/medium +medium +UAH +never +in the vault/);
  first.screen.press("lo\r");
  await first.screen.until("The project is demo-shop/low now");
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
    screen.press(keys);
    await screen.until((frame) => frame.includes("Compose") && !frame.includes("Switch project"));
    expect(project()).toBe("demo-shop/medium");
  }
  screen.press("Phigh\r");
  await screen.until("demo-shop/high has no credential yet");
  expect(screen.frame()).toContain("Switch project");
  screen.press("zzz");
  await screen.until("No project matches.");
  screen.press("\r");
  expect(project()).toBe("demo-shop/medium");
  expect(model.checks.store.getState()).toMatchObject({ inFlight: null, latest: null });
});

it("leaves the rest of the screen where it is, and fits at 60 columns", async () => {
  const { screen } = await open(await home(), 60);
  await screen.until("Compose");
  const before = screen.lines();
  screen.press("P");
  await screen.until("Switch project");
  const lines = screen.lines();
  // The one pointer of the screen is in the drawer.
  expect(lines.slice(12, -1)).toEqual(before.slice(12, -1).map((line) => line.replace(/^›/, " ")));
  expect(lines.some((line) => /demo-shop\/low +low +EUR +never/.test(line))).toBe(true);
  expect(lines.join("\n")).toMatch(/Switching sends nothing\. *\n/);
  expect(lines.at(-1)).toContain("Enter use it   Esc leave");
});

it("uses the selected project of Register with Enter, while nothing is typed into the form", async () => {
  const { screen, project, model } = await open(await home());
  screen.press("2");
  const before = await screen.until("Register a project");
  expect(before).not.toContain("use the project");
  model.registrations.select("last");
  await screen.until("use the project");
  screen.press("\r");
  await screen.until("The project is demo-shop/low now");
  expect(project()).toBe("demo-shop/low");
});

it("is found in the palette", async () => {
  const { screen } = await open(await home());
  screen.press(":switch project\r");
  await screen.until("Switching sends nothing.");
});

it("is found in the palette by its own name, too", async () => {
  const { screen, project } = await open(await home());
  screen.press(":demo low");
  await screen.until(/› +switch project to demo-shop\/low/);
  screen.press("\r");
  await vi.waitFor(() => expect(project()).toBe("demo-shop/low"));
});

it("begins a sweep, loads a saved payload and opens an order from the palette, and sends nothing by it", async () => {
  const test = await home();
  const { screen, model } = await open(test);
  screen.press(":sweep curr\r");
  await screen.until(/Sweep currency \S/);
  screen.press("\u001b");
  await screen.until((frame) => !frame.includes("Sweep currency"));
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
  screen.press("4:");
  await screen.until("Palette");
  await model.verbs.learn();
  screen.press("big-one\r");
  await screen.until(/Order id +o-named/);
  screen.press(":open order\r");
  await screen.until("its order id; *");
  screen.press("o-never\r");
  await screen.until("order:o-never");
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
    screen.press(`P${to}\r`);
    await screen.until(`The project is demo-shop/${to} now`);
    model.session.dismissToasts();
    return composer.store.getState().fields["currency"]!.text;
  };
  screen.press("Plow\r");
  await screen.until("checks are sent for it, in EUR.");
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
