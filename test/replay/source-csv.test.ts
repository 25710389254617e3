import { join } from "node:path";
import { parse } from "csv-parse/sync";
import spectrum from "csv-spectrum";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { csvLine, plainCell } from "#src/replay/csv.ts";
import { CsvRecord } from "#src/replay/sources/source-csv-record.ts";
import { complaints, folderOf, orders, readAll, readFile, readStdin, type Read } from "./reading.ts";

/** All records of a text, as the reader of tables takes them, or the first problem. */
function records(text: string, separator: string = ","): string[][] | string {
  const found: string[][] = [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let record: CsvRecord | null = null;
  for (const line of lines) {
    record ??= new CsvRecord(separator);
    const state = record.feed(line);
    if (typeof state === "object") return state.problem;
    if (state === "done") {
      found.push(record.cells);
      record = null;
    }
  }
  return record === null ? found : "open";
}

describe("records", () => {
  test("agree with the corpus csv-spectrum", async () => {
    const corpus = await new Promise<{ name: string; csv: Buffer; json: Buffer }[]>((resolve, reject) => {
      spectrum((error, data) => (error === null ? resolve(data) : reject(error)));
    });
    expect(corpus.length).toBeGreaterThan(8);
    for (const { name, csv, json } of corpus) {
      const found = records(csv.toString());
      // Quotes inside an unquoted cell, which RFC 4180 forbids (section 2, rule 5), in bytes that are no UTF-8.
      if (name === "location_coordinates") {
        expect(found).toContain("A quote may stand only at the start of a cell");
        continue;
      }
      const [header, ...rows] = found as string[][];
      const read = rows.map((row) => Object.fromEntries(row.map((cell, index) => [header![index], cell])));
      expect(read, name).toEqual(JSON.parse(json.toString()));
    }
  });

  test("read what is exported, exactly", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
      fc
        .array(fc.constantFrom(...Array.from("=+-@\t\r\n'\",; ax1")), { maxLength: 8 })
        .map((pieces) => pieces.join("")),
    );
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(table, (rows) => {
        const read = records(rows.map(csvLine).join(""));
        expect((read as string[][]).map((row) => row.map(plainCell))).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });

  test("are those of another reader wherever both take a text", () => {
    const piece = fc.constantFrom('"', '""', ",", "\n", "\r\n", "a", " ", ";");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const ours = records(text);
        let peers: string[][] | null;
        try {
          peers = parse(text, { relax_column_count: true, record_delimiter: ["\r\n", "\n"] });
        } catch {
          peers = null;
        }
        if (typeof ours !== "string" && peers !== null) expect(ours).toEqual(peers);
        // It lets text stand behind an unfinished quoted cell in some places; ours must never take more than it does.
        if (peers === null) expect(typeof ours).toBe("string");
      }),
      { numRuns: 800 },
    );
  });
});

