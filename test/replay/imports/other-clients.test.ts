// Files of other HTTP clients are told by name; tables as spreadsheets write them are read.

import { expect, it, test } from "vitest";
import { readStdin } from "../reading.ts";
import { importText } from "./importing.ts";
import { readForeignFile } from "./reading-foreign.ts";

const BODY = '{"operation":"payment","order_id":"p-1","amount":4900,"currency":978}';
const POST = { method: "POST", url: "https://shop.example.com/v1/check" };

const FILES: readonly (readonly [named: string, name: string, text: string])[] = [
  [
    "an export of Bruno",
    "x.json",
    JSON.stringify({ version: "1", name: "X", items: [{ type: "http", request: POST }] }),
  ],
  ["an export of Bruno", "x.bru", `meta {\n  name: pay\n  type: http\n}\n\nbody:json {\n  ${BODY}\n}\n`],
  ["an export of Insomnia", "x.json", JSON.stringify({ _type: "export", __export_format: 4, resources: [] })],
  ["an export of Hoppscotch", "x.json", JSON.stringify({ v: 2, name: "X", folders: [], requests: [] })],
  ["an export of Hoppscotch", "list.json", JSON.stringify([{ v: 2, name: "X", folders: [], requests: [] }])],
  [
    "collection of version 1",
    "x.json",
    JSON.stringify({ id: "1", name: "X", order: ["a"], requests: [{ id: "a", ...POST }] }),
  ],
  [
    "journal of WireMock",
    "x.json",
    JSON.stringify({ requests: [{ id: "1", request: { ...POST, body: BODY } }] }),
  ],
  [
    "a text of HTTP",
    "x.http",
    `### pay\nPOST https://shop.example.com/v1/check\nContent-Type: application/json\n\n${BODY}\n`,
  ],
  ["a text of HTTP", "x.hurl", `POST {{host}}/v1/check\n${BODY}\nHTTP 200\n`],
];

test.each(FILES)("%s: %s", async (named, name, text) => {
  const { rows, taken, untaken } = await readForeignFile(name, text);
  expect([rows, taken]).toEqual([[], []]);
  expect(untaken).toEqual([
    {
      place: expect.any(String),
      why: expect.stringMatching(/^It looks like .*; (?:export|write) .* import that\.$/),
    },
  ]);
  expect(untaken[0]!.why).toContain(named);
  if (name.endsWith("json")) return;
  const { rejected } = await readStdin(text);
  expect(rejected[0]!.message).toContain(named);
});

test.each([
  { name: "Ann", items: [{ sku: 1 }], total: 5 },
  { order: ["a"], requests: [1] },
  { folders: [], requests: ["x"] },
])("rows of other programs are none of these: %j", async (row) => {
  const { rows, untaken } = await readForeignFile("x.ndjson", `${JSON.stringify(row)}\n{}\n`);
  expect(untaken).toEqual([]);
  expect(rows).toHaveLength(2);
});

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
function collection(raw: string): object {
  return {
    info: { name: "X", schema: SCHEMA },
    item: [{ name: "pay", request: { method: "POST", body: { mode: "raw", raw } } }],
  };
}

test.each([
  ["as Postman's API gives it", { collection: collection(BODY) }],
  ["with comments", collection(BODY.replace("{", "{ // the operation\n").replace(",", ", /* id\n*/ "))],
  ["with what only looks like a comment", collection(BODY.replace("p-1", 'http://p /* 1 */ \\" // '))],
])("a Postman collection %s", async (_, document) => {
  const { taken, untaken } = await readForeignFile("x.json", JSON.stringify(document));
  expect(untaken).toEqual([]);
  const id = JSON.stringify(document).includes("http://p") ? 'http://p /* 1 */ " // ' : "p-1";
  expect(taken.map(({ body }) => body.value)).toEqual([{ ...JSON.parse(BODY), order_id: id }]);
});

const TABLE = { map: ["Total=amount:major-comma", "Ccy=currency"], set: ["operation=payment"] };

test.each([
  ["sep=;\r\nOrder;Total;Ccy\r\nA-1;57,16;EUR\r\n", "Order"],
  ["sep=\tx\nOrder;Total;Ccy\nA-1;57,16;EUR\n", null],
  ['"Order\nid";Total;Ccy\nA-1;57,16;EUR\n', "Order\nid"],
  ['"Order, id";Total;Ccy\nA-1;57,16;EUR\n', "Order, id"],
  ['"Order, the\n""first""\nid"|Total|Ccy\nA-1|57,16|EUR\n', 'Order, the\n"first"\nid'],
])("a table with a first line of its own: %j", async (text, column) => {
  const words = { ...TABLE, map: [...TABLE.map, `${column}=order_id`] };
  if (column === null) {
    await expect(importText("t.csv", text, words)).rejects.toThrow("has no columns");
    return;
  }
  const { payloads, untaken } = await importText("t.csv", text, words);
  expect(untaken).toEqual([]);
  expect(payloads).toEqual([
    { request: { operation: "payment", order_id: "A-1", amount: 5716, currency: 978 } },
  ]);
});

it("lines that end in carriage returns alone are told", async () => {
  const { untaken } = await readForeignFile("t.csv", "Order;Total;Ccy\rA-1;57,16;EUR");
  expect(untaken).toEqual([{ place: "t.csv", why: expect.stringMatching(/carriage returns alone/) }]);
});

it("a word for nothing is left out, and other values stay, with NULL=,*=*", async () => {
  const text =
    "operation,order_id,amount,currency,payer.payer_id\npayment,a,1,980,NULL\npayment,b,1,980,c-7\n";
  const word = (values: string) => ({ map: [`payer.payer_id=payer.payer_id:${values}`] });
  const { payloads } = await importText("t.csv", text, word("NULL=,*=*"));
  expect(payloads.map(({ request }) => (request as { payer?: object }).payer)).toEqual([
    undefined,
    { payer_id: "c-7" },
  ]);
  const { untaken } = await importText("t.csv", text, word("NULL="));
  expect(untaken).toEqual([expect.stringContaining("*=* to keep all others as they are")]);
});
