// Imports a pasted curl command: reads its request or its JSON body. Nothing is run, fetched or expanded.

import { badInput, Fault, whole } from "#src/contract/fault.ts";
import type { RawRequest } from "#src/contract/text/raw-request.ts";
import { readShellCommand, type ShellCommand } from "./shell-command.ts";

/** Options of one letter that take a value (curl 8, `curl --help all`). */
const SHORT_WITH_VALUE = "AbcCdDeEFHKmoPQrtTuUwxXyYz";

/** Options that are refused because the body is not in the command itself, or is not JSON. */
const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ["--data-urlencode", "encodes its data as a form"],
  ["--form", "sends a form"],
  ["--form-string", "sends a form"],
  ["-F", "sends a form"],
  ["--get", "puts its data into the address"],
  ["-G", "puts its data into the address"],
  ["--upload-file", "takes its body from a file"],
  ["-T", "takes its body from a file"],
  ["--config", "takes its options from a file"],
  ["-K", "takes its options from a file"],
  ["--next", "sends more than one request"],
  ["-:", "sends more than one request"],
]);

const FORM_DATA: ReadonlySet<string> = new Set([
  "--data",
  "--data-ascii",
  "--data-binary",
  "--data-raw",
  "-d",
]);

/**
 * The body that a pasted curl command sends (`-d`, `--data`, `--data-raw`, `--data-binary`, `--json`); its address and
 * headers are ignored.
 * @param text one command; line breaks behind a backslash and inside quotes are fine
 * @returns the body's text, not parsed
 * @throws Fault("bad_input") unless the text is one curl command with its body
 */
export function parseCurl(text: string): string {
  return curlBody(singleCommand(text));
}

/**
 * The whole request that a pasted curl command sends, with the headers that curl adds and that may be signed: Host, and
 * Content-Type where there is a body.
 * @throws Fault as `parseCurl` does, and for a command without an address
 */
export function parseCurlRequest(text: string): RawRequest {
  const command = singleCommand(text);
  const words = curlWords(command);
  const body = bodyOf(words);
  const given: [name: string, value: string][] = [];
  let method: string | null = null;
  let isJson = false;
  for (const [option, value] of options(words)) {
    if (option === "--json") isJson = true;
    if ((option === "-X" || option === "--request") && value !== null) method = value;
    if (option === "-I" || option === "--head") method ??= "HEAD";
    if ((option !== "-H" && option !== "--header") || value === null) continue;
    // `name:` removes a header that curl would add, `name;` sends an empty one.
    const header = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?::[ \t]*(.*?)[ \t]*|;)$/s.exec(value);
    if (header === null) {
      throw badInput`The curl command has a header without a name: ${value}; write it as "Name: value".`;
    }
    given.push([header[1]!, byteString(header[2] ?? "")]);
  }
  const url = addressOf(words);
  const named = new Set(given.map(([name]) => name.toLowerCase()));
  const media = isJson ? "application/json" : "application/x-www-form-urlencoded";
  return {
    method: method ?? (body === null ? "GET" : "POST"),
    target: url.pathname + url.search,
    scheme: url.protocol === "http:" ? "http" : "https",
    headers: [
      ...(named.has("host") ? [] : [["host", url.host] as const]),
      ...given.filter(([, value]) => value !== ""),
      ...(body === null || named.has("content-type") ? [] : [["content-type", media] as const]),
    ],
    body: Buffer.from(body ?? "", "utf8"),
    isBodyExact: true,
  };
}

function singleCommand(text: string): ShellCommand {
  const command = readShellCommand(text.trim(), 0);
  if (command.problem === null && text.trim().slice(command.end).trim() !== "") {
    throw badInput`There is more than one command; paste one curl command.`;
  }
  return command;
}

