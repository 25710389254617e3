import { createHash, createHmac, randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import {
  DIGEST_HASHES,
  HMAC_ALGORITHMS,
  KEY_ENCODINGS,
  SIGNATURE_ENCODINGS,
  type Recipe,
} from "#src/signing/recipes/recipe.ts";
import { ACQUIA_FIXTURES } from "./acquia-fixtures.ts";
import { BODY, capture, IDENTITY, infer, parsed, SECRET, signature, text } from "./inferring.ts";

describe.each(PRESETS.map(({ recipe }) => recipe))("%s", (id) => {
  const preset = recipeById(id);

  test("is named when a request is signed with it", () => {
    // A key of acquia-v2 is base64; 64 hexadecimal digits are that as well.
    const { found } = infer(capture(preset));
    expect(found.map(({ same }) => same)).toContain(id);
    expect(found.find(({ same }) => same === id)!.recipe).toEqual(preset);
  });

  test.skipIf(preset.canonical === null)("is found with any settings", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(preset.derive.length > 0 ? (["utf8"] as const) : KEY_ENCODINGS)),
        fc.constantFrom(...HMAC_ALGORITHMS),
        fc.constantFrom(...SIGNATURE_ENCODINGS),
        fc.constantFrom(...DIGEST_HASHES),
        // The fields of a body that has none are that body.
        preset.fields === null ? fc.json() : fc.constant(BODY),
        (encoding, hash, written, digest, body) => {
          const used: Recipe = {
            ...preset,
            key: { encoding },
            hash,
            signature: { encoding: written },
            body_digest: preset.body_digest === null ? null : { ...preset.body_digest, hash: digest },
          };
          const { found } = infer(capture(used, IDENTITY, { body }));
          expect(found.length).toBeGreaterThan(0);
          const [header] = Object.entries(preset.emit).find(([, value]) =>
            /\{(?:signature|token)\}/.test(value),
          )!;
          const nonceless = { ...found[0]!.recipe };
          expect(nonceless.key).toEqual({ encoding });
          // 48 bytes may be the same in both writings of base64.
          const isAlike = hash === "hmac-sha384" && written === "base64url";
          if (preset.nonce === null && !isAlike) {
            expect(signature(nonceless, header)).toBe(signature(used, header));
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("published known-good requests", () => {
  test("README of Hawk", () => {
    const raw = text(
      {
        Host: "example.com:8000",
        Authorization:
          'Hawk id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", ext="some-app-ext-data", mac="6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE="',
      },
      { method: "GET", address: "http://example.com:8000/resource/1?b=1&a=2", body: "" },
    );
    const { found } = infer(parsed(raw), "werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn");
    expect(found[0]!.recipe).toMatchObject({
      values: { ext: "some-app-ext-data" },
      key: { encoding: "utf8" },
      emit: recipeById("hawk").emit,
    });
  });

  test("README of Hawk, with payload", () => {
    const raw = text(
      {
        Host: "example.com:8000",
        "Content-Type": "text/plain",
        Authorization:
          'Hawk id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", hash="Yi9LfIIFRtBEPt74PVmbTF/xVAwPn7ub15ePICfgnuY=", ext="some-app-ext-data", mac="aSe1DERmZuRl3pI36/9BdZmnErTw3sNzOOAUlfeKjVw="',
      },
      { address: "http://example.com:8000/resource/1?b=1&a=2", body: "Thank you for flying Hawk" },
    );
    const { found } = infer(parsed(raw), "werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn");
    expect(found[0]!.recipe.values).toEqual({ ext: "some-app-ext-data" });
  });

  test("AWS Signature Version 4, get-vanilla", () => {
    const raw = text(
      {
        Host: "example.amazonaws.com",
        "X-Amz-Date": "20150830T123600Z",
        Authorization:
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
      },
      { method: "GET", address: "https://example.amazonaws.com/", body: "" },
    );
    const { found } = infer(parsed(raw), "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
    expect(found[0]).toMatchObject({
      same: null,
      notes: [],
      recipe: {
        values: { region: "us-east-1", service: "service" },
        canonical: { components: ["host", "x-amz-date"] },
        nonce: null,
      },
    });
  });

  test("RFC 9421 B.2.5, and it says that verdict sends no Date there", () => {
    const raw = text(
      {
        Host: "example.com",
        Date: "Tue, 20 Apr 2021 02:07:55 GMT",
        "Content-Type": "application/json",
        "Content-Digest":
          "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
        "Content-Length": "18",
        "Signature-Input":
          'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
        Signature: "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:",
      },
      { address: "https://example.com/foo?param=Value&Pet=dog", body: '{"hello": "world"}' },
    );
    const { found } = infer(
      parsed(raw),
      "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==",
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.recipe).toMatchObject({
      key: { encoding: "base64" },
      emit: { "signature-input": "sig-b25=({components}){params}", signature: "sig-b25=:{signature}:" },
      canonical: { params: ["created={time}", 'keyid="{key_id}"'] },
    });
    expect(found[0]!.notes).toEqual([
      expect.stringContaining("It signs the header date, which verdict does not send"),
    ]);
  });

  test("Kong's documentation", () => {
    const raw = text(
      {
        Host: "hmac.com",
        Date: "Thu, 22 Jun 2017 21:12:36 GMT",
        Digest: "SHA-256=SBH7QEtqnYUpEcIhDbmStNd1MxtHg2+feBfWc1105MA=",
        Authorization:
          'hmac username="alice123", algorithm="hmac-sha256", headers="date request-line digest", signature="gaweQbATuaGmLrUr3HE0DzU1keWGCt3H96M28sSHTG8="',
        "Content-Length": "12",
      },
      { method: "GET", address: "https://hmac.com/requests", body: "A small body" },
    );
    const { found } = infer(parsed(raw), "secret");
    expect(found.map(({ same }) => same)).toEqual(["kong"]);
  });

  test.each(ACQUIA_FIXTURES)("Acquia HTTP HMAC 2.0, $name", (fixture) => {
    const { host } = new URL(fixture.url);
    const raw = text(
      {
        Host: host,
        "Content-Type": "application/json",
        "X-Authorization-Timestamp": String(fixture.timestamp),
        ...(fixture.contentSha === "" ? {} : { "X-Authorization-Content-SHA256": fixture.contentSha }),
        ...fixture.headers,
        Authorization: fixture.authorization,
      },
      { method: fixture.method, address: fixture.url, body: fixture.body },
    );
    const { found } = infer(parsed(raw), fixture.secret);
    expect(found[0]!.recipe).toMatchObject({ key: { encoding: "base64" }, values: { realm: fixture.realm } });
  });
});

/** Schemes of services' own, built here with Node's HMAC alone. */
describe("schemes that no preset has", () => {
  const mac = (
    data: string,
    encoding: "hex" | "base64" = "hex",
    hash = "sha256",
    key: string | Buffer = SECRET,
  ): string => createHmac(hash, key).update(data).digest(encoding);
  const jwt = (claims: string, alg: "HS256" | "HS384"): string => {
    const [head, body] = [`{"typ":"JWT","alg":"${alg}"}`, claims].map((part) =>
      Buffer.from(part).toString("base64url"),
    );
    const sha = alg.replace("HS", "sha");
    return `Bearer ${head!}.${body!}.${createHmac(sha, SECRET).update(`${head!}.${body!}`).digest("base64url")}`;
  };
  const base = {
    Host: "risk.example.com",
    "Content-Type": "application/json",
    "X-Key-Id": "hmac-sha256-7d41c0",
    "X-Project-Id": "prj-1",
  };
  const nonce = randomUUID();
  const cases: [name: string, headers: Record<string, string>, text: string][] = [
    [
      "time, method, target and body on lines",
      {
        "X-Timestamp": "1772600767",
        Authorization: `ACME hmac-sha256-7d41c0:${mac(`1772600767\nPOST\n/v1/check?trace=1\n${BODY}`)}`,
      },
      "{time}\n{method}\n{target}\n{body}",
    ],
    [
      "body, then time",
      { "X-Time": "1772600767123", "X-Signature": mac(`${BODY}1772600767123`, "base64") },
      "{body}{time}",
    ],
    ["body with a line end at the end", { "X-Signature": `sha256=${mac(`${BODY}\n`)}` }, "{body}\n"],
    [
      "SHA-512 of six parts",
      {
        "X-Timestamp": "1772600767",
        "X-Nonce": nonce,
        Authorization: mac(
          `hmac-sha256-7d41c0|POST|/v1/check?trace=1|1772600767|${nonce}|${BODY}`,
          "base64",
          "sha512",
        ),
      },
      "{key_id}|{method}|{target}|{time}|{nonce}|{body}",
    ],
    [
      "the path without its query",
      { "X-Timestamp": "1772600767", Authorization: mac(`POST\n/v1/check\n1772600767\n${BODY}`) },
      "{method}\n{path}\n{time}\n{body}",
    ],
    [
      "the secret's bytes from hexadecimal digits",
      {
        "X-Timestamp": "1772600767",
        Authorization: mac(`1772600767.${BODY}`, "hex", "sha256", Buffer.from(SECRET, "hex")),
      },
      "{time}.{body}",
    ],
    [
      "a method in small letters",
      { "X-Timestamp": "1772600767", Authorization: mac(`post:/v1/check?trace=1:${BODY}:1772600767`) },
      "{method:lower}:{target}:{body}:{time}",
    ],
    [
      "upper-case hexadecimal digits",
      { "X-Timestamp": "1772600767", Authorization: mac(`1772600767${BODY}`).toUpperCase() },
      "{time}{body}",
    ],
  ];
  test.each(cases)("%s", (_name, headers, expected) => {
    const { found, tried, seen } = infer(parsed(text({ ...base, ...headers })));
    expect(found, `${seen.join(" ")} (${tried})`).toHaveLength(1);
    expect(found[0]!.recipe.canonical).toMatchObject({ text: expected });
  });

  const hash = (data: string, name: string, encoding: "hex" | "base64" = "hex"): string =>
    createHash(name).update(data).digest(encoding);
  const nested = '{"payer":{"email":"a@b.example","ip":null},"order_id":"A 1","amount":12000}';
  const sorted = '{"amount":12000,"order_id":"A 1","payer":{"email":"a@b.example","ip":null}}';
  const others: [name: string, headers: Record<string, string>, recipe: object, body?: string][] = [
    [
      "sorted JSON, the key's bytes from hexadecimal digits, base64url",
      {
        "X-Signature": createHmac("sha256", Buffer.from(SECRET, "hex")).update(sorted).digest("base64url"),
      },
      { fields: { form: "json" }, key: { encoding: "hex" }, signature: { encoding: "base64url" } },
    ],
    [
      "sorted pairs",
      { "X-Signature": mac("amount=12000&order_id=A 1&payer.email=a@b.example") },
      { fields: { form: "pairs", nesting: "dot", encoding: "none", empty: "omit" } },
    ],
    [
      "sorted pairs with brackets, as a form, with those without a value, behind the time",
      {
        "X-Timestamp": "1772600767",
        Authorization: mac(
          "1772600767|amount=12000&order_id=A+1&payer%5Bemail%5D=a%40b.example&payer%5Bip%5D=",
        ),
      },
      {
        canonical: { text: "{time}|{fields}" },
        fields: { form: "pairs", nesting: "brackets", encoding: "form", empty: "keep" },
      },
    ],
    [
      "values joined",
      { Authorization: `HMAC ${mac("12000|A 1|a@b.example")}` },
      { fields: { form: "values", separator: "|" } },
    ],
    [
      "SHA-256 of body and secret",
      { "X-Signature": hash(`${nested}${SECRET}`, "sha256") },
      { hash: "sha256", canonical: { text: "{body}{secret}" } },
    ],
    [
      "MD5 of sorted pairs with the key at the end, in capitals",
      {
        "X-Sign": hash(
          `amount=12000&order_id=A 1&payer.email=a@b.example&key=${SECRET}`,
          "md5",
        ).toUpperCase(),
      },
      {
        hash: "md5",
        signature: { encoding: "HEX" },
        fields: { form: "pairs" },
        canonical: { text: "{fields}&key={secret}" },
      },
    ],
    [
      "HMAC-SHA1",
      { "X-Signature": mac(nested, "base64", "sha1") },
      { hash: "hmac-sha1", canonical: { text: "{body}" } },
    ],
    [
      "base64 alone, with a key whose bytes are base64",
      { Authorization: mac(nested, "base64", "sha256", Buffer.from(SECRET, "base64")) },
      {
        key: { encoding: "base64" },
        signature: { encoding: "base64" },
        emit: { authorization: "{signature}" },
      },
    ],
    [
      "a short one alone",
      { Authorization: mac(nested, "base64", "sha1") },
      { hash: "hmac-sha1", emit: { authorization: "{signature}" } },
    ],
    [
      "behind a slash",
      { Authorization: `ACME hmac-sha256-7d41c0/${mac(nested)}` },
      { emit: { authorization: "ACME {key_id}/{signature}" } },
    ],
    ["HMAC-MD5", { "X-Signature": mac(nested, "hex", "md5") }, { hash: "hmac-md5" }],
    [
      "the digest of the body on lines, as MD5",
      {
        "X-Timestamp": "1772600767",
        Authorization: mac(`POST\n/v1/check?trace=1\n1772600767\n${hash(nested, "md5")}`),
      },
      { canonical: { text: "{method}\n{target}\n{time}\n{digest}" }, body_digest: { hash: "md5" } },
    ],
    [
      "a token with the digest of the body",
      {
        Authorization: jwt(
          `{"iss":"prj-1","iat":1772600767,"exp":1772600827,"body":"${hash(nested, "sha256")}"}`,
          "HS384",
        ),
      },
      {
        hash: "hmac-sha384",
        time: { skew_s: 60 },
        canonical: {
          header: '{"typ":"JWT","alg":"HS384"}',
          claims: '{"iss":"{owner}","iat":{time},"exp":{expiry},"body":"{digest}"}',
        },
        emit: { authorization: "Bearer {token}" },
      },
    ],
    [
      "a token of the body",
      { "X-Token": jwt(nested, "HS256").replace("Bearer ", "") },
      { canonical: { claims: "{body}" }, emit: { "x-token": "{token}" } },
    ],
    [
      "Basic",
      { Authorization: `Basic ${Buffer.from(`hmac-sha256-7d41c0:${SECRET}`).toString("base64")}` },
      { recipe: "basic" },
    ],
    [
      "a sample that is printed with blanks, signed without",
      { "X-Signature": mac(nested) },
      { canonical: { text: "{body}" } },
      JSON.stringify(JSON.parse(nested), null, 2),
    ],
  ];
  test.each(others)("%s", (_name, headers, expected, body = nested) => {
    const { found, tried, seen } = infer(parsed(text({ ...base, ...headers }, { body })));
    expect(found, `${seen.join(" ")} (${tried})`).toHaveLength(1);
    expect(found[0]!.recipe).toMatchObject(expected);
  });

  test("a company in place of a project", () => {
    const { "X-Project-Id": _project, ...own } = base;
    const headers = { ...own, "X-Company-Id": "cmp-1", Authorization: mac(`cmp-1:${BODY}`) };
    const { found } = infer(parsed(text(headers)));
    expect(found.map(({ recipe }) => recipe.canonical)).toMatchObject([{ text: "{owner}:{body}" }]);
  });

  test.each(
    SIGNATURE_ENCODINGS.flatMap((encoding) => HMAC_ALGORITHMS.map((hash) => [hash, encoding] as const)),
  )(
    "a recipe of one's own that no search finds is known by its signature alone: %s, %s",
    (hash, encoding) => {
      const own: Recipe = {
        ...recipeById("timestamp-body"),
        recipe: "own",
        vectors: [],
        hash,
        signature: { encoding },
        canonical: { style: "template", text: "own/{time}/{body}/own", components: [] },
        emit: { ...recipeById("timestamp-body").emit, authorization: "{signature}" },
      };
      const { found } = infer(capture(own), SECRET, [...PRESETS, own]);
      expect(found.map(({ same }) => same)).toContain("own");
    },
  );

  test("each is found again among all of them", () => {
    const requests = [
      ...cases.map(([, headers]) => parsed(text({ ...base, ...headers }))),
      ...others.map(([, headers, , body = nested]) => parsed(text({ ...base, ...headers }, { body }))),
    ];
    const own = requests.map((request, at) => ({ ...infer(request).found[0]!.recipe, recipe: `own-${at}` }));
    for (const [at, request] of requests.entries()) {
      const { found } = infer(request, SECRET, [...PRESETS, ...own]);
      const [{ recipe: _id, about: _about, ...expected }] = [own[at]!];
      expect(found[0]?.recipe).toMatchObject(expected);
    }
  });

  test("header lines with headers of its own, another name for the list, and a last line end", () => {
    const date = "Mon, 05 Jan 2026 09:30:00 GMT";
    for (const end of ["", "\n"]) {
      const signed = `(request-target): post /v1/check?trace=1\nhost: risk.example.com\ndate: ${date}${end}`;
      const authorization = `Signature keyId="hmac-sha256-7d41c0",algorithm="hs2019",headers="(request-target) host date",signature="${mac(signed, "base64", "sha512")}"`;
      const { found } = infer(parsed(text({ ...base, Date: date, Authorization: authorization })));
      expect(found).toHaveLength(1);
      expect(found[0]!.recipe).toMatchObject({
        hash: "hmac-sha512",
        time: { header: "date", format: "http-date" },
      });
      expect(found[0]!.recipe.emit["authorization"]).toContain('algorithm="hs2019"');
    }
  });
});

describe("a line end that an editor added", () => {
  test("is found not to belong to the body", () => {
    const good = capture(recipeById("timestamp-body"));
    const { found } = infer({
      ...good,
      body: Buffer.concat([good.body, Buffer.from("\n")]),
      isBodyExact: false,
    });
    expect(found[0]).toMatchObject({ same: "timestamp-body", notes: [expect.stringContaining("line end")] });
  });
});

describe("near misses", () => {
  test("a wrong secret: the digest is right, the signature not reproduced, and the closest recipe comes first", () => {
    const { found, closest, seen } = infer(capture(recipeById("http-signatures")), "11".repeat(32));
    expect(found).toEqual([]);
    expect(closest[0]).toEqual({
      recipe: "http-signatures",
      why: [
        "authorization has the form of this recipe.",
        "The signature differs: another secret, or a signed part was changed in transit.",
      ],
    });
    expect(seen.join(" ")).toContain("The digest in digest is right (sha256), so the body is intact.");
    expect(seen.join(" ")).toContain("32 bytes as hex");
  });

  test("a changed body: the secret is right, and the digest says what is wrong", () => {
    const good = capture(recipeById("http-signatures"));
    const { found, closest } = infer({ ...good, body: Buffer.from(`${BODY} `) });
    expect(found).toEqual([]);
    expect(closest[0]!.why).toEqual([
      "The signature is reproduced over the headers as they are, so the secret is right.",
      "The header digest holds no SHA digest of this body: the body was changed when the request was saved.",
    ]);
    expect(closest[1]!.recipe).toBe("http-signatures");
  });

  test("a signature that is no HMAC: its length says so", () => {
    const good = capture(recipeById("kong"));
    const headers = good.headers.map(
      ([name, value]) => [name, value.replace(/signature="[^"]*"/, 'signature="c2hvcnQ="')] as const,
    );
    const { closest } = infer({ ...good, headers });
    expect(closest[0]!.recipe).toBe("kong");
    expect(closest[0]!.why.at(-1)).toBe("The signature is not 32 bytes in base64.");
  });
});

test("never tries more than it may, whatever the request", () => {
  const wild = {
    Host: "risk.example.com",
    "X-Key-Id": "key",
    "X-Project-Id": "prj",
    "X-Timestamp": "1772600767",
    "X-Time": "1772600767123",
    "X-Nonce": "a".repeat(32),
    "X-Signature": "b".repeat(64),
    "X-Sign": "c".repeat(96),
    Authorization: `Own ${"d".repeat(128)}`,
  };
  const small = infer(parsed(text(wild)));
  expect(small.found).toEqual([]);
  expect(small.tried).toBeGreaterThan(10_000);
  const large = infer(parsed(text(wild, { body: "x".repeat(64 * 1024) })));
  expect(large.tried).toBeLessThan(small.tried);
});

test("whatever a request holds, inferring answers and never throws", () => {
  const line = fc.string({ unit: fc.constantFrom(...'abcdefABCDEF0123456789=",;:/+.-_{} (~'.split("")) });
  fc.assert(
    fc.property(line, line, fc.string(), (authorization, other, body) => {
      const raw = text(
        { Host: "a.example", Authorization: authorization, "X-Signature": other, "Signature-Input": other },
        { body },
      );
      expect(infer(parsed(raw), "zq-not-in-there-zq").found).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
