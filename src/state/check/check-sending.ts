// Sends one check: unlocks the vault if needed, records the row, and shows its outcome.

import type { StoreApi } from "zustand/vanilla";
import type { ActionContext } from "#src/actions/action-context.ts";
import { check, type Checked } from "#src/actions/check/check.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { isOpened, vaultLocked, type VaultGate } from "#src/state/vault/vault-lock.ts";
import { isOpen, noProject, underWay, withEntry, type ChecksState, type FailedSend } from "./checks-state.ts";

/**
 * @param lock asked before anything is sent; the vault is taken for open without it
 * @param load reads the newest rows from disk
 */
export function createCheckSending(
  context: ActionContext,
  session: Session,
  store: StoreApi<ChecksState>,
  lock: VaultGate | undefined,
  load: () => Promise<void>,
) {
  let sending: AbortController | null = null;
  /** On Check the verdict says what went wrong. */
  const shownOnCheck = {
    keyName: session.keyName,
    say: (text: string) => session.sayElsewhere("check", text),
  };

  return {
    /**
     * Sends one check. Never rejects: what goes wrong before anything is sent is shown as a toast.
     * @param repeats id of the row that is sent again
     * @returns the row with its outcome; null when nothing was sent or recorded
     */
    async send(request: CheckRequest, warnings: readonly string[], repeats: string | null = null) {
      if (sending !== null) {
        session.say(underWay(session.keyName), "note");
        return null;
      }
      const controller = new AbortController();
      sending = controller;
      // Nothing is under way while the passphrase is typed.
      if (lock?.isOpen() === false && !(await isOpened(lock))) {
        sending = null;
        store.setState({
          shownId: null,
          ownId: null,
          failed: { request, message: vaultLocked(session.keyName) },
        });
        return null;
      }
      store.setState({
        inFlight: { id: null, startedAt: context.now(), request, cancelled: false },
        question: null,
        // An earlier verdict must not be taken for the outcome of this check.
        shownId: null,
        ownId: null,
        failed: null,
      });
      const { project } = session.store.getState();
      let done: Checked | null;
      let failed: FailedSend | null = null;
      let recorded: string | null = null;
      try {
        done = await reportFaults(
          shownOnCheck,
          () =>
            check(
              context,
              {
                request,
                project: project ?? undefined,
                canForce3ds: null,
                warnings,
                repeats,
                record: true,
              },
              controller.signal,
              (event) => {
                if (event.type !== "recorded") return;
                recorded = event.entry.id;
                store.setState((state) => ({
                  ...withEntry(state, event.entry),
                  shownId: event.entry.id,
                  ownId: event.entry.id,
                  inFlight: state.inFlight && { ...state.inFlight, id: event.entry.id },
                }));
              },
            ),
          (fault) => {
            const message = consoleSentence(fault, project, session.keyName);
            failed = { request, message };
            return message;
          },
        );
      } finally {
        sending = null;
        // Even where another row was selected since: its outcome is shown, or why it has no row.
        store.setState({
          inFlight: null,
          shownId: recorded,
          failed: recorded === null ? failed : null,
        });
        session.unsay(underWay(session.keyName));
      }
      if (done === null) {
        // Only the disk has the state of the intent.
        if (recorded !== null) await load();
        return null;
      }
      const { entry, notSaved } = done;
      store.setState((state) => ({
        ...withEntry(state, entry),
        latest: entry,
        question: isOpen(entry) ? entry : null,
        notSaved:
          notSaved === null ? state.notSaved : new Map([...state.notSaved, [entry.id, notSaved.message]]),
      }));
      const { result } = entry;
      if (result?.outcome === "unknown" || result?.outcome === "not_sent")
        shownOnCheck.say(`${entry.request.order_id ?? "A check without an order id"}: ${result.explanation}`);
      if (notSaved !== null) shownOnCheck.say(`The verdict is not saved: ${notSaved.message}`);
      return entry;
    },
    /** Gives up waiting: the outcome becomes unknown, or not sent. False when nothing is under way. */
    cancel() {
      if (sending === null || sending.signal.aborted) return false;
      sending.abort();
      store.setState(({ inFlight }) => ({ inFlight: inFlight && { ...inFlight, cancelled: true } }));
      return true;
    },
    /** Shows no verdict any more: what is composed now is another payment. */
    clearShown() {
      // What is under way is shown until its outcome has been seen.
      if (sending === null) store.setState({ shownId: null, ownId: null, failed: null, question: null });
    },
  };
}

/** A fault as the console says it: where to go, and no command for a shell. */
function consoleSentence(fault: Fault, project: string | null, keyName: KeyName): string {
  if (fault.code !== "credential_missing" || !fault.message.includes('"verdict ')) return fault.message;
  if (project === null) return noProject(keyName);
  return `The project ${escapeText(project, 80)} has no credential here; press ${keyName("shell.register")} to fetch it or ${keyName("shell.vault")} to enter it.`;
}
