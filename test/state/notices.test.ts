// The user is called back when something long has ended, and in words that anybody may see.

import { expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { noticeEnds } from "#src/state/notices.ts";
import type { RegistrationsState } from "#src/state/register/registrations-state.ts";
import type { FetchProgress } from "#src/state/register/credential-fetches.ts";
import type { LiveReplay, ReplaysState } from "#src/state/replay/replays-state.ts";

const LONG = 10_000;

function stage() {
  let time = 1_000_000;
  const notify = vi.fn<(text: string) => void>();
  const replays = createStore(() => ({ live: null }) as ReplaysState);
  const registrations = createStore(() => ({ progress: {} }) as RegistrationsState);
  const stop = noticeEnds(replays, registrations, () => time, notify);
  return {
    notify,
    stop,
    pass: (ms: number) => (time += ms),
    live: (live: object | null) => replays.setState({ live: live as LiveReplay | null }),
    progress: (progress: Record<string, FetchProgress>) => registrations.setState({ progress }),
  };
}

const WAITING: FetchProgress = { kind: "waiting", until: 0, why: null };
const ASKING: FetchProgress = { kind: "asking", attempt: 1 };
const STOPPED: FetchProgress = { kind: "stopped", why: "", retryAt: null };

it("calls back at the end of a long replay, once, and not of a short one", () => {
  const { notify, pass, live } = stage();
  live({});
  pass(LONG - 1);
  live(null);
  expect(notify).not.toHaveBeenCalled();
  live({});
  pass(LONG / 2);
  live({ progress: 1 });
  pass(LONG / 2);
  live(null);
  expect(notify.mock.calls).toEqual([["verdict: the replay has ended"]]);
});

it.each([["that came", {}] as const, ["that will not come", { "shop/low": STOPPED }] as const])(
  "calls back at the end of the wait for a credential %s, without its name",
  (_, end) => {
    const { notify, pass, progress } = stage();
    progress({ "shop/low": WAITING });
    pass(LONG);
    progress({ "shop/low": ASKING, "other/high": WAITING });
    expect(notify).not.toHaveBeenCalled();
    progress({ ...end, "other/high": WAITING });
    expect(notify.mock.calls).toEqual([["verdict: the wait for a credential has ended"]]);
  },
);

it("is silent once the console is left", () => {
  const { notify, pass, live, stop } = stage();
  live({});
  pass(LONG);
  stop();
  live(null);
  expect(notify).not.toHaveBeenCalled();
});
