// What another session changes on disk shows in this one: projects, keys, payloads and the profile.

import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createContext, type Context } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import type { Project } from "#src/contract/records/project.ts";
import { Secret } from "#src/contract/secret.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { SUBMIT } from "#src/state/entry-form.ts";
import { guardedClient } from "#src/actions/check/may-send.ts";
import { LIVE } from "../console/live-context.ts";
import { answered, testContext, type TestContext } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { noDamage } from "../storage/no-damage.ts";
import { agree } from "./answers.ts";
import { projectOf } from "../console/samples.ts";

const KEY = { keyId: "k", algorithm: "hmac-sha256", secret: new Secret("0123456789abcdef") };
const SOON = { timeout: 60_000 };

const PROJECT: Project = projectOf({
  companyId: "c",
  merchantId: "from-elsewhere",
  riskLevel: "low",
  name: "Elsewhere",
  state: "ready",
  startedAt: 1,
  projectId: "p",
});

describe("another session", () => {
  let test: TestContext;
  let model: ConsoleModel;
  let other: Context;

  beforeEach(async () => {
    test = await testContext();
    await (await test.context.projects()).put({ ...PROJECT, key: "here/low", merchantId: "here" });
    model = createConsoleModel(test.context, { keyName, now: Date.now, ascii: true, quit: () => undefined });
    await model.start();
    other = await createContext({
      onProblem: noDamage,
      home: findHome({}, test.folder),
      env: {},
      profile: undefined,
      executable: [],
    });
  });
  afterEach(async () => {
    await model.close();
    await other.close();
    await test.remove();
  });

  const keyOf = (companyId: string, secret: string) =>
    ({
      kind: "integration_key",
      profile: "sandbox",
      companyId,
      keyId: "key-9",
      algorithm: "hmac-sha256",
      projectsUrl: test.context.addresses().projectsUrl,
      secret: new Secret(secret),
    }) as const;
  const companies = (): string[] =>
    model.keyring.store
      .getState()
      .entries.map((entry) => (entry.kind === "integration_key" ? entry.companyId : entry.projectKey));
  const said = (): string =>
    model.session.store
      .getState()
      .toasts.map(({ text }) => text)
      .join(" ");

  it("registers a project, which stands in the list", async () => {
    await (await other.projects()).put(PROJECT);
    await vi.waitFor(
      () =>
        expect(model.registrations.store.getState().projects.map(({ key }) => key)).toContain(PROJECT.key),
      SOON,
    );
  });

  it("puts a key into the vault and takes it out again", async () => {
    const vault = await other.vault();
    const { id } = await vault.put(keyOf("far", "a-secret"));
    await vi.waitFor(() => expect(companies()).toContain("far"), SOON);
    await vault.remove(id);
    await vi.waitFor(() => expect(companies()).not.toContain("far"), SOON);
  });

  it("saves a payload, which stands in the open library", async () => {
    model.library.open();
    await vi.waitFor(() => expect(model.library.store.getState().rows).toEqual([]), SOON);
    const request = { operation: "payment", order_id: "o", amount: 1, currency: 980 };
    await (await other.payloads()).save({ name: "theirs", expect: null, tags: [], request }, false);
    await vi.waitFor(
      () => expect(model.library.store.getState().rows?.map(({ name }) => name)).toEqual(["theirs"]),
      SOON,
    );
  });

  it("has changed a key before this one replaces it, and keeps what it wrote", async () => {
    await (await other.vault()).put(keyOf("shared", "first-secret"));
    await vi.waitFor(() => expect(companies()).toContain("shared"), SOON);
    const { keyring, session } = model;
    keyring.add();
    keyring.enter("i");
    const focusOn = (path: string): void => {
      const stops = keyring.store.getState().adding!.fields.length + 1;
      for (let moves = 0; keyring.store.getState().adding!.focus !== path; moves += 1) {
        expect(moves, path).toBeLessThan(stops);
        keyring.move(1);
      }
    };
    for (const [path, text] of [
      ["company_id", "shared"],
      ["key_id", "key-mine"],
      ["secret", "my-secret"],
    ]) {
      focusOn(path!);
      keyring.enter(text!);
    }
    focusOn(SUBMIT);
    void keyring.submit();
    const { dialog } = session.store.getState();
    expect(dialog?.text).toContain("Replace it?");
    const held = await other.vault();
    const { id: theirs } = await held.put(keyOf("shared", "second-secret"));
    await agree(session);
    await vi.waitFor(() => expect(said()).toContain("shared was changed in another session"), SOON);
    await held.refresh();
    expect(held.reveal(theirs).expose()).toBe("second-secret");
    // What was typed is still there, to be sent once more.
    expect(keyring.store.getState().adding).not.toBeNull();
  });

  it("is not followed any more once this one is closed", async () => {
    await model.close();
    const before = model.registrations.store.getState().projects.length;
    const seen = vi.fn();
    const stop = (await other.projects()).watch(seen);
    await (await other.projects()).put(PROJECT);
    await vi.waitFor(() => expect(seen).toHaveBeenCalled(), SOON);
    stop();
    expect(model.registrations.store.getState().projects.length).toBe(before);
  });
});

