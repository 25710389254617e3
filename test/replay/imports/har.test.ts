// HAR files: which requests are taken, and that nothing but their bodies is.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readForeignFile } from "./reading-foreign.ts";

const CHECK = { operation: "payment", order_id: "a-1", amount: 12000, currency: 978 };

/** An entry with a secret everywhere that is not the body. */
function entry(request: object = {}, more: object = {}): object {
  return {
    startedDateTime: "2026-03-01T12:00:00.250Z",
    time: 3.2,
    request: {
      method: "POST",
      url: "https://user:SECRET@shop.example.com:8443/v1/check?key=SECRET#SECRET",
      httpVersion: "HTTP/1.1",
      cookies: [{ name: "session", value: "SECRET" }],
      headers: [{ name: "Authorization", value: "SECRET" }],
      queryString: [{ name: "key", value: "SECRET" }],
      postData: { mimeType: "application/json", text: JSON.stringify(CHECK) },
      headersSize: -1,
      bodySize: -1,
      ...request,
    },
    response: { status: 200, content: { size: 6, mimeType: "text/plain", text: "SECRET" } },
    ...more,
  };
}

function har(...entries: object[]): string {
  return JSON.stringify({ log: { version: "1.2", creator: { name: "x", version: "1" }, entries } });
}

function posted(text: string, more: object = {}): object {
  return entry({ postData: { mimeType: "application/json", text, ...more } });
}

describe("a HAR file", () => {
  it("gives no payment whose time cannot be read", async () => {
    const wrong = ["16.03.2026, 09:00", "", true].map((startedDateTime) => entry({}, { startedDateTime }));
    const { taken, untaken } = await readForeignFile(
      "a.har",
      har(...wrong, entry({}, { startedDateTime: null })),
    );
    expect(taken.map(({ at }) => at)).toEqual([null]);
    expect(untaken.map(({ why }) => why)).toEqual(
      wrong.map(
        () => "Its startedDateTime is not a time; write one such as 2026-03-01T12:00:00Z, or take it out.",
      ),
    );
  });

  it("that is cut off is not sent to the command that reads it", async () => {
    const { untaken } = await readForeignFile("cut.har", har(entry()).slice(0, -40));
    expect(untaken).toEqual([
      {
        place: "cut.har",
        why: expect.stringMatching(
          /^Line 1, column \d+: the text ends .*; the file is cut off, so save it again\.$/,
        ),
      },
    ]);
  });

  it("gives the body of a POST with its place and time, and nothing else", async () => {
    const text = har(entry({ method: "GET" }), entry({ method: "OPTIONS" }), entry());
    for (const [name, content] of [
      ["session.har", text],
      ["session.json", text],
      ["session.har.gz", gzipSync(text)],
    ] as const) {
      const read = await readForeignFile(name, content);
      expect(read).toEqual({
        rows: [],
        untaken: [],
        taken: [
          {
            place: `${name}: entry 3, POST shop.example.com:8443/v1/check`,
            body: { value: CHECK, irregularNumbers: new Map() },
            name: null,
            at: Date.UTC(2026, 2, 1, 12, 0, 0, 250),
          },
        ],
      });
    }
  });

  it.each([
    ["2026-03-01T14:00:00.000+02:00", Date.UTC(2026, 2, 1, 12)],
    ["2026-03-01T12:00:00.1234567Z", Date.UTC(2026, 2, 1, 12, 0, 0, 123)],
    [undefined, null],
  ])("reads the time %s", async (startedDateTime, at) => {
    const { taken } = await readForeignFile("a.har", har(entry({}, { startedDateTime })));
    expect(taken[0]!.at).toBe(at);
  });

  it("reads a body in base64, in another script, and of another media type", async () => {
    const text = JSON.stringify({ ...CHECK, card: { holder: "Zoë Ćosić" } });
    const { taken } = await readForeignFile(
      "a.har",
      har(
        posted(Buffer.from(text).toString("base64"), { encoding: "base64" }),
        posted(text, { mimeType: "text/plain;charset=UTF-8" }),
        posted('{"amount": 12.0}'),
      ),
    );
    expect(taken.slice(0, 2).map(({ body }) => body.value)).toEqual([JSON.parse(text), JSON.parse(text)]);
    expect(taken[2]!.body.irregularNumbers).toEqual(new Map([["amount", "12.0"]]));
  });

  it.each([
    [
      "a form",
      { postData: { mimeType: "application/x-www-form-urlencoded", text: "pass=SECRET", params: [] } },
      "is a form",
    ],
    ["files", { postData: { mimeType: "multipart/form-data; boundary=x", text: "SECRET" } }, "is a form"],
    ["no body", { postData: undefined }, "It has no body; a recorder may leave bodies out"],
    [
      "a body in another file",
      { postData: { mimeType: "application/json", text: "", _file: "1.json" } },
      "It has no body;",
    ],
    [
      "a body that was cut off",
      { postData: { text: JSON.stringify(CHECK).slice(0, -9) } },
      "is cut off or empty: line 1,",
    ],
    ["a text", { postData: { text: "SECRET" } }, "is no JSON that is taken: line 1, column 1"],
    [
      "bytes",
      { postData: { text: "/w==", encoding: "base64" } },
      "is no JSON that is taken: line 1, column 1: the bytes",
    ],
    ["a list", { postData: { text: "[{}]" } }, "Its body is no JSON object."],
    ["a large body", { postData: { text: `"${"x".repeat(70_000)}"` } }, "65536 are allowed"],
    ["deep nesting", { postData: { text: "[".repeat(50_000) } }, "nested deeper"],
  ])("says why %s is not taken", async (_, request, why) => {
    const { taken, untaken } = await readForeignFile("a.har", har(entry(request)));
    expect(taken).toEqual([]);
    expect(untaken).toHaveLength(1);
    expect(untaken[0]!.place).toBe("a.har: entry 1, POST shop.example.com:8443/v1/check");
    expect(untaken[0]!.why).toContain(why);
    expect(untaken[0]!.why).toMatch(/^[^\n]*\.$/);
    expect(JSON.stringify(untaken)).not.toContain("SECRET");
  });

  it("passes over entries that are none, and hides what an address should not show", async () => {
    const urls = ["not an address", "https://a.example/4111111111111111", "https://a.example/%1b\u202e", 7];
    const read = await readForeignFile(
      "a.har",
      har(...urls.map((url) => entry({ url })), 7 as unknown as object, [] as object, {}, { request: null }),
    );
    expect(read.taken.map(({ place }) => place)).toEqual([
      "a.har: entry 1, POST an unreadable address",
      "a.har: entry 2, POST (left out)",
      "a.har: entry 3, POST a.example/%1b%E2%80%AE",
      "a.har: entry 4, POST an unreadable address",
    ]);
    expect(read.untaken).toEqual([]);
  });

  it.each([
    ["cut off", har(entry()).slice(0, -40)],
    ["nested deeply", `{"log":{"entries":[${"[".repeat(100_000)}]}}`],
    ["with a key of prototypes", `{"log":{"__proto__":{},"entries":[]}}`],
    ["with a key twice", `{"log":{"entries":[],"entries":[]}}`],
  ])("is refused in one sentence when it is %s", async (_, text) => {
    const { taken, untaken } = await readForeignFile("a.har", text);
    expect(taken).toEqual([]);
    expect(untaken).toHaveLength(1);
    expect(untaken[0]!.why).toMatch(/^[^\n]*\.$/);
  });
});
