// Asks the sandbox for the answer to the composed payment without sending it; kept until the composition changes.

import { createStore } from "zustand/vanilla";
import type { WhatIfAnswer } from "#src/actions/check/what-if.ts";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { Page } from "#src/state/page.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { Composer } from "./composer.ts";
import { draftProblem } from "./draft-words.ts";
import { whatIfLines } from "./what-if-lines.ts";

export interface Supposed {
  /** What was asked about. */
  readonly request: CheckRequest;
  readonly answer: WhatIfAnswer;
}

export interface WhatIfState {
  /** The last answer; null before the first. */
  readonly supposed: Supposed | null;
}

const onlySandbox = (keyName: KeyName): string =>
  `Only the sandbox can be asked without sending; ${keyName("check.send")} sends this payment.`;

export function createWhatIf(context: SandboxContext, session: Session, composer: Composer) {
  const store = createStore<WhatIfState>(() => ({ supposed: null }));
  const disabled = context.profile.environment === "SANDBOX" ? null : onlySandbox(session.keyName);
  let asking = false;
  const page: Page = {
    screen: "check",
    store,
    view: ({ audience, ascii }) => ({
      title: "What if",
      lines: whatIfLines(audience.shown(store.getState().supposed!.answer), ascii),
      keys: { again: () => void whatIf.show() },
    }),
  };
  const whatIf = {
    store,
    /** Why nothing can be asked on this profile; null on the sandbox. */
    disabled,
    /** Asks and opens the page; faults are shown as toasts. Never rejects. */
    async show() {
      if (disabled !== null) return session.say(disabled, "note");
      const draft = composer.draft();
      if (draft.blocked !== null) return session.say(draftProblem(draft)!, "error");
      if (asking) return;
      asking = true;
      const { request } = draft;
      const answer = await reportFaults(session, async () => {
        const { whatIf } = await import("#src/actions/check/what-if.ts");
        return whatIf(context, { request, project: session.store.getState().project ?? undefined });
      });
      asking = false;
      if (answer === null) return;
      store.setState({ supposed: { request, answer } });
      session.show(page);
    },
  };
  return whatIf;
}

export type WhatIfView = ReturnType<typeof createWhatIf>;
