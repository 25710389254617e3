// The vault as the console shows it: what it holds, one secret at a time in the open, and keys entered by hand.

import { createStore, type StoreApi } from "zustand/vanilla";
import { check } from "#src/actions/check/check.ts";
import type { Context } from "#src/app/context.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { keyName } from "#src/display/key-name.ts";
import {
  enterText,
  firstWrong,
  focusOn,
  moveFocus,
  pressKey,
  SUBMIT,
  withoutSecrets,
  type EntryForm,
} from "#src/state/entry-form.ts";
import { guarded } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, secondsLeft, type After } from "#src/state/timers.ts";
import { KIND_WORD, keyForm, keyKind, keyOwner, ofItsKind, saveKey } from "./key-forms.ts";
import type { SecretCopy } from "./secret-copy.ts";
import { isOpened, type Opener } from "./vault-lock.ts";

/** What may be shown of an entry of the vault. */
export type KeyringEntry = ReturnType<Awaited<ReturnType<Context["vault"]>>["list"]>[number];

type FormerEntry = ReturnType<Awaited<ReturnType<Context["vault"]>>["former"]>[number];

/** What the test of a credential showed: it works, it does not, or nobody can say. */
export interface CredentialTest {
  readonly verdict: "works" | "refused" | "open";
  /** One sentence; untrusted text in it is escaped already. */
  readonly sentence: string;
}

export interface KeyringState {
  /** Those of the profile, the last one first. */
  readonly entries: readonly KeyringEntry[];
  /** Those of the profile that others have taken the place of, the last one replaced last. */
  readonly former: readonly FormerEntry[];
  /** How many entries belong to other profiles. */
  readonly elsewhere: number;
  /** True once the vault was read. */
  readonly loaded: boolean;
  readonly selectedId: string | null;
  /** The one secret in the open, and for how many seconds still. */
  readonly revealed: { readonly id: string; readonly secret: Secret; readonly secondsLeft: number } | null;
  /** The form for a key by hand, while it is open. */
  readonly adding: EntryForm | null;
  /** Id of the entry that is being tested, saved or removed now. */
  readonly working: string | null;
  /** The last test of each entry, by its id. */
  readonly tests: Readonly<Record<string, CredentialTest>>;
}

export interface Keyring {
  readonly store: StoreApi<KeyringState>;
  /** Reads the vault. Never rejects. */
  load(): Promise<void>;
  /** The screen is shown. @returns to be called when it is left: nothing stays in the open */
  watch(): () => void;
  select(move: number | "first" | "last"): void;
  /** Shows the selected secret for ten seconds, or hides it again. */
  reveal(): void;
  hide(): void;
  /** Copies the selected secret to the terminal's clipboard for a while, without showing it. */
  copy(): void;
  /** The vault was locked: nothing of it stays in the open, nor what was typed of a secret. */
  conceal(): void;
  /** Opens the form for a key by hand; which kind is its first question. */
  add(): void;
  move(delta: 1 | -1): void;
  /** A key for the field in focus; false when it has no use for it. */
  key(name: string): boolean;
  /** Typed or pasted text for the field in focus. */
  enter(text: string): void;
  /** Enter in the form: the next field, or saving. */
  submit(): Promise<void>;
  /** Esc: from a field to the button, from there out of the form. False when no form is open. */
  leave(): boolean;
  /** Sends one check that is named as a test, with the selected credential. */
  test(): Promise<void>;
  /** Asks whether to remove the selected entry. */
  remove(): void;
  close(): void;
}

export interface KeyringOptions {
  /** Runs something later and returns how to call that off; real timers unless told. */
  readonly after?: After;
  /** Asked before a secret is used; the vault is taken for open without it. */
  readonly lock?: Opener;
  /** Where copies go; nowhere unless told. */
  readonly copies?: SecretCopy;
  /** A check of ours is in the history now. */
  readonly onChecked?: () => void;
}

export const REVEAL_SECONDS = 10;
/** Order ids of test checks begin so, wherever they are seen. */
export const TEST_ORDER_PREFIX = "credential-test-";
/** The hryvnia, for a project whose currency nobody knows here. */
const TEST_CURRENCY = 980;

export function selectedKey({ entries, selectedId }: KeyringState): KeyringEntry | null {
  return entries.find((entry) => entry.id === selectedId) ?? null;
}

/** The entry that the selected one has taken the place of, the last one of several; null where there is none. */
export function formerKey(state: KeyringState): FormerEntry | null {
  const selected = selectedKey(state);
  if (selected === null) return null;
  return (
    state.former.findLast((entry) => entry.kind === selected.kind && ownerOf(entry) === ownerOf(selected)) ??
    null
  );
}

