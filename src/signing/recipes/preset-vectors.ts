// Test vectors of the built-in recipes. Published sources are named; other expected values come from independent
// implementations: Python, the npm packages `http-signature`,
// `http-message-signatures`, `aws4` and `@hapi/hawk`, and OpenSSL's HMAC over the string to sign.

import type { RecipeVector } from "./recipe.ts";

const CHECK: RecipeVector = {
  name: "check, hmac-sha256",
  call: "check",
  method: "POST",
  url: "https://risk.example.com/v1/check",
  headers: { "content-type": "application/json" },
  body: '{"operation":"payment","order_id":"A-1","amount":12000,"currency":980}',
  key_id: "hmac-sha256-7d41c0",
  test_secret: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
  algorithm: "hmac-sha256",
  owner: "prj-1001",
  at: Date.UTC(2026, 0, 5, 9, 30, 0),
  expect: { headers: {} },
};

const NONCE = "3f0e8f0a-5a0b-4c57-9d0e-2b7a2f6a9c11";
const BODY_SHA256 = "EoDhyPbUJmGciBuEDO0ACQm84c4/AIEKIuanQtP4YAo=";

const CAVAGE_LINES = [
  "(request-target): post /v1/check",
  "host: risk.example.com",
  "date: Mon, 05 Jan 2026 09:30:00 GMT",
  `digest: SHA-256=${BODY_SHA256}`,
  "content-type: application/json",
  `x-request-id: ${NONCE}`,
  "x-key-id: hmac-sha256-7d41c0",
  "x-project-id: prj-1001",
].join("\n");

function cavageCheck(signature: string): RecipeVector {
  const authorization = `Signature keyId="hmac-sha256-7d41c0",algorithm="hmac-sha256",headers="(request-target) host date digest content-type x-request-id x-key-id x-project-id",signature="${signature}"`;
  return { ...CHECK, nonce: NONCE, expect: { string_to_sign: CAVAGE_LINES, headers: { authorization } } };
}

/** Made with Python's hmac and base64. */
const TOKEN =
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImhtYWMtc2hhMjU2LTdkNDFjMCJ9.eyJpc3MiOiJwcmotMTAwMSIsImlhdCI6MTc2NzYwNTQwMCwiZXhwIjoxNzY3NjA1NzAwLCJqdGkiOiIzZjBlOGYwYS01YTBiLTRjNTctOWQwZS0yYjdhMmY2YTljMTEiLCJib2R5X3NoYTI1NiI6IjEyODBlMWM4ZjZkNDI2NjE5Yzg4MWI4NDBjZWQwMDA5MDliY2UxY2UzZjAwODEwYTIyZTZhNzQyZDNmODYwMGEifQ.Sn_QeKQYfH3x9A1wQ96H4I9jw6TX5WA0v3rdCGQC5Nk";

/** RFC 4231 section 4.3 as a request whose body is the data. */
const RFC_4231: RecipeVector = {
  ...CHECK,
  name: "RFC 4231 section 4.3",
  headers: { "content-type": "text/plain" },
  body: "what do ya want for nothing?",
  test_secret: "Jefe",
};

