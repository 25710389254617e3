import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { parseCurl, parseCurlRequest } from "#src/replay/imports/curl-command.ts";
import { Fault } from "#src/contract/fault.ts";
import { readShellCommand } from "#src/replay/imports/shell-command.ts";
import { shellWord } from "#src/display/shell-word.ts";

function problem(text: string): string {
  try {
    parseCurl(text);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe("commands from curl's own manual and documents", () => {
  test.each([
    ["--data", `curl -d "name=curl" https://example.com`, "name=curl"],
    ["--data twice", `curl -d "name=curl" -d "tool=cmdline" https://example.com`, "name=curl&tool=cmdline"],
    ["--json", `curl --json '{ "drink": "coffe" }' https://example.com`, `{ "drink": "coffe" }`],
    [
      "--json in pieces",
      `curl --json '{ "drink":' --json ' "coffe" }' https://example.com`,
      `{ "drink": "coffe" }`,
    ],
    ["--data-raw with an at sign", `curl --data-raw "@at@at@" https://example.com`, "@at@at@"],
    ["--data-ascii", `curl --data-ascii plain https://example.com`, "plain"],
    [
      "everything curl, posting JSON",
      `curl -d '{json}' -H 'Content-Type: application/json' https://example.com`,
      "{json}",
    ],
    ["value attached", `curl -sSXPOST -d'{"a":1}' https://example.com`, `{"a":1}`],
  ])("%s", (_name, command, body) => {
    expect(parseCurl(command)).toBe(body);
  });

  test.each([
    [`curl -d @filename https://example.com`, "file"],
    [`curl --data-binary @filename https://example.com`, "file"],
    [`curl --json @prepared https://example.com`, "file"],
    [`curl --json @- https://example.com < json.txt`, "unquoted <"],
    [`curl --data-urlencode name=val https://example.com`, "form"],
    [`curl -F "web=@index.html;type=text/html" https://example.com`, "form"],
    [`curl -d "tool=curl" -d "age=old" -G https://example.com`, "address"],
    [`curl -T file https://example.com`, "file"],
    [`curl -d 1 https://example.com --next -d 2 https://example.com`, "more than one request"],
    [`curl --variable name=x --expand-data '{{name}}' https://example.com`, "variables"],
    [`curl https://example.com`, "no body"],
    [`curl https://example.com -d`, "cut off"],
  ])("refuses %s", (command, word) => {
    expect(problem(command)).toContain(word);
  });
});

describe("commands as browsers copy them", () => {
  test("bash, with $'...' for what single quotes cannot hold", () => {
    const command = String.raw`curl 'https://shop.example/v1/check' \
  -H 'accept: application/json' \
  -H 'cookie: a=b; --data=nothing' \
  -H $'x-name: d\'Arc' \
  --data-raw $'{"order_id":"it\'s \u0021","description":"\u20b4 \ud83d\ude00 \xd1\x97\n"}' \
  --compressed ;`;
    expect(JSON.parse(parseCurl(command).replaceAll("\n", String.raw`\n`))).toEqual({
      order_id: "it's !",
      description: "₴ 😀 ї\n",
    });
  });

  test("a body over several lines, line breaks of Windows, a prompt, a pipe", () => {
    const command =
      "$ curl --location http://x/v1/check \\\r\n --data '{\r\n  \"amount\": 1\r\n}' | jq .code";
    expect(JSON.parse(parseCurl(command))).toEqual({ amount: 1 });
  });

  test("the Windows prompt is told apart", () => {
    expect(problem('curl ^"https://x^" ^\r\n  --data-raw ^"^{^}^"')).toContain("Windows prompt");
  });
});

describe("what is no one literal command", () => {
  test.each([
    ["wget -d 1 http://x", "no curl command"],
    ["", "no curl command"],
    [`curl -d "$BODY" http://x`, "only a shell can fill in"],
    ["curl -d `cat body` http://x", "only a shell can fill in"],
    [`curl -d "$(cat body)" http://x`, "only a shell can fill in"],
    ["curl -d '{", "not closed"],
    ['curl -d "{', "not closed"],
    ["curl -d $'{", "not closed"],
    ["curl -d 1 http://x\ncurl -d 2 http://x", "more than one command"],
    ["curl -d 1 http://x; rm -rf /", "more than one command"],
    ["curl -d 1 http://x && echo", "unquoted &"],
    [String.raw`curl -d $'\xff' http://x`, "not valid UTF-8"],
    [String.raw`curl -d $'\ud800' http://x`, "does not exist"],
  ])("%j", (command, words) => {
    expect(problem(command)).toContain(words);
  });

  test("dollar signs that no shell would touch are text", () => {
    expect(parseCurl(`curl -d 'costs $5' x`)).toBe("costs $5");
    expect(parseCurl(`curl -d "100 $ 'x'" x`)).toBe("100 $ 'x'");
    expect(parseCurl(`curl -d "\\$HOME" x`)).toBe("$HOME");
  });
});

describe("words, as a POSIX shell reads them", () => {
  test.each([
    ["a  b\tc", ["a", "b", "c"]],
    [`a'b'"c"d`, ["abcd"]],
    [`'' ""`, ["", ""]],
    [String.raw`a\ b \'c\' \\`, ["a b", "'c'", "\\"]],
    [String.raw`"a\b\"\\"`, [String.raw`a\b"\ `.trim()]],
    ["a\\\nb", ["ab"]],
    ['"a\\\nb"', ["ab"]],
    ["a#b # c", ["a#b"]],
    [String.raw`$'\a\b\e\f\n\r\t\v\\\'\"\?\101\x41\u0041\U00000041\q'`, [`\x07\b\x1b\f\n\r\t\v\\'"?AAAA\\q`]],
  ])("%j", (text, words) => {
    expect(readShellCommand(text, 0)).toMatchObject({ words, problem: null });
  });

  test("read back every word that is written for a shell", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (words) => {
        const wellFormed = words.map((word) => word.toWellFormed());
        const line = wellFormed.map(shellWord).join(" ");
        expect(readShellCommand(line, 0)).toMatchObject({ words: wellFormed, problem: null });
      }),
    );
  });

  test("never fail, and always go forward", () => {
    const piece = fc.constantFrom(
      ...Array.from("'\"\\$|&;<>() \n\t#abc`{}@-"),
      "curl ",
      "-d ",
      "$'",
      "\\x4",
      "\\u",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        const { end } = readShellCommand(text, 0);
        expect(end).toBeGreaterThanOrEqual(Math.min(1, text.length));
        expect(end).toBeLessThanOrEqual(text.length);
        try {
          parseCurl(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("the whole request of a command", () => {
  test("method, address, headers and body, as a browser copies them", () => {
    const request = parseCurlRequest(
      `curl 'https://risk.example.com:8443/v1/check?a=1#top' -X PUT -H 'X-Key-Id: k' --header "Content-Type: text/plain" --compressed -e https://other.example --data-raw '{"a":"é"}'`,
    );
    expect({ ...request, body: Buffer.from(request.body).toString("utf8") }).toEqual({
      method: "PUT",
      target: "/v1/check?a=1",
      scheme: "https",
      headers: [
        ["host", "risk.example.com:8443"],
        ["X-Key-Id", "k"],
        ["Content-Type", "text/plain"],
      ],
      body: '{"a":"é"}',
      isBodyExact: true,
    });
  });

  test.each([
    [`curl http://a.example`, "GET", []],
    [`curl -d x=1 http://a.example`, "POST", [["content-type", "application/x-www-form-urlencoded"]]],
    [`curl --json '{}' http://a.example`, "POST", [["content-type", "application/json"]]],
    [`curl -I http://a.example`, "HEAD", []],
    [`curl -H 'Content-Type:' -d x http://a.example`, "POST", []],
  ])("%s", (command, method, headers) => {
    expect(parseCurlRequest(command)).toMatchObject({
      method,
      target: "/",
      headers: [["host", "a.example"], ...headers],
    });
  });

  test.each([
    ["curl -d x", "has no address"],
    ["curl https://a.example https://b.example", "more than one address"],
    ["curl -H 'no header' https://a.example", "has a header without a name"],
    ["curl -F a=b https://a.example", "sends a form"],
  ])("%s is refused", (command, message) => {
    expect(() => parseCurlRequest(command)).toThrow(message);
  });
});