/** What became of the key that gave way, as a further sentence. Untrusted. */
export function keptText(former: FormerEntry | null): string {
  return former === null
    ? ""
    : ` The one before, key id ${former.keyId}, stays in the vault; ${keyName("vault.actions", "x")} there puts it back.`;
}

/** Why the selected entry cannot be tested; null when it can. */
export function whyNotTest(state: KeyringState): string | null {
  const entry = selectedKey(state);
  if (entry === null) return "No entry is selected.";
  if (entry.kind === "integration_key")
    return "An integration key shows that it works when a project is registered.";
  return state.working === null ? null : "Something is under way; wait for its end.";
}

/** Whom an entry belongs to: the company, or the project. Untrusted. */
export function ownerOf(entry: KeyringEntry): string {
  return entry.kind === "integration_key" ? entry.companyId : entry.projectKey;
}

export function createKeyring(context: Context, session: Session, options: KeyringOptions = {}): Keyring {
  const { after = afterTimeout, lock, copies } = options;
  const stop = new AbortController();

  const store = createStore<KeyringState>(() => ({
    entries: [],
    former: [],
    elsewhere: 0,
    loaded: false,
    selectedId: null,
    revealed: null,
    adding: null,
    working: null,
    tests: {},
  }));
  const { getState, setState } = store;

  async function reload(): Promise<void> {
    const vault = await context.vault();
    await vault.refresh();
    const all = vault.list();
    const entries = all.filter((entry) => entry.profile === context.profile.name).toReversed();
    const former = vault.former().filter((entry) => entry.profile === context.profile.name);
    setState(({ selectedId }) => ({
      entries,
      former,
      elsewhere: all.length - entries.length,
      loaded: true,
      selectedId: entries.some(({ id }) => id === selectedId) ? selectedId : (entries[0]?.id ?? null),
    }));
    const { revealed } = getState();
    if (revealed !== null && !entries.some(({ id }) => id === revealed.id)) hide();
  }

  const inTheOpen = secondsLeft(
    after,
    (left) => setState(({ revealed }) => ({ revealed: revealed && { ...revealed, secondsLeft: left } })),
    hide,
  );

  function hide(): void {
    inTheOpen.stop();
    if (getState().revealed !== null) setState({ revealed: null });
  }

  /** @param replaces id of the entry that the user has agreed to replace; null for none */
  async function save(form: EntryForm, replaces: string | null): Promise<void> {
    if (getState().working !== null) return;
    setState({ working: "new" });
    const saved = await guarded(session, () => saveKey(context, form, replaces));
    setState({ working: null });
    if (saved === null) return;
    setState({ adding: null });
    await guarded(session, reload);
    setState({ selectedId: saved.id });
    const kind = keyKind(form);
    const owner = keyOwner(form);
    session.say(`The ${KIND_WORD[kind]} of ${owner} is in the vault.${keptText(saved.former)}`, "done");
    if (kind === "project_credential" && session.store.getState().project === null) session.setProject(owner);
  }

  async function testNow(entry: Extract<KeyringEntry, { kind: "project_credential" }>): Promise<void> {
    if (getState().working !== null) return;
    setState({ working: entry.id });
    const done = await guarded(session, async () => {
      const project = await (await context.projects()).get(entry.profile, entry.projectKey);
      const request: CheckRequest = {
        operation: "verification",
        order_id: `${TEST_ORDER_PREFIX}${context.newId()}`,
        amount: 0,
        currency: project?.currency ?? TEST_CURRENCY,
        description: "Test of a credential; no payment.",
      };
      return check(
        context,
        { request, project: entry.projectKey, canForce3ds: null, warnings: [], repeats: null, record: true },
        stop.signal,
        () => undefined,
      );
    });
    setState({ working: null });
    if (done === null || done.entry.result === null) return;
    const test = readTest(done.entry.result);
    setState(({ tests }) => ({ tests: { ...tests, [entry.id]: test } }));
    session.say(test.sentence, test.verdict === "works" ? "done" : "error");
    if (done.notSaved !== null)
      session.say(`The test is not in the history: ${done.notSaved.message}`, "error");
    options.onChecked?.();
  }

  async function removeNow(entry: KeyringEntry): Promise<void> {
    hide();
    const removed = await guarded(session, async () => (await context.vault()).remove(entry.id));
    if (removed === null) return;
    const { entries } = getState();
    const at = entries.findIndex(({ id }) => id === entry.id);
    setState({ selectedId: (entries[at + 1] ?? entries[at - 1])?.id ?? null });
    await guarded(session, reload);
    session.say(`Removed the ${KIND_WORD[entry.kind]} of ${ownerOf(entry)}.`, "done");
  }

  return {
    store,
    async load() {
      await guarded(session, reload);
    },
    watch() {
      void guarded(session, reload);
      return () => {
        hide();
        // A question or the help may cover the screen; once it is left, a secret does not wait for somebody to come back.
        if (session.store.getState().screen === "vault") return;
        setState(({ adding }) => ({ adding: adding && withoutSecrets(adding) }));
      };
    },
    select(move) {
      const { entries, selectedId } = getState();
      const last = entries.length - 1;
      const at = entries.findIndex(({ id }) => id === selectedId);
      const wanted = move === "first" ? 0 : move === "last" ? last : at + move;
      const next = entries[Math.min(Math.max(0, wanted), last)]?.id ?? null;
      // What is in the open belongs to the row that was left.
      if (next !== selectedId) hide();
      setState({ selectedId: next });
    },
    reveal() {
      if (getState().revealed !== null) return hide();
      const entry = selectedKey(getState());
      if (entry === null) return session.say("No entry is selected.", "note");
      void guarded(session, async () => {
        if (!(await isOpened(lock))) return;
        const secret = (await context.vault()).reveal(entry.id);
        // Typing a passphrase takes time, in which another row may have been selected.
        if (getState().selectedId !== entry.id) return;
        setState({ revealed: { id: entry.id, secret, secondsLeft: REVEAL_SECONDS } });
        inTheOpen.start(REVEAL_SECONDS);
      });
    },
    hide,
    copy() {
      const entry = selectedKey(getState());
      if (entry === null) return session.say("No entry is selected.", "note");
      void guarded(session, async () => {
        if (!(await isOpened(lock))) return;
        copies?.copySecret(entry.id, (await context.vault()).reveal(entry.id));
      });
    },
    conceal() {
      hide();
      setState(({ adding }) => ({ adding: adding && withoutSecrets(adding) }));
    },
    add() {
      hide();
      const first = !getState().entries.some(({ kind }) => kind === "integration_key");
      setState({ adding: keyForm(first ? "integration_key" : "project_credential") });
    },
    move(delta) {
      setState(({ adding }) => ({ adding: adding && moveFocus(adding, delta) }));
    },
    key(name) {
      const { adding } = getState();
      const form = adding && pressKey(adding, name);
      if (form !== null) setState({ adding: ofItsKind(form) });
      return form !== null;
    },
    enter(text) {
      setState(({ adding }) => ({ adding: adding && ofItsKind(enterText(adding, text)) }));
    },
    async submit() {
      const { adding, entries } = getState();
      if (adding === null) return;
      if (adding.focus !== SUBMIT) return setState({ adding: moveFocus(adding, 1) });
      const wrong = firstWrong(adding);
      if (wrong !== null) return setState({ adding: wrong });
      const kind = keyKind(adding);
      const owner = keyOwner(adding);
      const held = entries.find((entry) => entry.kind === kind && ownerOf(entry) === owner);
      if (held === undefined) return save(adding, null);
      session.confirm({
        title: "Replace a key",
        text: `The vault has the ${KIND_WORD[kind]} of ${owner} already; replace it? The one before stays in the vault and can be put back.`,
        yes: "Replace",
        onYes: () => void save(adding, held.id),
      });
    },
    leave() {
      const { adding } = getState();
      if (adding === null) return false;
      setState({ adding: adding.focus === SUBMIT ? null : focusOn(adding, SUBMIT) });
      return true;
    },
    async test() {
      const entry = selectedKey(getState());
      const why = whyNotTest(getState());
      if (entry === null || entry.kind !== "project_credential" || why !== null) {
        return session.say(why ?? "", "note");
      }
      if (context.profile.environment !== "LIVE") return testNow(entry);
      session.confirm({
        title: "Test at the live service",
        text: `Send one check of 0.00, named ${TEST_ORDER_PREFIX}..., for ${entry.projectKey} to the live service?`,
        yes: "Send",
        onYes: () => void testNow(entry),
      });
    },
    remove() {
      const entry = selectedKey(getState());
      if (entry === null) return session.say("No entry is selected.", "note");
      session.confirm({
        title: `Remove the ${KIND_WORD[entry.kind]}`,
        text: `Remove the ${KIND_WORD[entry.kind]} of ${ownerOf(entry)} (key id ${entry.keyId}) for good?`,
        yes: "Remove",
        onYes: () => void removeNow(entry),
      });
    },
    close() {
      stop.abort();
      hide();
      setState({ adding: null });
    },
  };
}

/** A credential works when the service answers with a verdict, whichever it is. */
function readTest(result: CheckResult): CredentialTest {
  if (result.outcome === "answered") {
    return { verdict: "works", sentence: "The credential works: the service answered the test check." };
  }
  if (result.httpStatus === 401 || result.httpStatus === 403) {
    return {
      verdict: "refused",
      sentence: `The service does not accept the credential: ${result.explanation}`,
    };
  }
  return { verdict: "open", sentence: `Whether the credential works is open: ${result.explanation}` };
}
