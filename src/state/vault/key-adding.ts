// The open form for a key entered by hand on the Vault screen.

import type { StoreApi } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import { withoutSecrets, type EntryForm } from "#src/state/entry-form.ts";
import { closeForm, formVerbs, type FormVerbs } from "#src/state/form-verbs.ts";
import { offerProject } from "#src/state/register/project-switch.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { keyForm, keyKind, keyOwner, KIND_WORD, ofItsKind, saveKey } from "./key-forms.ts";
import { keptText, ownerOf, type KeyringState } from "./keyring-state.ts";

export interface KeyAdding extends FormVerbs {
  /** Opens the form; which kind is its first question. */
  add(): void;
  /** Forgets what was typed of a secret. */
  forgetSecret(): void;
}

/** @param reload reads the vault again */
export function createKeyAdding(
  context: Context,
  session: Session,
  { getState, setState }: StoreApi<KeyringState>,
  reload: () => Promise<void>,
): KeyAdding {
  /** @param replaces id of the entry that the user has agreed to replace; null for none */
  async function save(form: EntryForm, replaces: string | null): Promise<void> {
    if (getState().working !== null) return;
    setState({ working: "new" });
    const saved = await reportFaults(session, () => saveKey(context, form, replaces));
    setState({ working: null });
    if (saved === null) return;
    setState({ adding: null });
    await reportFaults(session, reload);
    setState({ selectedId: saved.id });
    const kind = keyKind(form);
    const owner = keyOwner(form);
    const offer = kind === "project_credential" ? offerProject(session, owner) : "";
    session.say(
      `The ${KIND_WORD[kind]} of ${owner} is in the vault.${keptText(saved.former, session.keyName)}${offer}`,
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
        const kind = keyKind(form);
        const owner = keyOwner(form);
        const held = getState().entries.find((entry) => entry.kind === kind && ownerOf(entry) === owner);
        if (held === undefined) return save(form, null);
        session.confirm({
          title: "Replace a key",
          text: `The vault has the ${KIND_WORD[kind]} of ${owner} already; replace it? The one before stays in the vault and can be put back.`,
          yes: "Replace",
          onYes: () => void save(form, held.id),
        });
      },
    }),
    add() {
      const first = !getState().entries.some(({ kind }) => kind === "integration_key");
      setState({ adding: keyForm(first ? "integration_key" : "project_credential") });
    },
    forgetSecret: () => setState(({ adding }) => ({ adding: adding && withoutSecrets(adding) })),
  };
}
