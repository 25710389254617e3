// Reads the user's own commands from `commands.yaml` in the configuration folder.

import {
  OWN_COMMANDS,
  PLACEHOLDERS,
  placeholdersIn,
  type OwnCommand,
} from "#src/contract/records/own-command.ts";
import { placeAt, type Place } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { whyNoPlaceholder } from "./code-runners.ts";
import { readConfigText, type ConfigFolder } from "./config-text.ts";

/** Name of the file in the configuration folder. */
const COMMANDS_FILE = "commands.yaml";

const KNOWN = `there are ${Object.keys(PLACEHOLDERS).join(", ")}`;

export interface WrittenCommand {
  readonly command: OwnCommand;
  /** An error at the position of its key. */
  keyFault(problem: string): Error;
}

/**
 * The commands of the file; empty without a file. Keys are not checked here.
 * @throws YamlFault for what `OWN_COMMANDS` does not allow, Fault for an unreadable file
 */
export async function readOwnCommands(home: ConfigFolder): Promise<WrittenCommand[]> {
  const text = await readConfigText(home, COMMANDS_FILE);
  if (text === null) return [];
  const { YamlSource } = await import("#src/contract/text/yaml-source.ts");
  const source = new YamlSource(text, COMMANDS_FILE);
  if (source.root === null) return [];
  const root = source.place();
  const commands = readShape(OWN_COMMANDS, root, "the list of commands");
  return Object.entries(commands).map(([name, command]) => {
    expectPlaceholders(name, command.run, placeAt(root, name, "run"));
    return {
      command: { name, ...command },
      keyFault: (problem) => placeAt(root, name, "key").fault(problem),
    };
  });
}

/** What a payment says must neither choose the program nor be run by one. */
function expectPlaceholders(name: string, run: readonly string[], place: Place): void {
  for (const [index, argument] of run.entries()) {
    const names = placeholdersIn(argument);
    const wrong = names.find((each) => !Object.hasOwn(PLACEHOLDERS, each));
    if (wrong !== undefined)
      throw placeAt(place, index).fault(
        `there is no placeholder "${wrong}"; ${KNOWN}; for a literal brace, write it twice`,
      );
    const problem = names.length === 0 ? null : whyNoPlaceholder(argument, run.slice(0, index));
    if (problem !== null) throw placeAt(place, index).fault(`a placeholder in run of ${name} ${problem}`);
  }
}
