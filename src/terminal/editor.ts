// Opens the user's editor on a private copy of a text and waits until it ends.

import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { runProgram, type ProgramOptions } from "./program.ts";

export interface EditorOptions extends ProgramOptions {
  /** File name of the copy, whose extension selects the language: `payload.json`. */
  readonly fileName: string;
  /** Where the editor opens it, from 1, as far as it is known how to tell it. */
  readonly line?: number | undefined;
}

/** Editors that take `+LINE` before the file. */
const TAKE_LINE = new Set("vi vim nvim nano pico emacs micro kak joe".split(" "));

/** The edited text, or one sentence about the problem. */
export type Edited = { readonly text: string } | { readonly problem: string };

/** Largest edited text, in bytes. */
const LARGEST_TEXT = 5 * 1024 * 1024;

/**
 * Opens the editor on a text and waits until it ends. The terminal must be in cooked mode on the main screen. The copy is
 * in a private folder (0700, the file 0600), which is removed afterwards with the editor's swap files; folders left by
 * killed processes are removed as well.
 */
export async function editInEditor(text: string, options: EditorOptions): Promise<Edited> {
  const words = editorWords(options.env);
  removeOrphans();
  const folder = mkdtempSync(join(tmpdir(), `verdict-edit-${process.pid}-`));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    chmodSync(folder, 0o700);
    const path = join(folder, options.fileName);
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    chmodSync(path, 0o600);
    const problem = await runEditor(words, path, options);
    return problem === null ? readBack(path) : { problem };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    return { problem: `The text for the editor could not be written (${code}); nothing was changed.` };
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Removes folders of processes that no longer exist. */
function removeOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^verdict-edit-(\d+)-\w{6}$/.exec(name)?.[1] ?? process.pid);
    if (pid === process.pid || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    // Only folders of this account, because others may use the same name.
    if (lstatSync(folder, { throwIfNoEntry: false })?.uid === process.geteuid?.())
      rmSync(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Program and arguments: VISUAL, else EDITOR, else the system's default. */
export function editorWords(env: EditorOptions["env"]): readonly string[] {
  for (const name of ["VISUAL", "EDITOR"]) {
    const words = splitWords(env[name] ?? "");
    if (words.length > 0) return words;
  }
  return [process.platform === "win32" ? "notepad" : "vi"];
}

/** A quoted part, an escaped character, a run of plain ones, or the blanks between two words. */
const PIECE = /"((?:[^"\\]|\\[^])*)"|'([^']*)'|\\([^])|([^\s"'\\]+|["'\\])|(\s+)/g;

/**
 * Splits a command into words like a shell, without variables, patterns or further commands. On Windows a backslash is part
 * of a path.
 */
export function splitWords(command: string): string[] {
  const source = process.platform === "win32" ? command.replaceAll("\\", "\\\\") : command;
  const words: string[] = [];
  let word: string | null = null;
  for (const [, double, single, escaped, plain, blank] of source.matchAll(PIECE)) {
    if (blank !== undefined) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + (double?.replaceAll(/\\(["\\])/g, "$1") ?? single ?? escaped ?? plain ?? "");
    }
  }
  if (word !== null) words.push(word);
  return words;
}

/** Runs the editor. @returns the problem; null after a successful end */
async function runEditor(
  words: readonly string[],
  path: string,
  { line, ...options }: EditorOptions,
): Promise<string | null> {
  const at = line !== undefined && TAKE_LINE.has(basename(words[0]!)) ? [`+${line}`] : [];
  const { problem, isStarted } = await runProgram([...words, ...at, path], options);
  if (problem === null) return null;
  return isStarted
    ? `The editor ${problem}; nothing was changed.`
    : `The editor ${words[0]} ${problem}; name yours in VISUAL or EDITOR.`;
}

function readBack(path: string): Edited {
  try {
    if (statSync(path).size > LARGEST_TEXT) {
      return { problem: "The text became larger than 5 MiB; nothing was changed." };
    }
    return { text: readFileSync(path, "utf8") };
  } catch {
    return { problem: "The editor left no text behind; nothing was changed." };
  }
}
