// Reads the user's own commands from `commands.yaml` in the configuration folder.

import { join } from "node:path";
import type { Node } from "yaml";
import {
  COMMAND_FIELDS,
  OWN_SCREENS,
  PLACEHOLDERS,
  placeholdersIn,
  type CommandField,
  type OwnCommand,
} from "#src/contract/records/own-command.ts";
import { hasHiddenCharacter } from "#src/contract/text/escape-text.ts";
import type { YamlFault, YamlSource } from "#src/contract/text/yaml-source.ts";
import { readConfigText } from "./config-text.ts";
import type { Home } from "./home.ts";

/** Name of the file in the configuration folder. */
const COMMANDS_FILE = "commands.yaml";

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
/** Characters of a name or a label. */
const LONGEST = 40;
const KNOWN = `there are ${Object.keys(PLACEHOLDERS).join(", ")}`;
const SHELL = /(?:^|[\\/])(?:ba|da|fi|k|z)?sh$/;

export interface WrittenCommand {
  readonly command: OwnCommand;
  /** An error at the position of its key. */
  keyFault(problem: string): YamlFault;
}

/**
 * The commands of the file; empty without a file. Keys are not checked here.
 * @throws YamlFault for what `COMMAND_FIELDS` does not allow, Fault for an unreadable file
 */
export async function readOwnCommands({ config }: Pick<Home, "config">): Promise<WrittenCommand[]> {
  const text = await readConfigText(join(config, COMMANDS_FILE));
  if (text === null) return [];
  const { YamlSource } = await import("#src/contract/text/yaml-source.ts");
  const source = new YamlSource(text, COMMANDS_FILE);
  if (source.root === null) return [];
  return Array.from(source.entries(source.root, "the list of commands"), ([name, { keyNode, value }]) => {
    if (!NAME.test(name) || name.length > LONGEST)
      throw source.fault(keyNode, `the name "${name}" must be of small letters, digits and hyphens`);
    const nodes = source.map(value ?? keyNode, name, Object.keys(COMMAND_FIELDS));
    const fields = Object.entries(COMMAND_FIELDS).map(([key, field]) => {
      const node = nodes.get(key);
      if (node !== undefined) return [key, readField(source, node ?? keyNode, `${key} of ${name}`, field)];
      if (field.default !== undefined) return [key, field.default];
      throw source.fault(keyNode, `${name} needs ${key}: ${field.about}`);
    });
    return {
      command: { name, ...Object.fromEntries(fields) } as OwnCommand,
      keyFault: (problem) => source.fault(nodes.get("key") ?? keyNode, problem),
    };
  });
}

function readField(source: YamlSource, node: Node, what: string, { kind }: CommandField): unknown {
  if (kind === "flag") return source.flag(node, what);
  if (kind === "screens")
    return source.list(node, what).map((each) => source.choice(each, what, OWN_SCREENS));
  if (kind === "arguments") return readArguments(source, node, what);
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
    const isScript = SHELL.test(run[0] ?? "") && /^-[a-z]*c$/.test(run.at(-1)!);
    // What a payment says must neither choose the program nor be run by a shell.
    if (names.length > 0 && (run.length === 0 || isScript))
      throw source.fault(each, `a placeholder in ${what} must be an argument, not the program or its script`);
    run.push(argument.value);
  }
  if (run.length === 0) throw source.fault(node, `${what} must begin with a program`);
  return run;
}
