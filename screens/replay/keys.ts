// The commands of the Replay screen: of the list and the result, of the running replay, and of the form of a new one.

import { commands, key, only } from "#src/keys/command.ts";
import { buttonCommands, fieldCommands } from "#src/keys/form-commands.ts";
import { moves, SCROLLING, sorts, type Moving } from "#src/keys/move-commands.ts";
import { chosenRun, whyNotAgain, whyNotGoOn, type ReplaysState } from "#src/state/replay/replays-state.ts";
import type { Replays } from "#src/state/replay/replays.ts";

interface Scene extends Moving {
  readonly replays: Replays;
  readonly state: ReplaysState;
  /** Name of the profile in use. */
  readonly profile: string;
  readonly keyName: (id: string) => string;
}

const GROUP = "Replay";
const FORM_GROUP = "Replay, in a form";

const hasRun = ({ state }: Scene): boolean => chosenRun(state) !== null;
const hasResult = ({ state }: Scene): boolean => state.result !== null;
const isOpened = ({ state }: Scene): boolean => state.result?.opened != null;
const isList = ({ state }: Scene): boolean => state.result === null && state.runs.length > 0;
const isResultList = (scene: Scene): boolean => hasResult(scene) && !isOpened(scene);

const filter = ({ replays, state }: Scene): Promise<void> =>
  state.result === null ? replays.askListFilter() : replays.askFilter();

function whyNotCompare({ state, keyName }: Scene): string | null {
  const { markedId } = state;
  if (markedId !== null && markedId !== chosenRun(state)?.id) return null;
  return `Press ${keyName("replay.mark")} on one run, then ${keyName("replay.compare")} on another.`;
}

export const REPLAY = commands<Scene>("replay", GROUP, 1, {
  open: key(
    "enter",
    "open",
    1,
    (scene) => (hasResult(scene) ? scene.replays.openFinding() : scene.replays.open()),
    {
      when: (scene) => !isOpened(scene),
      not: (scene) =>
        hasRun(scene) ? null : `There is no run to open yet; ${scene.keyName("replay.new")} sets one up.`,
    },
  ),
  back: key("esc", "back", 1.5, (s) => s.replays.back(), {
    when: (scene) =>
      hasResult(scene) || (isList(scene) && (scene.state.markedId !== null || scene.state.filter !== "")),
  }),
  new: key("n", "new replay", 2, (s) => s.replays.setUp(), { when: (scene) => !isOpened(scene) }),
  ...only<Scene>((scene) => isResultList(scene) && (scene.state.result?.groups.length ?? 0) >= 2, {
    nextGroup: key("right tab f", "next group", 3, (s) => s.replays.cycleGroup(1)),
    previousGroup: key("left shift+tab F", "previous group", null, (s) => s.replays.cycleGroup(-1)),
  }),
  filter: key("/", "filter", 3.2, filter, {
    opensText: true,
    exposes: true,
    when: (scene) => isResultList(scene) || isList(scene),
  }),
  export: key("E", "export", 4, (s) => s.replays.askReport(), { when: hasResult }),
  ...only(hasRun, {
    goOn: key("r", "continue", 1.7, (s) => s.replays.goOn(), {
      sends: true,
      not: ({ state, profile, keyName }) => whyNotGoOn(state, profile, keyName),
    }),
    again: key("a", "resend some", 3.5, (s) => s.replays.again(), { not: ({ state }) => whyNotAgain(state) }),
    mark: key("m space", "mark to compare", 6, (s) => s.replays.toggleMark()),
    compare: key("c", "compare", 6.5, (s) => s.replays.compare(), { not: whyNotCompare }),
    baseline: key("b", "baseline", 7, (s) => s.replays.toggleBaseline()),
    remove: key("d delete", "remove", 8, (s) => s.replays.remove()),
  }),
  ...only(
    isResultList,
    sorts<Scene>(({ replays }, how) => replays.sortFindings(how)),
  ),
  ...only<Scene>((scene) => hasResult(scene) || isList(scene), moves(SCROLLING)),
});

/** While a finding is open, one key opens the next one of its group. */
export const REPLAY_FINDING = commands<Replays>("replay.finding", GROUP, 2, {
  next: key("right tab", "next payment", 1, (s) => s.selectFinding(1)),
  previous: key("left shift+tab", "previous payment", null, (s) => s.selectFinding(-1)),
  nextOfKind: key("n", "another such change", 1.2, (s) => s.selectOfKind(1)),
  previousOfKind: key("N", "such a change before", null, (s) => s.selectOfKind(-1)),
});

export const REPLAY_LIVE = commands<Replays>("replay.live", GROUP, 1, {
  pause: key("space", "pause, go on", 1, (s) => s.togglePause()),
  cancel: key("esc", "cancel", 2, (s) => s.askCancel()),
});

export const REPLAY_SETUP = commands<Replays>("replay.setup", FORM_GROUP, 1, {
  ...buttonCommands({ label: "start", sends: true }),
});

export const REPLAY_FIELDS = fieldCommands("replay", FORM_GROUP);