describe("a session on a profile that another one changes", () => {
  it("sends nothing more from the moment that it is read-only, and is free only when it is used again", async () => {
    const test = await testContext();
    const profiles = await test.context.profiles();
    const profile = { ...LIVE };
    await profiles.put(profile);
    const context = { ...test.context, profile };
    const sent: string[] = [];
    const client = guardedClient(
      {
        check: async ({ order_id }) => (sent.push(order_id!), answered("pass")),
        register: () => Promise.reject(new Error("not asked")),
        credential: () => Promise.reject(new Error("not asked")),
        close: () => Promise.resolve(),
      },
      profile,
    );
    const model = createConsoleModel(context, { keyName, now: Date.now, ascii: true, quit: () => undefined });
    try {
      await model.start();
      const credential = { ...KEY, projectKey: "m/low", projectId: "p", baseUrl: profile.baseUrl };
      await client.check({ order_id: "before" }, credential);
      await profiles.put({ ...LIVE, readOnly: true });
      const said = (): string => model.session.store.getState().messages.at(-1)?.text ?? "";
      await vi.waitFor(() => expect(said()).toMatch(/is read-only, so nothing is sent/), SOON);
      // Also what is under way: its client asks before each call.
      await expect(client.check({ order_id: "after" }, credential)).rejects.toThrow("is read-only");
      expect(model.sweeps.disabled).toContain("is read-only");
      await profiles.put(LIVE);
      await vi.waitFor(() => expect(said()).toContain("until you choose the profile again"), SOON);
      await expect(client.check({ order_id: "later" }, credential)).rejects.toThrow("is read-only");
      expect(sent).toEqual(["before"]);
    } finally {
      await model.close();
      await test.remove();
    }
  });

  it("says so, and goes on with it as it was", async () => {
    const test = await testContext();
    const profiles = await test.context.profiles();
    const profile = {
      name: "acme",
      environment: "TEST",
      baseUrl: "https://acme.example",
      projectsUrl: "https://acme.example",
      recipe: "none",
      amountUnit: "minor",
      credentialWaitS: 1,
    } as const;
    await profiles.put(profile);
    const context = { ...test.context, profile };
    const model = createConsoleModel(context, { keyName, now: Date.now, ascii: true, quit: () => undefined });
    const said = (): string =>
      model.session.store
        .getState()
        .toasts.map(({ text }) => text)
        .join(" ");
    try {
      await model.start();
      const { openProfiles } = await import("#src/storage/documents/profiles.ts");
      const elsewhere = openProfiles({
        onProblem: noDamage,
        path: join(test.context.home.config, "profiles.json"),
      });
      await elsewhere.put({ ...profile, name: "unrelated" });
      await elsewhere.put({ ...profile, recipe: "kong" });
      await vi.waitFor(
        () => expect(said()).toContain("The profile acme was changed in another session"),
        SOON,
      );
      await elsewhere.remove("acme");
      await vi.waitFor(
        () => expect(said()).toContain("The profile acme was removed in another session"),
        SOON,
      );
    } finally {
      await model.close();
      await test.remove();
    }
  });
});
