// The keyring: one secret in the open and only for ten seconds, keys by hand, the test of a credential, removal.

import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { SUBMIT } from "#src/state/entry-form.ts";
import { createSession, type Session } from "#src/state/session.ts";
import { createKeyring, type Keyring } from "#src/state/vault/keyring.ts";
import {
  putCompanyKey,
  putCredential,
  answered,
  testContext,
  type TestContext,
  type TestService,
} from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { REVEAL_SECONDS, selectedKey, whyNotTest } from "#src/state/vault/keyring-state.ts";
import { createFakeTime, type FakeTime } from "./fake-time.ts";
import { agree } from "./answers.ts";

const SECRET = "5ec2e7".repeat(10);

interface Desk {
  readonly test: TestContext;
  readonly session: Session;
  readonly keyring: Keyring;
  readonly time: FakeTime;
  state(): ReturnType<Keyring["store"]["getState"]>;
  said(): string[];
}

const opened: Desk[] = [];

afterEach(async () => {
  for (const { keyring, session, test } of opened.splice(0)) {
    keyring.close();
    session.close();
    await test.remove();
  }
});

/** A keyring over a vault with one credential and one integration key, the latter selected. */
async function sitDown(answers: TestService = {}, filled = true): Promise<Desk> {
  const time = createFakeTime(0);
  const test = await testContext(answers);
  const { context } = test;
  if (filled) {
    await putCredential(context, "demo-shop/medium", { secret: SECRET });
    await putCompanyKey(context, "company-1", { keyId: "key-2", secret: SECRET });
    await putCompanyKey(context, "x", { keyId: "key-3", profile: "elsewhere", secret: SECRET });
  }
  const session = createSession({ keyName, quit: () => undefined, after: time.after });
  session.go("vault");
  const keyring = createKeyring(context, session, { after: time.after });
  await keyring.load();
  const desk: Desk = {
    test,
    session,
    keyring,
    time,
    state: () => keyring.store.getState(),
    said: () => session.store.getState().toasts.map(({ text }) => text),
  };
  opened.push(desk);
  return desk;
}

async function reveal(desk: Desk): Promise<void> {
  desk.keyring.reveal();
  await vi.waitFor(() => expect(desk.state().revealed).not.toBeNull());
}

describe("the list", () => {
  it("has the entries of the profile, the last first, and counts the others", async () => {
    const { state } = await sitDown();
    expect(state().entries.map(({ keyId }) => keyId)).toEqual(["key-2", "key-1"]);
    expect(state()).toMatchObject({ elsewhere: 1, loaded: true });
    expect(inspect(state(), { depth: 9 }) + JSON.stringify(state())).not.toContain(SECRET);
  });
});

describe("the selection", () => {
  it("is the first row until another is chosen, whatever comes above it", async () => {
    const desk = await sitDown();
    const { context } = desk.test;
    const put = async (keyId: string): Promise<void> => {
      const { projectsUrl } = context.addresses();
      await (
        await context.vault()
      ).put({
        profile: "sandbox",
        algorithm: "hmac-sha256",
        secret: new Secret(SECRET),
        kind: "integration_key",
        companyId: keyId,
        keyId,
        projectsUrl,
      });
      await desk.keyring.load();
    };
    await put("key-4");
    expect(selectedKey(desk.state())?.keyId).toBe("key-4");
    desk.keyring.select(1);
    await put("key-5");
    expect(selectedKey(desk.state())?.keyId).toBe("key-2");
  });
});

describe("the filter", () => {
  it("keeps a selected entry that it lets through, and hides the secret of another", async () => {
    const { keyring, state, ...desk } = await sitDown();
    await reveal({ keyring, state, ...desk });
    keyring.setFilter("integration");
    expect(state().revealed).not.toBeNull();
    keyring.setFilter("demo-shop");
    expect(selectedKey(state())?.keyId).toBe("key-1");
    expect(state().revealed).toBeNull();
    keyring.setFilter("nothing");
    expect(selectedKey(state())).toBeNull();
  });
});

describe("reveal", () => {
  it("counts ten seconds down and hides", async () => {
    const desk = await sitDown();
    await reveal(desk);
    expect(desk.state().revealed).toMatchObject({ secondsLeft: REVEAL_SECONDS });
    expect(desk.state().revealed!.secret.expose()).toBe(SECRET);
    desk.time.pass(9_000);
    expect(desk.state().revealed).toMatchObject({ secondsLeft: 1 });
    desk.time.pass(1_000);
    expect(desk.state().revealed).toBeNull();
    expect(desk.time.pending()).toBe(0);
  });

  it.each<[string, (desk: Desk, leave: () => void) => void]>([
    ["on the same key again", ({ keyring }) => keyring.reveal()],
    ["when another row is selected", ({ keyring }) => keyring.select(1)],
    ["when the screen is left", (_desk, leave) => leave()],
    ["when a key is added", ({ keyring }) => keyring.add()],
    ["when the console is closed", ({ keyring }) => keyring.close()],
  ])("hides %s", async (_when, act) => {
    const desk = await sitDown();
    const leave = desk.keyring.watch();
    await reveal(desk);
    act(desk, leave);
    expect(desk.state().revealed).toBeNull();
    expect(desk.time.pending()).toBe(0);
  });
});

