// The store of the Vault screen: its entries, one revealed secret, keys entered by hand, and credential tests.

import { createStore } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import { TEST_ORDER_PREFIX } from "#src/contract/records/history-entry.ts";
import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import { isRegisteredHere, windowStart } from "#src/contract/records/project.ts";
import { changedSort, keptRow, movedRow, type ListMove } from "#src/state/list-selection.ts";
import { askFilter } from "#src/state/listing.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, secondsLeft, type After } from "#src/state/timers.ts";
import { readTest, sendTest } from "#src/actions/check/credential-test.ts";
import { keyUses, NO_USES, RECENT_CHECKS } from "./key-uses.ts";
import { createKeyAdding } from "./key-adding.ts";
import {
  KEY_ORDERS,
  listedKeys,
  REVEAL_SECONDS,
  selectedKey,
  whyNotTest,
  type KeyringEntry,
  type KeyringState,
} from "./keyring-state.ts";
import type { SecretCopy } from "./secret-copy.ts";
import { isOpened, type VaultGate } from "./vault-lock.ts";

export interface KeyringOptions {
  /** Schedules a callback and returns how to cancel it; real timers by default. */
  readonly after?: After;
  /** Asked before a secret is used; the vault is taken for open without it. */
  readonly lock?: VaultGate;
  /** Where copies go; nowhere by default. */
  readonly copies?: SecretCopy;
  /** A check of ours is in the history now. */
  readonly onChecked?: () => void;
}

const NOT_LOADED: KeyringState = {
  entries: [],
  former: [],
  filter: "",
  sort: { by: "added", turned: false },
  elsewhere: 0,
  loaded: false,
  selectedId: null,
  revealed: null,
  adding: null,
  working: null,
  tests: {},
  uses: NO_USES,
  registered: {},
};

