// Encrypts the lines of the decision log, which hold payers' addresses, telephone numbers and e-mails.
//
// AES-256-CTR with one stream per process: a cipher for each line takes ten times as long. Confidentiality only: an attacker
// who can write the files can also read the key beside them, and the checksums detect damage.

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";

const CIPHER = "aes-256-ctr";
const BLOCK_BYTES = 16;
const NONCE_BYTES = 12;
/** Bytes of a base64 group of four digits. */
const GROUP_BYTES = 3;
const BLANK = 0x20;
/** Most UTF-8 bytes per UTF-16 unit. */
const LETTER_BYTES = 3;
/** A new stream starts long before the 32-bit block counter overflows. */
const STREAM_BYTES = 2 ** 34;

export interface LogSeal {
  /** ASCII without blanks: nonce, offset in the stream, ciphertext. */
  seal(text: string): string;
  /** Seals many in one pass, which takes little longer than one. Opened texts may end with one or two blanks of padding. */
  sealAll(texts: readonly string[]): string[];
  /** @throws Error when the text has not the form of a sealed one */
  open(sealed: string): string;
}

/** @param secret random text, from which the key is derived */
export function createLogSeal(secret: string): LogSeal {
  const key = hash("sha256", `verdict decision log\0${secret}`, "buffer");
  let stream = begin();
  /** Reused between calls, as it stays in the processor's caches. */
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

  /** The last decipher: reading a log from its beginning continues where the previous line ended. */
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

  /** @returns nonce, offset in the stream, and ciphertext */
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
      // Each starts at a base64 group, so that one pass over all gives the same digits as one pass for each.
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
