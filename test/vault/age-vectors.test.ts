// The published vectors of the age format: what must open opens, and nothing else does, each with the sentence for it.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";

import { expect, it } from "vitest";

import { Secret } from "#src/contract/secret.ts";
import { openAge, type AgeIdentity } from "#src/vault/age-file.ts";

interface AgeVector {
  readonly name: string;
  readonly expect: string;
  /** SHA-256 of what is inside. */
  readonly payload?: string;
  /** One a line. */
  readonly identity?: string;
  readonly passphrase?: string;
  readonly compressed?: "zlib";
  readonly text?: string;
  readonly base64?: string;
}

const { vectors } = JSON.parse(readFileSync(new URL("age-vectors.json", import.meta.url), "utf8")) as {
  vectors: AgeVector[];
};

/** For vectors that name none. */
const SOME_IDENTITY = "AGE-SECRET-KEY-1XMWWC06LY3EE5RYTXM9MFLAZ2U56JJJ36S0MYPDRWSVLUL66MV4QX3S7F6";

const SENTENCES: Readonly<Record<string, RegExp>> = {
  "armor failure": /^The (?:file is no age file;|age file is damaged or was cut short;)/,
  "no match":
    /^(The passphrase of the file is wrong;|The file (?:is sealed for other people|was sealed for recipients))/,
  "HMAC failure": /^The age file is damaged or was cut short;/,
  "payload failure": /^The age file is damaged or was cut short;/,
  // Of these some are no age file at all, some ask for endless work, and one is sealed in a way that age forbids.
  "header failure":
    /^(The file is no age file;|The age file is damaged|The scrypt work factor|The file was sealed for recipients)/,
};

function bytesOf({ text, base64, compressed }: AgeVector): Buffer {
  const bytes = text === undefined ? Buffer.from(base64!, "base64") : Buffer.from(text);
  return compressed === undefined ? bytes : inflateSync(bytes);
}

function keyTo({ identity, passphrase }: AgeVector): AgeIdentity {
  if (passphrase === undefined) return { identities: new Secret(identity ?? SOME_IDENTITY) };
  return { passphrase: () => Promise.resolve(new Secret(passphrase.split("\n")[0]!)) };
}

it("has vectors of every outcome", () => {
  expect(vectors.length).toBeGreaterThan(90);
  expect(new Set(vectors.map((vector) => vector.expect))).toEqual(
    new Set(["success", ...Object.keys(SENTENCES)]),
  );
});

it.each(vectors.filter((vector) => vector.expect === "success"))("$name opens", async (vector) => {
  const plain = await openAge(bytesOf(vector), keyTo(vector));
  expect(createHash("sha256").update(plain).digest("hex")).toBe(vector.payload);
});

it.each(vectors.filter((vector) => vector.expect !== "success"))(
  "$name does not open: $expect",
  async (vector) => {
    await expect(openAge(bytesOf(vector), keyTo(vector))).rejects.toMatchObject({
      name: "Fault",
      code: "bad_input",
      message: expect.stringMatching(SENTENCES[vector.expect]!) as string,
    });
  },
);
