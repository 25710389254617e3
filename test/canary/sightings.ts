// Where a secret is seen in a heap of bytes, in whatever form a program may have given it by accident.

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A way in which a secret could stand somewhere. */
interface Form {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Pieces of a secret shorter than this are no proof. */
const PIECE = 16;

/**
 * All forms of a secret that are searched for. Its halves count, too: a text that was cut gives away enough.
 * Each form stands for all bytes that hold it, so a base64 form is the part that does not depend on its neighbours.
 */
export function formsOf(secret: string): Form[] {
  const pieces = secret.length >= 2 * PIECE ? halves(secret) : [secret];
  return pieces.flatMap((piece) => {
    const bytes = Buffer.from(piece, "utf8");
    const texts: (readonly [string, string])[] = [
      ["raw", piece],
      ["hexadecimal", bytes.toString("hex")],
      ["HEXADECIMAL", bytes.toString("hex").toUpperCase()],
      ["hexadecimal in pairs", bytes.toString("hex").replaceAll(/..(?!$)/g, "$& ")],
      ["URL-encoded", encodeURIComponent(piece)],
      ["URL-encoded throughout", bytes.toString("hex").replaceAll(/../g, "%$&")],
      ["URL-encoded THROUGHOUT", bytes.toString("hex").toUpperCase().replaceAll(/../g, "%$&")],
      ["JSON", JSON.stringify(piece).slice(1, -1)],
      ["JSON escapes", bytes.toString("hex").replaceAll(/../g, String.raw`\u00$&`)],
      ["HTML", piece.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")],
      ["reversed", piece.split("").toReversed().join("")],
      ...[0, 1, 2].flatMap((shift): (readonly [string, string])[] => [
        [`base64, shifted by ${shift}`, base64Core(bytes, shift, "base64")],
        [`base64url, shifted by ${shift}`, base64Core(bytes, shift, "base64url")],
      ]),
    ];
    return [
      ...texts.map(([name, text]) => ({ name, bytes: Buffer.from(text, "utf8") })),
      { name: "UTF-16", bytes: Buffer.from(piece, "utf16le") },
    ];
  });
}

function halves(secret: string): string[] {
  const middle = Math.floor(secret.length / 2);
  return [secret.slice(0, middle), secret.slice(middle)];
}

/** The letters of base64 that stand for these bytes alone, when `shift` bytes of something else come before. */
function base64Core(bytes: Buffer, shift: number, encoding: "base64" | "base64url"): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString(encoding);
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

/** Bytes that were looked at, and where they come from. */
export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Every sighting as a sentence; none of them names the secret. */
export function sightings(places: readonly Place[], secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets).flatMap(([owner, secret]) => {
    const forms = formsOf(secret);
    return places.flatMap(({ name, bytes }) =>
      forms
        .filter((form) => bytes.includes(form.bytes))
        .map((form) => `${owner} stands in ${name}, ${form.name}`),
    );
  });
}

/** Every file below a folder as a place, what gzip has packed also unpacked, and its very name. */
export function filesBelow(folder: string): Place[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name): Place[] => {
    const path = join(folder, name);
    const named = { name: `the name of ${name}`, bytes: Buffer.from(name) };
    if (!lstatSync(path).isFile()) return [named];
    const bytes = readFileSync(path);
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return [
      named,
      { name, bytes },
      ...(packed ? [{ name: `${name}, unpacked`, bytes: gunzipSync(bytes) }] : []),
    ];
  });
}
