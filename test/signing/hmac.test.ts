import fc from "fast-check";
import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import {
  decodeSignature,
  encodeSignature,
  hmac,
  keyBytes,
  renderDigest,
  sameSignature,
  signature,
} from "#src/signing/hmac.ts";

// RFC 4231 section 4. Case 5 is truncated to 128 bits there.
const RFC_4231 = [
  {
    name: "4.2",
    key: "0b".repeat(20),
    data: "4869205468657265",
    sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    sha384:
      "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
    sha512:
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
  },
  {
    name: "4.3",
    key: "4a656665",
    data: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
    sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    sha384:
      "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
    sha512:
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
  },
  {
    name: "4.4",
    key: "aa".repeat(20),
    data: "dd".repeat(50),
    sha256: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    sha384:
      "88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b2a5ab39dc13814b94e3ab6e101a34f27",
    sha512:
      "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb",
  },
  {
    name: "4.5",
    key: "0102030405060708090a0b0c0d0e0f10111213141516171819",
    data: "cd".repeat(50),
    sha256: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    sha384:
      "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e6801dd23c4a7d679ccf8a386c674cffb",
    sha512:
      "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd",
  },
  {
    name: "4.6",
    key: "0c".repeat(20),
    data: "546573742057697468205472756e636174696f6e",
    sha256: "a3b6167473100ee06e0c796c2955552b",
    sha384: "3abf34c3503b2a23a46efc619baef897",
    sha512: "415fad6271580a531d4179bc891d87a6",
  },
  {
    name: "4.7",
    key: "aa".repeat(131),
    data: Buffer.from("Test Using Larger Than Block-Size Key - Hash Key First").toString("hex"),
    sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    sha384:
      "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952",
    sha512:
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
  },
  {
    name: "4.8",
    key: "aa".repeat(131),
    data: Buffer.from(
      "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.",
    ).toString("hex"),
    sha256: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    sha384:
      "6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5a678cc31e799176d3860e6110c46523e",
    sha512:
      "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58",
  },
] as const;

test.each(RFC_4231)(
  "RFC 4231 section $name comes out byte for byte",
  ({ key, data, sha256, sha384, sha512 }) => {
    const bytes = Buffer.from(data, "hex");
    for (const [algorithm, expected] of [
      ["hmac-sha256", sha256],
      ["hmac-sha384", sha384],
      ["hmac-sha512", sha512],
    ] as const) {
      const secret = keyBytes(new Secret(key), "hex")!;
      expect(hmac(algorithm, secret, bytes).toString("hex").slice(0, expected.length)).toBe(expected);
    }
  },
);

test("a secret is read as text, hexadecimal digits or base64, and never half", () => {
  expect(keyBytes(new Secret("00ff"), "utf8")).toEqual(Buffer.from("00ff"));
  expect(keyBytes(new Secret("00fF"), "hex")).toEqual(Buffer.from([0, 255]));
  expect(keyBytes(new Secret("AP8="), "base64")).toEqual(Buffer.from([0, 255]));
  for (const odd of ["00f", "zz", "00fz", ""]) expect(keyBytes(new Secret(odd), "hex")).toBeNull();
  for (const odd of ["AP8", "AP8=\n", "A P8=", ""]) expect(keyBytes(new Secret(odd), "base64")).toBeNull();
});

test("the digest is rendered in both encodings", () => {
  // FIPS 180-2, appendix B.1: SHA-256 of "abc"
  expect(renderDigest("sha256", "{hex}", Buffer.from("abc"))).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  expect(renderDigest("sha256", "SHA-256={b64}", Buffer.from("abc"))).toBe(
    "SHA-256=ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
  );
});

test("a signature has one text: whatever else decodes to the same bytes is refused", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom("hex", "HEX", "base64", "base64url" as const),
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (raw, encoding, position, character) => {
        const bytes = Buffer.from(raw);
        const text = encodeSignature(bytes, encoding);
        expect(decodeSignature(text, encoding, 32)).toEqual(bytes);
        const at = position % (text.length + 1);
        const longer = text.slice(0, at) + character + text.slice(at);
        const decoded = decodeSignature(longer, encoding, 32);
        expect(decoded === null || encodeSignature(decoded, encoding) === longer).toBe(true);
        expect(decodeSignature(text.slice(0, -1), encoding, 32)).toBeNull();
        expect(decodeSignature(` ${text}`, encoding, 32)).toBeNull();
      },
    ),
  );
});

test("a signature is its text and no other", () => {
  const key = keyBytes(new Secret("00ff"), "hex")!;
  fc.assert(
    fc.property(
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("latin1")),
      fc.constantFrom("hmac-sha256", "hmac-sha384", "hmac-sha512" as const),
      fc.constantFrom("hex", "HEX", "base64", "base64url" as const),
      fc.string(),
      (data, algorithm, encoding, other) => {
        const text = signature(algorithm, key, data, encoding);
        expect(text).toBe(encodeSignature(hmac(algorithm, key, data), encoding));
        expect(sameSignature(text, `${text.slice(0, -1)}${text.at(-1)}`)).toBe(true);
        expect(sameSignature(text, other)).toBe(false);
        expect(sameSignature(text, `${text}${other}`)).toBe(other === "");
        expect(sameSignature(text, text.slice(1) + String.fromCharCode(text.charCodeAt(0) + 256))).toBe(
          false,
        );
      },
    ),
  );
});
