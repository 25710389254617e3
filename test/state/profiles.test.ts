// The Profiles screen's state: what is typed is never lost, what is stale says so, and another profile is used soundly.

import { expect, onTestFinished, test, vi } from "vitest";
import type { Profile } from "#src/contract/records/profile.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { SUBMIT, textOf } from "#src/state/entry-form.ts";
import { NEW, selectedProfile } from "#src/state/profiles/profiles-state.ts";
import { LIVE, profileContext } from "../console/live-context.ts";
import { keyName } from "../keys/standard.ts";
import { agree } from "./answers.ts";

async function desk(profile: Profile = LIVE, onUse = vi.fn(() => Promise.resolve())) {
  const home = await profileContext(profile);
  const quit = vi.fn();
  const model = createConsoleModel(home.context, {
    keyName,
    now: () => Date.now(),
    ascii: false,
    quit,
    onUse,
  });
  await model.profiles.load();
  onTestFinished(async () => {
    await model.close();
    await home.remove();
  });
  return { ...home, model, quit, onUse, book: await home.context.profiles() };
}

const said = ({ session }: ConsoleModel): string => session.store.getState().toasts.at(-1)?.text ?? "";
const dialog = ({ session }: ConsoleModel) => session.store.getState().dialog;

/** Types into a field of the form that is open, and goes back to its button. */
function type({ profiles }: ConsoleModel, path: string, text: string): void {
  const { editing, drafts } = profiles.store.getState();
  const { form } = drafts[editing!]!;
  for (let left = form.fields.length + 1; left > 0; left -= 1) {
    if (profiles.store.getState().drafts[editing!]!.form.focus === path) break;
    profiles.move(1);
  }
  profiles.key("ctrl+u");
  profiles.enter(text);
  profiles.leave();
}

const shown = ({ profiles }: ConsoleModel, name: string, path: string): string =>
  textOf(profiles.store.getState().drafts[name]!.form, path);

test("a new profile is saved from its form, the check address standing for both", async () => {
  const { model, book } = await desk();
  model.profiles.add();
  type(model, "name", "shop-test");
  await model.profiles.submit();
  expect(said(model)).toContain("Check address is missing");
  type(model, "base_url", "https://test.example");
  type(model, "company_id", "acme");
  await model.profiles.submit();
  expect(await book.get("shop-test")).toEqual({
    name: "shop-test",
    environment: "TEST",
    baseUrl: "https://test.example",
    projectsUrl: "https://test.example",
    recipe: "http-signatures",
    amountUnit: "minor",
    credentialWaitS: 180,
    companyId: "acme",
  });
  expect(model.profiles.store.getState()).toMatchObject({ editing: null, selected: "shop-test", drafts: {} });
});

test("a new profile takes no other one's place", async () => {
  const { model, book } = await desk();
  model.profiles.add();
  type(model, "name", "other");
  type(model, "base_url", "https://test.example");
  await model.profiles.submit();
  expect(said(model)).toContain("There is a profile other already");
  expect(shown(model, NEW, "base_url")).toBe("https://test.example");
  expect(await book.get("other")).toMatchObject({ baseUrl: LIVE.baseUrl });
});

test("what is typed outlives Esc, and leaving asks about it", async () => {
  const { model, quit } = await desk();
  model.profiles.edit();
  type(model, "base_url", "https://typed.example");
  model.profiles.leave();
  expect(model.profiles.store.getState().editing).toBeNull();
  expect(model.profiles.unsaved()).toEqual([LIVE.name]);
  model.session.quit();
  expect(quit).not.toHaveBeenCalled();
  expect(dialog(model)!.text).toContain(LIVE.name);
  await agree(model.session, false);
  model.profiles.edit();
  expect(shown(model, LIVE.name, "base_url")).toBe("https://typed.example");
  void model.profiles.discard();
  await agree(model.session);
  expect(model.profiles.unsaved()).toEqual([]);
  model.session.quit();
  expect(quit).toHaveBeenCalledOnce();
});

test("a form that nothing was typed into leaves nothing behind", async () => {
  const { model } = await desk();
  model.profiles.edit();
  model.profiles.leave();
  expect(model.profiles.store.getState().drafts).toEqual({});
});

