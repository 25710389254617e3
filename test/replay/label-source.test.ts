import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { LABELS, type OrderLabel } from "#src/contract/records/label.ts";
import { csvLine } from "#src/replay/csv.ts";
import { IS_EMPTY } from "#src/replay/sources/source-text.ts";
import { readLabels, type LabelLine } from "#src/replay/sources/label-source.ts";
import { folderOf } from "./reading.ts";

const NEVER = new AbortController().signal;

async function read(content: string | Uint8Array, name: string = "labels.csv"): Promise<LabelLine[]> {
  return await Array.fromAsync(readLabels(join(folderOf({ [name]: content }), name), NEVER));
}

/** What is rejected of it, as `line: sentence`. */
async function complaints(content: string, name?: string): Promise<string[]> {
  return (await read(content, name)).map((line) =>
    "message" in line ? `${line.origin}: ${line.message}` : `taken: ${line.orderId}`,
  );
}

const AT = Date.UTC(2026, 2, 1, 12);
const CARD = ["4111", "1111", "1111", "1111"].join("");

async function mapped(content: string, ...map: readonly string[]): Promise<unknown[]> {
  const path = join(folderOf({ "disputes.csv": content }), "disputes.csv");
  const lines = await Array.fromAsync(readLabels(path, NEVER, () => undefined, map));
  return lines.map((line) => ("message" in line ? line.message : [line.orderId, line.label, line.at]));
}

describe("a map", () => {
  const MAP = [
    "Payment=order_id",
    "Reason=outcome:stolen=fraud,1=fraud,*=chargeback,empty=good",
    "On=at:DD.MM.YYYY",
  ];
  const WANTED = [
    ["o-1", "fraud", Date.UTC(2026, 2, 1)],
    ["o-2", "chargeback", null],
    ["o-3", "good", null],
  ];

  test("reads columns and words of another program, and leaves out other columns", async () => {
    const text = "Payment,Card,Reason,On\no-1,x,stolen,01.03.2026\no-2,,duplicate,\no-3,,,\n";
    expect(await mapped(text, ...MAP)).toEqual(WANTED);
    const lines =
      '{"Payment":"o-1","Reason":1,"On":"01.03.2026","x":{"y":1}}\n{"Payment":"o-2","Reason":"?"}\n{"Payment":"o-3"}\n';
    expect(await mapped(lines, ...MAP)).toEqual(WANTED);
  });

  test("says which row has no label, and which column the file does not have", async () => {
    const text = "Payment,Reason\no-1,x\n,stolen\n";
    const found = await mapped(text, "Payment=order_id", "Reason=outcome:stolen=fraud");
    expect(found).toEqual([
      expect.stringContaining("outcome has a value that the map does not name"),
      expect.stringContaining("order_id"),
    ]);
    await expect(mapped(text, "Id=order_id")).rejects.toThrow('has no column "Id"');
    await expect(mapped(text, "Payment")).rejects.toThrow("--map takes COLUMN=FIELD");
  });

  test("is not needed for a label in capitals", async () => {
    expect(await read("order_id,outcome\no,Fraud\n")).toMatchObject([{ label: "fraud" }]);
  });
});

describe("forms", () => {
  const taken = [
    { orderId: "a-1", label: "fraud", at: AT },
    { orderId: "A-1", label: "good", at: null },
  ];
  test.each([
    ["commas", "order_id,outcome,at\na-1,fraud,2026-03-01T12:00:00Z\nA-1,good,\n"],
    [
      "semicolons, CRLF and a byte order mark",
      "\uFEFForder_id;outcome;at\r\na-1;fraud;2026-03-01 12:00\r\nA-1;good;\r\n",
    ],
    [
      "tabs, other order, quotes, blank rows",
      '\nat\toutcome\torder_id\n1772366400\tfraud\t"a-1"\n\t\t\n\tgood\tA-1',
    ],
    [
      "lines of JSON",
      '{"order_id":"a-1","outcome":"fraud","at":1772366400000}\n\n{"order_id":"A-1","outcome":"good"}',
    ],
    [
      "a list of JSON",
      '[{"order_id":"a-1","outcome":"fraud","at":"2026-03-01T12:00:00Z"},\n{"order_id":"A-1","outcome":"good"}]',
    ],
  ])("%s", async (_name, text) => {
    expect(await read(text)).toEqual(taken);
    expect(await read(gzipSync(text), "labels.gz")).toEqual(taken);
  });

  test("read what is written, exactly, as an independent parser does", async () => {
    const label: fc.Arbitrary<OrderLabel> = fc.record({
      orderId: fc
        .string({ unit: "grapheme-composite", minLength: 1, maxLength: 20 })
        .filter((text) => !/[\r\n\0]/.test(text)),
      label: fc.constantFrom(...LABELS),
      at: fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: null }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(label, { minLength: 1, maxLength: 5 }), async (labels) => {
        const time = (at: number | null): string => (at === null ? "" : new Date(at).toISOString());
        const rows = labels.map(({ orderId, label: outcome, at }) => [orderId, outcome, time(at)]);
        const text = [["order_id", "outcome", "at"], ...rows].map(csvLine).join("");
        const cells: string[][] = parse(text, { from_line: 2 });
        expect(cells.map(([, outcome]) => outcome)).toEqual(labels.map((each) => each.label));
        expect(await read(text)).toEqual(labels);
      }),
      { numRuns: 50 },
    );
  });
});

