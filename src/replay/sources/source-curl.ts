// Payloads from a file of curl commands, each on one or several lines.

import { Fault } from "#src/contract/fault.ts";
import { callsCurl, curlBody } from "#src/replay/imports/curl-command.ts";
import { readShellCommand, type ShellCommand } from "#src/replay/imports/shell-command.ts";
import type { SourceSink } from "./source-items.ts";

/** Reads every command of a text; comments and empty lines are skipped. */
export function readCurlCommands(text: string, label: string, items: SourceSink): void {
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const start = commandStart(text, at);
    line += lineFeeds(text, at, start);
    const command = readShellCommand(text, start);
    const end = endOf(text, start, command);
    if (command.words.length > 0 || command.problem !== null) readOne(command, `${label}:${line}`, items);
    line += lineFeeds(text, start, end);
    at = end;
  }
}

function readOne(command: ShellCommand, origin: string, items: SourceSink): void {
  let body: string;
  try {
    body = curlBody(command);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return items.reject(origin, error.message);
  }
  items.json(origin, body, (line, column) => `In the body, line ${line}, column ${column}`);
}

/** With an unclosed quote, only its line is skipped instead of the whole rest. */
function endOf(text: string, start: number, command: ShellCommand): number {
  const lineEnd = text.indexOf("\n", start) + 1;
  return command.unclosed && lineEnd > 0 ? lineEnd : command.end;
}

function commandStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at]!)) at += 1;
  return at;
}

function lineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** True for a text whose first command calls curl. */
export function looksLikeCurl(text: string): boolean {
  for (let at = commandStart(text, 0); at < text.length; at = commandStart(text, at)) {
    const command = readShellCommand(text, at);
    if (command.words.length > 0) return callsCurl(command.words);
    at = command.end;
  }
  return false;
}
