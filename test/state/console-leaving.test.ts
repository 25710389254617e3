// Leaving while the console is still starting: it waits for nothing that the start reads, and the start begins nothing more.

import { expect, it, onTestFinished } from "vitest";

import { createContext, type Context } from "#src/app/context.ts";
import { createConsoleModel } from "#src/state/console-model.ts";
import { createSession } from "#src/state/session.ts";
import { testContext } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { noDamage } from "../storage/no-damage.ts";

/** What the start asks the context for, in this order. */
const OPENED = ["history", "vault", "profiles", "projects"] as const;

it.each(OPENED)("leaves while the start waits for the %s, and opens nothing afterwards", async (hanging) => {
  const { context, remove } = await testContext();
  onTestFinished(remove);
  const asked: string[] = [];
  let reached: () => void = () => undefined;
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const watched =
    <R>(name: string, open: () => Promise<R>) =>
    async (): Promise<R> => {
      asked.push(name);
      if (name === hanging) {
        reached();
        await isReleased;
      }
      return await open();
    };
  const slow: Context = {
    ...context,
    history: watched("history", context.history),
    vault: watched("vault", context.vault),
    profiles: watched("profiles", context.profiles),
    projects: watched("projects", context.projects),
    payloads: watched("payloads", context.payloads),
    service: watched("service", context.service),
  };
  const model = createConsoleModel(slow, {
    keyName,
    now: () => Date.now(),
    ascii: false,
    quit: () => undefined,
  });
  const starting = model.start();
  await isReached;
  // Before the release: leaving is not held up.
  await model.close();
  const before = asked.length;
  const toasts = model.session.store.getState().toasts.length;
  release();
  await starting;
  expect(asked.slice(before)).toEqual([]);
  expect(model.session.store.getState().toasts).toHaveLength(toasts);
});

it("opens no service once the context is closed", async () => {
  const { context, remove } = await testContext();
  onTestFinished(remove);
  const closed = await createContext({
    onProblem: noDamage,
    home: context.home,
    env: {},
    profile: undefined,
    executable: [],
  });
  await closed.close();
  await expect(closed.service()).rejects.toMatchObject({ code: "interrupted" });
});

it("gives up a sandbox that does not come up", async () => {
  const { context, remove } = await testContext();
  onTestFinished(remove);
  const executable = [process.execPath, "-e", ""];
  const opened = await createContext({
    onProblem: noDamage,
    home: context.home,
    env: {},
    profile: undefined,
    executable,
  });
  const opening = expect(opened.service()).rejects.toMatchObject({ code: "interrupted" });
  await opened.close();
  await opening;
});

it("says nothing and starts no timer after it was closed", () => {
  let timers = 0;
  const session = createSession({
    keyName,
    quit: () => undefined,
    after: () => {
      timers += 1;
      return () => void (timers -= 1);
    },
  });
  session.say("There is something to read.", "note");
  expect(timers).toBe(1);
  session.close();
  session.say("Nobody reads this.", "note");
  expect(timers).toBe(0);
});
