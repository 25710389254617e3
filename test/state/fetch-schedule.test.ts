// The schedule of credential requests alone: when each leaves, what is said of it, and what ends it.

import { expect, it, onTestFinished, vi } from "vitest";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import type { Context } from "#src/app/context.ts";
import { Fault, sentence, vaultLocked } from "#src/contract/fault.ts";
import type { Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import type { CredentialResult } from "#src/contract/wire/outcome.ts";
import { createFetchSchedule, type FetchSchedule } from "#src/state/register/fetch-schedule.ts";
import { createRegistrationForm } from "#src/state/register/registration-form.ts";
import { NO_REGISTRATIONS, type RegistrationsState } from "#src/state/register/registrations-state.ts";
import { createSession, type Session } from "#src/state/session.ts";
import type { VaultLock } from "#src/state/vault/vault-lock.ts";
import { projectOf } from "../console/samples.ts";
import { credentialReady, testContext } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { createFakeTime, type FakeTime } from "./fake-time.ts";
import { settled } from "./registration-life.ts";

const START = Date.UTC(2026, 10, 21, 12);
const WAIT_S = 5;
const PROJECT = projectOf({ startedAt: START });
const { key: KEY } = PROJECT;

const refused = (change: Partial<CredentialResult> = {}): CredentialResult =>
  credentialReady({
    outcome: "refused",
    state: "not_ready",
    credential: null,
    httpStatus: 404,
    explanation: "It is not there.",
    ...change,
  });
const LOST = refused({ outcome: "unknown", state: "failed", httpStatus: null, explanation: "No answer." });

interface Desk {
  readonly schedule: FetchSchedule;
  readonly store: StoreApi<RegistrationsState>;
  readonly session: Session;
  readonly time: FakeTime;
  /** Signals of the requests, oldest first. */
  readonly asked: AbortSignal[];
  /** What the service answers from now on; a request waits in `late` while it is null. */
  answer: CredentialResult | null;
  readonly late: ((result: CredentialResult) => void)[];
  /** What the vault says to a probe, and to a credential. */
  probe: () => Promise<void>;
  put: () => Promise<unknown>;
  readonly offsets: number[];
  /** Times that the service was told. */
  readonly followed: (number | null)[];
  /** Readings of the clock of the sandbox, which are answered one by one. */
  readonly readings: (() => void)[];
  readonly locked: StoreApi<{ readonly locked: boolean }>;
  progress(): RegistrationsState["progress"][string] | undefined;
  said(): string[];
  pass(ms: number): Promise<void>;
}

interface Given {
  readonly projects?: readonly Project[];
  readonly isStarted?: boolean;
  readonly steady?: () => number;
  readonly onUnsaved?: (unsaved: UnsavedCredential) => void;
}

async function open({ projects = [PROJECT], isStarted = true, ...options }: Given = {}): Promise<Desk> {
  const time = createFakeTime(START);
  const test = await testContext({ now: time.now, credentialWaitS: WAIT_S });
  const asked: AbortSignal[] = [];
  const late: ((result: CredentialResult) => void)[] = [];
  const offsets: number[] = [];
  const followed: (number | null)[] = [];
  const readings: (() => void)[] = [];
  const inner = await test.context.service();
  const service: typeof inner = {
    ...inner,
    assumeOffset: (offset) => void offsets.push(offset),
    follow: ({ virtualTimeMs }) => void followed.push(virtualTimeMs),
    client: {
      ...inner.client,
      credential: (_body, _key, { signal } = {}) => {
        asked.push(signal!);
        return desk.answer === null
          ? new Promise((resolve) => late.push(resolve))
          : Promise.resolve(desk.answer);
      },
    },
  };
  const vault = {
    list: () => [],
    refresh: () => Promise.resolve(),
    ensureOpen: () => Promise.resolve(),
    integrationKeys: () => [],
    hold: () => () => undefined,
    probe: () => desk.probe(),
    put: ({ kind }: { kind: string }) => (kind === "integration_key" ? Promise.resolve({}) : desk.put()),
  };
  const clock = () =>
    new Promise((resolve) => {
      readings.push(() => resolve({ virtualTime: time.now(), realTime: time.now(), frozen: false }));
    });
  const context = {
    ...test.context,
    sleep: time.sleep,
    service: () => Promise.resolve(service),
    vault: () => Promise.resolve(vault),
    projects: () => Promise.resolve({ get: () => Promise.resolve(null), put: () => Promise.resolve() }),
    sandbox: () => ({ admin: { clock } }),
  } as unknown as Context;
  const session = createSession({ keyName, quit: () => undefined, after: time.after });
  const store = createStore<RegistrationsState>(() => ({
    form: createRegistrationForm("iso-4217"),
    ...NO_REGISTRATIONS,
    projects,
  }));
  const locked = createStore(() => ({ locked: false }));
  const lock = { store: locked } as unknown as VaultLock;
  const { after } = time;
  const schedule = createFetchSchedule(context, session, store, {
    after,
    steady: time.now,
    lock,
    ...options,
  });
  const desk: Desk = {
    schedule,
    store,
    session,
    time,
    asked,
    answer: null,
    late,
    probe: () => Promise.resolve(),
    put: () => Promise.resolve({ former: null }),
    offsets,
    followed,
    readings,
    locked,
    progress: () => store.getState().progress[KEY],
    said: () => session.store.getState().toasts.map(({ text }) => text),
    async pass(ms) {
      time.pass(ms);
      await settled();
    },
  };
  onTestFinished(async () => {
    await Promise.race([schedule.close(), settled()]);
    session.close();
    await test.remove();
  });
  if (isStarted) await schedule.start();
  return desk;
}

it("asks by itself from the recommended time on, to the second", async () => {
  const desk = await open();
  desk.schedule.tick();
  await desk.pass(WAIT_S * 1_000 - 1_000);
  expect(desk.asked).toHaveLength(0);
  await desk.pass(1_000);
  expect(desk.asked).toHaveLength(1);
  expect(desk.progress()).toEqual({ kind: "asking", attempt: 1 });
  await desk.pass(60_000);
  expect(desk.asked).toHaveLength(1);
});

it.each<readonly [string, Partial<Project>, Partial<RegistrationsState>]>([
  ["that is being registered", {}, { working: KEY }],
  ["whose window is closed", { startedAt: START - CREDENTIAL_WINDOW_MS }, {}],
  ["whose credential the user removed", { state: "removed" }, {}],
  ["that stopped for good", {}, { progress: { [KEY]: { kind: "stopped", why: "", retryAt: null } } }],
  ["that waits for the vault", {}, { progress: { [KEY]: { kind: "locked" } } }],
])("asks nothing for a project %s", async (_what, project, state) => {
  const desk = await open({ projects: [{ ...PROJECT, startedAt: START - 60_000, ...project }] });
  desk.store.setState(state);
  desk.schedule.tick();
  await desk.pass(10_000);
  expect(desk.asked).toHaveLength(0);
});

it("lets nothing tick for a window that is closed, and corrects a clock that was set back for one that is open", async () => {
  const over = { ...PROJECT, startedAt: START - CREDENTIAL_WINDOW_MS - 1_000 };
  const desk = await open({ projects: [over] });
  desk.schedule.tick();
  expect(desk.time.pending()).toBe(0);
  let steady = 0;
  const live = await open({ steady: () => steady });
  live.schedule.tick();
  live.time.jump(-3_600_000);
  steady += 1_000;
  live.schedule.tick();
  expect(live.followed).toEqual([START + 1_000]);
});

it("asks nothing before the time of the service is known, and nothing once it is closed", async () => {
  const desk = await open({ projects: [{ ...PROJECT, startedAt: START - 60_000 }], isStarted: false });
  desk.schedule.tick();
  await desk.pass(1_000);
  expect(desk.asked).toHaveLength(0);
  expect(desk.time.pending()).toBe(0);
  await desk.schedule.start();
  await desk.schedule.close();
  desk.schedule.tick();
  await desk.pass(1_000);
  expect(desk.asked).toHaveLength(0);
  expect(desk.time.pending()).toBe(0);
});

it("starts from the first offset that an answer showed", async () => {
  const projects = [null, 7_000, 9_000].map((serviceOffsetMs) => projectOf({ serviceOffsetMs }));
  const desk = await open({ projects });
  expect(desk.offsets).toEqual([7_000]);
});

it.each<readonly [string, CredentialResult, number | null]>([
  ["not ready", refused(), 5_000],
  ["not ready for as long as it says", refused({ retryAfterS: 30 }), 30_000],
  ["not answered", LOST, 300_000],
  ["not sent", { ...LOST, outcome: "not_sent" }, 300_000],
  ["refused", refused({ state: "failed", httpStatus: 403 }), null],
  ["over", refused({ state: "closed", httpStatus: 410 }), null],
])("goes on after a request that was %s when it is time", async (_what, answer, after) => {
  const desk = await open();
  desk.answer = answer;
  desk.schedule.fetch(PROJECT);
  await settled();
  const retryAt = after === null ? null : START + after;
  expect(desk.progress()).toEqual({ kind: "stopped", why: expect.any(String) as string, retryAt });
  expect(desk.said()).toEqual(answer.state === "not_ready" ? [] : [answer.explanation]);
  desk.answer = null;
  await desk.pass((after ?? 600_000) - 1_000);
  expect(desk.asked).toHaveLength(1);
  await desk.pass(1_000);
  expect(desk.asked).toHaveLength(after === null ? 1 : 2);
});

it("asks by itself no earlier than recommended, also behind a request that the user made", async () => {
  const desk = await open();
  desk.answer = refused({ retryAfterS: 1 });
  desk.schedule.fetch(PROJECT);
  await settled();
  await desk.pass(WAIT_S * 1_000 - 1_000);
  expect(desk.asked).toHaveLength(1);
  await desk.pass(1_000);
  expect(desk.asked).toHaveLength(2);
});

it("says nothing of a window that closes while it waits, and what else ends the wait", async () => {
  for (const [state, said] of [
    ["closed", []],
    ["failed", ["It is not there."]],
  ] as const) {
    const desk = await open();
    desk.answer = refused({ state });
    desk.schedule.tick();
    await desk.pass(WAIT_S * 1_000);
    expect(desk.progress()).toMatchObject({ kind: "stopped" });
    expect(desk.said()).toEqual(said);
  }
});

it("goes on with a removed credential that the user asked for", async () => {
  const desk = await open({ projects: [{ ...PROJECT, startedAt: START - 60_000, state: "removed" }] });
  desk.answer = refused();
  desk.schedule.fetch(desk.store.getState().projects[0]!);
  await settled();
  await desk.pass(5_000);
  expect(desk.asked).toHaveLength(2);
});

it("tries a full disk again in five minutes, and no other failure", async () => {
  const full = new Fault("storage", sentence`the disk is full.`);
  for (const [fault, retryAt] of [
    [full, START + 300_000],
    [vaultLocked`It is locked.`, null],
  ] as const) {
    const desk = await open();
    desk.probe = () => Promise.reject(fault);
    desk.schedule.fetch(PROJECT);
    await settled();
    expect(desk.progress()).toMatchObject({ kind: "stopped", retryAt });
    expect(desk.said()).toEqual([expect.stringContaining(fault.message)]);
  }
});

it("hands on a credential that cannot be saved, or says it", async () => {
  for (const onUnsaved of [vi.fn<(unsaved: UnsavedCredential) => void>(), undefined]) {
    const desk = await open(onUnsaved === undefined ? {} : { onUnsaved });
    desk.answer = credentialReady();
    desk.put = () => Promise.reject(new Fault("storage", sentence`the disk is full.`));
    desk.schedule.fetch(PROJECT);
    await settled();
    expect(desk.progress()).toMatchObject({ kind: "stopped", retryAt: null });
    if (onUnsaved !== undefined) expect(onUnsaved).toHaveBeenCalledOnce();
    const said = expect.stringContaining("received but not saved") as string;
    expect(desk.said()).toEqual(onUnsaved === undefined ? [said] : []);
  }
});

/** A request of which the next try is a minute away. */
async function waiting(): Promise<Desk> {
  const desk = await open();
  desk.answer = refused({ retryAfterS: 60 });
  desk.schedule.tick();
  await desk.pass(WAIT_S * 1_000);
  expect(desk.progress()).toEqual({ kind: "waiting", until: START + 65_000, why: "Not ready yet." });
  return desk;
}

it("asks anew where the machine slept past the next try, and not where it is a little late", async () => {
  const desk = await waiting();
  desk.time.jump(60_000 + 2_000);
  await desk.pass(1_000);
  expect(desk.asked).toHaveLength(1);
  await desk.pass(1_000);
  expect(desk.asked).toHaveLength(2);
  expect(desk.asked[0]!.aborted).toBe(true);
});

it("ends what waits when the vault is locked, and goes on when it is open, but for what stopped", async () => {
  const desk = await waiting();
  const stopped = { kind: "stopped", why: "", retryAt: null } as const;
  desk.store.setState(({ progress }) => ({ progress: { ...progress, other: stopped } }));
  desk.locked.setState({ locked: true });
  desk.schedule.pause();
  expect(desk.progress()).toEqual({ kind: "locked" });
  expect(desk.asked[0]!.aborted).toBe(true);
  await desk.pass(120_000);
  expect(desk.asked).toHaveLength(1);
  desk.locked.setState({ locked: false });
  desk.schedule.resume();
  await settled();
  expect(desk.asked).toHaveLength(2);
  expect(desk.store.getState().progress["other"]).toEqual(stopped);
});

it("waits for a vault that is locked when it is time, and lets go on what is on its way", async () => {
  const desk = await open();
  desk.locked.setState({ locked: true });
  desk.schedule.tick();
  await desk.pass(WAIT_S * 1_000);
  expect(desk.progress()).toEqual({ kind: "locked" });
  expect(desk.asked).toHaveLength(0);
  const asking = await open();
  asking.schedule.fetch(PROJECT);
  await settled();
  asking.schedule.pause();
  expect(asking.progress()).toEqual({ kind: "asking", attempt: 1 });
  expect(asking.asked[0]!.aborted).toBe(false);
  asking.schedule.stop(KEY);
  expect(asking.progress()).toBeUndefined();
  expect(asking.asked[0]!.aborted).toBe(true);
  // Another may begin, also where the service never answers the first.
  asking.schedule.tick();
  await asking.pass(WAIT_S * 1_000);
  expect(asking.asked).toHaveLength(2);
});

it("keeps a credential that comes for a request which was ended, and nothing else of it", async () => {
  for (const [answer, said] of [
    [credentialReady(), [expect.stringContaining(`The credential of ${KEY} is in the vault.`)]],
    [LOST, []],
  ] as const) {
    const desk = await open();
    desk.schedule.fetch(PROJECT);
    await settled();
    desk.schedule.stop(KEY);
    desk.late[0]!(answer);
    await settled();
    expect(desk.said()).toEqual(said);
    expect(desk.progress()).toBeUndefined();
  }
});

it("is closed when the last request has ended", async () => {
  const desk = await open();
  desk.schedule.fetch(PROJECT);
  await settled();
  const closed = vi.fn();
  void desk.schedule.close().then(closed);
  await settled();
  expect(closed).not.toHaveBeenCalled();
  desk.late[0]!(LOST);
  await settled();
  expect(closed).toHaveBeenCalledOnce();
});

it("reads the clock of a sandbox once for each look at the screen, one reading at a time", async () => {
  const desk = await open({ projects: [] });
  const answerAll = async (): Promise<void> => {
    for (const reading of desk.readings.splice(0)) reading();
    await settled();
  };
  desk.schedule.tick();
  expect(desk.readings).toHaveLength(0);
  expect(desk.store.getState().now).toBe(START);
  const leave = desk.schedule.watch();
  desk.schedule.tick();
  desk.schedule.tick();
  expect(desk.readings).toHaveLength(1);
  await answerAll();
  desk.schedule.tick();
  expect(desk.readings).toHaveLength(0);
  leave();
  desk.time.jump(9_000);
  desk.schedule.tick();
  expect(desk.store.getState().now).toBe(START);
  desk.schedule.watch();
  desk.schedule.tick();
  expect(desk.readings).toHaveLength(1);
  expect(desk.store.getState().now).toBe(START + 9_000);
  // With a window that is open, once a second, and never two at a time.
  await answerAll();
  desk.store.setState({ projects: [PROJECT] });
  desk.schedule.tick();
  await desk.pass(2_000);
  expect(desk.readings).toHaveLength(1);
  await answerAll();
  await desk.pass(1_000);
  expect(desk.readings).toHaveLength(1);
});
