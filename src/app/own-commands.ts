// Reads the user's own commands from `commands.yaml` in the configuration folder.

import type { Node } from "yaml";
import {
  COMMAND_NAME,
  OWN_COMMAND,
  OWN_SCREENS,
  PLACEHOLDERS,
  placeholdersIn,
  type OwnCommand,
} from "#src/contract/records/own-command.ts";
import { hasHiddenCharacter } from "#src/contract/text/escape-text.ts";
import type { YamlFault, YamlSource } from "#src/contract/text/yaml-source.ts";
import { whyNoPlaceholder } from "./code-runners.ts";
import { readConfigText, type ConfigFolder } from "./config-text.ts";

/** Name of the file in the configuration folder. */
const COMMANDS_FILE = "commands.yaml";

type Key = keyof (typeof OWN_COMMAND)["properties"];
const SCREEN = OWN_COMMAND.properties.on.items;
const LONGEST = OWN_COMMAND.properties.label.maxLength;
const KNOWN = `there are ${Object.keys(PLACEHOLDERS).join(", ")}`;

export interface WrittenCommand {
  readonly command: OwnCommand;
  /** An error at the position of its key. */
  keyFault(problem: string): YamlFault;
}

/**
 * The commands of the file; empty without a file. Keys are not checked here.
 * @throws YamlFault for what `OWN_COMMAND` does not allow, Fault for an unreadable file
 */
export async function readOwnCommands(home: ConfigFolder): Promise<WrittenCommand[]> {
  const text = await readConfigText(home, COMMANDS_FILE);
  if (text === null) return [];
  const { YamlSource } = await import("#src/contract/text/yaml-source.ts");
  const source = new YamlSource(text, COMMANDS_FILE);
  if (source.root === null) return [];
  return Array.from(source.entries(source.root, "the list of commands"), ([name, { keyNode, value }]) => {
    if (!new RegExp(String(COMMAND_NAME["pattern"])).test(name))
      throw source.fault(keyNode, `the name "${name}" must be ${COMMAND_NAME.description}`);
    const keys = source.map(value ?? keyNode, name, OWN_COMMAND);
    for (const key of ["key", "label", "run"] as const) {
      if (keys.has(key)) continue;
      throw source.fault(keyNode, `${name} needs ${key}: ${OWN_COMMAND.properties[key].description}`);
    }
    const what = (key: string): string => `${key} of ${name}`;
    const place = (key: Key): Node => keys.get(key) ?? keyNode;
    return {
      command: {
        name,
        key: readLabel(source, place("key"), what("key")),
        label: readLabel(source, place("label"), what("label")),
        run: readArguments(source, place("run"), what("run")),
        on: keys.has("on")
          ? source.list(place("on"), what("on")).map((each) => source.choice(each, what("on"), SCREEN))
          : OWN_SCREENS,
        sends: keys.has("sends") && source.flag(place("sends"), what("sends")),
        wait: !keys.has("wait") || source.flag(place("wait"), what("wait")),
      },
      keyFault: (problem) => source.fault(place("key"), problem),
    };
  });
}

function readLabel(source: YamlSource, node: Node, what: string): string {
  const { value } = source.text(node, what);
  if (value.length <= LONGEST && !hasHiddenCharacter(value)) return value;
  throw source.fault(node, `${what} must be a plain text of at most ${LONGEST} characters`);
}

function readArguments(source: YamlSource, node: Node, what: string): readonly string[] {
  const run: string[] = [];
  for (const each of source.list(node, what)) {
    const argument = source.text(each, `each part of ${what}`);
    const names = placeholdersIn(argument.value);
    const wrong = names.find((name) => !Object.hasOwn(PLACEHOLDERS, name));
    if (wrong !== undefined)
      throw source.fault(
        each,
        `there is no placeholder "${wrong}"; ${KNOWN}, and a brace itself is written twice`,
      );
    // What a payment says must neither choose the program nor be run by one.
    const problem = names.length === 0 ? null : whyNoPlaceholder(argument.value, run);
    if (problem !== null) throw source.fault(each, `a placeholder in ${what} ${problem}`);
    run.push(argument.value);
  }
  if (run.length === 0) throw source.fault(node, `${what} must begin with a program`);
  return run;
}
