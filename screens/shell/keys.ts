// The commands of the shell: those that work on every screen, and those of palette, projects, help and messages.

import { commands, key, only, type Command, type CommandList } from "#src/keys/command.ts";
import { pagerMoves, type Moving } from "#src/keys/move-commands.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { PageKeys } from "#src/state/page.ts";
import { SCREENS } from "./screen-list.ts";

interface Scene {
  readonly model: ConsoleModel;
  /** An audience watches a deck: nothing of the session is shown, and no key leads to it. */
  readonly isDeck: boolean;
  /** Panes of the screen that can have all of it. */
  readonly panes: number;
  /** Columns by which their divider can be moved to either side; null where none stands between two of them. */
  readonly dividerRoom: number | null;
  /** Opens help or palette over the keys that work now. */
  readonly over: (open: (isOpen: boolean) => void) => void;
  readonly openProjects: () => void;
  readonly quit: () => void;
  readonly suspend: () => void;
  /** Null where nothing else writes on the screen. */
  readonly redraw: (() => void) | null;
  readonly interrupt: () => void;
}

function openPalette({ model: { verbs, session }, over }: Scene): void {
  void verbs.learn();
  over(session.showPalette);
}

function zoom({ model: { session }, panes }: Scene): void {
  session.zoom((session.store.getState().zoom + 1) % (panes + 1));
}

const divided = { when: ({ dividerRoom }: Scene) => dividerRoom !== null };

function moveDivider({ model, dividerRoom }: Scene, direction: 1 | -1): void {
  model.dividers.move(direction, dividerRoom!);
}

const screens: CommandList<Scene> = Object.fromEntries(
  SCREENS.map(({ name, key, label, said = `screen ${label}`, also }): [string, Command<Scene>] => [
    name,
    {
      keys: [key],
      label: said,
      ...(also === undefined ? {} : { also }),
      run: ({ model: { session, demo } }) => (name === "demo" ? demo.open() : session.go(name)),
    },
  ]),
);

export const SHELL = commands<Scene>("shell", "Everywhere", 0, {
  ...only<Scene>(({ isDeck }) => !isDeck, {
    ...screens,
    project: key("P", "switch project", 91, (s) => s.openProjects(), { opensText: true }),
    palette: key(":", "palette", 90, openPalette, { opensText: true }),
    zoom: key("+", "zoom a pane, on and off", null, zoom, { when: ({ panes }) => panes > 0 }),
    narrow: key("<", "move the divider left", null, (s) => moveDivider(s, -1), divided),
    widen: key(">", "move the divider right", null, (s) => moveDivider(s, 1), divided),
    presenter: key("p", "presenter mode, on and off", null, (s) => s.model.present()),
    messages: key("M", "messages", 92, (s) => s.model.session.showMessages(true), {
      also: "log, journal, errors",
    }),
  }),
  help: key("? f1", "help", 95, (s) => s.over(s.model.session.showHelp)),
  quit: key("q", "quit", 99, (s) => s.quit()),
  redraw: key("ctrl+l", "draw the screen again", null, (s) => s.redraw?.(), {
    global: true,
    when: ({ redraw }) => redraw !== null,
  }),
  suspend: key("ctrl+z", "suspend", null, (s) => s.suspend(), { global: true }),
  interrupt: key("ctrl+c", "leave", 100, (s) => s.interrupt(), { global: true }),
});

interface Lock {
  readonly vaultLock: ConsoleModel["vaultLock"];
  readonly isLocked: boolean;
}

/** A scope of its own: with a key file there is nothing to lock. */
export const LOCK = commands<Lock>("lock", "Vault with a passphrase", 0, {
  unlock: key("u", "unlock the vault", 0, (s) => void s.vaultLock.open(), {
    when: ({ isLocked }) => isLocked,
  }),
  lock: key("L", "lock the vault", 80, (s) => s.vaultLock.lock(), { when: ({ isLocked }) => !isLocked }),
});

/** Those of a page over a screen; the keys that open one close it, too. */
export const PAGE = commands<PageKeys & Moving>("page", "Page over a screen", 1, {
  close: key("esc i x", "back", 1, (page) => page.close?.()),
  whatIf: key("w", "what if, or back", null, (page) => (page.whatIf ?? page.close)?.()),
  copy: key("Y", "copy as curl", 2, (page) => page.copy?.(), { exposes: true, when: (page) => !!page.copy }),
  edit: key("e", "edit the rule file", 1.5, (page) => page.edit?.(), { when: (page) => !!page.edit }),
  ask: key("W enter", "other values", 2, (page) => page.ask?.(), {
    opensText: true,
    when: (page) => !!page.ask,
  }),
  next: key("tab", "next field", 3, (page) => page.next?.(), { when: (page) => !!page.next }),
  again: key("r", "again", 3, (page) => page.again?.(), { when: (page) => !!page.again }),
  ...pagerMoves({ down: 4 }),
});

interface Help extends Moving {
  readonly find: () => void;
  readonly close: () => void;
}

/** Above the screens, and above their questions. */
const OVER = 4;

export const HELP = commands<Help>("help", "Help", OVER, {
  find: key("/", "find", 0, ({ find }) => find(), { opensText: true }),
  ...pagerMoves({ down: 1, up: 2 }),
  close: key("esc q ? f1", "close", 3, ({ close }) => close()),
});

export const HELP_FIND = commands<Omit<Help, "find">>("help.find", "Help, finding", OVER, {
  ...pagerMoves({ down: 2 }),
  leave: key("esc", "all keys", 1, ({ close }) => close()),
});

interface Messages extends Moving {
  readonly find: () => void;
  /** To the other pane; null where there is one. */
  readonly turn: (() => void) | null;
  readonly close: () => void;
}

export const MESSAGES = commands<Messages>("messages", "Messages", OVER, {
  turn: key("tab", "other pane", 2, ({ turn }) => turn?.(), { when: ({ turn }) => turn !== null }),
  find: key("/", "filter", 1.5, ({ find }) => find(), { opensText: true }),
  close: key("esc M q", "back", 3, ({ close }) => close()),
  ...pagerMoves({ down: 1 }),
});

export const MESSAGES_FIND = commands<Omit<Messages, "find">>("messages.find", "Messages, filtering", OVER, {
  turn: key("tab", "other pane", 3, ({ turn }) => turn?.(), { when: ({ turn }) => turn !== null }),
  ...pagerMoves({ down: 2 }),
  leave: key("esc", "all messages", 1, ({ close }) => close()),
});

interface Drawer {
  readonly turn: (by: 1 | -1) => void;
  readonly close: () => void;
}

interface Palette extends Drawer {
  readonly run: () => void;
  /** Why nothing can be run; null where something is marked. */
  readonly unmarked: string | null;
}

export const PALETTE = commands<Palette>("palette", "Palette", OVER, {
  down: key("down tab", "next", 2, ({ turn }) => turn(1)),
  up: key("up shift+tab", "previous", 3, ({ turn }) => turn(-1)),
  run: key("enter", "do it", 1, ({ run }) => run(), { not: ({ unmarked }) => unmarked }),
  close: key("esc", "close", 1.5, ({ close }) => close()),
});

interface Projects extends Drawer {
  readonly use: () => void;
}

export const PROJECTS = commands<Projects>("projects", "Projects", OVER, {
  use: key("enter", "use it", 1, ({ use }) => use()),
  down: key("down tab", "next", 2, ({ turn }) => turn(1)),
  up: key("up shift+tab", "previous", 3, ({ turn }) => turn(-1)),
  close: key("esc", "leave", 1.5, ({ close }) => close()),
});