describe("a table of payloads", () => {
  test("what became of a payment, and no other word for it", async () => {
    const { items, rejected } = await readFile(
      "t.csv",
      "order_id,outcome\na-1,fraud\na-2,\na-3,stolen\na-4,good\n",
    );
    expect(items.map(({ request, label }) => [request.order_id, label])).toEqual([
      ["a-1", "fraud"],
      ["a-2", undefined],
      ["a-4", "good"],
    ]);
    expect(items.every(({ request }) => !("outcome" in request))).toBe(true);
    expect(rejected.map(({ origin }) => origin)).toEqual(["t.csv:4"]);
  });

  test("names, expectations, tags, every type of field", async () => {
    const text = [
      "name,expect,tags,order_id,amount,currency,payer.number_phone,card.cin_card,request.card.bin_card,description",
      `first,block,"new; odd,x",a-1,12000,UAH,+380501234567,0042,444433,"two`,
      `lines, ""quoted"""`,
      ",,,a-2,0,036,'+380501234567,,,'=x",
      ",,,,,,,,,",
      "",
    ].join("\r\n");
    const { items, rejected } = await readFile("t.csv", `\ufeff${text}`);
    expect(rejected).toEqual([]);
    expect(items).toMatchObject([
      {
        seq: 1,
        key: "first",
        origin: "t.csv:2",
        expect: "block",
        tags: ["new", "odd", "x"],
        request: {
          order_id: "a-1",
          amount: 12000,
          currency: 980,
          payer: { number_phone: "+380501234567" },
          card: { cin_card: 42, bin_card: 444433 },
          description: 'two\r\nlines, "quoted"',
        },
      },
      { key: "a-2", origin: "t.csv:4", expect: null, tags: [] },
    ]);
    expect(items[1]!.request).toEqual({
      order_id: "a-2",
      amount: 0,
      currency: 36,
      payer: { number_phone: "+380501234567" },
      description: "=x",
    });
  });

  test.each([
    ["semicolons", "order_id;description\na-1;1,5\n"],
    ["tabs", "order_id\tdescription\na-1\t1,5\n"],
  ])("with %s", async (_name, text) => {
    const { items } = await readFile("t.csv", text);
    expect(items[0]!.request).toEqual({ order_id: "a-1", description: "1,5" });
  });

  test("a bad row is told by the number of its line, and the rest goes on", async () => {
    const text = [
      "order_id,amount,description",
      "a-1,1e3,",
      "a-2,12",
      "a-3,12,x,y",
      'a-4,12,5" pipe',
      'a-5,12,"x"y',
      'a-6,12,"never closed',
      "a-7,12,fine",
      'a-8,12,"two',
      'lines"',
      "a-9,9007199254740993,",
      "a-10,-1,",
      "a-11,12,fine",
      'a-12,12,"the end',
    ].join("\n");
    const read = await readFile("t.csv", text);
    // The quote of line 7 ends at the one of line 9: nobody can tell before its record turns out to be bad.
    expect(orders(read)).toEqual(["a-7", "a-8", "a-11"]);
    expect(read.items[1]!.origin).toBe("t.csv:9");
    expect(read.rejected.map(({ origin }) => Number(origin.slice("t.csv:".length)))).toEqual([
      2, 3, 4, 5, 6, 7, 11, 12, 14,
    ]);
    expect(complaints(read).at(-1)).toBe("t.csv:14: A quote is not closed.");
  });

  test("a quote that is never closed costs its line alone, however long the file", async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `r-${index},some description that takes room`);
    const read = await readStdin(["order_id,description", 'bad,"open', ...rows].join("\n"));
    expect(read.items).toHaveLength(rows.length);
    expect(complaints(read)).toEqual(["stdin:2: A quote is not closed within 1 MiB."]);
  });

  test("a line that is not UTF-8, or too long, costs itself alone", async () => {
    const bytes = Buffer.concat([
      Buffer.from("order_id,description\na-1,ї\na-2,"),
      Buffer.from([0xff]),
      Buffer.from(`\na-3,${"x".repeat(1 << 20)}\na-4,₴\n`),
    ]);
    const read = await readFile("t.csv", bytes);
    expect(orders(read)).toEqual(["a-1", "a-4"]);
    expect(complaints(read)).toEqual([
      "t.csv:3: The line is not valid UTF-8 text; save the file as UTF-8.",
      "t.csv:4: The line is longer than 1 MiB.",
    ]);
  });

  test.each([
    [
      "order_id,amuont\n1,2",
      '"amuont" is no known column; leave it out with --ignore-columns "amuont", or rename it: the columns are name, expect, tags, at, outcome, operation, order_id,',
    ],
    [
      "is_fraud,order_id,status\n1,2,3",
      '"is_fraud", "status" are no known columns; leave them out with --ignore-columns "is_fraud,status", or rename them:',
    ],
    ["order_id,\n1,2", "Column 2 has no name; the columns are name"],
    ["order_id,request.order_id\n1,2", "The column request.order_id stands there twice"],
    ["order_id,constructor\n1,2", '"constructor" is no known column'],
    ['"order_id\n1', "A quote is not closed."],
  ])("a bad header is told once: %j", async (text, message) => {
    const read = await readFile("t.csv", text);
    expect(read.items).toEqual([]);
    expect(complaints(read)).toEqual([expect.stringContaining(`t.csv:1: ${message}`)]);
  });

  test("leaves columns out that are named, but none for card numbers", async () => {
    const ignoredColumns = ["is_fraud", "status", "card_number"];
    const read = async (text: string): Promise<Read> =>
      readAll(join(folderOf({ "t.csv": text }), "t.csv"), { places: { ignoredColumns } });
    const { items } = await read("is_fraud,order_id,status,amount\n1,a-1,paid,5\n0,a-2,,7\n");
    expect(items.map(({ request }) => request)).toEqual([
      { order_id: "a-1", amount: 5 },
      { order_id: "a-2", amount: 7 },
    ]);
    expect(complaints(await read("card_number,order_id\n1,2"))).toEqual([
      expect.stringContaining("A column for card numbers"),
    ]);
  });

  test("is the same however it is cut", async () => {
    const text = 'order_id,description\r\na-1,"ї\r\n₴, ""x"""\r\na-2,"open\r\na-3,x\r\n';
    const whole = await readStdin(text);
    expect(orders(whole)).toEqual(["a-1", "a-3"]);
    for (const size of [1, 2, 3, 5, 7]) expect(await readStdin(text, size)).toEqual(whole);
  });
});
