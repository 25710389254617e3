// verdict completion: prints the script for a shell, and the completions that the script requests.

import { statSync } from "node:fs";
import { completeFilter } from "#src/actions/history/complete-filter.ts";
import { documentPages } from "#src/app/documents.ts";
import { CURRENT, readRuleText, STARTER } from "#src/app/named-rules.ts";
import { schemaFiles } from "#src/app/schemas.ts";
import type { CommandRun, CommandSpec, Invocation } from "#src/cli/command.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { hasBuildCommand } from "#src/contract/text/build-commands.ts";
import { BUILT_IN_DECKS } from "#src/replay/decks/built-in-decks.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { numberNames } from "#src/rules/rule-file/tuned-number.ts";
import { complete, joinedWords, type NameKind, SHELLS } from "./completion-words.ts";

/** Runs, and entries of the history, that are completed, newest first. */
const MOST_OFFERED = 20;

/** @param commands the command table, as a parameter because it contains this command */
export const completionOf =
  (commands: readonly CommandSpec[]): CommandRun =>
  async (invocation) => {
    const { args, output } = invocation;
    const [asked, ...words] = args.map((word) => word ?? "");
    const shell = SHELLS.find((name) => name === asked);
    if (shell !== undefined && words.length === 0) return output.exact(SCRIPTS[shell]);
    if (asked !== "words") {
      throw usage`Completion is written for ${whole(SHELLS.join(", "))}; name one of them.`;
    }
    const { candidates, files } = complete(words, commands);
    const current = joinedWords(words).at(-1) ?? "";
    const lines = candidates.map(({ word, about }) => `${word}\t${about}`);
    lines.push(...(await nameWords(words, commands, invocation)).map((word) => `${word}\t`));
    // Bash replaces nothing but what stands behind the last = or :, at which it takes words apart.
    const last = words.at(-1) ?? "";
    const kept = current.length - last.replace(/^[=:]+$/, "").length;
    const cut = lines.map((line) => line.slice(kept));
    // It would complete what stands behind the colon, as a file of its own.
    if (files && !(kept > 0 && current.includes(":"))) cut.push(":files");
    output.exact(cut.map((line) => `${line}\n`).join(""));
  };

/** What names are read from. */
type Opened = Parameters<typeof readRuleText>[0] & Pick<Invocation, "context">;

/** The words with a name that may stand last in a command line, where the last one is begun. */
export async function nameWords(
  words: readonly string[],
  commands: readonly CommandSpec[],
  opened: Opened,
): Promise<readonly string[]> {
  const { names, argument = "" } = complete(words, commands);
  const current = joinedWords(words).at(-1) ?? "";
  const head = /^--[a-z0-9-]+=/.exec(current)?.[0] ?? "";
  const typed = current.slice(head.length);
  const found = await Promise.all(names.map((kind) => namesOf(kind, opened, { typed, argument })));
  return (
    found
      .flat()
      // Names that need quoting are left out, because each shell quotes differently.
      .filter((name) => name.startsWith(typed) && /^[\w./@%+=:,-]+$/.test(name) && !hasBuildCommand(name))
      .map((name) => `${head}${name}`)
  );
}

/** Names of a kind; empty when they cannot be read, because an error message would disturb the typing. */
async function namesOf(
  kind: NameKind,
  from: Opened,
  { typed, argument }: { readonly typed: string; readonly argument: string },
): Promise<readonly string[]> {
  if (kind === "page") return documentPages().map(({ name }) => name);
  if (kind === "schema") return schemaFiles().map(({ name }) => name);
  if (kind === "term") return completeFilter(typed, Date.now()).candidates.map(({ text }) => text);
  try {
    if (kind === "number") {
      // A dash would read what the user types next, and a pipe waits for its writer.
      const isNamed = argument === STARTER || argument === CURRENT;
      if (argument === "-" || (!isNamed && !statSync(argument).isFile())) return [];
      const { text, name } = await readRuleText(from, argument);
      return numberNames(await loadRules(text, name));
    }
    const opened = await from.context();
    switch (kind) {
      case "profile":
        return (await (await opened.profiles()).list()).map(({ name }) => name);
      case "project":
        return (await (await opened.projects()).list(opened.profile.name)).map(({ key }) => key);
      case "payload":
        return (await (await opened.payloads()).list()).map(({ name }) => name);
      case "run":
        return ["last", ...(await (await opened.runs()).list()).slice(0, MOST_OFFERED).map(({ id }) => id)];
      case "entry":
        return (await (await opened.history()).latest(MOST_OFFERED)).map(({ id }) => id);
      case "key": {
        const vault = await opened.vault();
        return [...vault.list(), ...vault.former()].map(({ id }) => id);
      }
      case "former key":
        return (await opened.vault()).former().map(({ id }) => id);
      case "recipe":
        return (await opened.recipes()).list().map(({ recipe }) => recipe.recipe);
      case "deck":
        return BUILT_IN_DECKS;
      case "snapshot":
        // The completion of a shell starts no sandbox.
        return (await opened.sandbox()?.admin.snapshots())?.flatMap(({ name }) => name ?? []) ?? [];
    }
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

// The scripts call `verdict completion words`. Each line of its output is a word, a tab and a description; a last line
// `:files` requests file names.

const BASH = `# verdict: completion for bash; put "source <(verdict completion bash)" into ~/.bashrc
_verdict_complete() {
  local line files= current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then files=1; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(verdict completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # A word that ends with = or : continues: no blank after it.
  if [[ \${COMPREPLY[0]-} == *[=:] ]]; then compopt -o nospace 2>/dev/null; fi
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
  fi
}
complete -F _verdict_complete verdict
`;

const ZSH = `#compdef verdict
# verdict: completion for zsh; put "source <(verdict completion zsh)" into ~/.zshrc, after compinit
_verdict() {
  local line word
  local -a described open
  local files=
  while IFS= read -r line; do
    word="\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"
    case $line in
      :files) files=1 ;;
      # A word that ends with = or : continues: no blank after it.
      *[=:]$'\\t'*) open+=("$word") ;;
      *) described+=("$word") ;;
    esac
  done < <(verdict completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#open} )) && _describe verdict open -S ''
  (( \${#described} )) && _describe verdict described
  [[ -n $files ]] && _files
}
# As a file of fpath this is the body of the function at its first call.
if [[ $funcstack[1] == _verdict ]]; then _verdict; else compdef _verdict verdict; fi
`;

const FISH = `# verdict: completion for fish; put "verdict completion fish | source" into ~/.config/fish/config.fish
function __verdict_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (verdict completion words -- $words[2..-1] 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c verdict -f -a "(__verdict_complete)"
`;

export const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
};
