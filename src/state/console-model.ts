// Everything the console remembers, built once: one store a noun, all working through the actions.

import { join } from "node:path";
import type { Context } from "#src/app/context.ts";
import type { Milliseconds } from "#src/contract/clock.ts";
import { safe } from "#src/display/safe.ts";
import { createChecks, type Checks } from "./checks.ts";
import { createComposer, type Composer } from "./composer.ts";
import { createHistoryView, type HistoryView } from "./history-view.ts";
import { createKeyring, type Keyring } from "./keyring.ts";
import { prepareProject } from "./prepare-project.ts";
import { createRegistrations, type Registrations } from "./registrations.ts";
import { createSession, type Session } from "./session.ts";

export interface ConsoleModel {
  readonly context: Context;
  readonly ascii: boolean;
  /** Local wall time in ms since the epoch. */
  now(): Milliseconds;
  readonly session: Session;
  readonly checks: Checks;
  readonly composer: Composer;
  readonly registrations: Registrations;
  readonly keyring: Keyring;
  readonly history: HistoryView;
  /** Loads what is on disk and makes a project ready. To be called after the first frame; never rejects. */
  start(): Promise<void>;
  /** Stops what is under way and gives back what was opened. */
  close(): Promise<void>;
  /** One sentence for the shell that the user comes back to. */
  summary(): string;
}

export interface ConsoleModelOptions {
  readonly now: () => Milliseconds;
  readonly ascii: boolean;
  /** Leaves the console. */
  readonly quit: () => void;
}

/** Builds the model; touches no file and no network before `start`. */
export function createConsoleModel(context: Context, options: ConsoleModelOptions): ConsoleModel {
  const { now, ascii } = options;
  const stopping = new AbortController();
  const session = createSession({ quit: options.quit });
  const checks = createChecks(context, session);
  const composer = createComposer(context, session, checks);
  const registrations = createRegistrations(context, session);
  const keyring = createKeyring(context, session, { onChecked: () => void checks.load() });
  const history = createHistoryView(context, session, composer, checks.store);
  let sent = 0;
  const stopCounting = checks.store.subscribe((state, before) => {
    if (state.latest === null || state.latest.id === before.latest?.id) return;
    session.showHint(false);
    if (state.latest.result?.outcome !== "not_sent") sent += 1;
  });

  const loadChecks = async (): Promise<void> => {
    await checks.load();
    // Whoever has sent a check knows how.
    if (checks.store.getState().entries.length === 0) session.showHint(true);
  };

  return {
    context,
    ascii,
    now,
    session,
    checks,
    composer,
    registrations,
    keyring,
    history,
    async start() {
      // One after the other: what the user looks at first must not wait for the client of the network to be loaded.
      await loadChecks();
      await prepareProject(context, session, registrations, stopping.signal);
    },
    async close() {
      stopping.abort();
      stopCounting();
      checks.cancel();
      await checkEnded(checks);
      session.close();
      keyring.close();
      await registrations.close();
      await context.close();
    },
    summary() {
      const checksSent = sent === 0 ? "No check was" : sent === 1 ? "1 check was" : `${sent} checks were`;
      const place = safe(join(context.home.data, "history"), { max: 1_000 });
      return `${checksSent} sent in this session; the history is kept in ${place}.`;
    },
  };
}

/** Resolves when no check is under way: what is known of it is on disk then. */
function checkEnded({ store }: Checks): Promise<void> {
  return new Promise((resolve) => {
    if (store.getState().inFlight === null) return resolve();
    const stop = store.subscribe(({ inFlight }) => {
      if (inFlight !== null) return;
      stop();
      resolve();
    });
  });
}
