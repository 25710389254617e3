// Asks the sandbox for the answer to the composed payment without sending it, and shows it on a page.

import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { Page } from "#src/state/page.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { Composer, ComposerState } from "./composer.ts";
import { whatIfLines } from "./what-if-lines.ts";

const onlySandbox = (keyName: KeyName): string =>
  `Only the sandbox can be asked without sending; ${keyName("check.send")} sends this payment.`;

export function createWhatIf(context: SandboxContext, session: Session, { store }: Pick<Composer, "store">) {
  let asking = false;
  const page: Page<ComposerState> = {
    screen: "check",
    store,
    view({ prediction }, room) {
      const again = (): void => void show(store.getState().prediction!.request);
      return { title: "What if", lines: whatIfLines(prediction!.answer, room), keys: { again } };
    },
  };
  /** Asks and opens the page; faults are shown as toasts. Never rejects. */
  const show = async (request: CheckRequest): Promise<void> => {
    if (asking) return;
    asking = true;
    const answer = await reportFaults(session, async () => {
      const { whatIf } = await import("#src/actions/check/what-if.ts");
      return whatIf(context, { request, project: session.store.getState().project ?? undefined });
    });
    asking = false;
    if (answer === null) return;
    store.setState({ prediction: { request, answer } });
    session.show(page);
  };
  return {
    show,
    /** Why nothing can be asked on this profile; null on the sandbox. */
    disabled: context.profile.environment === "SANDBOX" ? null : onlySandbox(session.keyName),
  };
}

export type WhatIfView = ReturnType<typeof createWhatIf>;
