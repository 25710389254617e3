// The whole console on a profile of its own, with a credential and a service that answers as the test says.

import { onTestFinished } from "vitest";
import { mount, type Mounted, type MountOptions } from "./harness.tsx";

import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { Secret } from "#src/contract/secret.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { keyName } from "../keys/standard.ts";
import { LIVE, profileContext } from "./live-context.ts";
import { TEST_SECRET, type TestService } from "./test-context.ts";

/** A console on a live profile, or on the sandbox's. @param before what is in its history, by the payment that is in the form */
export async function live(
  answers: TestService = {},
  options: MountOptions = {},
  profile: Profile = LIVE,
  before: (request: CheckRequest) => readonly HistoryEntry[] = () => [],
): Promise<{
  readonly screen: Mounted;
  readonly model: ConsoleModel;
  readonly sent: () => number;
  readonly quits: () => number;
}> {
  const home = await profileContext({ ...profile }, answers);
  await (
    await home.context.vault()
  ).put({
    kind: "project_credential",
    profile: profile.name,
    projectKey: "shop/medium",
    projectId: "project-1",
    keyId: "key-1",
    algorithm: "hmac-sha256",
    baseUrl: home.context.addresses().baseUrl,
    secret: new Secret(TEST_SECRET),
  });
  // Each look at the clock is a second later, so that no key counts as one that is held.
  let now = Date.now();
  let quits = 0;
  const model = createConsoleModel(home.context, {
    keyName,
    now: () => (now += 3_000),
    ascii: false,
    quit: () => (quits += 1),
  });
  const screen = mount(
    <ConsoleModelProvider value={model}>
      <App onInterrupt={() => undefined} onSuspend={() => undefined} onEdit={() => undefined} />
    </ConsoleModelProvider>,
    { ...options, bindings: BINDINGS },
  );
  onTestFinished(async () => {
    screen.unmount();
    await model.close();
    await home.remove();
  });
  const history = await home.context.history();
  for (const entry of before(model.composer.toRequest())) {
    await history.intend(entry);
    if (entry.result !== null) await history.settle(entry);
  }
  await model.start();
  await screen.until("shop/medium");
  const sent = (): number => model.checks.store.getState().entries.length;
  return { screen, model, sent, quits: () => quits };
}
