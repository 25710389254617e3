// The seal of an entry: opens as it was made, and not after any change of anything that it is bound to.

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Secret } from "#src/contract/secret.ts";
import { newSealingKey } from "#src/storage/documents/sealing.ts";
import { openEntry, sealEntry } from "#src/vault/entry-seal.ts";
import type { EntryDetails, StoredEntry } from "#src/vault/vault-file.ts";

const secrets = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 256,
  })
  .map((text) => new Secret(text));
const text = fc.string({ unit: "grapheme", maxLength: 40 });
const details: fc.Arbitrary<EntryDetails> = fc.oneof(
  fc.record({
    kind: fc.constant("integration_key" as const),
    profile: text,
    companyId: text,
    keyId: text,
    algorithm: text,
    projectsUrl: text,
  }),
  fc.record({
    kind: fc.constant("project_credential" as const),
    profile: text,
    projectKey: text,
    projectId: text,
    keyId: text,
    algorithm: text,
    baseUrl: text,
  }),
);

const sealed = (): { key: Buffer; entry: StoredEntry } => {
  const key = newSealingKey();
  const entry = sealEntry(
    key,
    "id-1",
    {
      kind: "project_credential",
      profile: "live",
      projectKey: "merchant-7/low",
      projectId: "project-1",
      keyId: "hmac-sha256-2",
      algorithm: "hmac-sha256",
      baseUrl: "https://check.example",
    },
    new Secret("c4n4ry-5ec2e7"),
  );
  return { key, entry };
};

it("gives back every secret, and seals of one length", () => {
  const key = newSealingKey();
  fc.assert(
    fc.property(text, details, secrets, (id, given, secret) => {
      const entry = sealEntry(key, id, given, secret);
      expect(openEntry(key, entry)?.expose()).toBe(secret.expose());
      expect(openEntry(newSealingKey(), entry)).toBeNull();
      expect(entry.sealed).toHaveLength(sealEntry(key, id, given, new Secret("x")).sealed.length);
    }),
  );
});

it("is bound to every field: another value anywhere, and it does not open", () => {
  const key = newSealingKey();
  fc.assert(
    fc.property(text, details, secrets, text, fc.nat(), (id, given, secret, other, pick) => {
      const entry = sealEntry(key, id, given, secret);
      const fields = Object.keys(entry).filter((name) => name !== "sealed");
      const field = fields[pick % fields.length] as keyof StoredEntry;
      fc.pre(entry[field] !== other);
      expect(openEntry(key, { ...entry, [field]: other })).toBeNull();
    }),
  );
});

it.each(["id", "kind", "profile", "projectKey", "projectId", "keyId", "algorithm", "baseUrl"])(
  "does not open with another %s",
  (field) => {
    const { key, entry } = sealed();
    const moved = { ...entry, [field]: field === "kind" ? "integration_key" : "https://evil.example" };
    expect(openEntry(key, moved as StoredEntry)).toBeNull();
    expect(openEntry(key, entry)?.expose()).toBe("c4n4ry-5ec2e7");
  },
);

it("keeps fields apart: what moves from the end of one to the start of the next is noticed", () => {
  const { key, entry } = sealed();
  const shifted = { ...entry, projectKey: "merchant-7/lo", projectId: "wproject-1" } as StoredEntry;
  expect(openEntry(key, shifted)).toBeNull();
});

describe("a seal", () => {
  it("does not open with any byte flipped", () => {
    const { key, entry } = sealed();
    const bytes = Buffer.from(entry.sealed, "base64");
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      expect(openEntry(key, { ...entry, sealed: flipped.toString("base64") }), `byte ${at}`).toBeNull();
    }
  });

  it("does not open cut at any byte, or with more behind it", () => {
    const { key, entry } = sealed();
    const bytes = Buffer.from(entry.sealed, "base64");
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.subarray(0, length).toString("base64");
      expect(openEntry(key, { ...entry, sealed: cut }), `${length} bytes`).toBeNull();
    }
    const longer = Buffer.concat([bytes, Buffer.alloc(1)]).toString("base64");
    expect(openEntry(key, { ...entry, sealed: longer })).toBeNull();
  });
});
