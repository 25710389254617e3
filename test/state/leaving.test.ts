// One question before the console is left, whatever is under way or not saved.

import { expect, it } from "vitest";
import { askBeforeLeaving, type Leavable } from "#src/state/leaving.ts";
import { createSession } from "#src/state/session.ts";
import { keyName } from "../keys/standard.ts";
import { agree } from "./answers.ts";

interface Idle {
  live: unknown;
  sweep: unknown;
  tuning: unknown;
  isExporting: boolean;
  registering: string | null;
  fetching: unknown;
  testing: unknown;
  commandRuns: boolean;
  unsaved: readonly string[];
}

const IDLE: Idle = {
  live: null,
  sweep: null,
  tuning: null,
  isExporting: false,
  registering: null,
  fetching: {},
  testing: null,
  commandRuns: false,
  unsaved: [],
};

function partsOf(state: Idle): Leavable {
  const held = (value: unknown): { store: { getState: () => unknown } } => ({
    store: { getState: () => value },
  });
  return {
    replays: held({ live: state.live }),
    sweeps: held({ progress: state.sweep }),
    tuning: held({ progress: state.tuning }),
    history: { isExporting: () => state.isExporting },
    registrations: held({ working: state.registering, progress: state.fetching }),
    keyring: held({ working: state.testing }),
    commandLine: held({ running: state.commandRuns }),
    profiles: { unsaved: () => state.unsaved },
  } as unknown as Leavable;
}

const progress = { state: "running", fraction: 0.26, summary: { counts: { total: 3_120 } } };

it.each<[Partial<Idle>, string]>([
  [
    { live: { progress, isIsolated: false } },
    "A replay is under way: 3 120 items, 26 %; r on Replay continues it later. Leaving stops that. Leave anyway?",
  ],
  [
    { live: { progress: null, isIsolated: true } },
    "A replay is under way. Leaving stops that. Leave anyway?",
  ],
  [{ sweep: {} }, "A sweep is under way. Leaving stops that. Leave anyway?"],
  [{ tuning: {} }, "Values of a rule are being tried. Leaving stops that. Leave anyway?"],
  [{ isExporting: true }, "An export of the history is under way. Leaving stops that. Leave anyway?"],
  [{ registering: "a/low" }, "A registration is under way. Leaving stops that. Leave anyway?"],
  [
    { fetching: { "a/low": { kind: "asking" } } },
    "A registration is under way. Leaving stops that. Leave anyway?",
  ],
  [{ testing: {} }, "A vault operation is in progress. Leaving stops that. Leave anyway?"],
  [{ commandRuns: true }, "A command is running. Leaving stops that. Leave anyway?"],
  [{ unsaved: ["shop-live"] }, "What you typed for shop-live is not saved. Leave anyway?"],
  [
    { sweep: {}, unsaved: ["a", "b"] },
    "A sweep is under way. Leaving stops that. What you typed for a, b is not saved. Leave anyway?",
  ],
])("asks about %j, and leaves after the yes", async (busy, text) => {
  const session = createSession({ keyName, quit: () => undefined });
  let left = 0;
  void askBeforeLeaving(session, partsOf({ ...IDLE, ...busy }), () => (left += 1));
  const { dialog } = session.store.getState();
  expect([dialog?.text, left]).toEqual([text, 0]);
  await agree(session);
  expect(left).toBe(1);
});

it.each<Partial<Idle>>([{}, { fetching: { "a/low": { kind: "stopped" } } }])(
  "leaves at once where nothing would be lost: %j",
  (idle) => {
    const session = createSession({ keyName, quit: () => undefined });
    let left = 0;
    void askBeforeLeaving(session, partsOf({ ...IDLE, ...idle }), () => (left += 1));
    expect([session.store.getState().dialog, left]).toEqual([null, 1]);
  },
);
