// Programs that run their arguments as code or as another program. What a payment says must never be among these arguments.

import { variableOf } from "#src/contract/records/own-command.ts";

const CODE_RUNNERS: ReadonlySet<string> = new Set(
  [
    // Shells, also in one file with other programs.
    "sh bash rbash dash ash zsh ksh mksh lksh oksh pdksh yash posh csh tcsh fish rc es elvish nu xonsh osh busybox toybox",
    "pwsh powershell cmd wsl wscript cscript mshta osascript",
    // Interpreters, and programs with a language of their own.
    "python pythonw pypy ipython perl ruby irb node nodejs deno bun tsx php lua luajit tclsh wish expect guile racket",
    "R Rscript julia elixir erl ghci scala groovy jshell awk gawk mawk nawk sed gsed ed ex m4 bc dc jq yq make gmake gdb",
    "vi vim vimdiff nvim view rvim gvim emacs emacsclient less more most",
    "psql mysql mariadb sqlite3 duckdb sqlplus redis-cli valkey-cli mongo mongosh clickhouse-client",
    // Programs that start another one, here or elsewhere.
    "env sudo doas su runuser pkexec nice ionice chrt taskset timeout time nohup setsid stdbuf unbuffer script watch",
    "xargs parallel entr flock chroot unshare nsenter setpriv systemd-run fakeroot strace ltrace rlwrap at batch exec eval",
    "ssh rsh mosh autossh tmux screen xterm urxvt konsole gnome-terminal alacritty kitty wezterm foot start",
    "npm npx pnpm yarn uv uvx pipx poetry bundle nix nix-shell",
  ]
    .join(" ")
    .toLowerCase()
    .split(" "),
);

/** Options of other programs behind which a command or code stands, such as those of find. */
const CODE_OPTIONS = /^(?:-exec|-execdir|-ok|-okdir|--exec|--eval|--command|--execute)(?:=|$)/;

/** `/usr/bin/python3.12` and `Python.EXE` are python. */
function programName(word: string): string {
  const base = word.replace(/^.*[\\/]/, "").toLowerCase();
  return base.replace(/\.(?:exe|cmd|bat|com)$/, "").replace(/[-.]?\d[\d.]*$/, "");
}

/**
 * Why an argument may hold no placeholder, as the rest of a sentence about it; null where it may.
 * A program is looked for in every part, because many start another one that their arguments name.
 */
export function whyNoPlaceholder(argument: string, before: readonly string[]): string | null {
  if (before.length === 0) return "must be an argument, not the program";
  const runner = [...before, argument].find((part) => isCodeRunner(part) || CODE_OPTIONS.test(part));
  if (runner === undefined) return null;
  const [name] = programName(runner).split("=");
  return `may be run as code by ${name}; use its variable instead, such as "$${variableOf("order_id")}"`;
}

function isCodeRunner(part: string): boolean {
  // Names that end in digits of their own, such as sqlite3.
  const base = part.replace(/^.*[\\/]/, "").toLowerCase();
  return CODE_RUNNERS.has(base) || CODE_RUNNERS.has(programName(part));
}
