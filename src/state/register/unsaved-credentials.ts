// Credentials that were fetched and could not be saved: held in memory until the user saves or discards them.

import { createStore } from "zustand/vanilla";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import { typedPath } from "#src/app/typed-path.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Project } from "#src/contract/records/project.ts";
import { Secret } from "#src/contract/secret.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime } from "#src/display/time.ts";
import { pathCompletion } from "#src/state/path-completion.ts";
import { faultOf } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, secondsLeft, untilDrawn, type After } from "#src/state/timers.ts";
import { REVEAL_SECONDS } from "#src/state/vault/keyring-state.ts";
import { isOpened, type VaultGate } from "#src/state/vault/vault-lock.ts";

export interface UnsavedCredentialsState {
  /** Credentials that are nowhere but in here; the first one is decided now. */
  readonly waiting: readonly UnsavedCredential[];
  /** Why the last attempt failed; null before one. Untrusted text in it is escaped already. */
  readonly problem: string | null;
  /** What is under way. */
  readonly working: "saving" | "writing" | null;
  /** Seconds until its revealed secret is hidden; null while it is hidden. */
  readonly secondsLeft: number | null;
}

export interface UnsavedCredentialsOptions {
  readonly after?: After;
  /** It is in the vault after all. */
  readonly onSaved?: (project: Project) => void;
  /** It is in a file, or was given up; the sentence says which and what is next. */
  readonly onSetAside?: (projectKey: string, sentence: string) => void;
}

/** Until when the service gives the same answer again, as a sentence. */
export function againSentence({ againUntil }: UnsavedCredential): string {
  return againUntil === null
    ? "The service gives it again within the 24 hours after its registration."
    : `The service gives it again until ${formatDateTime(againUntil)}.`;
}

export function createUnsavedCredentials(
  session: Session,
  lock: VaultGate,
  options: UnsavedCredentialsOptions = {},
) {
  const { after = afterTimeout } = options;
  const store = createStore<UnsavedCredentialsState>(() => ({
    waiting: [],
    problem: null,
    working: null,
    secondsLeft: null,
  }));
  const { getState, setState } = store;

  const inTheOpen = secondsLeft(after, (left) => setState({ secondsLeft: left }), hide);

  function hide(): void {
    inTheOpen.stop();
    if (getState().secondsLeft !== null) setState({ secondsLeft: null });
  }

  function settle(unsaved: UnsavedCredential): void {
    hide();
    setState(({ waiting }) => ({ waiting: waiting.filter((each) => each !== unsaved), problem: null }));
  }

  /** @returns whether it worked; else why not is kept */
  async function attempt(working: "saving" | "writing", run: () => Promise<void>): Promise<boolean> {
    hide();
    setState({ working, problem: null });
    try {
      await run();
      return true;
    } catch (error) {
      // Defects included: the credential is still in memory, and a crash would lose it.
      const message = error instanceof Fault ? error.message : knownMessage(error);
      setState({ problem: message });
      return false;
    } finally {
      setState({ working: null });
    }
  }

  return {
    store,
    add: (unsaved: UnsavedCredential) => setState(({ waiting }) => ({ waiting: [...waiting, unsaved] })),
    /** Tries once more to save it in the vault. Never rejects. */
    async retry() {
      const [unsaved] = getState().waiting;
      if (unsaved === undefined || getState().working !== null) return;
      if (!(await isOpened(lock)))
        return setState({
          problem: `The vault stays locked; ${session.keyName("rescue.retry")} asks again.`,
        });
      const saved = await attempt("saving", async () => {
        const project = await unsaved.save();
        options.onSaved?.(project);
      });
      if (saved) settle(unsaved);
    },
    /** Asks for a file and a passphrase, and writes it there. Never rejects. */
    async toFile() {
      const [unsaved] = getState().waiting;
      if (unsaved === undefined || getState().working !== null) return;
      const question = {
        label: "Name of the new age file:",
        step: "1 of 3",
        placeholder: "credential.age",
        complete: pathCompletion(session),
      };
      const name = await session.askUntil(question);
      if (!name) return;
      const path = typedPath(name);
      const passphrase = await askNewPassphrase(session);
      if (passphrase === null) return;
      const written = await attempt("writing", async () => {
        // The key of the file is derived in one go, with nothing drawn for as long as that takes.
        await untilDrawn();
        await unsaved.writeTo(path, { passphrase });
      });
      if (!written) return;
      settle(unsaved);
      const sentence = `The credential of ${unsaved.projectKey} is in ${path} and not in the vault: ${session.keyName("vault.actions")} on Vault imports it once there is room.`;
      session.say(sentence, "note");
      options.onSetAside?.(unsaved.projectKey, sentence);
    },
    /** Shows the secret for ten seconds, or hides it again. */
    reveal() {
      if (getState().secondsLeft !== null) return hide();
      if (getState().waiting.length === 0) return;
      setState({ secondsLeft: REVEAL_SECONDS });
      inTheOpen.start(REVEAL_SECONDS);
    },
    hide,
    /** Asks whether to give it up. */
    async giveUp() {
      const [unsaved] = getState().waiting;
      if (unsaved === undefined || getState().working !== null) return;
      const agreed = await session.agree({
        text: `The credential of ${unsaved.projectKey} is only in the memory of this program. ${againSentence(unsaved)} Give it up here?`,
        yes: "give up",
      });
      if (!agreed) return;
      settle(unsaved);
      options.onSetAside?.(unsaved.projectKey, `It was not saved. ${againSentence(unsaved)}`);
    },
    /** Leaves the console, although it is not saved only after a question. */
    async leave(quit: () => void) {
      const [unsaved] = getState().waiting;
      const agreed =
        unsaved === undefined ||
        (await session.agree({
          text: `The credential of ${unsaved.projectKey} is only in the memory of this program. ${againSentence(unsaved)} Leave although it is not saved?`,
          yes: "leave",
        }));
      if (agreed) quit();
    },
    /** One sentence for the shell for each that was not saved. */
    lost: (): readonly string[] =>
      getState().waiting.map(
        (unsaved) =>
          `The credential of ${safe(unsaved.projectKey, { max: 80 })} was not saved. ${againSentence(unsaved)} "verdict project credential" fetches it.`,
      ),
    close: hide,
  };
}

export type UnsavedCredentials = ReturnType<typeof createUnsavedCredentials>;

function knownMessage(error: unknown): string {
  try {
    return faultOf(error).message;
  } catch {
    return "Saving failed with an internal error; save it in another way, and please report it.";
  }
}

/** @returns the passphrase once it was typed twice; null otherwise, with a toast unless it was Esc */
async function askNewPassphrase(session: Session): Promise<Secret | null> {
  const first = await session.askUntil({
    label: "New passphrase of the file:",
    step: "2 of 3",
    masked: true,
  });
  if (first === null) return null;
  if (first === "") {
    session.say("An empty passphrase protects nothing; nothing was changed.", "error");
    return null;
  }
  const second = await session.askUntil({ label: "The same once more:", step: "3 of 3", masked: true });
  if (second === null) return null;
  if (first === second) return new Secret(first);
  session.say("The two passphrases are not the same; nothing was changed.", "error");
  return null;
}
