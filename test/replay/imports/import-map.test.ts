import { gzipSync } from "node:zlib";
import fc from "fast-check";
import spectrum from "csv-spectrum";
import { describe, expect, test } from "vitest";

import { LABELS } from "#src/contract/records/label.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { csvLine } from "#src/replay/csv.ts";
import { readFile } from "../reading.ts";
import { NO_WORDS, savedWords } from "#src/replay/imports/import-map.ts";
import { importText } from "./importing.ts";

const ORDERS = [
  "Order|Total|Cur|Card BIN|Last 4|When|TX_FRAUD|City",
  "A-1|57.16|EUR|411111|0042|2018-04-01 00:00:31|1|Kyiv",
  'A-2|"1,234.5"|usd|555555|4444|2018-07-02 03:30:00|0|New York',
].join("\n");
const MAP = [
  "Order=order_id",
  "Total=amount:major",
  "Cur=currency",
  "Card BIN=card.bin_card",
  "Last 4=card.cin_card",
  "When=at:Europe/Kyiv",
  "TX_FRAUD=outcome:1=fraud,0=good",
  "City=tags",
];
const SET = ["operation=payment"];
const TAKEN = [
  {
    at: "2018-03-31T21:00:31.000Z",
    tags: ["Kyiv"],
    outcome: "fraud",
    request: {
      operation: "payment",
      order_id: "A-1",
      amount: 5716,
      currency: 978,
      card: { bin_card: 411_111, cin_card: 42 },
    },
  },
  {
    at: "2018-07-02T00:30:00.000Z",
    tags: ["New", "York"],
    outcome: "good",
    request: {
      operation: "payment",
      order_id: "A-2",
      amount: 123_450,
      currency: 840,
      card: { bin_card: 555_555, cin_card: 4444 },
    },
  },
];

