import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "#src/contract/fault.ts";
import { parseRawRequest, type RawRequest } from "#src/contract/text/raw-request.ts";

function parsed(text: string): RawRequest {
  return parseRawRequest(Buffer.from(text, "latin1"));
}

function problem(text: string): string {
  try {
    parsed(text);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

/** RFC 9112 section 2.1 and RFC 9110 section 9.3.3 as messages. */
test("reads the request of RFC 9421 section B.2, in both line ends", () => {
  const lines = [
    "POST /foo?param=Value&Pet=dog HTTP/1.1",
    "Host: example.com",
    "Date: Tue, 20 Apr 2021 02:07:55 GMT",
    "Content-Type: application/json",
    "Content-Length: 18",
    "",
    '{"hello": "world"}',
  ];
  for (const end of ["\r\n", "\n"]) {
    expect(parsed(lines.join(end))).toEqual({
      method: "POST",
      target: "/foo?param=Value&Pet=dog",
      scheme: null,
      headers: [
        ["Host", "example.com"],
        ["Date", "Tue, 20 Apr 2021 02:07:55 GMT"],
        ["Content-Type", "application/json"],
        ["Content-Length", "18"],
      ],
      body: Buffer.from('{"hello": "world"}'),
      isBodyExact: true,
    });
  }
});

test("what was written is read, byte for byte", () => {
  const header = fc.tuple(
    fc.stringMatching(/^x-[a-z]{1,8}$/),
    fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/),
  );
  fc.assert(
    fc.property(
      fc.array(header, { maxLength: 8 }),
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      (headers, body, end, isTold) => {
        const all = [
          ["host", "a.example"],
          ...headers,
          ...(isTold ? [["content-length", String(body.length)]] : []),
        ];
        const head = ["PUT /p HTTP/1.1", ...all.map(([name, value]) => `${name}: ${value}`), "", ""].join(
          end,
        );
        const request = parseRawRequest(Buffer.concat([Buffer.from(head), body]));
        expect(request.headers).toEqual(all);
        expect(Buffer.from(request.body)).toEqual(Buffer.from(body));
        expect(request.isBodyExact).toBe(isTold || body.length === 0);
      },
    ),
  );
});

test("an absolute target tells the scheme, and is signed as path and query", () => {
  expect(parsed("GET http://a.example:8000/x?y=1 HTTP/1.1\nHost: a.example:8000\n\n")).toMatchObject({
    target: "/x?y=1",
    scheme: "http",
  });
  expect(parsed("GET https://a.example HTTP/1.1\nHost: a.example\n\n")).toMatchObject({
    target: "/",
    scheme: "https",
  });
});

test("the line end of an editor behind a body of known length does no harm", () => {
  const request = parsed("POST / HTTP/1.1\nHost: a\nContent-Length: 2\n\n{}\n");
  expect(Buffer.from(request.body).toString()).toBe("{}");
});

describe("what is no request is refused with the line at fault", () => {
  test.each([
    ["", "Line 1 is no request line"],
    ["\n\nhello\n", "Line 3 is no request line"],
    ["GET / HTTP/2\nHost: a\n\n", "Line 1 is no request line"],
    ["GET  / HTTP/1.1\nHost: a\n\n", "Line 1 is no request line"],
    ["GET * HTTP/1.1\nHost: a\n\n", "needs a path that starts with a slash"],
    ["GET / HTTP/1.1\n\n", "has no Host header"],
    ["GET / HTTP/1.1\nHost: a\nhost: b\n\n", "more than one Host header"],
    ["GET / HTTP/1.1\nHost: a\nno header\n\n", "Line 3 of the request is no header"],
    ["GET / HTTP/1.1\nHost: a\nx : y\n\n", "Line 3 of the request is no header"],
    ["GET / HTTP/1.1\nHost: a\nx: \u0001\n\n", "Line 3 of the request is no header"],
    ["GET / HTTP/1.1\nHost: a\n folded\n\n", "continues the line before it"],
    ["POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n0\n\n", "has a Transfer-Encoding"],
    ["POST / HTTP/1.1\nHost: a\nContent-Length: x\n\n", "one Content-Length that is a number"],
    ["POST / HTTP/1.1\nHost: a\nContent-Length: 1\nContent-Length: 1\n\na", "one Content-Length"],
    ["POST / HTTP/1.1\nHost: a\nContent-Length: 3\n\nab", "says 3 bytes, but 2 follow"],
    ["POST / HTTP/1.1\nHost: a\nContent-Length: 1\n\nab", "says 1 bytes, but 2 follow"],
    [`POST / HTTP/1.1\nHost: a\n\n${"x".repeat(70_000)}`, "The body has 70000 bytes"],
    [`GET / HTTP/1.1\n${"x: y\n".repeat(200)}\n`, "more than 128 headers"],
  ])("%j", (text, message) => {
    expect(problem(text)).toContain(message);
  });

  test("whatever comes, it is read or refused with one sentence", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("GET / HTTP/1.1", "\n", "\r", ":", " ", "a", "\u0000", "é") }),
        (text) => {
          try {
            parsed(text);
          } catch (error) {
            expect(error).toBeInstanceOf(Fault);
            expect((error as Fault).message).toMatch(/^[ -~]+[.:]?.*\.$/);
          }
        },
      ),
    );
  });
});
