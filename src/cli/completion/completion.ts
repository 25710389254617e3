// verdict completion: prints the script for a shell, and the completions that the script requests.

import type { Context } from "#src/app/context.ts";
import { documentPages } from "#src/app/documents.ts";
import type { CommandRun, CommandSpec } from "#src/cli/command.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { hasBuildCommand } from "#src/contract/text/build-commands.ts";
import { BUILT_IN_DECKS } from "#src/replay/decks/built-in-decks.ts";
import { complete, joinedWords, type NameKind, SHELLS } from "./completion-words.ts";

/** Runs that are completed, newest first. */
const RUNS_OFFERED = 20;

/** @param commands the command table, as a parameter because it contains this command */
export const completionOf =
  (commands: readonly CommandSpec[]): CommandRun =>
  async ({ args, context, output }) => {
    const [asked, ...words] = args.map((word) => word ?? "");
    const shell = SHELLS.find((name) => name === asked);
    if (shell !== undefined && words.length === 0) return output.exact(SCRIPTS[shell]);
    if (asked !== "words") {
      throw usage`Completion is written for ${whole(SHELLS.join(", "))}; name one of them.`;
    }
    const { candidates, names, files } = complete(words, commands);
    const current = joinedWords(words).at(-1) ?? "";
    const head = /^--[a-z0-9-]+=/.exec(current)?.[0] ?? "";
    const lines = candidates.map(({ word, about }) => `${word}\t${about}`);
    for (const kind of names) {
      const fitting = (await namesOf(kind, context)).filter(
        // Names that need quoting are left out, because each shell quotes differently.
        (name) =>
          name.startsWith(current.slice(head.length)) &&
          /^[\w./@%+=:,-]+$/.test(name) &&
          !hasBuildCommand(name),
      );
      lines.push(...fitting.map((name) => `${head}${name}\t`));
    }
    // Bash would complete what stands behind the colon, as a file of its own.
    const isBehindColon = current !== words.at(-1) && current.includes(":");
    if (files && !isBehindColon) lines.push(":files");
    output.exact(lines.map((line) => `${line}\n`).join(""));
  };

/** Names of a kind; empty when they cannot be read, because an error message would disturb the typing. */
async function namesOf(kind: NameKind, context: () => Promise<Context>): Promise<readonly string[]> {
  if (kind === "page") return documentPages().map(({ name }) => name);
  try {
    const opened = await context();
    switch (kind) {
      case "profile":
        return (await (await opened.profiles()).list()).map(({ name }) => name);
      case "project":
        return (await (await opened.projects()).list(opened.profile.name)).map(({ key }) => key);
      case "payload":
        return (await (await opened.payloads()).list()).map(({ name }) => name);
      case "run":
        return ["last", ...(await (await opened.runs()).list()).slice(0, RUNS_OFFERED).map(({ id }) => id)];
      case "recipe":
        return (await opened.recipes()).list().map(({ recipe }) => recipe.recipe);
      case "deck":
        return BUILT_IN_DECKS;
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
  local line
  local -a described
  local files=
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then files=1; else described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done < <(verdict completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
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
