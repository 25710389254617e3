// The ids of keys and projects that this console knows or has known: no sentence says one to an audience.

import type { StoreApi } from "zustand/vanilla";
import { isId } from "#src/display/presented-state.ts";
import type { Checks } from "./check/checks.ts";
import type { HistoryView } from "./history/history-view.ts";
import type { ProjectSwitch } from "./register/project-switch.ts";
import type { UnsavedCredentials } from "./register/unsaved-credentials.ts";
import type { Session } from "./session.ts";
import type { Keyring } from "./vault/keyring.ts";

interface Sources {
  readonly session: Pick<Session, "store">;
  readonly checks: Pick<Checks, "store">;
  readonly history: Pick<HistoryView, "store">;
  readonly keyring: Pick<Keyring, "store">;
  readonly projects: Pick<ProjectSwitch, "store">;
  readonly unsavedCredentials: Pick<UnsavedCredentials, "store">;
}

/** What is gone is still named in messages; of so many it is remembered. */
const GONE_LIMIT = 1_000;

/** @param before what the console before this one knew */
export function createKnownIds(sources: Sources, before: readonly string[]): () => readonly string[] {
  let known = before;
  const look = (): readonly string[] => {
    const now = [...new Set(idsNow(sources))].filter(isId);
    known = [...new Set([...now, ...known])].slice(0, now.length + GONE_LIMIT);
    return known;
  };
  // What goes before anything is said of it was seen when it came.
  const { session, keyring, projects, unsavedCredentials } = sources;
  const stores: readonly Pick<StoreApi<unknown>, "subscribe">[] = [
    session.store,
    keyring.store,
    projects.store,
    unsavedCredentials.store,
  ];
  for (const store of stores) store.subscribe(look);
  return look;
}

/** Ids of credentials, and keys of projects: one without a label is known by its id. */
function idsNow({ session, checks, history, keyring, projects, unsavedCredentials }: Sources): string[] {
  const sent = [checks, history].flatMap(({ store }) => store.getState().entries);
  const { entries, former } = keyring.store.getState();
  const { waiting } = unsavedCredentials.store.getState();
  const keys = [...entries, ...former, ...waiting.map(({ credential }) => credential)];
  return [
    session.store.getState().project ?? "",
    ...sent.map(({ project }) => project),
    ...projects.store.getState().held,
    ...keys.flatMap((key) => [key.keyId, "companyId" in key ? key.companyId : key.projectId]),
    ...waiting.map(({ projectKey }) => projectKey),
  ];
}
