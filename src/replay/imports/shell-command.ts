// Splits a command into words like a POSIX shell (IEEE Std 1003.1, 2.2), with the `$'...'` of bash. Nothing is expanded: a
// variable or substitution is reported as a problem.

export interface ShellCommand {
  readonly words: readonly string[];
  /** Offset behind the command and its line break or semicolon. */
  readonly end: number;
  /** One sentence about the first part that is not literal; null when the words are exact. */
  readonly problem: string | null;
  /** True where a quote is never closed, so that the command extends to the end of the text. */
  readonly unclosed: boolean;
}

const END = /[\n;]/y;
/** A pipe is skipped, because the program that reads the answer does not matter. */
const BETWEEN_WORDS = /[ \t\r]+|\|(?!\|)[^\n]*/y;
const COMMENT = /#[^\n]*/y;
const OPERATOR = /[|&<>()]/y;
const ESCAPED = /\\(\r\n|[^]?)/y;
const IN_SINGLE_QUOTES = /[^']+/y;
const IN_DOUBLE_QUOTES = /[^"\\]+|\\[^]?/y;
const IN_ANSI_C_QUOTES = /[^'\\]+|\\[^]?/y;
const EXPANSION = /\$(?=[A-Za-z_0-9{(@*#?$!-])|`/y;
const WINDOWS = /\^(?=["\r\n]|$)/y;
const PLAIN = /[\w./:=,-]+|[^]/y;

/** What is not literal between double quotes: an escape, or what a shell expands. */
const DOUBLE_QUOTED = new RegExp(String.raw`\\([$\x60"\\\n])|${EXPANSION.source}`, "g");
/** What is not literal between `$'` and `'`: bytes, a character by its number, a letter. */
const ANSI_C_QUOTED =
  /((?:\\x[0-9a-fA-F]{1,2}|\\[0-7]{1,3})+)|\\u([0-9a-fA-F]{1,4})|\\U([0-9a-fA-F]{1,8})|\\([abeEfnrtv\\'"?])/g;
const CONTROLS: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const HIGHEST_CODE_POINT = 0x10ffff;

/** Reads one command from an offset on. A comment or an empty line gives a command without words. */
export function readShellCommand(text: string, from: number): ShellCommand {
  return new Reader(text, from).command();
}

class Reader {
  readonly #text: string;
  readonly #words: string[] = [];
  #at: number;
  /** Null between words; a word may be empty: `''`. */
  #word: string | null = null;
  #problem: string | null = null;
  #unclosed = false;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  command(): ShellCommand {
    while (this.#at < this.#text.length && this.#take(END) === null) this.#step();
    this.#endWord();
    return { words: this.#words, end: this.#at, problem: this.#problem, unclosed: this.#unclosed };
  }

  #take(piece: RegExp): RegExpExecArray | null {
    piece.lastIndex = this.#at;
    const found = piece.exec(this.#text);
    if (found !== null) this.#at = piece.lastIndex;
    return found;
  }

  #step(): void {
    let found;
    if (this.#take(BETWEEN_WORDS) !== null) this.#endWord();
    else if (this.#word === null && this.#take(COMMENT) !== null) return;
    else if ((found = this.#take(OPERATOR)) !== null) {
      this.#fault(
        `The command holds an unquoted ${found[0]}, which only a shell understands; quote it or take it out.`,
      );
      this.#endWord();
    } else if ((found = this.#take(ESCAPED)) !== null) {
      if (!found[1]!.endsWith("\n")) this.#add(found[1] || "\\");
    } else if (this.#take(/'/y) !== null) this.#quoted("'", IN_SINGLE_QUOTES, (content) => content);
    else if (this.#take(/\$?"/y) !== null)
      this.#quoted('"', IN_DOUBLE_QUOTES, (content) => this.#double(content));
    else if (this.#take(/\$'/y) !== null)
      this.#quoted("'", IN_ANSI_C_QUOTES, (content) => this.#ansiC(content));
    else if ((found = this.#take(EXPANSION)) !== null) this.#add(this.#refuseExpansion(found[0]));
    else if ((found = this.#take(WINDOWS)) !== null) {
      this.#fault("The command is quoted for the Windows prompt; copy it for bash instead.");
      this.#add(found[0]);
    } else this.#add(this.#take(PLAIN)![0]);
  }

  #quoted(close: string, inside: RegExp, read: (content: string) => string): void {
    const start = this.#at;
    while (this.#take(inside) !== null);
    this.#add(read(this.#text.slice(start, this.#at)));
    if (this.#text[this.#at] === close) this.#at += 1;
    else {
      this.#fault("A quote is not closed; the command is cut off.");
      this.#unclosed = true;
    }
  }

  #double(content: string): string {
    return content.replace(DOUBLE_QUOTED, (piece: string, escaped?: string) => {
      if (escaped === undefined) return this.#refuseExpansion(piece);
      return escaped === "\n" ? "" : escaped;
    });
  }

  /** Browsers write a character beyond U+FFFF as a surrogate pair: `\ud83d\ude00`. */
  #ansiC(content: string): string {
    const read = content.replace(ANSI_C_QUOTED, (_, ...codes: (string | undefined)[]) => {
      const [bytes, short, long, letter] = codes;
      if (bytes !== undefined) return this.#utf8(bytes);
      if (letter !== undefined) return CONTROLS[letter] ?? letter;
      const code = Number.parseInt(short ?? long!, 16);
      return code > HIGHEST_CODE_POINT ? "\ud800" : String.fromCodePoint(code);
    });
    if (!read.isWellFormed()) {
      this.#fault("A $'...' spells a character that does not exist; copy the command again.");
    }
    return read;
  }

  /** @param escapes of bytes, several of which can form one character: `\xd1\x97`, `\321\227` */
  #utf8(escapes: string): string {
    const codes = escapes.split("\\").slice(1);
    const bytes = codes.map((code) => Number(code.startsWith("x") ? `0${code}` : `0o${code}`));
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
    } catch {
      this.#fault("The bytes that a $'...' spells are not valid UTF-8; copy the command again.");
      return "";
    }
  }

  #refuseExpansion(sign: string): string {
    this.#fault(
      `The command holds a ${sign} that only a shell can fill in; write the value itself, or use single quotes.`,
    );
    return sign;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  #endWord(): void {
    if (this.#word !== null) this.#words.push(this.#word);
    this.#word = null;
  }

  /** Keeps the first problem. */
  #fault(sentence: string): void {
    this.#problem ??= sentence;
  }
}
