// Asks before an action that belongs to another project changes the project in use.

import { safe } from "#src/display/safe.ts";
import type { Session } from "#src/state/session.ts";

/**
 * Does something for a project; where another one is in use, asks first, and changes it only on a Yes.
 * @param act gets whether the project has changed
 */
export function forProject(session: Session, project: string, act: (changed: boolean) => void): void {
  const { project: used } = session.store.getState();
  if (used === project) return act(false);
  const change = (): void => {
    session.setProject(project);
    act(used !== null);
  };
  if (used === null) return change();
  session.confirm({
    title: "Another project",
    text: `This check was sent for ${safe(project, { max: 80 })}, and the project in use is ${safe(used, { max: 80 })}. Go on with ${safe(project, { max: 80 })}? Later checks are sent for it, too.`,
    yes: "Change the project",
    onYes: change,
  });
}