export const PRESET_VECTORS: Readonly<Record<string, readonly RecipeVector[]>> = {
  "http-signatures": [
    cavageCheck("fxxGoQbU4pFx+zW1Xf/O8ZNL4iHLOSUnCRc8tic8tmc="),
    {
      ...CHECK,
      name: "credential request, hmac-sha512",
      call: "credential",
      url: "https://risk.example.com/projects/credential",
      body: '{"merchant_id":"m-1","risk_level":"low"}',
      key_id: "hmac-sha256-c0ffee",
      algorithm: "hmac-sha512",
      owner: "cmp-1",
      nonce: NONCE,
      expect: {
        headers: {
          digest: "SHA-256=ozOgJVMO94OK5xaSL+OFQfuQOyRK3nqx7/0evgbLw7M=",
          authorization:
            'Signature keyId="hmac-sha256-c0ffee",algorithm="hmac-sha512",headers="(request-target) host date digest content-type x-request-id x-key-id x-company-id",signature="o4hv2swGPhlp1CNos5D85lw4DK87wUBgrzDOz5cCyO7HzDnOSfh+bf8D0rLO/TvCqju5tYAFoupJNbKnBrkpZg=="',
        },
      },
    },
  ],
  "http-signatures-hex-key": [cavageCheck("iDHGyY+Qk3UWnXyt8FgSz7N5xRM8zdGHoTrfd9l9Hh0=")],
  rfc9421: [
    {
      ...CHECK,
      nonce: "000102030405060708090a0b0c0d0e0f",
      expect: {
        headers: {
          "content-digest": `sha-256=:${BODY_SHA256}:`,
          "signature-input":
            'sig1=("@method" "@authority" "@path" "@query" "content-digest" "content-type" "x-key-id" "x-project-id");created=1767605400;nonce="000102030405060708090a0b0c0d0e0f";keyid="hmac-sha256-7d41c0";tag="risk-check"',
          signature: "sig1=:G0F2AtOt9Qb7iac20BGO+ZECST5Oh9UYtstCKtXIkZU=:",
        },
      },
    },
  ],
  kong: [
    {
      ...CHECK,
      name: "Kong documentation, body validation",
      method: "GET",
      url: "https://hmac.com/requests",
      headers: {},
      body: "A small body",
      key_id: "alice123",
      test_secret: "secret",
      at: Date.UTC(2017, 5, 22, 21, 12, 36),
      expect: {
        string_to_sign: [
          "date: Thu, 22 Jun 2017 21:12:36 GMT",
          "GET /requests HTTP/1.1",
          "digest: SHA-256=SBH7QEtqnYUpEcIhDbmStNd1MxtHg2+feBfWc1105MA=",
        ].join("\n"),
        headers: {
          authorization:
            'hmac username="alice123", algorithm="hmac-sha256", headers="date request-line digest", signature="gaweQbATuaGmLrUr3HE0DzU1keWGCt3H96M28sSHTG8="',
        },
      },
    },
  ],
  "aws-sigv4": [
    {
      ...CHECK,
      nonce: NONCE,
      expect: {
        headers: {
          "x-amz-date": "20260105T093000Z",
          authorization:
            "AWS4-HMAC-SHA256 Credential=hmac-sha256-7d41c0/20260105/us-east-1/execute-api/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-key-id;x-project-id;x-request-id, Signature=418ff916a55b04ed55d6024cf1b17053bd33cd3e8504e0a0b3f24c1ff20e1b17",
        },
      },
    },
  ],
  hawk: [
    {
      ...CHECK,
      nonce: "j4h3g2",
      expect: {
        headers: {
          authorization:
            'Hawk id="hmac-sha256-7d41c0", ts="1767605400", nonce="j4h3g2", hash="jclqiXjslbkmkaicAQ/s5swKh+UvjRCFkaQ1GB+BPdU=", mac="NlcJ4BbF3fJHtm1RwSp1P7OV5rxb2BuJxKh8kDPfY0Y="',
        },
      },
    },
  ],
  "acquia-v2": [
    {
      ...CHECK,
      test_secret: "W5PeGMxSItNerkNFqQMfYiJvH14WzVJMy54CPoTAYoI=",
      nonce: NONCE,
      expect: {
        string_to_sign: [
          "POST",
          "risk.example.com",
          "/v1/check",
          "",
          `id=hmac-sha256-7d41c0&nonce=${NONCE}&realm=Acquia&version=2.0`,
          "x-project-id:prj-1001",
          "1767605400",
          "application/json",
          BODY_SHA256,
        ].join("\n"),
        headers: {
          authorization: `acquia-http-hmac headers="x-project-id",id="hmac-sha256-7d41c0",nonce="${NONCE}",realm="Acquia",signature="LuGtd1ncU7VZCBalXkFZOkp+sP9pKgv+8CMrGtchyuQ=",version="2.0"`,
        },
      },
    },
  ],
  "timestamp-body": [
    {
      ...CHECK,
      expect: {
        string_to_sign: `1767605400.${CHECK.body}`,
        headers: { authorization: "cdb9ab3695d7c27e8f41513417a64f349eebd5ad6ce3b3df02d3d3f523bd8676" },
      },
    },
  ],
  "timestamp-body-t-v1": [
    {
      ...CHECK,
      expect: {
        string_to_sign: `1767605400.${CHECK.body}`,
        headers: {
          authorization: "t=1767605400,v1=cdb9ab3695d7c27e8f41513417a64f349eebd5ad6ce3b3df02d3d3f523bd8676",
        },
      },
    },
  ],
  "body-hex": [
    {
      ...RFC_4231,
      expect: {
        string_to_sign: RFC_4231.body,
        headers: { authorization: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
      },
    },
  ],
  "body-base64": [
    {
      ...RFC_4231,
      expect: {
        string_to_sign: RFC_4231.body,
        headers: { authorization: "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=" },
      },
    },
  ],
  "sorted-fields": [
    {
      ...CHECK,
      expect: {
        string_to_sign: "1767605400.amount=12000&currency=980&operation=payment&order_id=A-1",
        headers: { authorization: "d9c80effa9e3cbcbdccdd6caa7ea4a685c1d8704295c08f03d87409a9dafacae" },
      },
    },
  ],
  jwt: [
    {
      ...CHECK,
      nonce: NONCE,
      expect: {
        string_to_sign: TOKEN.slice(0, TOKEN.lastIndexOf(".")),
        headers: { authorization: `Bearer ${TOKEN}` },
      },
    },
  ],
  basic: [
    {
      ...CHECK,
      name: "RFC 7617 section 2",
      key_id: "Aladdin",
      test_secret: "open sesame",
      expect: { headers: { authorization: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" } },
    },
  ],
  static: [{ ...CHECK, expect: { headers: { authorization: CHECK.test_secret } } }],
};