function byteString(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** The only http or https address that is not the value of an option such as a referrer or a proxy. */
function addressOf(words: readonly string[]): URL {
  const others = new Set<string | null>();
  for (const [option, value] of options(words)) {
    if (!option.startsWith("--") || takesText(option) || PROXIES.has(option)) others.add(value);
  }
  const addresses = words.filter(
    (word) => /^https?:\/\//i.test(word) && URL.canParse(word) && !others.has(word),
  );
  const [address] = addresses;
  if (address !== undefined && new Set(addresses).size === 1) return new URL(address);
  throw badInput`The curl command has ${address === undefined ? "no" : "more than one"} address that starts with https:// or http://; give it one.`;
}

/** True for a curl command, also behind a prompt or variable assignments. */
export function callsCurl(words: readonly string[]): boolean {
  return curlAt(words) >= 0;
}

/**
 * `parseCurl` for a command that was split into words already.
 * @throws Fault as `parseCurl` does
 */
export function curlBody(command: ShellCommand): string {
  const body = bodyOf(curlWords(command));
  if (body !== null) return body;
  throw badInput`The curl command has no body; give one with --data-raw or --json.`;
}

/** The words behind `curl`. */
function curlWords(command: ShellCommand): readonly string[] {
  const start = curlAt(command.words);
  if (start < 0) {
    throw badInput`This is no curl command; it must start with curl.`;
  }
  if (command.problem !== null) throw new Fault("bad_input", whole(command.problem));
  return command.words.slice(start + 1);
}

function bodyOf(words: readonly string[]): string | null {
  let body: string | null = null;
  for (const [option, value] of options(words)) {
    const unreadable = UNREADABLE.get(option);
    if (unreadable !== undefined || option.startsWith("--expand-")) {
      const why = unreadable ?? "fills in variables";
      throw badInput`The option ${option} ${whole(why)}, which is not read; give the JSON body with --data-raw.`;
    }
    if (option !== "--json" && !FORM_DATA.has(option)) continue;
    if (value === null) throw badInput`The option ${option} has no value; the command is cut off.`;
    if (value.startsWith("@") && option !== "--data-raw") {
      throw badInput`The option ${option} takes the body from a file, which is not read from here; name that file itself.`;
    }
    // curl joins the pieces of --data with an ampersand, and those of --json with nothing.
    body = body === null ? value : option === "--json" ? body + value : `${body}&${value}`;
  }
  return body;
}

/** Index of `curl`: 0, or behind a pasted prompt or assignments; -1 for another command. */
function curlAt(words: readonly string[]): number {
  const first = words.findIndex((word) => !/^(?:[$%>]|[A-Za-z_][A-Za-z0-9_]*=.*)$/s.test(word));
  return first >= 0 && /^(?:.*[/\\])?curl(?:\.exe)?$/is.test(words[first]!) ? first : -1;
}

function takesText(option: string): boolean {
  return option === "--json" || FORM_DATA.has(option) || VALUE_IS_FREE_TEXT.has(option);
}

/**
 * Options with the value that follows them. Not every long option that takes a value is known here; an unknown one's value
 * is read like an operand, which does no harm unless it begins with a dash.
 */
function* options(words: readonly string[]): Generator<[string, string | null]> {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const next = words[at + 1] ?? null;
    if (word.startsWith("--") && word.length > 2) {
      yield [word, next];
      if (takesText(word)) at += 1;
    } else if (word.startsWith("-") && word.length > 1) {
      for (let letter = 1; letter < word.length; letter++) {
        const option = `-${word[letter]}`;
        if (!SHORT_WITH_VALUE.includes(word[letter]!)) {
          yield [option, null];
          continue;
        }
        const attached = word.slice(letter + 1);
        yield [option, attached === "" ? next : attached];
        if (attached === "") at += 1;
        break;
      }
    }
  }
}

const PROXIES: ReadonlySet<string> = new Set(["--proxy", "--preproxy", "--socks5", "--socks5-hostname"]);

/** Long options whose value may begin with a dash. */
const VALUE_IS_FREE_TEXT: ReadonlySet<string> = new Set([
  "--cookie",
  "--header",
  "--oauth2-bearer",
  "--output",
  "--pass",
  "--referer",
  "--request",
  "--user",
  "--user-agent",
  "--write-out",
]);
