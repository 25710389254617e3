// What a shell needs to complete command lines of verdict: it asks verdict itself for what may come next.
// Each line of the answer is a word, a tab and what it is; a last line `:files` says that files belong there too.

import type { SHELLS } from "./completion-words.ts";

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
compdef _verdict verdict
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
