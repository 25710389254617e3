// The console on a read-only profile: no key that sends, pressed or found in the palette, sends a byte to the service.
// The same ways on the same profile, while it may send, are the control: each of them reaches the service there.

import { expect, test } from "vitest";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { ScreenName } from "#src/state/page.ts";
import {
  agree,
  agreeToAll,
  came,
  closeConsoles,
  openConsole,
  pressOf,
  putProfile,
  reached,
  turn,
} from "./read-only-stage.tsx";
import type { Console } from "./read-only-stage.tsx";

type Through = "key" | "palette";

/** Does what a binding does as soon as that is offered; false where it is refused. */
async function press(at: Console, id: string, through: Through, readOnly: boolean): Promise<boolean> {
  await at.screen.until(() => {
    const found = reached(at, id);
    return found !== undefined && (readOnly || found.disabled === null);
  });
  const { binding, disabled } = reached(at, id)!;
  if (through === "palette") {
    at.screen.press(":");
    await turn();
    at.screen.press(binding.label);
    await turn();
    at.screen.press("\r");
    await turn();
  } else at.screen.dispatcher.dispatch(pressOf(binding));
  await turn();
  return disabled === null;
}

interface Way {
  readonly screen: ScreenName;
  /** Before the keys. */
  readonly prepare?: (at: Console) => Promise<void> | void;
  /** Bindings in the order of their keys; the last is what it is about. */
  readonly keys: readonly string[];
  /** The palette does not open over a field. */
  readonly byKeyOnly?: true;
}

const onSend = ({ model }: Console): void => model.composer.focus("submit");

async function onCredential({ model, screen }: Console): Promise<void> {
  await screen.until(/Key id +k/);
  model.keyring.select("last");
}

async function fillRegistration({ screen }: Console): Promise<void> {
  screen.press("\t");
  for (const text of ["shop", "Shop", "of shoes", "980"]) {
    await turn();
    screen.press(text);
    await turn();
    screen.press("\t");
  }
  await turn();
  screen.dispatcher.dispatch({ type: "key", name: "esc" });
}

/** Every way to the service that there is: each binding that sends, and what sends after a question or a line. */
const WAYS: readonly Way[] = [
  { screen: "check", prepare: onSend, keys: ["check.first", "check.again"] },
  { screen: "check", prepare: onSend, keys: ["check.send"] },
  { screen: "check", prepare: onSend, keys: ["check.sendAnywhere"] },
  { screen: "check", prepare: onSend, keys: ["check.next", "check.field.send"], byKeyOnly: true },
  { screen: "check", prepare: onSend, keys: ["check.sweep"] },
  { screen: "history", keys: ["history.resend", "check.send"] },
  { screen: "history", keys: ["history.batch"] },
  { screen: "history", keys: ["history.range", "history.range.batch"] },
  { screen: "replay", keys: ["replay.new", "replay.setup.submit"] },
  { screen: "replay", keys: ["replay.again", "replay.setup.submit"] },
  { screen: "replay", keys: ["replay.goOn"] },
  { screen: "vault", prepare: onCredential, keys: ["vault.test"] },
  { screen: "register", prepare: fillRegistration, keys: ["register.submit"] },
  { screen: "register", keys: ["register.fetch"] },
];

const CASES = WAYS.flatMap((way): readonly (readonly [string, Through, Way])[] => {
  const name = way.keys.join(" then ");
  const byKey = [name, "key", way] as const;
  return way.byKeyOnly === true ? [byKey] : [byKey, [name, "palette", way]];
});

/** @returns bytes that had come before its last key, and whether a key was refused */
async function go(
  at: Console,
  way: Way,
  through: Through,
  readOnly: boolean,
): Promise<{ readonly before: number; readonly refused: boolean }> {
  at.model.session.go(way.screen);
  await turn();
  await way.prepare?.(at);
  const last = way.keys.length - 1;
  for (const [index, id] of way.keys.entries()) {
    const before = came.bytes;
    const works = await press(at, id, index === last ? through : "key", readOnly);
    if (!works || index === last) return { before, refused: !works };
  }
  throw new TypeError("a way with a key");
}

test("every binding that sends is among the ways", () => {
  const tried = new Set(WAYS.flatMap(({ keys }) => keys));
  const missing = BINDINGS.filter(({ id, sends }) => sends === true && !tried.has(id));
  expect(missing.map(({ id }) => id)).toEqual([]);
});

test.each(CASES)("%s by %s sends, and on a read-only profile it does not", async (_name, through, way) => {
  await putProfile(true);
  const closed = await openConsole();
  const { refused } = await go(closed, way, through, true);
  // Where the key did something, what follows gets the time that it takes where it may send.
  await agreeToAll(closed, refused ? 1 : 60);
  expect(came).toEqual({ connections: 0, bytes: 0 });
  await closeConsoles();

  await putProfile(false);
  const open = await openConsole();
  const { before } = await go(open, way, through, false);
  const limit = performance.now() + 60_000;
  while (came.bytes === before && performance.now() < limit) await agree(open);
  expect(came.bytes).toBeGreaterThan(before);
});
