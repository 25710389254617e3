// The whole console on a profile of its own, with a credential and a service that answers as the test says.

import { openConsole, type Given } from "./driver.tsx";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { LIVE } from "./live-context.ts";
import { putEntries, type TestService } from "./test-context.ts";

/** A console on a live profile, or on the sandbox's. @param before what is in its history, by the payment that is in the form */
export async function live(
  service: TestService = {},
  options: Given = {},
  profile: Profile = LIVE,
  before: (request: CheckRequest) => readonly HistoryEntry[] = () => [],
) {
  // Each look at the clock is a second later, so that no key counts as one that is held.
  let now = Date.now();
  const opened = await openConsole({
    service,
    profile,
    now: () => (now += 3_000),
    credentials: ["shop/medium"],
    before: ({ context, composer }) => putEntries(context, before(composer.toRequest())),
    ...options,
  });
  const { model, screen, asked } = opened;
  await model.start();
  await screen.until("shop/medium");
  const sent = (): number => model.checks.store.getState().entries.length;
  return { screen, model, sent, quits: () => asked.quit.mock.calls.length };
}
