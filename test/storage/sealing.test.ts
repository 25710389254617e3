// Sealing: AES-256-GCM as published, and nothing opens but what was sealed.

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { newSealingKey, openSealed, seal } from "#src/storage/documents/sealing.ts";

describe("sealing", () => {
  it("opens test case 15 of McGrew and Viega, The Galois/Counter Mode of Operation, appendix B", () => {
    const key = Buffer.from("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "hex");
    const nonce = "cafebabefacedbaddecaf888";
    const ciphertext =
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa" +
      "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad";
    const tag = "b094dac5d93471bdec1a502270e3cc6c";
    const sealed = Buffer.from(nonce + ciphertext + tag, "hex").toString("base64");
    expect(openSealed(key, sealed, "")?.toString("hex")).toBe(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" +
        "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
    );
  });

  it("opens with the same key and context alone", () => {
    const key = newSealingKey();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), fc.string(), (secret, context, other) => {
        const sealed = seal(key, secret, context);
        expect(openSealed(key, sealed, context)).toEqual(Buffer.from(secret));
        expect(openSealed(newSealingKey(), sealed, context)).toBeNull();
        if (other !== context) expect(openSealed(key, sealed, other)).toBeNull();
      }),
    );
  });

  it("does not open after any single flip, nor cut anywhere", () => {
    const key = newSealingKey();
    const whole = Buffer.from(seal(key, Buffer.from("a secret"), "context"), "base64");
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(openSealed(key, flipped.toString("base64"), "context")).toBeNull();
    }
    for (let length = 0; length < whole.length; length += 1) {
      expect(openSealed(key, whole.subarray(0, length).toString("base64"), "context")).toBeNull();
    }
  });

  it("never seals the same way twice", () => {
    const key = newSealingKey();
    expect(seal(key, Buffer.from("x"), "")).not.toBe(seal(key, Buffer.from("x"), ""));
  });
});
