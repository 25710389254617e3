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

const CONTROL_ESCAPES: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["e", 27],
  ["E", 27],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);
const CODE_ESCAPE = /(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/y;
const EXPANSION = /\$[A-Za-z_0-9{(@*#?$!-]|`/y;

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
  #unclosedQuote = false;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  command(): ShellCommand {
    while (this.#at < this.#text.length && !this.#acceptEnd()) this.#step();
    this.#endWord();
    return { words: this.#words, end: this.#at, problem: this.#problem, unclosed: this.#unclosedQuote };
  }

  /** Consumes the end of a command. */
  #acceptEnd(): boolean {
    const character = this.#text[this.#at];
    if (character !== "\n" && character !== ";") return false;
    this.#at += 1;
    return true;
  }

  #step(): void {
    const character = this.#text[this.#at]!;
    const next = this.#text[this.#at + 1];
    if (character === " " || character === "\t" || character === "\r") {
      this.#endWord();
      this.#at += 1;
    } else if (character === "#" && this.#word === null) this.#rest("\n");
    else if (character === "\\") this.#backslash();
    else if (character === "'") this.#single();
    else if (character === '"') this.#double();
    else if (character === "$" && next === "'") this.#escaped();
    else if (character === "$" && next === '"') this.#at += 1;
    else if (character === "|" && next !== "|") {
      // The program that reads the answer does not matter.
      this.#rest("\n");
    } else if ("|&<>()".includes(character)) this.#operator(character);
    else this.#plain(character);
  }

  #plain(character: string): void {
    this.#refuseExpansion();
    if (character === "^" && '"\r\n'.includes(this.#text[this.#at + 1] ?? "\n")) {
      this.#fault("The command is quoted for the Windows prompt; copy it for bash instead.");
    }
    this.#add(character);
    this.#at += 1;
  }

  #operator(character: string): void {
    this.#fault(
      `The command holds an unquoted ${character}, which only a shell understands; quote it or take it out.`,
    );
    this.#endWord();
    this.#at += 1;
  }

  #backslash(): void {
    const length = this.#text.startsWith("\\\r\n", this.#at) ? 3 : 2;
    const next = this.#text[this.#at + 1];
    if (length === 2 && next !== "\n") this.#add(next ?? "\\");
    this.#at = Math.min(this.#at + length, this.#text.length);
  }

  #single(): void {
    const close = this.#text.indexOf("'", this.#at + 1);
    if (close < 0) return this.#unclosed();
    this.#add(this.#text.slice(this.#at + 1, close));
    this.#at = close + 1;
  }

  #double(): void {
    this.#add("");
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at++) {
      const character = this.#text[this.#at];
      if (character === undefined) return this.#unclosed();
      const next = this.#text[this.#at + 1];
      if (character === "\\" && next !== undefined && '$`"\\\n'.includes(next)) {
        this.#at += 1;
        if (next !== "\n") this.#add(next);
        continue;
      }
      this.#refuseExpansion();
      this.#add(character);
    }
    this.#at += 1;
  }

  /** `$'...'`: collected as bytes, because several byte escapes can form one UTF-8 character. */
  #escaped(): void {
    const bytes: number[] = [];
    const start = this.#at;
    this.#at += 2;
    while (this.#text[this.#at] !== "'") {
      const character = this.#text.codePointAt(this.#at);
      if (character === undefined) {
        this.#at = start;
        return this.#unclosed();
      }
      if (character === 0x5c) this.#escape(bytes);
      else {
        const plain = String.fromCodePoint(character);
        bytes.push(...new TextEncoder().encode(plain));
        this.#at += plain.length;
      }
    }
    this.#at += 1;
    try {
      this.#add(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)));
    } catch {
      this.#fault("The bytes that a $'...' spells are not valid UTF-8; copy the command again.");
      this.#add("");
    }
  }

  #escape(bytes: number[]): void {
    CODE_ESCAPE.lastIndex = this.#at + 1;
    const code = CODE_ESCAPE.exec(this.#text);
    if (code !== null) {
      const [whole, byte, short, long, octal] = code;
      this.#at += 1 + whole.length;
      if (byte !== undefined) bytes.push(Number.parseInt(byte, 16));
      else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
      else this.#codePoint(bytes, Number.parseInt(short ?? long!, 16));
      return;
    }
    const letter = this.#text[this.#at + 1] ?? "";
    const control = CONTROL_ESCAPES.get(letter);
    if (control !== undefined) bytes.push(control);
    else if (letter !== "" && "\\'\"?".includes(letter)) bytes.push(letter.charCodeAt(0));
    else {
      // A backslash before any other character is literal.
      bytes.push(0x5c);
      this.#at += 1;
      return;
    }
    this.#at += 2;
  }

  /** Browsers write a character beyond U+FFFF as a surrogate pair: `\ud83d\ude00`. */
  #codePoint(bytes: number[], code: number): void {
    const low = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(this.#text.slice(this.#at, this.#at + 6));
    let whole = code;
    if (code >= 0xd800 && code <= 0xdbff && low !== null) {
      whole = 0x10000 + ((code - 0xd800) << 10) + (Number.parseInt(low[1]!, 16) - 0xdc00);
      this.#at += 6;
    }
    if (whole > 0x10ffff || (whole >= 0xd800 && whole <= 0xdfff)) {
      this.#fault("A $'...' spells a character that does not exist; copy the command again.");
      return;
    }
    bytes.push(...new TextEncoder().encode(String.fromCodePoint(whole)));
  }

  #refuseExpansion(): void {
    EXPANSION.lastIndex = this.#at;
    if (EXPANSION.test(this.#text)) {
      this.#fault(
        `The command holds a ${this.#text[this.#at]} that only a shell can fill in; write the value itself, or use single quotes.`,
      );
    }
  }

  #unclosed(): void {
    this.#fault("A quote is not closed; the command is cut off.");
    this.#unclosedQuote = true;
    this.#at = this.#text.length;
  }

  #rest(until: string): void {
    this.#endWord();
    const end = this.#text.indexOf(until, this.#at);
    this.#at = end < 0 ? this.#text.length : end;
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
