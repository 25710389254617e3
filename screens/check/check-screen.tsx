// Check: the composer, the live history and the verdict.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, type ReactNode } from "react";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { acceptedForms, whyNotSend } from "#src/contract/records/profile.ts";
import { JUMP, jumpLayer } from "#src/keys/form-commands.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { entryInView, liftKeys, lostEntry, selectedEntry, underWay } from "#src/state/check/checks-state.ts";
import { HISTORY, takesCommands } from "#src/state/check/composer.ts";
import { textWithoutOrder, type Draft } from "#src/state/check/draft.ts";
import { draftProblem } from "#src/state/check/draft-words.ts";
import { SUBMIT } from "#src/state/entry-form.ts";
import { questionStands } from "#src/state/check/send-brake.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { useEntry } from "#src/state/use-entry.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { PaneScreen } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { CHECK, CHECK_FIELD, CHECK_HISTORY, CHECK_QUESTION, walk } from "./keys.ts";
import { LibraryPanel } from "./library-panel.tsx";
import { checkView, type Scroll } from "./view-model.ts";
import { whyPage } from "./why-page.ts";

/** Draws exactly its area: the composer, or over it the library. */
export function CheckScreen(size: Size): ReactNode {
  const { library } = useConsole();
  const open = useStore(library.store, (state) => state.open);
  return open ? <LibraryPanel {...size} /> : <Check {...size} />;
}

function Check(size: Size): ReactNode {
  const model = useConsole();
  const theme = useTheme();
  const composer = useStore(model.composer.store, (state) => state);
  const checks = useStore(model.checks.store, (state) => state);
  const project = useStore(model.session.store, (state) => state.project);
  const busy = useStore(model.session.store, (state) => state.busy);
  const isAsked = useStore(model.session.store, (state) => state.dialog !== null);
  // It is not known yet whether there is one.
  const preparing = project === null && (busy !== null || !checks.loaded);
  const locked = useStore(model.vaultLock.store, (lock) => lock.locked);
  const now = useNow(model, checks.inFlight !== null);
  const recipe = useStore(model.signing.store, (state) => (state.status === null ? null : state.recipe));
  const { fields, base, sent, prediction } = composer;
  // oxlint-disable-next-line react/exhaustive-deps -- the draft reads these from the store itself
  const draft = useMemo(() => model.composer.draft(), [model, fields, base, sent, prediction]);
  const shown = checks.entries.find(({ id }) => id === checks.shownId);
  useEntry(shown ?? null, model.checks.readSeen);
  const isOther = shown !== undefined && textWithoutOrder(shown.request) !== textWithoutOrder(draft.request);
  const scroll = useRef<Scroll>({});
  const view = checkView(
    useShown({
      composer,
      draft,
      isOther,
      checks,
      project,
      preparing,
      recipe,
      locked,
      now,
      unit: model.context.profile.amountUnit,
      accepted: acceptedForms(model.context.profile),
      live: model.context.profile.environment === "LIVE",
      sandbox: model.context.profile.environment === "SANDBOX",
      noSending: whyNotSend(model.context.profile, liftKeys(theme.keyName)),
      isAsked,
    }),
    size,
    theme,
    scroll.current,
  );
  useLayoutEffect(() => {
    scroll.current = view.scroll;
  });
  const lack =
    project === null
      ? preparing
        ? "Not yet: the project is not ready."
        : "Not yet: there is no project."
      : null;
  // A click on the button moves the focus there, and sends nothing.
  const mouse = {
    go: (by: number) => walk(model, by),
    focus: (path: string) => model.composer.focus(path),
  };
  useCheckKeys(model, { lack, draft, page: view.page });

  return <PaneScreen {...size} bands={view.bands} mouse={mouse} />;
}

const TICK_MS = 100;

/** The time, updated while something is waited for. */
function useNow(model: ConsoleModel, running: boolean): number {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  return model.now();
}

interface Obstacles {
  /** Why nothing can be asked or sent regardless of the fields; null otherwise. */
  readonly lack: string | null;
  readonly draft: Draft;
  /** Rows of a page of the history. */
  readonly page: number;
}

/** The layers of Check: the screen, the field that is being edited, the 3-D Secure question. */
function useCheckKeys(model: ConsoleModel, { lack, draft, page }: Obstacles): void {
  const { composer, checks, ownCommands } = model;
  const { keyName } = model.session;
  const theme = useTheme();
  const focus = useStore(composer.store, (state) => state.focus);
  const locked = useStore(model.vaultLock.store, (lock) => lock.locked);
  // With the vault locked, the same key unlocks it first.
  const canUndo = useStore(composer.store, (state) => state.before !== null) && !locked;
  const hasSent = useStore(composer.store, (state) => (state.sent?.orderId ?? null) !== null);
  const isSending = useStore(checks.store, (state) => state.inFlight !== null);
  const question = useStore(checks.store, (state) => state.question?.id ?? null);
  const isWalking = focus === HISTORY;
  const selected = useStore(checks.store, selectedEntry);
  const shown = useStore(checks.store, entryInView);
  /** The entry that keys are about: what is pointed at, else what is shown. */
  const inView = isWalking ? selected : shown;
  const lost = useStore(checks.store, lostEntry);
  const zoom = useStore(model.session.store, (state) => state.zoom);
  // What is edited, under way or asked is in sight.
  const isHidden = zoom > 0 && (isSending || question !== null || (zoom > 1 && !takesCommands(focus)));
  // Beside the form alone there is no history to point at.
  const isFormAlone = zoom === 1 && isWalking;
  useEffect(() => {
    if (isHidden) model.session.zoom(0);
    if (isFormAlone) model.composer.focus(SUBMIT);
  }, [model, isHidden, isFormAlone]);
  const blocked = lack ?? draftProblem(draft);
  const unsent =
    blocked ?? (isSending ? underWay(keyName) : question === null ? null : questionStands(keyName));
  const scene = {
    model,
    request: draft.request,
    lack,
    blocked,
    unsent,
    isSending,
    question,
    inView,
    selected,
    lost,
    hasSent,
    canUndo,
    page,
    explain: ({ id }: HistoryEntry) => model.session.show(whyPage(model, id, theme)),
  };

  useLayer({ ...CHECK.layer(scene), paste: composer.paste });
  useLayer({ scope: "own", level: 1, ...ownCommands.keys("check", inView) });
  const isInField = !takesCommands(focus) && focus !== JUMP;
  useLayer(focus === JUMP ? jumpLayer(CHECK_FIELDS, composer) : null);
  useLayer(
    isInField
      ? { ...CHECK_FIELD.layer(scene), text: composer.enter, key: composer.key, paste: composer.paste }
      : null,
  );
  useLayer(isWalking ? CHECK_HISTORY.layer({ ...scene, go: (to) => walk(model, to) }) : null);
  useLayer(question === null || focus !== SUBMIT ? null : CHECK_QUESTION.layer({ model, question }));
}