export function createKeyring(context: Context, session: Session, options: KeyringOptions = {}) {
  const { after = afterTimeout, lock, copies } = options;
  const stop = new AbortController();

  const store = createStore<KeyringState>(() => NOT_LOADED);
  const { getState, setState } = store;
  let chosen = false;

  async function reload(): Promise<void> {
    const vault = await context.vault();
    await vault.refresh();
    const all = vault.list();
    const entries = all.filter((entry) => entry.profile === context.profile.name).toReversed();
    const former = vault.former().filter((entry) => entry.profile === context.profile.name);
    setState((before) => {
      const listed = listedKeys({ ...before, entries });
      const isSelected = ({ id }: KeyringEntry): boolean => id === before.selectedId;
      // Until a row is chosen it is the first, whatever has come above it.
      const selected = chosen ? keptRow(listed, listedKeys(before), isSelected) : listed[0];
      const elsewhere = all.length - entries.length;
      return { entries, former, elsewhere, loaded: true, selectedId: selected?.id ?? null };
    });
    const { revealed } = getState();
    if (revealed !== null && !entries.some(({ id }) => id === revealed.id)) hide();
  }

  /** A convenience: damage to the history and to the projects is reported where they are shown. */
  async function readUses(): Promise<void> {
    const entries = await context
      .history()
      .then((history) => history.latest(RECENT_CHECKS))
      .catch(() => null);
    const projects = await context
      .projects()
      .then((document) => document.list(context.profile.name))
      .catch(() => []);
    if (stop.signal.aborted) return;
    const registered = projects
      .filter(isRegisteredHere)
      .map((project) => [project.key, windowStart(project)]);
    setState({ registered: Object.fromEntries(registered), ...(entries && { uses: keyUses(entries) }) });
  }

  const adding = createKeyAdding(context, session, store, reload);

  const inTheOpen = secondsLeft(
    after,
    (left) => setState(({ revealed }) => ({ revealed: revealed && { ...revealed, secondsLeft: left } })),
    hide,
  );

  function hide(): void {
    inTheOpen.stop();
    if (getState().revealed !== null) setState({ revealed: null });
  }

  /** Selects a listed entry. The revealed secret belongs to the row that is left. */
  function setSelected(entry: KeyringEntry | null | undefined): void {
    const selectedId = entry?.id ?? null;
    if (selectedId !== getState().selectedId) hide();
    setState({ selectedId });
  }

  function setFilter(filter: string): void {
    setState({ filter });
    const { selectedId } = getState();
    const listed = listedKeys(getState());
    setSelected(listed.find(({ id }) => id === selectedId) ?? listed[0]);
  }

  async function testNow(entry: Extract<KeyringEntry, { kind: "project_credential" }>): Promise<void> {
    if (getState().working !== null) return;
    setState({ working: entry.id });
    const done = await reportFaults(session, () => sendTest(context, entry, stop.signal));
    setState({ working: null });
    if (done === null || done.entry.result === null) return;
    const test = readTest(done.entry.result);
    setState(({ tests }) => ({ tests: { ...tests, [entry.id]: test } }));
    session.say(test.sentence, test.verdict === "works" ? "done" : "error");
    if (done.notSaved !== null)
      session.say(`The test is not in the history: ${done.notSaved.message}`, "error");
    options.onChecked?.();
    await readUses();
  }

  return {
    store,
    /** Reads the vault. Never rejects. */
    async load() {
      await reportFaults(session, reload);
    },
    /** The screen is shown. @returns to be called when it is left: hides the revealed secret */
    watch() {
      void reportFaults(session, reload);
      void readUses();
      return () => {
        hide();
        // A question or the help may cover the screen; once the screen is left, a typed secret is forgotten.
        if (session.store.getState().screen === "vault") return;
        adding.forgetSecret();
      };
    },
    select(move: ListMove) {
      chosen = true;
      const { selectedId } = getState();
      setSelected(movedRow(listedKeys(getState()), ({ id }) => id === selectedId, move));
    },
    sort: (how: "next" | "turned") => setState(({ sort }) => ({ sort: changedSort(KEY_ORDERS, sort, how) })),
    setFilter,
    askFilter: () => askFilter(session, "demo-shop integration", getState().filter, setFilter),
    /** Shows the selected secret for ten seconds, or hides it again. */
    reveal() {
      if (getState().revealed !== null) return hide();
      const entry = selectedKey(getState());
      if (entry === null) return session.say("No entry is selected.", "note");
      void reportFaults(session, async () => {
        if (!(await isOpened(lock))) return;
        const secret = (await context.vault()).reveal(entry.id);
        // Typing a passphrase takes time, in which another row may have been selected.
        if (getState().selectedId !== entry.id) return;
        setState({ revealed: { id: entry.id, secret, secondsLeft: REVEAL_SECONDS } });
        inTheOpen.start(REVEAL_SECONDS);
      });
    },
    hide,
    /** Copies the selected secret to the terminal's clipboard for a while, without showing it. */
    copy() {
      const entry = selectedKey(getState());
      if (entry === null) return session.say("No entry is selected.", "note");
      void reportFaults(session, async () => {
        if (!(await isOpened(lock))) return;
        copies?.copySecret(entry.id, (await context.vault()).reveal(entry.id));
      });
    },
    /** The vault was locked: hides the revealed secret and forgets a typed one. */
    conceal() {
      hide();
      adding.forgetSecret();
    },
    ...adding,
    add() {
      hide();
      adding.add();
    },
    /** Sends one check that is named as a test, with the selected credential. */
    async test() {
      const entry = selectedKey(getState());
      const why = whyNotTest(getState());
      if (entry === null || entry.kind !== "project_credential" || why !== null) {
        return session.say(why ?? "", "note");
      }
      if (context.profile.environment !== "LIVE") return testNow(entry);
      const agreed = await session.agree({
        text: `Send one check of 0.00, named ${TEST_ORDER_PREFIX}..., for ${entry.projectKey} to the LIVE service?`,
        yes: "send",
      });
      if (agreed) await testNow(entry);
    },
    /** Asks whether to remove the selected entry. */
    async remove() {
      const entry = selectedKey(getState());
      if (entry === null) return session.say("No entry is selected.", "note");
      const agreed = await session.agree({
        text: `Remove the ${KIND_WORD[entry.kind]} of ${ownerOf(entry)} (key id ${entry.keyId}) for good?`,
        yes: "remove",
      });
      if (!agreed) return;
      hide();
      const removed = await reportFaults(session, async () => (await context.vault()).remove(entry.id));
      if (removed === null) return;
      await reportFaults(session, reload);
      session.say(`Removed the ${KIND_WORD[entry.kind]} of ${ownerOf(entry)}.`, "done");
    },
    close() {
      stop.abort();
      hide();
      setState({ adding: null });
    },
  };
}

export type Keyring = ReturnType<typeof createKeyring>;
