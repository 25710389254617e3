// Calls the user back when something long has ended, in words without a name: anybody may see them.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Registrations } from "./register/registrations.ts";
import type { Replays } from "./replay/replays.ts";

/** What takes less is waited for at the screen. */
const LONG_MS: Milliseconds = 10_000;

/** Calls `notify` at the end of a replay, and of the wait for a credential; returns how to stop. */
export function noticeEnds(
  replays: Replays["store"],
  registrations: Registrations["store"],
  now: () => Milliseconds,
  notify: (text: string) => void,
): () => void {
  const watch = (text: string) => {
    const since = new Map<string, Milliseconds>();
    return (under: readonly string[]): void => {
      for (const key of under) since.set(key, since.get(key) ?? now());
      for (const [key, from] of since) {
        if (under.includes(key)) continue;
        since.delete(key);
        if (now() - from >= LONG_MS) notify(text);
      }
    };
  };
  const replay = watch("verdict: the replay has ended");
  const credential = watch("verdict: the wait for a credential has ended");
  const stops = [
    replays.subscribe(({ live }) => replay(live === null ? [] : ["live"])),
    registrations.subscribe(({ progress }) =>
      credential(Object.keys(progress).filter((key) => /asking|waiting/.test(progress[key]!.kind))),
    ),
  ];
  return () => stops.forEach((stop) => stop());
}
