// Unpacks gzip chunk by chunk.

import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** RFC 1952, 2.3.1 */
const MAGIC = [0x1f, 0x8b];
const CHUNK_BYTES = 64 * 1024;

/**
 * The chunks, unpacked where they are compressed with gzip. Those of a plain text pass by as they are.
 * @param onDamage called in place of an error when the compressed data is cut off or damaged; what is intact came before
 */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
  onDamage: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    let head: Uint8Array = new Uint8Array();
    for (let next; head.length < MAGIC.length && (next = await iterator.next()).done !== true;) {
      head = Buffer.concat([head, next.value]);
    }
    if (MAGIC.every((byte, index) => head[index] === byte)) yield* unpacking(head, iterator);
    else {
      if (head.length > 0) yield head;
      yield* { [Symbol.asyncIterator]: () => iterator };
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))) throw error;
    onDamage();
  } finally {
    await iterator.return?.();
  }
}

async function* unpacking(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  async function* packed(): AsyncGenerator<Uint8Array> {
    // Copies, because the file's reader uses the memory of a chunk again, and a stream reads ahead.
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next())
      yield Buffer.from(next.value);
  }
  const source = Readable.from(packed());
  const stream = source.pipe(createGunzip({ chunkSize: CHUNK_BYTES }));
  source.on("error", (error) => stream.destroy(error));
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } finally {
    source.destroy();
  }
}
