// Saves the composed payment as a payload, and edits it as JSON.

import type { Context } from "#src/app/context.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Session } from "#src/state/session.ts";
import type { Composer } from "./composer.ts";
import { textWithoutOrder, type Composition, type SentRequest } from "./draft.ts";
import { askToSave } from "./payload-saving.ts";

export function createComposedPayload(context: Context, session: Session, composer: Composer) {
  /** What could not be taken, and the fields as they were then: once those have changed, it is out of date. */
  let refused: { readonly text: string; readonly fields: Composition["fields"] } | null = null;
  return {
    /** Asks for name, expected verdict and tags, and saves what is composed; an error in a field is shown instead. */
    async save() {
      const { request, blocked } = composer.draft();
      const { payload, sent } = composer.store.getState();
      if (blocked !== null) {
        return session.say(`${blocked.message} Correct this before you save the payment.`, "error");
      }
      return askToSave(context, session, {
        name: payload?.name ?? "",
        expect: payload === null ? verdictOf(request, sent) : payload.expect,
        tags: payload?.tags ?? [],
        request,
      });
    },
    /** Opens the user's editor on what is composed, or on what it gave back last and could not be taken. */
    edit() {
      const { fields } = composer.store.getState();
      const before = refused?.fields === fields ? refused.text : composer.toText();
      if (before === null) return;
      session.edit({
        text: before,
        fileName: "payload.json",
        onText: (text) => {
          if (text === composer.toText()) {
            refused = null;
            session.say("Nothing was changed.", "note");
          } else if (composer.takeText(text)) refused = null;
          else refused = { text, fields };
        },
      });
    },
  };
}

export type ComposedPayload = ReturnType<typeof createComposedPayload>;

/** The verdict of what was sent last, as long as that is what is composed but for its order id. */
function verdictOf(request: CheckRequest, sent: SentRequest | null): Recommendation | null {
  if (sent === null || sent.verdict === null) return null;
  const last = textWithoutOrder(JSON.parse(sent.text) as CheckRequest);
  return last === textWithoutOrder(request) ? sent.verdict : null;
}