describe("a map", () => {
  test.each([
    ["|", "orders.csv"],
    [",", "orders.csv"],
    [";", "orders.txt"],
    ["\t", "orders.tsv"],
  ])("converts the columns of a table separated by %j", async (separator, name) => {
    const text = ORDERS.replaceAll("|", separator);
    expect(await importText(name, text, { map: MAP, set: SET })).toEqual({ payloads: TAKEN, untaken: [] });
  });

  test("converts dotted paths of JSON, numbers and lists among them, packed or not", async () => {
    const lines = [
      '{"id":"A-1","m":{"sum":57.16,"cur":"EUR"},"card":{"bin":411111,"end":"0042"},"ms":1522530031000,"bad":true,"in":{"city":["Kyiv"]}}',
      '{"id":"A-2","m":{"sum":"1234.5","cur":840},"card":{"bin":"555555","end":4444},"ms":1530491400,"bad":false,"in":{"city":["New York"]},"more":null}',
    ].join("\n");
    const words = {
      map: [
        "id=order_id",
        "m.sum=amount:major",
        "m.cur=currency",
        "card.bin=card.bin_card",
        "card.end=card.cin_card",
        "ms=at",
        "bad=outcome:true=fraud,*=good",
        "in.city=tags",
      ],
      set: SET,
    };
    for (const [name, text] of [
      ["orders.ndjson", lines],
      ["orders.json", `[${lines.replace("\n", ",")}]`],
      ["orders.ndjson.gz", gzipSync(lines)],
    ] as const) {
      expect(await importText(name, text, words), name).toEqual({ payloads: TAKEN, untaken: [] });
    }
  });

  test("over a table of ours with other headings gives what the table itself gives", async () => {
    const text = fc.stringMatching(/^[A-Za-z0-9 ,;"'|-]{1,12}$/).filter((each) => each.trim() !== "");
    const cells: Record<string, fc.Arbitrary<string>> = {
      name: text,
      at: fc
        .date({ min: new Date(0), max: new Date("2037-01-01"), noInvalidDate: true })
        .map((at) => at.toISOString()),
      tags: fc
        .array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 3 })
        .map((tags) => tags.join(";")),
      outcome: fc.constantFrom(...LABELS),
      expect: fc.constantFrom(...RECOMMENDATIONS),
      order_id: text,
      description: text,
      amount: fc.oneof(fc.nat().map(String), fc.constantFrom("57.16", "-1", "x")),
      currency: fc.constantFrom("980", "UAH", "eur", "036"),
      "payer.email": fc.constantFrom("ann@example.com", "nobody"),
      "card.bin_card": fc.constantFrom("411111", "012345", "4111111111111111"),
      "card.cin_card": fc.constantFrom("42", "0042", "0000", "12345"),
      "card.expiration_month": fc.constantFrom("1", "01", "13"),
    };
    const columns = fc
      .subarray(Object.keys(cells), { minLength: 2 })
      .filter((names) => names.includes("order_id"));
    const table = columns.chain((names) => {
      const row = names.map((name) => fc.oneof({ weight: 5, arbitrary: cells[name]! }, fc.constant("")));
      return fc.tuple(fc.constant(names), fc.array(fc.tuple(...row), { minLength: 1, maxLength: 5 }));
    });
    await fc.assert(
      fc.asyncProperty(table, async ([names, rows]) => {
        const body = rows.map(csvLine).join("");
        const own = await readFile("own.csv", csvLine(names) + body);
        const foreign = names.map((_, index) => `Spalte ${index}, =x`);
        const mapped = await importText("foreign.csv", csvLine(foreign) + body, {
          map: names.map((name, index) => `${foreign[index]}=${name}`),
        });
        const plain = await importText("own.csv", csvLine(names) + body);
        expect(mapped.payloads).toEqual(plain.payloads);
        expect(plain.payloads.map((envelope) => ({ ...envelope, name: undefined }))).toEqual(
          own.items.map(({ request, time, label, tags, expect: wanted }) => ({
            request,
            ...(time === undefined ? {} : { at: new Date(time).toISOString() }),
            ...(wanted === null ? {} : { expect: wanted }),
            ...(tags.length === 0 ? {} : { tags }),
            ...(label === undefined ? {} : { outcome: label }),
          })),
        );
        const complaints = own.rejected.map(({ origin, message }) => `${origin}: ${message}`);
        // Only an import can tell how a card number is reduced.
        const bare = (untaken: readonly string[]): string[] =>
          untaken
            .filter((line) => !line.endsWith(": It holds no payload."))
            .map((line) => line.replace(/^\w+|(?<=: ).*(?= holds a full card)|(?<=belongs here; ).*/g, "x"));
        expect(bare(plain.untaken)).toEqual(bare(complaints));
        expect(bare(mapped.untaken)).toEqual(bare(complaints));
      }),
      { numRuns: 60 },
    );
  });

  test("takes every file of the corpus csv-spectrum", async () => {
    const corpus = await new Promise<{ name: string; csv: Buffer; json: Buffer }[]>((resolve, reject) => {
      spectrum((error, data) => (error === null ? resolve(data) : reject(error)));
    });
    expect(corpus.length).toBeGreaterThan(8);
    for (const { name, csv, json } of corpus) {
      // Its quotes stand inside unquoted cells, which RFC 4180 forbids.
      if (name === "location_coordinates") continue;
      const rows = JSON.parse(json.toString()) as Record<string, string>[];
      const columns = Object.keys(rows[0]!);
      const { payloads, untaken } = await importText(`${name}.csv`, csv, {
        map: [`${columns[0]}=description`],
        ignore: columns.slice(1),
        set: ["order_id=o"],
      });
      expect(untaken, name).toEqual([]);
      const taken = payloads.map(({ request }) => (request as { description?: string }).description ?? "");
      const first = rows.filter((row) => Object.values(row).some((cell) => cell !== ""));
      expect(taken, name).toEqual(first.map((row) => row[columns[0]!]));
    }
  });

  test.each([
    [
      "a,order_id,b\n1,o,2",
      {},
      'no field takes the columns "a", "b"; map them with --map a=tags --map b=tags, or leave them out with --ignore a,b or --ignore-others; --guess prints a first map.',
    ],
    [
      "Card BIN,order_id\n1,o",
      {},
      "the column \"Card BIN\"; map it with --map 'Card BIN=card.bin_card', or leave it out with --ignore 'Card BIN' or --ignore-others; --guess",
    ],
    ["Payer_ID,order_id\n1,o", {}, "map it with --map Payer_ID=payer.payer_id, or"],
    ["order_id,order_id\n1,o", {}, 'the column "order_id" stands there twice'],
    ["a,order_id\n1,o", { map: ["a=order_id"] }, '"order_id", "a" would both become order_id'],
    [
      "a,order_id\n1,o",
      { map: ["b=amount"] },
      't.csv has no column "b", which the map names; it has "a", "order_id".',
    ],
    ["a\n1", { map: ["a"] }, "--map takes COLUMN=FIELD"],
    ["a\n1", { map: ["a=nothing"] }, 'cannot read "a=nothing"; the fields are name, expect, tags'],
    ["a\n1", { map: ["a=amount:euros"] }, '"euros" is no conversion to amount; there are major'],
    [
      "a\n1",
      { map: ["a=at:Europe/Atlantis"] },
      '"Europe/Atlantis" is no conversion to at; there are the names of zones',
    ],
    ...["DD.DD.YYYY", "DD.MM/YYYY", "DD.MM.YY", "DD.MM.YYYY Europe/Atlantis", "YYYY.MM.DD"].map(
      (word) => ["a\n1", { map: [`a=at:${word}`] }, `"${word}" is no conversion to at`] as const,
    ),
    [
      "a\n1",
      { map: ["a=outcome:1=fraud,0=good, 1=good"] },
      '" 1=good" in the values of outcome gives a value a second',
    ],
    ["a\n1", { map: ["a=outcome:1=fraud,0"] }, '"0" in the values of outcome has no VALUE=MEANING'],
    ["a\n1", { set: ["b=1"] }, '--set does not know the field "b"'],
    ["order_id,CVV\no,123", {}, "card verification data"],
    ["order_id,CVV\no,123", { ignore: ["CVV"], ignoreOthers: true }, "card verification data"],
    ["order_id,CVV\no,123", { reducePan: ["CVV"] }, "card verification data"],
    ["order_id,pan\no,4111111111111111", { ignoreOthers: true }, "--reduce-pan"],
    ["order_id,4111111111111111\no,1", { ignoreOthers: true }, "a card number as its name"],
    ["order_id,x\no,4111111111111111", { reducePan: ["number"] }, 'has no column "number"'],
    ["order_id,card.cvv.value\no,123", { ignoreOthers: true }, "card verification data"],
    ["order_id,card.number\no,4111111111111111", { ignoreOthers: true }, "--reduce-pan"],
    ["order_id,4111111111111111\no,1", { map: ["b=amount"] }, 'it has "order_id", "(left out)".'],
    ["order_id,4111.1111.1111.1111\no,1", {}, "a card number as its name"],
    ["5105,1051,0510,5100\n", {}, "leave them out with --ignore-others; --guess prints a first map."],
    ["a\n1", { ignore: ["4111", "1111", "1111", "1111"] }, "The map holds a full card number"],
  ] as const)("that does not fit %j %j is refused", async (text, words, sentence) => {
    await expect(importText("t.csv", text, words)).rejects.toThrow(sentence);
  });

  test("reads columns with any signs in them, however long, and reduces a column of two words", async () => {
    const columns = ["a=b", "a = name", "x=y:z", `b${" ".repeat(50_000)}c`, "=".repeat(20_000)];
    const rows = `${csvLine([...columns, "id"])}${csvLine(["1", "2", "3", "4", "5", "o"])}`;
    const map = [...columns.map((column) => `${column} = tags`), "id=order_id"];
    const { payloads } = await importText("t.csv", rows, { map });
    expect(payloads).toEqual([{ tags: ["1", "2", "3", "4", "5"], request: { order_id: "o" } }]);
    const reduced = await importText("t.csv", "order_id,card.number\no,4111111111111111", {
      reducePan: ["card.number"],
    });
    expect(reduced.payloads).toMatchObject([{ request: { card: { bin_card: 411_111, cin_card: 1111 } } }]);
  });

  test.each([
    [
      "amount,currency",
      "57.16,EUR",
      {},
      '"verdict payload import" reads 57.16 with --map "COLUMN=amount:major"',
    ],
    ["a,currency", "57.165,EUR", { map: ["a=amount:major"] }, "at most 2 decimals for EUR"],
    ["a,currency", "5,", { map: ["a=amount:major"] }, "--set currency=EUR"],
    ["a,currency", "5,XAU", { map: ["a=amount:major"] }, "needs a currency with decimals"],
    [
      "a,b",
      "yes,1",
      { map: ["a=outcome:1=fraud", "b=tags"] },
      "outcome has a value that the map does not name",
    ],
    ["a,b", "2026-03-29 03:30,1", { map: ["a=at:Europe/Kyiv", "b=tags"] }, "clocks in Europe/Kyiv left out"],
    [
      "a,b",
      "2026-10-25 03:30,1",
      { map: ["a=at:Europe/Kyiv", "b=tags"] },
      "clocks in Europe/Kyiv showed twice",
    ],
    ["a,b", "tomorrow,1", { map: ["a=at:Europe/Kyiv", "b=tags"] }, "at must be a time such as"],
    ["a,b", "31.12.2026,1", { map: ["a=at", "b=tags"] }, "at:DD.MM.YYYY or at:MM/DD/YYYY reads dates"],
    ["at,b", "31.12.2026,1", { map: ["b=tags"] }, "at:DD.MM.YYYY or at:MM/DD/YYYY reads dates"],
    ...["12/31/2026", "31/12/2026", "2026-12-31", "31.12.26", "30.02.2026", "12.31.2026", "1798675200"].map(
      (text) =>
        [
          "a,b",
          `${text},1`,
          { map: ["a=at:DD.MM.YYYY", "b=tags"] },
          "at must be DD.MM.YYYY, with a time such as 12:00:00 behind it or none.",
        ] as const,
    ),
    [
      "a,b",
      "29.03.2026 3:30,1",
      { map: ["a=at:DD.MM.YYYY Europe/Kyiv", "b=tags"] },
      "clocks in Europe/Kyiv left out",
    ],
    ["a,b", "4111111111111111,1", { map: ["a=card.bin_card", "b=tags"] }, "full card number"],
    ["a,b", "4111111111111111,1", { map: ["a=tags", "b=name"] }, "full card number"],
    ["a,b", "4111111111111112,1", { reducePan: ["a"], map: ["b=name"] }, "no card number of 12 to 19 digits"],
  ] as const)("does not take the row %s: %s", async (header, row, words, sentence) => {
    const text = `order_id,${header}\no,${row}\np,,\n`;
    const { payloads, untaken } = await importText("t.csv", text, words);
    expect(payloads).toEqual([{ request: { order_id: "p" } }]);
    expect(untaken).toEqual([expect.stringContaining(sentence)]);
    expect(untaken[0]).toMatch(/^t\.csv:2: /);
    expect(untaken[0]).not.toContain("411111111111");
  });

  test("in a service that reads whole major units takes whole amounts alone", async () => {
    const text = "order_id,a,currency\no,57,EUR\np,57.16,EUR\nq,58.00,EUR";
    const options = { profile: { amountUnit: "major" } };
    const { payloads, untaken } = await importText("t.csv", text, { map: ["a=amount:major"] }, options);
    expect(payloads).toMatchObject([{ request: { amount: 57 } }, { request: { amount: 58 } }]);
    expect(untaken).toHaveLength(1);
  });

  test("reads the decimals of the currency of a country where numbers are countries", async () => {
    const words = { map: ["a=amount:major"], set: ["currency=JP"] };
    const options = { profile: { currencyNumbering: "iso-3166-1" } };
    const { payloads } = await importText("t.csv", "order_id,a\no,57", words, options);
    expect(payloads).toMatchObject([{ request: { amount: 57, currency: 392 } }]);
  });

  test("takes the row numbers that a program wrote without a heading for a column as any other", async () => {
    const text = ",order_id\n0,o\n1,p\n";
    await expect(importText("t.csv", text)).rejects.toThrow('no field takes the column "column 1"');
    const { payloads } = await importText("t.csv", text, { ignore: ["column 1"] });
    expect(payloads).toHaveLength(2);
  });

  test("names a hundred of very many columns", async () => {
    const text = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(",");
    await expect(importText("t.csv", `${text}\n`)).rejects.toThrow('"c99" and 99900 more; map them');
    await expect(importText("t.csv", `${text}\n`, { map: ["d=tags"] })).rejects.toThrow(
      '"c99" and 99900 more.',
    );
  });

  test("of JSON knows the fields that only a later object has, in envelopes or not", async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `{"order_id":"o-${index}"}`);
    rows.push(
      '{"request":{"order_id":"x","payer":{"email":"ann@example.com"}},"name":"n"}',
      '{"order_id":"y","amount":1}',
    );
    const { payloads, untaken } = await importText("t.ndjson", rows.join("\n"));
    expect(untaken).toEqual([]);
    expect(payloads.slice(300)).toEqual([
      { name: "n", request: { order_id: "x", payer: { email: "ann@example.com" } } },
      { request: { order_id: "y", amount: 1 } },
    ]);
    const both = importText("t.ndjson", '{"a":"1","order_id":"2"}', { map: ["a=order_id"] });
    await expect(both).rejects.toThrow("would both become order_id");
  });

  test("does not take a mapped column that stands there twice", async () => {
    await expect(importText("t.csv", "a,a\n1,2", { map: ["a=order_id"] })).rejects.toThrow(
      "stands there twice",
    );
  });

  test("takes a constant in place of a column of that field", async () => {
    const { payloads } = await importText("t.csv", "order_id,operation\no,refund", { set: SET });
    expect(payloads).toEqual([{ request: { order_id: "o", operation: "payment" } }]);
  });

  test("of JSON leaves out all that is in a name, and says where a later object has more", async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `{"order_id":"o-${index}","meta":{"a":{"b":1}}}`);
    rows.push('{"order_id":"x","late":1}', '{"order_id":"y","meta":{"c":2}}', '{"order_id":"z","cvv":"123"}');
    const { payloads, untaken } = await importText("t.ndjson", rows.join("\n"), { ignore: ["meta"] });
    expect(payloads).toHaveLength(301);
    expect(untaken).toEqual([
      't.ndjson:301: It has "late", which the objects before it had not; map it, or add it to --ignore.',
      "t.ndjson:303: A column is for card verification data or has a card number as its name, and neither is ever read; take it out of the file.",
    ]);
  });

  test("of JSON loses no field of a later object to one that the map gives", async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `{"a":"o-${index}"}`);
    rows.push('{"a":"x","order_id":"y"}', '{"a":"z","operation":"refund"}');
    const { payloads, untaken } = await importText("t.ndjson", rows.join("\n"), {
      map: ["a=order_id"],
      set: SET,
    });
    expect(payloads).toHaveLength(300);
    expect(untaken.map((line) => line.slice(0, 30))).toEqual([
      't.ndjson:301: It has "order_id',
      't.ndjson:302: It has "operatio',
    ]);
  });

  test("keeps of a full card number BIN and last four alone, and never the number", async () => {
    const text =
      "order_id,Kartennummer,Summe\na,4111 1111 1111 1111,1\nb,5555-5555-5555-4444,2\nc,378282******0005,3\nd,,4\n";
    const words = { reducePan: ["Kartennummer"], map: ["Summe=amount"] };
    const { payloads, untaken } = await importText("t.csv", text, words);
    expect(untaken).toEqual([]);
    expect(payloads.map(({ request }) => (request as { card?: object }).card)).toEqual([
      { bin_card: 411_111, cin_card: 1111 },
      { bin_card: 555_555, cin_card: 4444 },
      { bin_card: 378_282, cin_card: 5 },
      undefined,
    ]);
  });
});