test("a profile that another session changed is not overwritten without a question", async () => {
  const { model, book } = await desk();
  model.profiles.select("first");
  model.profiles.select(1);
  expect(selectedProfile(model.profiles.store.getState())?.name).toBe("other");
  model.profiles.edit();
  type(model, "base_url", "https://mine.example");
  const before = (await book.get("other"))!;
  await book.put({ ...before, baseUrl: "https://theirs.example" });
  // Not told of yet: the store itself refuses, and the form is still there.
  await model.profiles.submit();
  expect(said(model)).toContain("changed in another session");
  expect(shown(model, "other", "base_url")).toBe("https://mine.example");
  expect(await book.get("other")).toMatchObject({ baseUrl: "https://theirs.example" });
  expect(model.profiles.store.getState().drafts["other"]!.stale).toBe(true);
  void model.profiles.submit();
  await expect.poll(() => dialog(model)).not.toBeNull();
  await agree(model.session);
  await expect.poll(async () => (await book.get("other"))?.baseUrl).toBe("https://mine.example");
});

test("the sandbox is changed by nothing, and the profile of the console is not removed", async () => {
  const { model, book } = await desk();
  model.profiles.select("last");
  await model.profiles.remove();
  expect(said(model)).toContain("use another one first");
  model.profiles.select("first");
  for (const verb of ["edit", "remove", "toggleRecipe", "toggleReadOnly"] as const) {
    model.session.dismissToasts();
    await model.profiles[verb]();
    expect(said(model)).toContain("The sandbox is built in");
  }
  model.profiles.select(1);
  void model.profiles.remove();
  await agree(model.session);
  await expect.poll(() => book.get("other")).toBeNull();
});

test("a recipe is confirmed and doubted again, and the switch lets nothing through", async () => {
  const { model, book, onUse } = await desk();
  await model.profiles.toggleRecipe();
  expect(model.profiles.store.getState().recipes[LIVE.name]).toBe("confirmed");
  await model.profiles.toggleRecipe();
  expect((await book.get(LIVE.name))!.confirmedRecipe).toBeUndefined();
  await model.profiles.toggleReadOnly();
  expect((await book.get(LIVE.name))!.readOnly).toBe(true);
  // To a live service the way back is asked about.
  void model.profiles.toggleReadOnly();
  expect((await book.get(LIVE.name))!.readOnly).toBe(true);
  await agree(model.session);
  await expect.poll(() => book.get(LIVE.name)).toEqual(LIVE);
  await expect.poll(() => onUse.mock.calls.length).toBe(4);
  // Each of them is in force in this console at once, and not the one that commands use.
  expect(onUse.mock.calls).toEqual(Array.from({ length: 4 }, () => [LIVE.name, false]));
});

test("another profile waits for what is under way, and asks about what is typed", async () => {
  const { model, onUse } = await desk();
  model.profiles.select("first");
  model.registrations.move(1);
  model.registrations.enter("m-1");
  const using = model.profiles.use();
  await expect.poll(() => dialog(model)?.text ?? "").toContain("the registration form");
  await agree(model.session, false);
  await using;
  expect(onUse).not.toHaveBeenCalled();
  const again = model.profiles.use();
  await expect.poll(() => dialog(model)).not.toBeNull();
  await agree(model.session);
  await again;
  expect(onUse.mock.calls).toEqual([["sandbox", true]]);
});

test("what is composed goes along: ready on the same profile, behind the undo key on another", async () => {
  const { model, context } = await desk();
  expect(model.snapshot().composition).toBeNull();
  model.composer.loadRequest(
    { operation: "payment", order_id: "o-1", amount: 4_200, currency: 980 },
    { from: null },
  );
  model.profiles.add();
  type(model, "name", "half");
  const snapshot = model.snapshot();
  const options = { keyName, now: () => Date.now(), ascii: false, quit: () => undefined, snapshot };
  const same = createConsoleModel(context, options);
  expect(same.composer.toRequest()).toMatchObject({ amount: 4_200 });
  expect(same.profiles.unsaved()).toEqual(["a new profile"]);
  const other = createConsoleModel({ ...context, profile: { ...LIVE, name: "other" } }, options);
  expect(other.composer.toRequest().amount).toBeUndefined();
  expect(other.composer.undoLoad()).toBe(true);
  expect(other.composer.toRequest()).toMatchObject({ amount: 4_200 });
  expect(other.profiles.store.getState().drafts[NEW]!.form.focus).toBe(SUBMIT);
  await Promise.all([same.close(), other.close()]);
});
