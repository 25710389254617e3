// The commands of the Rules screen.

import { commands, key, only } from "#src/keys/command.ts";
import { moves, SCROLLING, sorts, type Moving } from "#src/keys/move-commands.ts";
import type { RuleTuning } from "#src/state/sandbox/rule-tuning.ts";
import { selectedRule, type Rules, type RulesState } from "#src/state/sandbox/rules.ts";

interface Scene extends Moving {
  readonly rules: Rules;
  readonly tuning: RuleTuning;
  readonly state: RulesState;
}

const GROUP = "Rules";

const isSeen = ({ state }: Scene): boolean => state.seen !== null;
const isListed = (scene: Scene): boolean => isSeen(scene) && !scene.state.opened;

/** The rules come from a file, which can be replaced by the starter rules. */
const isOwn = ({ state: { seen } }: Scene): boolean =>
  seen !== null && (seen.reading.fromFile || seen.reading.error !== null);

/** While an invalid draft is kept. */
export const RULES_DRAFT = commands<Rules>("rules.draft", GROUP, 2, {
  editAgain: key("e", "edit again", 0.1, (rules) => rules.edit(), { id: "rules.editAgain" }),
  discard: key("d delete", "discard", 0.2, (rules) => rules.discard(), { id: "rules.discard" }),
});

export const RULES = commands<Scene>("rules", GROUP, 1, {
  ...only(isSeen, {
    open: key("enter", "open", 1, (s) => s.rules.open(), { when: isListed }),
    back: key(
      "esc",
      "back",
      1.5,
      ({ rules, state }) => (state.opened ? rules.close() : rules.setFilter("")),
      { when: ({ state }) => state.opened || state.filter !== "" },
    ),
    pane: key("tab", "other pane", null, ({ rules, state }) => rules[state.opened ? "close" : "open"](), {
      when: isListed,
    }),
    edit: key("e", "edit the rule file", 2, (s) => s.rules.edit()),
  }),
  reload: key("R", "read it again", 3, (s) => s.rules.reload()),
  ...only(isSeen, {
    filter: key("/", "filter", 2.5, (s) => s.rules.askFilter(), { opensText: true }),
    tune: key(
      "W",
      "tune a number",
      3.5,
      ({ tuning, state }) => tuning.ask(selectedRule(state) ?? undefined),
      { opensText: true },
    ),
    since: key("t", "since a time", 2.7, (s) => s.rules.askSince(), { opensText: true }),
    starter: key("d delete", "starter rules", 4, (s) => s.rules.toStarter(), { when: isOwn }),
  }),
  ...only(
    isListed,
    sorts<Scene>(({ rules }, how) => rules.sort(how)),
  ),
  ...only(isSeen, moves(SCROLLING)),
});
