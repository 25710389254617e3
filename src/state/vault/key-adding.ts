// The open form for a key entered by hand on the Vault screen.

import type { StoreApi } from "zustand/vanilla";
import { saveKey } from "#src/actions/register/add-key.ts";
import type { Context } from "#src/app/context.ts";
import { KIND_WORD, ownerOf, type Key } from "#src/contract/records/key.ts";
import { withoutSecrets } from "#src/state/entry-form.ts";
import { closeForm, formVerbs } from "#src/state/form-verbs.ts";
import { offerProject } from "#src/state/project-offer.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { enteredKey, keyForm, ofItsKind } from "./key-forms.ts";
import { keptText, type KeyringState } from "./keyring-state.ts";

/** @param reload reads the vault again */
export function createKeyAdding(
  context: Context,
  session: Session,
  { getState, setState }: StoreApi<KeyringState>,
  reload: () => Promise<void>,
) {
  /** @param replaces id of the entry that the user has agreed to replace; null for none */
  async function save(key: Key, replaces: string | null): Promise<void> {
    if (getState().working !== null) return;
    setState({ working: "new" });
    const saved = await reportFaults(session, () => saveKey(context, key, replaces));
    setState({ working: null });
    if (saved === null) return;
    setState({ adding: null });
    await reportFaults(session, reload);
    setState({ selectedId: saved.id, filter: "" });
    const owner = ownerOf(key);
    const offer = key.kind === "project_credential" ? offerProject(session, owner) : "";
    session.say(
      `The ${KIND_WORD[key.kind]} of ${owner} is in the vault.${keptText(saved.former, session.keyName)}${offer}`,
      "done",
    );
  }

  return {
    ...formVerbs({
      session,
      form: () => getState().adding,
      change: (form) => setState({ adding: ofItsKind(form) }),
      close: () => closeForm(session, getState().adding, () => setState({ adding: null })),
      async send(form) {
        const key = enteredKey(form);
        const owner = ownerOf(key);
        const held = getState().entries.find((entry) => entry.kind === key.kind && ownerOf(entry) === owner);
        const question = {
          text: `The vault has the ${KIND_WORD[key.kind]} of ${owner} already. The former key stays in the vault and can be restored. Replace it?`,
          yes: "replace",
        };
        if (held === undefined || (await session.agree(question))) await save(key, held?.id ?? null);
      },
    }),
    /** Opens the form; which kind is its first question. */
    add() {
      const first = !getState().entries.some(({ kind }) => kind === "integration_key");
      setState({ adding: keyForm(first ? "integration_key" : "project_credential") });
    },
    /** Forgets what was typed of a secret. */
    forgetSecret: () => setState(({ adding }) => ({ adding: adding && withoutSecrets(adding) })),
  };
}
