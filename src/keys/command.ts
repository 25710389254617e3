// A command of the console: its keys, its words, when it exists, why it is refused and what it does, in one place.

import type { Binding } from "./binding.ts";
import type { Layer } from "./layers.ts";

/** @typeParam Scene what a command reads and acts on: the state of its screen, and the verbs of its stores */
export interface Command<Scene> extends Omit<Binding, "id" | "scope" | "group"> {
  /** The name for overrides; `<scope>.<name in the list>` by default. */
  readonly id?: string;
  /** False while the command does not exist: its keys are free for layers below. */
  readonly when?: (scene: Scene) => boolean;
  /** Why the command is refused now, a sentence; null where it works. */
  readonly not?: (scene: Scene) => string | null;
  /** What it does now, where that is more than its label tells. */
  readonly says?: (scene: Scene) => string;
  /** `false` means that the key was not used. */
  readonly run: (scene: Scene) => void | boolean | Promise<unknown>;
}

/**
 * A command, as a line of a table.
 * @param keys names with a blank between them; the space bar is `space`
 * @param footer place in the footer, see `Binding`; null for none
 */
export function key<Scene>(
  keys: string,
  label: string,
  footer: number | null,
  run: Command<Scene>["run"],
  more: Omit<Command<Scene>, "keys" | "label" | "footer" | "run"> = {},
): Command<Scene> {
  const names = keys.split(" ").map((name) => (name === "space" ? " " : name));
  return { keys: names, label, ...(footer === null ? {} : { footer }), run, ...more };
}

/** Commands by their names. */
export type CommandList<Scene> = Readonly<Record<string, Command<Scene>>>;

/** The commands of one scope. */
export interface Commands<Scene> {
  readonly bindings: readonly Binding[];
  /** The layer that runs them, as they stand now. */
  layer(scene: Scene): Layer;
}

/**
 * Declares the commands of a scope. Pure data until a layer is asked for, so that the keys can be listed without React.
 * @param group their heading in the help
 * @param level of the layer, see `Layer`
 */
export function commands<Scene>(
  scope: string,
  group: string,
  level: number,
  list: CommandList<Scene>,
): Commands<Scene> {
  const all = Object.entries(list).map(
    ([name, { when, not, says, run, id = `${scope}.${name}`, ...words }]) => ({
      binding: { ...words, id, scope, group },
      when,
      not,
      says,
      run,
    }),
  );
  return {
    bindings: all.map(({ binding }) => binding),
    layer(scene) {
      const now = all.filter(({ when }) => when?.(scene) !== false);
      const reasons = now.map(({ binding, not }) => [binding.id, not?.(scene) ?? null] as const);
      return {
        scope,
        level,
        handlers: Object.fromEntries(now.map(({ binding, run }) => [binding.id, () => run(scene) !== false])),
        disabled: Object.fromEntries(
          reasons.filter((reason): reason is [string, string] => reason[1] !== null),
        ),
        labels: Object.fromEntries(
          now.flatMap(({ binding, says }) => (says === undefined ? [] : [[binding.id, says(scene)]])),
        ),
      };
    },
  };
}

/** Commands that exist only while a condition holds, beside their own. */
export function only<Scene>(
  condition: (scene: Scene) => boolean,
  list: CommandList<Scene>,
): CommandList<Scene> {
  return Object.fromEntries(
    Object.entries(list).map(([name, each]) => [
      name,
      { ...each, when: (scene: Scene) => condition(scene) && each.when?.(scene) !== false },
    ]),
  );
}
