// Hides what a log says from whoever reads its files: a decision names a payer's address, telephone and e-mail.
//
// AES-256-CTR with one stream a process, because a cipher of its own for each line costs ten times as much. It hides and
// does not prove: whoever may write these files may write the key beside them, too, and damage is found by the checksums.

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";

const CIPHER = "aes-256-ctr";
const BLOCK_BYTES = 16;
const NONCE_BYTES = 12;
/** The counter has 32 bits; a stream ends long before they do. */
const STREAM_BYTES = 2 ** 34;

export interface LogSeal {
  /** ASCII without blanks: where in which stream, and what it became. */
  seal(text: string): string;
  /** @throws Error when it cannot have been sealed */
  open(sealed: string): string;
}

/** @param secret random text; the same one opens what was sealed */
export function createLogSeal(secret: string): LogSeal {
  const key = hash("sha256", `verdict decision log\0${secret}`, "buffer");
  let stream = begin();

  function begin(): { cipher: ReturnType<typeof createCipheriv>; nonce: string; at: number } {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(
      CIPHER,
      key,
      Buffer.concat([nonce, Buffer.alloc(BLOCK_BYTES - NONCE_BYTES)]),
    );
    return { cipher, nonce: nonce.toString("base64url"), at: 0 };
  }

  return {
    seal(text) {
      if (stream.at > STREAM_BYTES) stream = begin();
      const { cipher, nonce, at } = stream;
      const bytes = cipher.update(text, "utf8");
      stream.at += bytes.length;
      return `${nonce}.${at}.${bytes.toString("base64url")}`;
    },
    open(sealed) {
      const [nonce = "", start = "", content = ""] = sealed.split(".");
      const at = Number(start);
      const counter = Buffer.alloc(BLOCK_BYTES);
      counter.set(Buffer.from(nonce, "base64url").subarray(0, NONCE_BYTES));
      counter.writeUInt32BE(Math.floor(at / BLOCK_BYTES), NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, counter);
      decipher.update(Buffer.alloc(at % BLOCK_BYTES));
      return decipher.update(Buffer.from(content, "base64url")).toString("utf8");
    },
  };
}
