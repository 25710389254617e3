// The composed payment as JSON: pasted in, opened in an editor, and read back.

import type { StoreApi } from "zustand/vanilla";
import type { ActionContext } from "#src/actions/action-context.ts";
import { pastedPayload } from "#src/actions/check/pasted-payload.ts";
import { Fault } from "#src/contract/fault.ts";
import { readPayload } from "#src/contract/fields/payload.ts";
import type { Session } from "#src/state/session.ts";
import { composition, draftText, type Composition, type Draft } from "./draft.ts";

/** The composer, as far as a whole payload goes into it and out of it. */
interface ComposerParts {
  readonly store: StoreApi<Composition>;
  draft(): Draft;
  load(composition: Composition): void;
}

export function createComposedJson(
  context: ActionContext,
  session: Session,
  { store, draft, load }: ComposerParts,
) {
  /** Loads JSON, which `textOf` may find to be none; what must not be sent is refused with its sentence, `after` it what can be done. */
  const loadJson = (
    textOf: () => string,
    source: string,
    done: string,
    after: string = "",
    origin: string | null = null,
  ): boolean => {
    try {
      const payload = readPayload(
        new TextEncoder().encode(textOf()),
        source,
        [],
        context.now(),
        context.profile.currencyNumbering,
      );
      const { request, name, expect, tags } = payload;
      const facts =
        name === null && expect === null && tags.length === 0 ? null : { name: name ?? "", expect, tags };
      load(composition(request, null, facts, origin));
      session.say(done.replace("%", name === null ? "" : ` "${name}"`), "done");
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      session.say(`${error.message}${after}`, "error");
      return false;
    }
  };
  return {
    /** A whole payload as JSON, or as the body of a curl command; what must not be sent is refused with its sentence as a toast. */
    pasteJson(text: string) {
      const { isCurl, json } = pastedPayload(text);
      const [source, what] = isCurl
        ? ["The body of the curl command", "body of the curl command"]
        : ["Pasted text", "pasted payload"];
      const done = `The ${what}% is ready to send; ${session.keyName("check.undoLoad")} restores the previous payment.`;
      return loadJson(json, source, done);
    },
    /** What is composed, as JSON for an editor; null when it holds card data, with a toast. */
    toText() {
      const text = draftText(store.getState(), draft());
      if ("text" in text) return text.text;
      session.say(text.message, "error");
      return null;
    },
    /** The JSON that an editor gave back; false when it must not be sent: nothing changes then, and a toast gives the reason. */
    takeText: (text: string) =>
      loadJson(
        () => text,
        "The text",
        `The edited payload% is ready to send; ${session.keyName("check.undoLoad")} restores the previous payment.`,
        ` ${session.keyName("check.edit")} opens what you wrote again.`,
        store.getState().origin,
      ),
    /** The JSON that the console before left in the form. @param done says so */
    takeDraft: (text: string, done: string) => loadJson(() => text, "The draft", done),
  };
}
