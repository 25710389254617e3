// The certificate that a sandbox's servers show, and its exchange while they run.

import { Server } from "node:tls";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { expiryOf, readTls, type TlsFiles, type TlsPair } from "./tls-files.ts";

export class Certificate {
  readonly #files: TlsFiles;
  readonly #realNow: () => Milliseconds;
  readonly #onProblem: (sentence: string) => void;
  #pair: TlsPair;

  /** @throws Fault `usage` for files that cannot be used */
  constructor(files: TlsFiles, realNow: () => Milliseconds, onProblem: (sentence: string) => void) {
    this.#files = files;
    this.#realNow = realNow;
    this.#onProblem = onProblem;
    this.#pair = this.#read();
  }

  /** With its key. */
  get pair(): TlsPair {
    return this.#pair;
  }

  /** In ms since the epoch. */
  get expiry(): Milliseconds {
    return expiryOf(this.#pair);
  }

  /** Reads the files again, for new connections. @returns false where they cannot be used, which changes nothing */
  reload(servers: readonly object[]): boolean {
    try {
      this.#pair = this.#read();
      for (const server of servers) if (server instanceof Server) server.setSecureContext(this.#pair);
      return true;
    } catch (error) {
      const why = error instanceof Fault ? error.message : "The certificate cannot be read.";
      this.#onProblem(`${why} The one before stays in use.`);
      return false;
    }
  }

  #read(): TlsPair {
    const pair = readTls(this.#files);
    if (expiryOf(pair) <= this.#realNow()) {
      const cert = escapeText(this.#files.cert, 200);
      this.#onProblem(`The certificate ${cert} has expired; put a new one there.`);
    }
    return pair;
  }
}
