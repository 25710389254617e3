// Hides what a log says from whoever reads its files: a decision names a payer's address, telephone and e-mail.
//
// AES-256-CTR with one stream a process, because a cipher of its own for each line costs ten times as much. It hides and
// does not prove: whoever may write these files may write the key beside them, too, and damage is found by the checksums.

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";

const CIPHER = "aes-256-ctr";
const BLOCK_BYTES = 16;
const NONCE_BYTES = 12;
/** As many bytes fill whole digits of base64. */
const GROUP_BYTES = 3;
const BLANK = 0x20;
/** In UTF-8, at most, for each unit of a text. */
const LETTER_BYTES = 3;
/** The counter has 32 bits; a stream ends long before they do. */
const STREAM_BYTES = 2 ** 34;

export interface LogSeal {
  /** ASCII without blanks: where in which stream, and what it became. */
  seal(text: string): string;
  /** The same for many at once, which costs little more than for one. Each may open with a blank or two behind it. */
  sealAll(texts: readonly string[]): string[];
  /** @throws Error when it cannot have been sealed */
  open(sealed: string): string;
}

/** @param secret random text; the same one opens what was sealed */
export function createLogSeal(secret: string): LogSeal {
  const key = hash("sha256", `verdict decision log\0${secret}`, "buffer");
  let stream = begin();
  /** Kept, because memory that was just used is at hand. */
  let plain = Buffer.alloc(0);

  function begin(): { cipher: ReturnType<typeof createCipheriv>; nonce: string; at: number } {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(
      CIPHER,
      key,
      Buffer.concat([nonce, Buffer.alloc(BLOCK_BYTES - NONCE_BYTES)]),
    );
    return { cipher, nonce: nonce.toString("base64url"), at: 0 };
  }

  /** What was opened last: who reads a log from its beginning goes on where the line before ended. */
  let reading: { decipher: ReturnType<typeof createDecipheriv>; nonce: string; at: number } | null = null;

  function decipherAt(nonce: string, at: number): ReturnType<typeof createDecipheriv> {
    if (reading?.nonce === nonce && reading.at === at) return reading.decipher;
    const counter = Buffer.alloc(BLOCK_BYTES);
    counter.set(Buffer.from(nonce, "base64url").subarray(0, NONCE_BYTES));
    counter.writeUInt32BE(Math.floor(at / BLOCK_BYTES), NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, counter);
    decipher.update(Buffer.alloc(at % BLOCK_BYTES));
    return decipher;
  }

  /** @returns where in which stream it begins, and what it became */
  function encipher(text: string | Uint8Array): { nonce: string; at: number; bytes: Buffer } {
    if (stream.at > STREAM_BYTES) stream = begin();
    const { cipher, nonce, at } = stream;
    const bytes = typeof text === "string" ? cipher.update(text, "utf8") : cipher.update(text);
    stream.at += bytes.length;
    return { nonce, at, bytes };
  }

  return {
    seal(text) {
      const { nonce, at, bytes } = encipher(text);
      return `${nonce}.${at}.${bytes.toString("base64url")}`;
    },
    sealAll(texts) {
      // Each begins with a digit of its own, so that one pass over all of them gives what each would have become alone.
      const ends: number[] = [];
      let length = 0;
      for (const text of texts) {
        const most = length + LETTER_BYTES * text.length + GROUP_BYTES;
        if (most > plain.length) plain = Buffer.concat([plain.subarray(0, length)], 2 * most);
        length += plain.write(text, length, "utf8");
        while (length % GROUP_BYTES !== 0) plain[length++] = BLANK;
        ends.push(length);
      }
      const { nonce, at, bytes } = encipher(plain.subarray(0, length));
      const digits = bytes.toString("base64url");
      let start = 0;
      return ends.map((end) => {
        const first = start;
        start = end;
        return `${nonce}.${at + first}.${digits.slice((first / 3) * 4, (end / 3) * 4)}`;
      });
    },
    open(sealed) {
      const [nonce = "", start = "", content = ""] = sealed.split(".");
      const at = Number(start);
      const bytes = Buffer.from(content, "base64url");
      const decipher = decipherAt(nonce, at);
      const text = decipher.update(bytes).toString("utf8");
      reading = { decipher, nonce, at: at + bytes.length };
      return text;
    },
  };
}
