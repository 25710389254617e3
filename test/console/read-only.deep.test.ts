// The console on a read-only profile: all that any screen offers, and all that this opens, is done, and not a byte is sent.

import { expect, test } from "vitest";
import type { Binding } from "#src/keys/binding.ts";
import type { ScreenName } from "#src/state/page.ts";
import { agreeToAll, came, openConsole, pressOf, putProfile, turn } from "./read-only-stage.tsx";
import type { Console } from "./read-only-stage.tsx";

const SCREENS = ["check", "register", "vault", "history", "replay", "profiles", "rules", "labels"] as const;

/** They leave the console or stop it; a deck has a sandbox of its own, whatever the profile. */
const ELSEWHERE = new Set(["shell.quit", "shell.suspend", "shell.interrupt", "shell.demo"]);

/** Back to a screen with nothing over it. */
async function backTo(at: Console, screen: ScreenName): Promise<void> {
  for (let presses = 0; presses < 3; presses += 1) {
    at.screen.dispatcher.dispatch({ type: "key", name: "esc" });
    await turn();
  }
  at.model.session.go(screen);
  await turn();
}

/** Does all that is offered on a screen and not done yet, and all that each of it opens; says yes to what is asked. */
async function doEverything(at: Console, screen: ScreenName, done: Set<string>): Promise<void> {
  const offered = (): readonly Binding[] =>
    at.screen.dispatcher
      .active()
      .flatMap(({ binding }) => (ELSEWHERE.has(binding.id) || done.has(binding.id) ? [] : [binding]));
  const act = async (binding: Binding): Promise<void> => {
    done.add(binding.id);
    at.screen.dispatcher.dispatch(pressOf(binding));
    await turn();
  };
  await backTo(at, screen);
  const there = offered();
  const known = new Set(there.map(({ id }) => id));
  for (const first of there) {
    await backTo(at, screen);
    await act(first);
    const opens = offered().filter(({ id }) => !known.has(id));
    await agreeToAll(at);
    for (const second of opens) {
      await backTo(at, screen);
      await act(first);
      await act(second);
      await agreeToAll(at);
    }
  }
}

test.each([true, false])("everything that the console offers, with read-only %s", async (readOnly) => {
  await putProfile(readOnly);
  const opened = await openConsole();
  const done = new Set<string>();
  for (const screen of SCREENS) await doEverything(opened, screen, done);
  expect(done.size).toBeGreaterThan(100);
  if (readOnly) expect(came).toEqual({ connections: 0, bytes: 0 });
  else expect(came.bytes).toBeGreaterThan(0);
});