test.each([
  ["DD.MM.YYYY", "01.03.2026 12:30:05", "2026-03-01T12:30:05.000Z"],
  ["DD.MM.YYYY", "1.3.2026, 9:05", "2026-03-01T09:05:00.000Z"],
  ["MM/DD/YYYY", "01/03/2026 12:30:05", "2026-01-03T12:30:05.000Z"],
  ["DD-MM-YYYY Europe/Berlin", "01-07-2026 12:30", "2026-07-01T10:30:00.000Z"],
  ["DD.MM.YYYY Europe/Berlin", "01.03.2026", "2026-02-28T23:00:00.000Z"],
  ["DD.MM.YYYY Europe/Berlin", "01.03.2026 12:30:00 +05:00", "2026-03-01T07:30:00.000Z"],
])("a map with at:%s reads %s", async (order, text, at) => {
  const { payloads } = await importText("t.csv", `order_id;when\no;${text}`, { map: [`when=at:${order}`] });
  expect(payloads).toEqual([{ at, request: { order_id: "o" } }]);
});

test("of JSON rejects an object with card data alone, whatever is left out", async () => {
  const { payloads, untaken } = await importText(
    "t.ndjson",
    '{"order_id":"a"}\n{"order_id":"b","card":{"cvv":"123"}}\n{"order_id":"c","pan":"4111111111111111"}',
    { ignoreOthers: true, ignore: ["card"] },
  );
  expect(payloads).toEqual([{ request: { order_id: "a" } }]);
  expect(untaken).toEqual([
    expect.stringContaining("t.ndjson:2: A column is for card verification data"),
    expect.stringContaining('t.ndjson:3: The column "pan" is for full card numbers'),
  ]);
  const late = Array.from({ length: 300 }, () => '{"order_id":"a"}').join("\n");
  const read = await importText("t.ndjson", `${late}\n{"order_id":"x","cvv":"123"}`, { ignoreOthers: true });
  expect(read.untaken).toEqual([expect.stringContaining("t.ndjson:301: A column is for card verification")]);
});

