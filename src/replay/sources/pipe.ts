// Reads named pipes, such as process substitution makes, without blocking calls, so that Ctrl-C works.

import { closeSync, readSync, statSync } from "node:fs";

/** Default capacity of a pipe on Linux. */
const CHUNK_BYTES = 64 * 1024;

/** True for a pipe, which can be read once only. */
export function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}

/**
 * Chunks of a pipe until its writers have closed it; none without a writer, because waiting could last for ever.
 * @param fd opened with O_NONBLOCK; closed in the end
 * @param signal ends the wait for more without an error
 */
export async function* pipeChunks(fd: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const first = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  let waits = false;
  try {
    bytes = readSync(fd, first);
  } catch (error) {
    waits = (error as NodeJS.ErrnoException).code === "EAGAIN";
    if (!waits) throw error;
  } finally {
    if (bytes === 0 && !waits) closeSync(fd);
  }
  if (bytes === 0 && !waits) return;
  // Loaded on use, because few commands read a pipe.
  const { Socket } = process.getBuiltinModule("node:net");
  const pipe = new Socket({ fd, readable: true, writable: false });
  const stop = (): void => void pipe.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) return;
    yield first.subarray(0, bytes);
    for await (const chunk of pipe) yield chunk as Uint8Array;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    pipe.destroy();
  }
}