describe("a key by hand", () => {
  function fillIn({ keyring, state }: Desk, texts: Readonly<Record<string, string>>): void {
    for (let step = 0; step < 9 && state().adding!.focus !== SUBMIT; step += 1) {
      keyring.enter(texts[state().adding!.focus] ?? "");
      keyring.move(1);
    }
  }

  it("is an integration key at first, and keeps no secret when it is saved", async () => {
    const desk = await sitDown({}, false);
    desk.keyring.add();
    fillIn(desk, { company_id: "company-9", key_id: "key-9", secret: ` ${SECRET}\n` });
    expect(inspect(desk.state(), { depth: 12 })).not.toContain(SECRET);
    await desk.keyring.submit();
    expect(desk.state().adding).toBeNull();
    expect(selectedKey(desk.state())).toMatchObject({ kind: "integration_key", companyId: "company-9" });
    const vault = await desk.test.context.vault();
    expect(vault.reveal(desk.state().selectedId!).expose()).toBe(SECRET);
  });

  it.each([
    ["a text", { company_id: "company-9" }],
    ["a secret alone", { secret: SECRET }],
  ])("is thrown away by Esc only after a question where it has %s", async (_, texts) => {
    const desk = await sitDown({}, false);
    const dialog = () => desk.session.store.getState().dialog;
    desk.keyring.add();
    desk.keyring.focus(SUBMIT);
    desk.keyring.leave();
    expect([desk.state().adding, dialog()]).toEqual([null, null]);
    desk.keyring.add();
    fillIn(desk, texts);
    desk.keyring.leave();
    expect(desk.state().adding).not.toBeNull();
    await agree(desk.session);
    expect(desk.state().adding).toBeNull();
  });

  it("becomes a credential with one key, and keeps what was typed for both", async () => {
    const desk = await sitDown({}, false);
    desk.keyring.add();
    desk.keyring.move(-1);
    desk.keyring.move(-1);
    fillIn(desk, { secret: SECRET });
    desk.keyring.move(1);
    expect(desk.state().adding!.focus).toBe("kind");
    expect(desk.keyring.key("right")).toBe(true);
    fillIn(desk, { merchant_id: "demo-shop", project_id: "project-9", key_id: "key-9" });
    await desk.keyring.submit();
    expect(selectedKey(desk.state())).toMatchObject({
      kind: "project_credential",
      projectKey: "demo-shop/medium",
    });
    expect(desk.session.store.getState().project).toBe("demo-shop/medium");
  });

  it("asks before it replaces one", async () => {
    const desk = await sitDown();
    desk.keyring.add();
    desk.keyring.key("left");
    if (desk.state().adding!.fields.length > 5) desk.keyring.key("left");
    fillIn(desk, {
      merchant_id: "demo-shop",
      project_id: "project-9",
      key_id: "key-9",
      secret: SECRET,
      company_id: "company-1",
    });
    void desk.keyring.submit();
    expect(desk.session.store.getState().dialog?.yes).toBe("replace");
    expect(desk.state().adding).not.toBeNull();
    await agree(desk.session);
    await vi.waitFor(() =>
      expect(desk.said().join()).toContain("stays in the vault; x on Vault restores it."),
    );
    expect(desk.state().former).toHaveLength(1);
  });

  it("is not saved while something is wrong, and says what without the value", async () => {
    const desk = await sitDown({}, false);
    desk.keyring.add();
    fillIn(desk, { company_id: "company 9", key_id: "key-9", secret: SECRET });
    await desk.keyring.submit();
    expect(desk.state().adding).toMatchObject({ focus: "company_id", tried: true });
    expect(desk.said()).toEqual([]);
  });

  it("forgets a typed secret when the screen is left, and not while a question covers it", async () => {
    const desk = await sitDown();
    const leave = desk.keyring.watch();
    desk.keyring.add();
    desk.keyring.move(-1);
    desk.keyring.move(-1);
    desk.keyring.enter(SECRET);
    leave();
    expect(desk.state().adding!.secrets["secret"]!.expose()).toBe(SECRET);
    const leaveAgain = desk.keyring.watch();
    desk.session.go("check");
    leaveAgain();
    expect(desk.state().adding!.secrets).toEqual({});
  });
});

describe("the test of a credential", () => {
  it("is a check that is named as a test and stands in the history", async () => {
    const desk = await sitDown();
    desk.keyring.select(1);
    await desk.keyring.test();
    const [entry] = await (await desk.test.context.history()).latest(1);
    expect(entry?.request.order_id).toMatch(/^credential-test-/);
    expect(entry?.request.amount).toBe(0);
    expect(desk.state().tests[desk.state().selectedId!]).toMatchObject({ verdict: "works" });
  });

  it.each([
    [401, "refused"],
    [500, "open"],
  ])("says after HTTP %i that it is %s", async (httpStatus, verdict) => {
    const desk = await sitDown({
      check: () => answered(null, { outcome: "refused", httpStatus, explanation: "Not authorised." }),
    });
    desk.keyring.select(1);
    await desk.keyring.test();
    const test = desk.state().tests[desk.state().selectedId!]!;
    expect(test.verdict).toBe(verdict);
    expect(test.sentence).toContain("Not authorised.");
  });

  it("is not offered for an integration key", async () => {
    const desk = await sitDown();
    expect(whyNotTest(desk.state())).toContain("registered");
    await desk.keyring.test();
    expect(await (await desk.test.context.history()).latest(1)).toEqual([]);
  });
});

describe("removal", () => {
  it("is asked for first, and then selects the neighbour", async () => {
    const desk = await sitDown();
    void desk.keyring.remove();
    expect(desk.state().entries).toHaveLength(2);
    const dialog = desk.session.store.getState().dialog!;
    expect(dialog.text).toContain("company-1");
    const removing = vi.spyOn(await desk.test.context.vault(), "remove");
    await agree(desk.session, false);
    expect(removing).not.toHaveBeenCalled();
    void desk.keyring.remove();
    await agree(desk.session);
    await vi.waitFor(() => expect(desk.state().entries).toHaveLength(1));
    expect(selectedKey(desk.state())?.keyId).toBe("key-1");
  });
});