describe("a template", () => {
  const template = JSON.stringify({
    name: "row-{{n}}",
    tags: ["imported", "{{city}}"],
    at: "{{when:Europe/Kyiv}}",
    request: {
      operation: "payment",
      order_id: "{{ order }}",
      amount: "{{sum:major}}",
      currency: 978,
      description: "{{city}}, {{n}}",
      card: { bin_card: "{{bin}}" },
    },
  });
  const rows = "n,city,when,order,sum,bin,note\n7,Kyiv,2026-01-15 12:00,o-7,57.16,411111,x\n8,,,o-8,1,,y";

  test("is filled by every row, and keeps the types of its fields", async () => {
    const { payloads, untaken } = await importText("t.csv", rows, { ignore: ["note"] }, { template });
    expect(untaken).toEqual([]);
    expect(payloads).toEqual([
      {
        name: "row-7",
        at: "2026-01-15T10:00:00.000Z",
        tags: ["imported", "Kyiv"],
        request: {
          operation: "payment",
          order_id: "o-7",
          amount: 5716,
          currency: 978,
          description: "Kyiv, 7",
          card: { bin_card: 411_111 },
        },
      },
      {
        name: "row-8",
        tags: ["imported"],
        request: { operation: "payment", order_id: "o-8", amount: 100, currency: 978, description: ", 8" },
      },
    ]);
  });

  test.each([
    [template, {}, 'no field takes the column "note"; leave it out with --ignore note'],
    [template.replace("{{city}}", "{{town}}"), { ignore: ["note"] }, 't.csv has no column "town"'],
    ['{"order_id":"o"}', {}, "one.json has no place for a column"],
    ['{"order":"{{n}}"}', {}, "one.json: order is no field of a payload"],
    ['{"amount":"{{n:euros}}"}', {}, '"euros" is no conversion to amount'],
    ['{"amount":"{{n:4111111111111111}}"}', {}, '"(left out)" is no conversion to amount'],
    ['{"4111111111111111":"{{n}}"}', {}, "one.json: (left out) is no field of a payload"],
    ["[]", {}, "one.json is no template"],
    ["{", {}, "one.json: Line 1"],
  ])("%s with %j is refused where it does not fit", async (text, words, sentence) => {
    await expect(importText("t.csv", rows, words, { template: text })).rejects.toThrow(sentence);
  });

  test("reads a place that never ends, of many blanks, as text", async () => {
    const endless = `{{${" ".repeat(60_000)}`;
    const text = JSON.stringify({ name: "{{n}}", request: { order_id: "{{order}}", description: endless } });
    const { untaken } = await importText("t.csv", rows, { ignoreOthers: true }, { template: text });
    expect(untaken).toHaveLength(2);
  });
});

