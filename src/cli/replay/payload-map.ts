// verdict payload map: lists, shows and removes the saved maps of imports.

import type { Context } from "#src/app/context.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { sayDone } from "#src/cli/done.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { Fault } from "#src/contract/fault.ts";
import type { ImportWords, SavedMap } from "#src/contract/records/import-map.ts";
import { payloadNameProblem } from "#src/contract/records/saved-payload.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";

type ImportMaps = Awaited<ReturnType<Context["importMaps"]>>;

export const list: CommandRun = async ({ context, options, output }) => {
  const maps = await (await (await context()).importMaps()).list();
  if (options.flag("json")) for (const map of maps) output.json(mapJson(map));
  else if (maps.length === 0)
    output.line('No map is saved yet; "verdict payload import --save-map NAME" keeps one.');
  else for (const map of maps) output.line(`${map.name}  ${safe(optionsOf(map), { max: 400 })}`);
  return EXIT.done;
};

export const show: CommandRun = async ({ args, context, options, output }) => {
  const map = await savedMap(await (await context()).importMaps(), args[0]!);
  if (options.flag("json")) output.json(mapJson(map));
  else output.line(`verdict payload import FILE ${safe(optionsOf(map), { max: 10_000 })}`);
  return EXIT.done;
};

export const remove: CommandRun = async (invocation) => {
  const maps = await (await invocation.context()).importMaps();
  const { name } = await savedMap(maps, invocation.args[0]!);
  const removed = (await confirm(invocation, `Remove map ${name} for good?`)) && (await maps.remove(name));
  sayDone(invocation, { name, removed }, removed ? `Map ${name} removed.` : "Nothing was removed.");
  return EXIT.done;
};

/** @throws Fault("usage") when there is none of that name */
export async function savedMap(maps: ImportMaps, name: string): Promise<SavedMap> {
  const found = await maps.get(readMapName(name));
  if (found !== null) return found;
  throw new Fault("usage", `There is no map "${name}"; "verdict payload map list" lists them.`);
}

/** @throws Fault("usage") for a name that no map can have */
export function readMapName(name: string): string {
  const problem = payloadNameProblem(name, "map");
  if (problem === null) return name;
  throw new Fault("usage", problem);
}

export function sameWords(one: ImportWords, other: ImportWords): boolean {
  return optionsOf(one) === optionsOf(other);
}

/** The options that say the same. */
function optionsOf({ map, set, ignore, ignoreOthers, reducePan }: ImportWords): string {
  const each = (flag: string, words: readonly string[]): string[] =>
    words.map((word) => `${flag} ${shellWord(word)}`);
  return [
    ...each("--map", map),
    ...each("--set", set),
    ...each("--reduce-pan", reducePan),
    ...(ignore.length === 0 ? [] : each("--ignore", [ignore.join(",")])),
    ...(ignoreOthers ? ["--ignore-others"] : []),
  ].join(" ");
}

function mapJson({ name, map, set, ignore, ignoreOthers, reducePan }: SavedMap) {
  return { schema: 1, name, map, set, ignore, ignore_others: ignoreOthers, reduce_pan: reducePan };
}
