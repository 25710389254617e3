// The end of a command line: what it says must not come behind what the user does next.

import { expect, it, onTestFinished } from "vitest";
import { createCommandLine } from "#src/state/command-line.ts";
import { createSession } from "#src/state/session.ts";
import { createVaultLock } from "#src/state/vault/vault-lock.ts";
import { testProgram } from "../console/line-program.ts";
import { testContext } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { createFakeTime } from "./fake-time.ts";

it("is told at once, before what it has changed is read", async () => {
  const { context, remove } = await testContext();
  onTestFinished(remove);
  const time = createFakeTime(0);
  const session = createSession({
    keyName,
    quit: () => undefined,
    now: () => 0,
    topics: () => ({ composed: {}, ids: [] }),
    messages: [],
  });
  let isRead = false;
  const { promise: never } = Promise.withResolvers<void>();
  const line = createCommandLine(context, session, {
    lock: createVaultLock(context, session, time.after),
    program: testProgram((_, print) => {
      print("Saved.\n");
      return null;
    }),
    onEnd() {
      isRead = true;
      return never;
    },
    after: time.after,
  });
  await line.run("profile list");
  await expect.poll(() => isRead).toBe(true);
  expect(line.store.getState().running).toBe(false);
  expect(session.store.getState().toasts.map(({ text }) => text)).toEqual(["Saved."]);
});
