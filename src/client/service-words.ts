// Finds what a service says in words in an answer of any shape: for people to read, never for the verdict.

import { isJsonObject, ownValue, type JsonObject } from "#src/contract/fields/body-path.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson } from "#src/contract/text/strict-json.ts";
import { headerValue } from "./answer-facts.ts";
import type { Answer } from "./exchange.ts";

/** What a service says, both texts untrusted. */
export interface ServiceWords {
  /** The sentence, or the names of wrong fields with what is wrong; null where there is none. */
  readonly message: string | null;
  /** Wrong fields as the end of a sentence, escaped: `amount is missing, payer.email is invalid`. */
  readonly fields: string | null;
}

const NO_WORDS: ServiceWords = { message: null, fields: null };

/** Members that hold a sentence: of the sandbox, of RFC 9457 (problem details), RFC 6749 (OAuth) and of common frameworks. */
const SENTENCES = ["message", "detail", "error_description", "description", "title", "reason", "msg"];
/** Members that list wrong fields: of the sandbox, RFC 9457, and common frameworks. */
const LISTS = ["fields", "errors", "violations", "invalid-params", "invalid_params", "detail", "message"];
/** Members of a listed field that name it. */
const NAMES = ["path", "field", "name", "property", "param", "pointer", "source", "loc"];
/** Members of an answer that may hold the error as an object of its own. */
const INNER = ["error", "fault", "data", "response", "status"];

/** Wrong fields that are repeated. */
const SHOWN_FIELDS = 3;
/** Longest text taken from another member than `message`, in characters. */
const LONGEST = 300;

/**
 * @param object the body where it is readable JSON by its content type; otherwise null and the body is looked at here
 * @param quotesText false where a body that is neither JSON nor HTML may hold a secret
 */
export function serviceWords(answer: Answer, object: JsonObject | null, quotesText: boolean): ServiceWords {
  if (object !== null) return wordsOf(object);
  if (answer.headers.some(([name, value]) => name === "content-encoding" && !/^identity$/i.test(value)))
    return NO_WORDS;
  const text = new TextDecoder().decode(answer.body).trim();
  if (/^[[{]/.test(text)) return wordsOf(looseJson(answer.body));
  const type = headerValue(answer, "content-type") ?? "text/plain";
  if (/\bhtml\b/i.test(type) || /^<(?:!doctype|html)\b/i.test(text)) return said(titleOf(text));
  // Binary data, XML and scripts are no sentence.
  if (!quotesText || !/^text\/plain\b/i.test(type) || /^[<\0]|\ufffd/.test(text)) return NO_WORDS;
  return said(/^.*/.exec(text)![0]);
}

function said(text: string | null): ServiceWords {
  return { message: text === null ? null : cleaned(text), fields: null };
}

/** On one line, escaped and cut; null for nothing. */
function cleaned(text: string): string | null {
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? null : escapeText(line, LONGEST);
}

function looseJson(body: Uint8Array): unknown {
  try {
    return parseStrictJson(body).value;
  } catch {
    return null;
  }
}

function wordsOf(body: unknown): ServiceWords {
  if (Array.isArray(body)) return listed(body);
  if (!isJsonObject(body)) return NO_WORDS;
  const fields = firstOf(LISTS, (name) => fieldMessages(ownValue(body, name)));
  const message = ownValue(body, "message");
  // The service's own member of spec 2.4 stays as it is.
  if (typeof message === "string" && message.trim() !== "") return { message, fields };
  const sentence = firstOf(SENTENCES, (name) => sentenceOf(ownValue(body, name)));
  const own = fields ?? sentence;
  if (own !== null) return { message: own, fields };
  const inner = INNER.map((name) => ownValue(body, name)).filter((value) => isJsonObject(value));
  const words = inner.map((value) => wordsOf(value)).find((each) => each.message !== null);
  return words ?? said(sentenceOf(ownValue(body, "error")));
}

function listed(list: readonly unknown[]): ServiceWords {
  const fields = fieldMessages(list);
  return { message: fields, fields };
}

function firstOf(names: readonly string[], find: (name: string) => string | null): string | null {
  for (const name of names) {
    const found = find(name);
    if (found !== null) return found;
  }
  return null;
}

function sentenceOf(value: unknown): string | null {
  return typeof value === "string" ? cleaned(value) : null;
}

/** `amount is missing, payer.email is invalid and 2 more`; null where a value lists no field. */
function fieldMessages(value: unknown): string | null {
  const messages = Array.isArray(value)
    ? value.map((entry: unknown) => fieldMessage(entry))
    : isJsonObject(value)
      ? Object.entries(value).map(([name, text]) => namedMessage(name, firstText(text)))
      : [];
  const texts = messages.filter((text) => text !== null);
  if (texts.length === 0) return null;
  const more = texts.length > SHOWN_FIELDS ? ` and ${texts.length - SHOWN_FIELDS} more` : "";
  return `${texts.slice(0, SHOWN_FIELDS).join(", ")}${more}`;
}

function fieldMessage(entry: unknown): string | null {
  if (typeof entry === "string") return namedMessage("", entry);
  if (!isJsonObject(entry)) return null;
  const name = firstOf(NAMES, (member) => nameOf(ownValue(entry, member)));
  const text = firstOf(SENTENCES, (member) => sentenceOf(ownValue(entry, member)));
  return name === null && text === null ? null : namedMessage(name ?? "", text ?? "is wrong");
}

/** A name, a list of its parts, or an object with a pointer (JSON:API). */
function nameOf(value: unknown): string | null {
  if (Array.isArray(value)) {
    const parts = value.filter((part) => typeof part === "string" || typeof part === "number");
    return parts.length === 0 ? null : parts.join(".");
  }
  if (isJsonObject(value)) return nameOf(ownValue(value, "pointer") ?? ownValue(value, "parameter"));
  return typeof value === "string" && value !== "" ? value : null;
}

function firstText(value: unknown): string | null {
  return typeof value === "string" ? value : Array.isArray(value) ? firstText(value[0]) : null;
}

/** `amount is missing`: with the field's name exactly once and without a full stop. */
function namedMessage(name: string, text: string | null): string | null {
  const said = text === null ? "" : escapeText((cleaned(text) ?? "").replace(/[.\s]+$/, ""), 100);
  if (said === "") return null;
  const named = escapeText(name, 60);
  return said.startsWith(named) ? said : `${named} ${said}`;
}

/** The title of a page, or its first heading. */
function titleOf(html: string): string | null {
  const lower = html.toLowerCase();
  for (const tag of ["title", "h1"]) {
    const start = lower.indexOf(">", lower.indexOf(`<${tag}`));
    const end = lower.indexOf(`</${tag}>`, start);
    if (lower.includes(`<${tag}`) && start >= 0 && end > start) return plain(html.slice(start + 1, end));
  }
  return null;
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  amp: "&",
};

function plain(html: string): string {
  return html
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(lt|gt|quot|apos|nbsp|amp);/g, (_, name: string) => ENTITIES[name]!);
}
