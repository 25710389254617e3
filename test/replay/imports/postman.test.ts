// Postman collections: the bodies that newman sends, and what is never taken.

import { describe, expect, it } from "vitest";
import { readForeignFile, rowsOf, sample, type Read } from "./reading-foreign.ts";

const V21 = "checks.v2.1.0.postman_collection.json";
/** Bodies that newman 6.2.2 sent for both collections with the rows of checks.csv. */
const NEWMAN = JSON.parse(sample("newman-bodies.json").toString()) as string[];

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

function collection(raw: string, more: object = {}): string {
  const request = { method: "POST", url: "{{base}}/v1/check", body: { mode: "raw", raw } };
  return JSON.stringify({ info: { name: "x", schema: SCHEMA }, item: [{ name: "one", request }], ...more });
}

function bodies(read: Read): unknown[] {
  return read.taken.map(({ body }) => body.value);
}

describe("a Postman collection", () => {
  it.each(["checks.v2.0.0.postman_collection.json", V21])(
    "%s has the bodies that newman sends",
    async (name) => {
      const read = await readForeignFile(
        name,
        sample(name),
        await rowsOf("checks.csv", sample("checks.csv")),
      );
      expect(bodies(read)).toEqual(NEWMAN.map((body) => JSON.parse(body) as unknown));
      expect(read.untaken).toEqual([]);
      expect(read.taken.map((each) => each.place).slice(0, 3)).toEqual([
        `${name}: Check / Card testing / small amount, checks.csv:2`,
        `${name}: Check / fixed, checks.csv:2`,
        `${name}: Check / Card testing / small amount, checks.csv:3`,
      ]);
      expect(read.taken[0]!.name).toBe("Check / Card testing / small amount");
      expect(JSON.stringify(read)).not.toContain("SECRET");
    },
  );

  it("has one payment a request without rows, and names what nothing fills", async () => {
    const read = await readForeignFile(V21, sample(V21));
    expect(read.taken).toEqual([]);
    expect(read.untaken).toEqual([
      {
        place: `${V21}: Check / Card testing / small amount`,
        why: "Nothing fills {{order}}, {{email}}, {{holder}}; give values with --data, because scripts are not run.",
      },
      { place: `${V21}: Check / fixed`, why: expect.stringContaining("{{order}}") as string },
    ]);
  });

  it("takes rows of JSON, too, and their numbers as they are written", async () => {
    const text = collection('{"order_id": "{{a.b}}", "amount": {{amount}}}');
    const rows = await rowsOf(
      "rows.json",
      '[{"a": {"b": "x"}, "amount": 1}, 7, {"a": {"b": "y"}, "amount": 12.0}]',
    );
    const read = await readForeignFile("c.json", text, rows);
    expect(bodies(read)).toEqual([
      { order_id: "x", amount: 1 },
      { order_id: "y", amount: 12 },
    ]);
    expect(read.taken[1]!.body.irregularNumbers).toEqual(new Map([["amount", "12.0"]]));
    expect(read.untaken.map(({ place }) => place)).toEqual(["rows.json[1]"]);
  });

  it("leaves out disabled variables and secrets", async () => {
    const text = collection('{"order_id": "{{a}}{{b}}{{c}}"}', {
      variable: [
        { key: "a", value: "1", disabled: true },
        { id: "b", value: 2 },
        { key: "c", value: "3", type: "secret" },
      ],
    });
    const read = await readForeignFile("c.json", text);
    expect(read.untaken[0]!.why).toContain("Nothing fills {{a}}, {{c}};");
  });

  it("draws the same random values again, another one each time and for each payment", async () => {
    const raw =
      '{"order_id": "{{$guid}}", "terminal_id": "{{$randomUUID}}", "amount": {{$randomInt}}, "description": "{{$timestamp}} {{$isoTimestamp}}", "payer": {"payer_id": "{{n}}"}}';
    const read = async (): Promise<Read> =>
      await readForeignFile("c.json", collection(raw), await rowsOf("n.csv", "n\n1\n2\n3\n"));
    const first = await read();
    expect(bodies(await read())).toEqual(bodies(first));
    const text = JSON.stringify(bodies(first));
    const uuids = text.match(/"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}"/g);
    expect(new Set(uuids).size).toBe(6);
    expect(bodies(first).map((body) => (body as { description: string }).description)).toEqual([
      "1767225601 2026-01-01T00:00:01.000Z",
      "1767225602 2026-01-01T00:00:02.000Z",
      "1767225603 2026-01-01T00:00:03.000Z",
    ]);
    const other = await readForeignFile("c.json", collection('{"order_id": "{{$randomFullName}}"}'));
    expect(other.untaken[0]!.why).toContain("{{$randomFullName}}");
  });

  it("says once why a request has no body that can be taken, also with many rows", async () => {
    const item = [
      { mode: "urlencoded", urlencoded: [{ key: "a", value: "b" }] },
      { mode: "formdata", formdata: [] },
      { mode: "graphql", graphql: { query: "{x}" } },
      { mode: "file", file: { src: "/etc/passwd" } },
      { mode: "raw", raw: "{}", disabled: true },
      { mode: "raw", raw: "" },
      undefined,
    ].map((body, index) => ({ name: `r${index}`, request: { method: "POST", url: "x", body } }));
    const rows = await rowsOf("n.csv", "n\n1\n2\n");
    const { untaken, taken } = await readForeignFile("c.json", collection("", { item }), rows);
    expect(taken).toEqual([]);
    expect(untaken.map(({ why }) => why)).toEqual([
      "Its body is a form, not JSON.",
      "Its body is a form, not JSON.",
      "Its body is a query of GraphQL, not a check.",
      "Its body lies in another file; paste it into the request as raw.",
      "Its body is disabled.",
      "It has no body.",
      "It has no body.",
    ]);
  });

  it.each([
    ["text", '{"order_id": }', "Its body is no JSON that is taken: line 1, column 14"],
    ["a key twice", '{"amount": 1, "amount": 2}', "occurs twice"],
    ["a key of prototypes", '{"__proto__": {}}', "is not allowed"],
    ["deep nesting", "[".repeat(50_000), "nested deeper"],
  ])("refuses a body of %s in one sentence", async (_, raw, why) => {
    const { untaken } = await readForeignFile("c.json", collection(raw));
    expect(untaken).toHaveLength(1);
    expect(untaken[0]!.why).toContain(why);
    expect(untaken[0]!.why).toMatch(/^[^\n]*\.$/);
  });

  it("ends where variables grow without end, or contain themselves", async () => {
    const growing = Array.from({ length: 30 }, (_, index) => ({
      key: `v${index}`,
      value: `{{v${index + 1}}}`.repeat(64),
    }));
    const grown = await readForeignFile("c.json", collection('{"a": "{{v0}}"}', { variable: growing }));
    expect(grown.untaken[0]!.why).toBe("With its variables its body is larger than 64 KiB.");
    const circle = [
      { key: "a", value: "{{b}}" },
      { key: "b", value: "{{a}}" },
    ];
    const { untaken } = await readForeignFile("c.json", collection('{"a": "{{a}}"}', { variable: circle }));
    expect(untaken[0]!.why).toMatch(/^Nothing fills \{\{[ab]\}\};/);
  });

  it("names no card number and hides control characters", async () => {
    const { untaken } = await readForeignFile("c.json", collection("{{\u001b[31m}}"));
    expect(untaken[0]!.why).toContain("Nothing fills {{\\x1b[31m}};");
    const card = await readForeignFile("c.json", collection("{{4111 1111 1111 1111}} {{\u001b[31m}}"));
    expect(card.untaken[0]!.why).toMatch(/^It has a variable for card numbers or card verification data/);
  });

  it.each(["cvv", "card.cvv", "CVC2", "card.cvv.value", " security_code "])(
    "takes the variable {{%s}} from nowhere",
    async (name) => {
      const text = collection(`{"order_id": "{{${name}}}"}`, { variable: [{ key: name, value: "123" }] });
      const rows = await rowsOf("rows.json", JSON.stringify([{ [name]: "456" }]));
      for (const read of [
        await readForeignFile("c.json", text),
        await readForeignFile("c.json", text, rows),
      ]) {
        expect(read.taken).toEqual([]);
        expect(read.untaken[0]!.why).toContain("card verification data, which never belong here");
      }
    },
  );
});
