// Registrations: the form, the 24 hours by the service's clock, what requests bring, and the way after the window. When
// each request leaves is in fetch-schedule.test.ts.

import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Context } from "#src/app/context.ts";
import type { Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import type { CredentialResult } from "#src/contract/wire/outcome.ts";
import { SUBMIT, textOf } from "#src/state/entry-form.ts";
import { projectWindow } from "#src/state/register/project-window.ts";
import {
  listedProjects,
  openForm,
  selectedProject,
  whyNotByHand,
  whyNotFetch,
} from "#src/state/register/registrations-state.ts";
import { createRegistrations, type Registrations } from "#src/state/register/registrations.ts";
import { createServiceClock } from "#src/state/sandbox/service-clock.ts";
import { createSession, type Session } from "#src/state/session.ts";
import {
  credentialReady,
  putCredential,
  registered,
  TEST_SECRET,
  testContext,
  type TestContext,
  type TestService,
} from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { createFakeTime, type FakeTime } from "./fake-time.ts";
import { agree } from "./answers.ts";
import { projectOf } from "../console/samples.ts";

const START = Date.UTC(2026, 10, 21, 12, 0, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Desk {
  readonly context: Context;
  readonly session: Session;
  readonly registrations: Registrations;
  readonly time: FakeTime;
  readonly asked: string[];
  state(): ReturnType<Registrations["store"]["getState"]>;
  said(): string[];
  /** Another console over the same files. */
  restart(): Promise<Registrations>;
}

const opened: { registrations: Registrations; session: Session; test: TestContext }[] = [];

afterEach(async () => {
  for (const { registrations, session, test } of opened.splice(0)) {
    await registrations.close();
    session.close();
    await test.remove();
  }
});

async function sitDown(answers: TestService = {}): Promise<Desk> {
  const time = createFakeTime(START);
  const test = await testContext({ now: time.now, ...answers });
  const asked: string[] = [];
  const inner = await test.context.service();
  const client: typeof inner.client = {
    ...inner.client,
    credential(body, key, options) {
      asked.push(`${body.merchant_id}/${body.risk_level}`);
      return inner.client.credential(body, key, options);
    },
  };
  const context: Context = {
    ...test.context,
    sleep: time.sleep,
    service: () => Promise.resolve({ ...inner, client }),
  };
  const session = createSession({ keyName, quit: () => undefined, after: time.after });
  const open = (): Registrations => {
    const registrations = createRegistrations(context, session, { after: time.after, steady: time.now });
    opened.push({ registrations, session, test });
    return registrations;
  };
  const registrations = open();
  await registrations.load();
  return {
    context,
    session,
    registrations,
    time,
    asked,
    state: () => registrations.store.getState(),
    said: () => session.store.getState().toasts.map(({ text }) => text),
    async restart() {
      await registrations.close();
      const next = open();
      await next.load();
      return next;
    },
  };
}

/** Fills in the form as a user does: Tab, type, Tab. */
function fillIn(registrations: Registrations, merchant: string): void {
  const focus = (): string => openForm(registrations.store.getState()).focus;
  const texts: Record<string, string> = { merchant_id: merchant, name: "Demo shop", currency: "UAH" };
  for (registrations.move(1); focus() !== SUBMIT; registrations.move(1)) {
    const text = texts[focus()];
    if (text !== undefined) registrations.enter(text);
  }
}

async function register(desk: Desk, merchant: string): Promise<Project> {
  fillIn(desk.registrations, merchant);
  await desk.registrations.submit();
  return selectedProject(desk.state())!;
}

function notReady(change: Partial<CredentialResult> = {}): CredentialResult {
  return credentialReady({
    outcome: "refused",
    state: "not_ready",
    credential: null,
    httpStatus: 404,
    explanation: "The credential is not ready yet.",
    ...change,
  });
}

const closed = (): CredentialResult =>
  notReady({ state: "closed", httpStatus: 410, explanation: "The window is closed." });

describe("the 24 hours of a project", () => {
  const project: Project = projectOf({
    companyId: "c",
    merchantId: "shop",
    riskLevel: "low",
    name: "Shop",
    startedAt: START,
  });
  const phaseAt = (age: number, change: Partial<Project> = {}): string | undefined =>
    projectWindow({ ...project, ...change }, 3 * MINUTE, START + age)?.phase;

  it("has a word for each stretch, and is closed at exactly 24 hours", () => {
    expect(phaseAt(0)).toBe("waiting");
    expect(phaseAt(3 * MINUTE - 1)).toBe("waiting");
    expect(phaseAt(3 * MINUTE)).toBe("ready");
    expect(phaseAt(CREDENTIAL_WINDOW_MS - HOUR)).toBe("ready");
    expect(phaseAt(CREDENTIAL_WINDOW_MS - HOUR + 1)).toBe("soon");
    expect(phaseAt(CREDENTIAL_WINDOW_MS - 10 * MINUTE)).toBe("soon");
    expect(phaseAt(CREDENTIAL_WINDOW_MS - 10 * MINUTE + 1)).toBe("last_minutes");
    expect(phaseAt(CREDENTIAL_WINDOW_MS - 1)).toBe("last_minutes");
    expect(phaseAt(CREDENTIAL_WINDOW_MS)).toBe("closed");
  });

  it("counts from the start that the service proved, and believes its word that it is over", () => {
    expect(phaseAt(CREDENTIAL_WINDOW_MS, { provenStartAt: START + 2 * HOUR })).toBe("ready");
    expect(phaseAt(HOUR, { state: "closed" })).toBe("closed");
    expect(phaseAt(HOUR, { state: "ready" })).toBeUndefined();
    expect(phaseAt(HOUR, { state: "refused" })).toBeUndefined();
  });
});

describe("the registration form", () => {
  it("registers from its button, selects the project and is empty again", async () => {
    const desk = await sitDown();
    const project = await register(desk, "demo-shop");
    expect(project).toMatchObject({ key: "demo-shop/medium", state: "registered", currency: 980 });
    expect(desk.state().now).toBe(START);
    expect(textOf(desk.state().form, "merchant_id")).toBe("");
    expect(desk.said()).toContain("Registered demo-shop/medium; the credential is next.");
  });

  it("lists the project that it registers, whatever the filter was", async () => {
    const desk = await sitDown();
    desk.registrations.setFilter("nothing");
    const { key } = await register(desk, "demo-shop");
    expect(listedProjects(desk.state()).map((project) => project.key)).toEqual([key]);
  });

  it("sends nothing while a field is wrong, and goes to the first wrong one", async () => {
    const calls = vi.fn(() => registered());
    const desk = await sitDown({ register: calls });
    await desk.registrations.submit();
    expect(desk.state().form).toMatchObject({ focus: "merchant_id", tried: true });
    desk.registrations.enter("demo-shop");
    for (let step = 0; step < 6 && desk.state().form.focus !== SUBMIT; step += 1) desk.registrations.move(1);
    await desk.registrations.submit();
    expect(desk.state().form.focus).toBe("name");
    expect(calls).not.toHaveBeenCalled();
  });

  it("keeps what was typed and says why when the service refuses", async () => {
    const desk = await sitDown({
      register: () =>
        registered({
          outcome: "refused",
          registered: false,
          httpStatus: 401,
          explanation: "Not authorised.",
        }),
    });
    await register(desk, "demo-shop");
    expect(textOf(desk.state().form, "merchant_id")).toBe("demo-shop");
    expect(desk.said()).toContain("Not authorised.");
    expect(selectedProject(desk.state())?.state).toBe("refused");
    expect(whyNotFetch(desk.state(), 5_000, keyName)).toContain("refused");
  });
});

describe("the credential", () => {
  it("is fetched by itself at the recommended time, and not before", async () => {
    const desk = await sitDown();
    await register(desk, "demo-shop");
    desk.time.pass(4_999);
    expect(desk.asked).toEqual([]);
    desk.time.pass(1_001);
    await vi.waitFor(() => expect(selectedProject(desk.state())?.state).toBe("ready"));
    expect(desk.asked).toEqual(["demo-shop/medium"]);
    expect((await desk.context.vault()).list().map(({ kind }) => kind)).toContain("project_credential");
    expect(desk.session.store.getState().project).toBe("demo-shop/medium");
    expect(inspect(desk.state(), { depth: 9 })).not.toContain(TEST_SECRET);
  });

  it("takes Enter from the button only when the user goes to its row", async () => {
    const desk = await sitDown();
    const { key } = await register(desk, "demo-shop");
    // On the row that waits, Enter registers, and goes on doing so when the credential comes.
    desk.registrations.select("last");
    desk.time.pass(3 * MINUTE + 1_000);
    await vi.waitFor(() => expect(selectedProject(desk.state())?.state).toBe("ready"));
    expect(desk.state()).toMatchObject({ selectedKey: key, pointedKey: null });
    desk.registrations.select("last");
    expect(desk.state().pointedKey).toBe(key);
    await register(desk, "demo-shop");
    expect(desk.state()).toMatchObject({ selectedKey: key, pointedKey: null });
  });

  it("that comes leaves the selection on a project that the filter still lists", async () => {
    const answers = [notReady({ retryAfterS: 600 }), credentialReady()];
    const desk = await sitDown({ credential: () => answers.shift()! });
    const first = await register(desk, "first");
    desk.time.pass(6_000);
    await vi.waitFor(() => expect(desk.state().progress[first.key]?.kind).toBe("waiting"));
    const second = await register(desk, "second");
    desk.registrations.setFilter("registered");
    expect(selectedProject(desk.state())?.key).toBe(second.key);
    desk.time.pass(6_000);
    await vi.waitFor(() => expect(listedProjects(desk.state())).toHaveLength(1));
    expect(selectedProject(desk.state())?.key).toBe(first.key);
  });

  it("that another session fetched makes its project this session's", async () => {
    const desk = await sitDown();
    const project = await register(desk, "shop-1");
    expect(desk.session.store.getState().project).toBeNull();
    await putCredential(desk.context, project.key);
    await (await desk.context.projects()).put({ ...project, state: "ready" });
    await desk.registrations.refresh();
    expect(desk.session.store.getState().project).toBe("shop-1/medium");
    expect(desk.asked).toEqual([]);
  });

  it("that was removed from the vault is fetched again only when the user asks for it, in its 24 hours", async () => {
    const desk = await sitDown();
    const { key } = await register(desk, "demo-shop");
    desk.time.pass(4 * MINUTE);
    await vi.waitFor(() => expect(selectedProject(desk.state())?.state).toBe("ready"));
    const removeIt = async (): Promise<void> => {
      const vault = await desk.context.vault();
      for (const { id, kind } of vault.list()) if (kind === "project_credential") await vault.remove(id);
      await desk.registrations.refresh();
      expect(selectedProject(desk.state())?.state).toBe("removed");
    };
    await removeIt();
    desk.time.pass(HOUR);
    expect(desk.asked).toEqual([key]);
    desk.registrations.fetchNow();
    await vi.waitFor(() => expect(selectedProject(desk.state())?.state).toBe("ready"));
    await removeIt();
    desk.time.pass(CREDENTIAL_WINDOW_MS);
    expect(whyNotFetch({ ...desk.state(), now: desk.time.now() }, 180_000, keyName)).toBe(
      "The 24 hours are over; m enters the credential by hand.",
    );
    expect(whyNotByHand(desk.state(), 180_000)).toBeNull();
    expect(desk.asked).toEqual([key, key]);
  });

  it("that cannot be used ends the requests, and may be entered by hand at once", async () => {
    const desk = await sitDown({
      credential: () => notReady({ outcome: "indeterminate", state: "unusable", explanation: "Bad secret." }),
    });
    const { key } = await register(desk, "demo-shop");
    expect(whyNotByHand(desk.state(), 5_000)).toContain("fetches the credential automatically");
    desk.registrations.fetchNow();
    await vi.waitFor(() =>
      expect(desk.state().progress[key]).toEqual({ kind: "stopped", why: "Bad secret.", retryAt: null }),
    );
    desk.time.pass(10 * MINUTE);
    expect(desk.asked).toHaveLength(1);
    expect(whyNotByHand(desk.state(), 5_000)).toBeNull();
  });
});

describe("after the window", () => {
  async function late(): Promise<Desk> {
    const desk = await sitDown({ credential: closed });
    await register(desk, "demo-shop");
    expect(whyNotByHand(desk.state(), 5_000)).toContain("24 hours");
    desk.registrations.fetchNow();
    await vi.waitFor(() => expect(selectedProject(desk.state())?.state).toBe("closed"));
    return desk;
  }

  it("goes back to the registration with Esc, first to the button, and forgets the secret", async () => {
    const desk = await late();
    desk.registrations.enterByHand();
    desk.registrations.enter("key-7");
    expect(desk.registrations.leave()).toBe(true);
    expect(openForm(desk.state())).toMatchObject({ focus: SUBMIT });
    expect(textOf(openForm(desk.state()), "key_id")).toBe("key-7");
    expect(desk.registrations.leave()).toBe(true);
    expect(desk.state().byHand).not.toBeNull();
    await agree(desk.session);
    expect(desk.state().byHand).toBeNull();
    expect(desk.registrations.leave()).toBe(false);
  });
});

describe("the service's clock", () => {
  function clockOf(time: FakeTime, reading?: () => { virtualTime: number; frozen: boolean }) {
    let offset = 0;
    const service = {
      now: () => time.now() + offset,
      follow: (told: { virtualTimeMs: number | null }) => {
        offset = told.virtualTimeMs! - time.now();
      },
      assumeOffset: (remembered: number) => {
        offset = remembered;
      },
    };
    let steady = 0;
    const context = {
      now: time.now,
      sandbox: () =>
        reading === undefined
          ? null
          : { admin: { clock: () => Promise.resolve({ ...reading(), realTime: time.now() }) } },
    };
    const clock = createServiceClock(context as unknown as Context, () => steady);
    clock.use(service as unknown as Awaited<ReturnType<Context["service"]>>, 1_000);
    return {
      clock,
      live: (ms: number) => {
        steady += ms;
      },
    };
  }

  it("starts from the remembered offset, and gains no time from a local clock that is set back", () => {
    const time = createFakeTime(START);
    const { clock, live } = clockOf(time);
    clock.check();
    time.jump(-HOUR + 1_000);
    live(1_000);
    clock.check();
    expect(clock.now()).toBe(START + 2_000);
    time.jump(1_000);
    live(1_000);
    clock.check();
    expect(clock.now()).toBe(START + 3_000);
  });

  it("follows the virtual clock of a sandbox that somebody moves or freezes", async () => {
    const time = createFakeTime(START);
    let reading = { virtualTime: START + 23 * HOUR, frozen: false };
    const { clock } = clockOf(time, () => reading);
    await clock.poll();
    time.jump(1_000);
    expect(clock.now()).toBe(START + 23 * HOUR + 1_000);
    reading = { virtualTime: START + 24 * HOUR, frozen: true };
    await clock.poll();
    time.jump(5_000);
    expect(clock.now()).toBe(START + 24 * HOUR);
  });
});
