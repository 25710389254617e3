// Checks the status line of each answer before undici's parser, which cuts the connection at a legal 100 and accepts
// HTTP/2.0 as a version.

import type { Socket } from "node:net";
import type { buildConnector } from "undici";

export type Connector = buildConnector.connector;

/** Interim answers (RFC 9110 section 15.2) allowed before a final one. */
const MOST_INTERIM = 100;
const INTERIM_LIMIT_BYTES = 16 * 1024;

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
const SAMPLE = "HTTP/1.1 200";
const NOTHING = Buffer.alloc(0);

/** An answer that is not HTTP/1.1 or 1.0. `message` continues "The check left for HOST, but". */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

/** Connections that pass answers to undici from their final status line on, or end with an UnreadableAnswer. */
export function readingStatusLines(connect: Connector): Connector {
  return (target, done) => {
    connect(target, (...connected) => {
      if (connected[0] === null) watch(connected[1]);
      done(...connected);
    });
  };
}

/** undici writes one request at a time, whole, and takes its answer with `read()` alone. */
function watch(socket: Socket): void {
  const read = socket.read.bind(socket) as () => Buffer | null;
  const write = socket.write.bind(socket) as (...written: unknown[]) => boolean;
  let start: AnswerStart | null = null;
  Object.assign(socket, {
    write(...written: unknown[]): boolean {
      start = new AnswerStart();
      return write(...written);
    },
    read(): Buffer | null {
      try {
        for (let bytes = read(); bytes !== null; bytes = read()) {
          if (start === null) return bytes;
          const final = start.take(bytes);
          if (final.length === 0) continue;
          start = null;
          return final;
        }
      } catch (error) {
        socket.destroy(error as UnreadableAnswer);
      }
      return null;
    },
  });
}

/** Buffers an answer until its final status line is known. */
export class AnswerStart {
  #held: Buffer = NOTHING;
  #interim = 0;

  /**
   * @returns an empty buffer, or the beginning of the final answer once its status line is complete
   * @throws UnreadableAnswer
   */
  take(bytes: Buffer): Buffer {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    for (;;) {
      const line = this.#held.toString("latin1", 0, SAMPLE.length);
      const status = STATUS_LINE.exec(line + SAMPLE.slice(line.length))?.[1];
      if (status === undefined || status === "101") {
        throw new UnreadableAnswer("the answer was not HTTP that can be read");
      }
      if (line.length < SAMPLE.length) return NOTHING;
      if (!status.startsWith("1")) return this.#held;
      const end = this.#held.indexOf("\r\n\r\n");
      if (this.#interim === MOST_INTERIM || (end < 0 && this.#held.length > INTERIM_LIMIT_BYTES)) {
        throw new UnreadableAnswer("the service sent only interim answers (1xx) and no final answer");
      }
      if (end < 0) return NOTHING;
      this.#interim += 1;
      this.#held = this.#held.subarray(end + 4);
    }
  }
}
