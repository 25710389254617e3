// A value as one word of a command line that can be pasted into a POSIX shell.

import { hasHidden } from "./safe.ts";

const PLAIN = /^[A-Za-z0-9._/:@%+=,-]+$/;

/** The value itself where a shell needs no quotes, else quoted; hidden characters become escapes in `$'...'`. */
export function shellWord(value: string): string {
  if (PLAIN.test(value)) return value;
  if (!hasHidden(value)) return `'${value.replaceAll("'", `'\\''`)}'`;
  const escaped = Array.from(Buffer.from(value, "utf8"), (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `$'${escaped.join("")}'`;
}