test("each bad line is named with its reason, and affects no other", async () => {
  const lines = [
    "order_id,outcome,at",
    "a-1,stolen,",
    ",fraud,",
    "a-2,,",
    "a-3,fraud,yesterday",
    `${CARD},fraud,`,
    "a-4,fraud",
    '"a-5,fraud,',
    `${"x".repeat(129)},fraud,`,
    "a-6,refund,2026-03-01",
  ];
  const found = await complaints(lines.join("\n"));
  expect(found).toEqual([
    'labels.csv:2: "stolen" is no label; write fraud, chargeback, refund or good.',
    "labels.csv:3: It names no order_id.",
    "labels.csv:4: It names no label; write fraud, chargeback, refund or good.",
    expect.stringMatching(/^labels\.csv:5: "yesterday" is no time; write 2026-/),
    "labels.csv:6: order_id holds a full card number, which never belongs here.",
    "labels.csv:7: The row has 2 cells where the header has 3.",
    "labels.csv:8: A quote is not closed.",
    expect.stringMatching(/^labels\.csv:9: .*128 characters/),
    "taken: a-6",
  ]);
  expect(found.join()).not.toContain(CARD);
});

test.each([
  ['{"order_id":7,"outcome":"fraud"}', "labels.csv:1: order_id must be a text."],
  ['{"order_id":"a","outcome":"fraud","amount":1}', 'labels.csv:1: "amount" is no known key'],
  [`{"order_id":"a","outcome":"fraud","note":"${CARD}"}`, 'labels.csv:1: "note" is no known key'],
  [`{"order_id":"a","outcome":"${CARD}"}`, "labels.csv:1: It holds a full card number"],
  ['{"order_id":"a","outcome":"fraud","outcome":"good"}', "labels.csv:1: Column "],
  ['{"order_id":"\\u0000","outcome":"fraud"}', "labels.csv:1: order_id holds a character that is no text."],
  ["{}\n[]", "labels.csv:2: It is no JSON object."],
])("the line %j is refused", async (text, sentence) => {
  const found = await complaints(text);
  expect(found.at(-1)).toContain(sentence);
  expect(found.join()).not.toContain(CARD);
});

test.each([
  ["[]", "labels.csv: It holds no label of a payment."],
  ["", `labels.csv: ${IS_EMPTY}`],
  ["order_id,outcome\n", "labels.csv: It holds no label of a payment."],
  ["order_id,at\na,1\n", "labels.csv: The first line names no column outcome"],
  ["order_id,outcome,amount\n", 'labels.csv: "amount" is no known column'],
  ["order_id,outcome,at,at\n", "labels.csv: The column at stands there twice"],
  [`order_id,outcome,${CARD}\n`, "labels.csv: It holds a full card number"],
  ['order_id,"outcome\na,fraud\n', "labels.csv: A quote is not closed."],
  ['[{"order_id":"a","outcome":"fraud"},', "labels.csv: "],
  ["PK\u0003\u0004", "labels.csv: It is a ZIP file or a spreadsheet"],
])("the file %j is refused whole", async (text, sentence) => {
  const fault = await read(text).catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "bad_input", message: expect.stringContaining(sentence) });
  expect((fault as Error).message).not.toContain(CARD);
});

test("a cut file is refused, after the whole lines before", async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `order-${at * 7919},fraud`).join("\n");
  const packed = gzipSync(`order_id,outcome\n${rows}`);
  const path = join(folderOf({ "labels.gz": packed.subarray(0, packed.length - 1_000) }), "labels.gz");
  const found: LabelLine[] = [];
  const reading = async (): Promise<void> => {
    for await (const line of readLabels(path, NEVER)) found.push(line);
  };
  await expect(reading()).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining("cut off or damaged"),
  });
  expect(found.length).toBeGreaterThan(100);
  expect(found.every((line) => "orderId" in line && /^order-\d+$/.test(line.orderId))).toBe(true);
});

test("a file that is not there is a usage fault", async () => {
  await expect(Array.fromAsync(readLabels("/no/such/labels.csv", NEVER))).rejects.toMatchObject({
    code: "usage",
  });
});