describe("what a file may hold", () => {
  test.each([
    "",
    "\0\0",
    "{",
    "[",
    "[1,2]",
    '{"a":',
    "\ufeff",
    "a",
    'a,b\n"x',
    "a\n".repeat(3),
    "\n\n\n",
    '{"log":{"entries":',
    "{}\n{}\n",
  ])("%j ends with a sentence or with payments, not with an error", async (text) => {
    for (const name of ["t", "t.csv", "t.json", "t.ndjson", "t.har", "t.yaml"]) {
      try {
        const { untaken } = await importText(name, text, { ignoreOthers: true });
        for (const line of untaken) expect(line).toMatch(/^t\S*?: .*\.$/);
      } catch (error) {
        expect((error as { code?: string }).code, String(error)).toMatch(/usage|bad_input/);
      }
    }
  });

  test("a document that is cut off is said to be so, and not a file of which one line is", async () => {
    const untaken = async (name: string, text: string): Promise<readonly string[]> =>
      (await importText(name, text)).untaken;
    expect(await untaken("t.json", '{"order_id":"a",')).toEqual([
      expect.stringContaining("the file is cut off"),
    ]);
    const [line, ...more] = await untaken("t.ndjson", '{"order_id":"a",\n{"order_id":"b"}\n');
    expect(line).toMatch(/^t\.ndjson:1: /);
    expect(line).not.toContain("cut off");
    expect(more).toEqual([]);
  });

  test("bytes of any kind end so, too", async () => {
    const word = fc.constantFrom(
      ...Array.from("{}[],:\"'\\\n\r\t|;=ab1é\u{202e}\0"),
      "order_id",
      "amount",
      "4111111111111111",
      "null",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 60 }), async (words) => {
        try {
          const { payloads, untaken } = await importText("t", words.join(""), { ignoreOthers: true });
          expect(JSON.stringify([payloads, untaken])).not.toMatch(/(?<!\d)4111111111111111(?!\d)/);
        } catch (error) {
          expect((error as { code?: string }).code, String(error)).toMatch(/usage|bad_input/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a saved map", () => {
  const read = (text: string) => savedWords(new TextEncoder().encode(text), "shop.json");

  test("may leave out what it does not say", () => {
    const map = ["Total=amount"];
    expect(read(JSON.stringify({ map }))).toEqual({ ...NO_WORDS, map });
  });

  test.each([
    ["[]", "shop.json is no map; name"],
    ['{"maps":[]}', 'because unknown key "maps" in the map'],
    ['{"map":[1]}', "because an item of map must be a text"],
    ['{"ignoreOthers":"yes"}', "because ignoreOthers must be true or false"],
  ])("that is %s is refused for what is wrong", (text, why) => {
    expect(() => read(text)).toThrow(why);
  });
});
