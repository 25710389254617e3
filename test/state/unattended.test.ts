// A deck that nobody drives: time goes on only when what has changed is drawn.

import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { playUnattended } from "#src/state/sandbox/unattended.ts";
import type { DemoStage } from "#src/state/sandbox/demo.ts";
import type { VirtualTime } from "#src/state/timers.ts";

test("time does not go on past what changed while something was drawn", async () => {
  const store = createStore(() => ({ opening: true, sending: false, failed: null, progress: 0 }));
  const told: string[] = [];
  const time = {
    next: () => (told.push("time goes on"), false),
    pass: (ms: number) => told.push(`${ms} ms pass`),
  } as unknown as VirtualTime;
  const drawn = (): Promise<void> => {
    told.push(store.getState().opening ? "draws the preparation" : "draws the title");
    // The last share of a day, and its end while that is drawn.
    if (store.getState().opening) store.setState({ opening: false });
    return Promise.resolve();
  };
  await playUnattended({ store } as unknown as DemoStage, time, drawn);
  expect(told).toEqual(["draws the preparation", "draws the title", "time goes on", "5000 ms pass"]);
});
