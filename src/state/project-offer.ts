// Offers a project that has become ready.

import type { Session } from "./session.ts";

/**
 * Takes a project that has become ready where none is in use.
 * @returns what to add to the message that it is ready: how to switch to it; empty where it is in use
 */
export function offerProject({ store, setProject, keyName }: Session, key: string): string {
  const { project } = store.getState();
  if (project === null) setProject(key);
  return project === null || project === key
    ? ""
    : ` ${keyName("shell.project")} switches to it; in a field, press ${keyName("check.field.leave")} first.`;
}
