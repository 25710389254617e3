import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { fileChunks } from "#src/replay/sources/source-files.ts";
import { IS_EMPTY } from "#src/replay/sources/source-text.ts";
import { readSources, type SourceReading } from "#src/replay/sources/source.ts";
import {
  complaints,
  each,
  folderOf,
  orders,
  payload,
  PAYLOAD,
  places,
  readAll,
  readFile,
  readStdin,
} from "./reading.ts";

const CARD_NUMBER = "4111111111111111";

describe("one JSON object", () => {
  test("a request", async () => {
    const { items } = await readFile("one.json", JSON.stringify(PAYLOAD, null, 2));
    expect(items).toEqual([
      { seq: 1, key: "a-1", origin: "one.json", request: PAYLOAD, expect: null, tags: [], was: null },
    ]);
  });

  test("an envelope, behind a byte order mark", async () => {
    const envelope = { name: "first", expect: "block", tags: ["x"], request: PAYLOAD };
    const { items } = await readFile("one.json", `\ufeff${JSON.stringify(envelope)}`);
    expect(items).toMatchObject([{ key: "first", expect: "block", tags: ["x"], request: PAYLOAD }]);
  });

  test("tells line and column of a fault", async () => {
    expect(complaints(await readFile("one.json", '{\n  "amount": 1,\n  "amount": 2\n}'))).toEqual([
      'one.json: Line 3, column 3: the key "amount" occurs twice.',
    ]);
  });

  test("is refused beyond 64 KiB, and beyond 5 MiB without being kept", async () => {
    expect(complaints(await readFile("one.json", payload({ description: "x".repeat(70_000) })))[0]).toContain(
      "65536",
    );
    expect(complaints(await readFile("one.json", `{"a":"${"x".repeat(6 << 20)}"}`))).toEqual([
      "one.json: It is larger than 5 MiB; split it, or write one payload a line as .ndjson.",
    ]);
  });

  test("with more of them behind it is one object a line", async () => {
    const both = `${payload()}\n${payload({ order_id: "a-2" })}\n`;
    expect(orders(await readFile("export.json", both))).toEqual(["a-1", "a-2"]);
  });
});

describe("one object a line", () => {
  test.each([
    ["line feeds", "\n", "\n"],
    ["CRLF", "\r\n", "\r\n"],
    ["no line feed at the end", "\n", ""],
    ["empty lines", "\n\n \n", "\n\n"],
  ])("with %s", async (_name, between, end) => {
    const text = ["a-1", "a-2", "a-3"].map((order_id) => payload({ order_id })).join(between) + end;
    const read = await readFile("many.ndjson", `\ufeff${text}`);
    expect(orders(read)).toEqual(["a-1", "a-2", "a-3"]);
    expect(read.rejected).toEqual([]);
  });

  const BAD: [string, string][] = [
    ['{"amount":1,"amount":2}', 'Column 13: the key "amount" occurs twice.'],
    ['{"amount":1e3}', "amount must be a whole number"],
    ['{"amount":9007199254740993}', "amount must be a whole number"],
    ['{"amount":"12"}', "amount must be a whole number"],
    ['{"__proto__":{}}', '"__proto__" is not allowed'],
    ["[1]", "A check request is a JSON object, not a list."],
    ["{", "Column 2: the text ends"],
    ["\ufeff{}", "Column 1"],
    ['{"name":"x","request":{},"expect":"PASS"}', '"expect" must be pass, block or 3ds_or_block.'],
    ['{"name":"x","request":{},"more":1}', '"more" does not belong in an envelope'],
    [`{"a":${"[".repeat(17)}${"]".repeat(17)}}`, "deeper than 16"],
    [`{"description":"${"x".repeat(1 << 20)}"}`, "The line is longer than 1 MiB."],
  ];

  test("a bad line is told by its number, and the rest goes on", async () => {
    const lines = BAD.flatMap(([line]) => [line, payload()]);
    const read = await readFile("bad.ndjson", lines.join("\n"));
    expect(read.items).toHaveLength(BAD.length);
    expect(read.items.map((item) => item.seq)).toEqual(BAD.map((_, index) => index + 1));
    for (const [index, [, message]] of BAD.entries()) {
      expect(read.rejected[index]!.origin).toBe(`bad.ndjson:${2 * index + 1}`);
      expect(read.rejected[index]!.message).toContain(message);
    }
  });

  test("a line that is not UTF-8 costs itself alone", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${payload({ description: "ї" })}\n{"description":"`),
      Buffer.from([0xc3, 0x28]),
      Buffer.from(`"}\n${payload({ order_id: "a-2", description: "₴" })}\n`),
    ]);
    const read = await readFile("bytes.ndjson", bytes);
    expect(read.items.map((item) => item.request.description)).toEqual(["ї", "₴"]);
    expect(complaints(read)).toEqual([
      "bytes.ndjson:2: The line is not valid UTF-8 text; save the file as UTF-8.",
    ]);
  });

  test("strict stops at the first bad line, and gives what stands before it", async () => {
    const path = join(folderOf({ "s.ndjson": `${payload()}\n{}x\n${payload()}\n` }), "s.ndjson");
    const seen: number[] = [];
    const reading = readSources([path], places(), { strict: true });
    const all = async (): Promise<void> => {
      for await (const line of reading.lines) if ("item" in line) seen.push(line.item.seq);
    };
    await expect(all()).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/^s\.ndjson:2: Column 3: /),
    });
    expect(seen).toEqual([1]);
  });

  test("says as much of a bad line when it is strict as otherwise", async () => {
    const text = JSON.stringify({ request: {}, ["k".repeat(180)]: 1 });
    const [complaint = ""] = complaints(await readFile("long.ndjson", text));
    expect(complaint.length).toBeGreaterThan(230);
    const path = join(folderOf({ "long.ndjson": text }), "long.ndjson");
    const strict = Array.fromAsync(readSources([path], places(), { strict: true }).lines);
    await expect(strict).rejects.toMatchObject({ message: complaint });
  });

  test("is the same when it is packed with gzip, and cut off it loses what is not whole", async () => {
    const text = Array.from({ length: 9_000 }, (_, n) => payload({ order_id: `a-${n}` })).join("\n");
    const packed = gzipSync(text);
    const whole = await readFile("a.ndjson", text);
    expect(await readFile("a.ndjson.gz", packed)).toEqual({
      ...whole,
      items: whole.items.map((item) => ({ ...item, origin: item.origin.replace("ndjson", "ndjson.gz") })),
    });
    expect(orders(await readStdin(packed, 1))).toEqual(orders(whole));
    const read = await readFile("a.csv.gz", gzipSync("order_id,amount\na-1,100\na-2,200").subarray(0, -10));
    expect(orders(read)).toEqual(["a-1"]);
    expect(complaints(read)).toEqual([
      expect.stringContaining("a.csv.gz: It is compressed with gzip, and cut off"),
    ]);
  });

  test("is the same however standard input is cut", async () => {
    const text = `\ufeff${payload({ description: "їжак ₴ 😀" })}\r\nbad\n${payload({ order_id: "a-2" })}`;
    const whole = await readStdin(text);
    expect(orders(whole)).toEqual(["a-1", "a-2"]);
    expect(whole.items[0]!.origin).toBe("stdin:1");
    for (const size of [1, 2, 3, 5, 7, 64]) expect(await readStdin(text, size)).toEqual(whole);
  });
});

describe("card data", () => {
  test.each([
    ["a.ndjson", payload({ description: CARD_NUMBER })],
    ["a.ndjson", payload({ [CARD_NUMBER]: 1 })],
    ["a.ndjson", `{"${CARD_NUMBER}":1,"${CARD_NUMBER}":2}`],
    ["a.ndjson", JSON.stringify({ name: CARD_NUMBER, request: PAYLOAD })],
    ["a.ndjson", JSON.stringify({ tags: ["4111 1111 1111 1111"], request: PAYLOAD })],
    ["a.ndjson", JSON.stringify({ request: PAYLOAD, [CARD_NUMBER]: 1 })],
    ["a.ndjson", payload({ card: { cvv: 123 } })],
    ["a.json", `[${payload({ description: CARD_NUMBER })}]`],
    ["a.csv", `order_id,description\n1,${CARD_NUMBER}`],
    ["a.csv", `order_id,card.bin_card\n1,${CARD_NUMBER}`],
    ["a.csv", `order_id,${CARD_NUMBER}\n1,2`],
    ["a.csv", "order_id,card.cvv\n1,123"],
    ["a.curl", `curl -d '${payload({ description: CARD_NUMBER })}' http://x`],
  ])("%s %s is refused without being shown", async (name, content) => {
    const read = await readFile(name, content);
    expect(read.items).toEqual([]);
    expect(read.rejected).toHaveLength(1);
    expect(read.rejected[0]!.message).toMatch(/card (number|verification)/);
    expect(read.rejected[0]!.message.replaceAll(" ", "")).not.toContain(CARD_NUMBER);
    expect(read.rejected[0]!.message).not.toContain("123");
  });
});

describe("curl commands", () => {
  test("one after the other, with comments, several lines, and one that is no use", async () => {
    const text = [
      "#!/bin/sh",
      `curl -sS http://x/v1/check --json '${payload()}'`,
      "",
      "curl http://x/v1/check \\",
      `  --data-raw '{`,
      `  "order_id": "a-2" }'`,
      `curl -d "$BODY" http://x`,
      `echo done`,
      `curl -d '{"order_id":1}' http://x`,
      `curl -d '{' http://x`,
      `curl -d '${payload({ order_id: "a-3" })}' http://x`,
      `curl -d '{"not closed`,
      `curl -d '${payload({ order_id: "a-4" })}' http://x`,
    ].join("\n");
    const read = await readFile("calls.sh", text);
    expect(orders(read)).toEqual(["a-1", "a-2", "a-3", "a-4"]);
    expect(read.items[1]!.origin).toBe("calls.sh:4");
    expect(complaints(read)).toEqual([
      "calls.sh:7: The command holds a $ that only a shell can fill in; write the value itself, or use single quotes.",
      "calls.sh:8: This is no curl command; it must start with curl.",
      "calls.sh:9: order_id must be a text, not a number.",
      expect.stringMatching(/^calls\.sh:10: In the body, line 1, column 2: the text ends/),
      expect.stringMatching(/^calls\.sh:12: /),
    ]);
  });
});

describe("a kind that the name does not tell", () => {
  test.each([
    ["an object", JSON.stringify(PAYLOAD, null, 1)],
    ["a list", `\n [${payload()}]`],
    ["lines", `${payload()}\n${payload({ order_id: "a-1" })}`],
    ["a table", "name,order_id,amount\nx,a-1,5\n"],
    ["a table of a spreadsheet", "order_id;amount\r\na-1;5\r\n"],
    ["a curl command", `# saved\n curl -d '${payload()}' x`],
  ])("%s", async (_kind, text) => {
    expect(orders(await readFile("payments.txt", text))[0]).toBe("a-1");
    expect(orders(await readStdin(text))[0]).toBe("a-1");
    expect(orders(await readStdin(text, 1))[0]).toBe("a-1");
  });

  test("nothing that replay knows", async () => {
    expect(complaints(await readFile("notes.txt", "Dear diary,\n"))[0]).toContain(
      "neither JSON nor CSV nor curl",
    );
  });
});

describe("files that hold nothing of use", () => {
  test.each(["a.json", "a.ndjson", "a.csv", "a.curl", "a.txt"])("empty %s", async (name) => {
    expect(complaints(await readFile(name, ""))).toEqual([`${name}: ${IS_EMPTY}`]);
    expect(complaints(await readFile(name, "\ufeff"))).toEqual([`${name}: ${IS_EMPTY}`]);
  });

  test.each([
    ["a.ndjson", " \n\n"],
    ["a.json", "[ ]"],
    ["a.csv", "order_id,amount\n,\n"],
    ["a.sh", "# nothing\n"],
  ])("%s without a payload", async (name, text) => {
    expect(complaints(await readFile(name, text))).toEqual([`${name}: It holds no payload.`]);
  });

  test.each([
    ["cut gzip", gzipSync(payload()).subarray(0, -9), "compressed with gzip, and cut off or damaged"],
    [
      "UTF-16",
      Buffer.from(`\ufeff${payload()}`, "utf16le"),
      "written in UTF-16, not UTF-8 text; save it as UTF-8.",
    ],
    ["binary", Buffer.from([1, 0, 2]), "binary data, not UTF-8 text; save it as UTF-8."],
  ])("%s", async (_name, bytes, message) => {
    const read = await readFile("a.ndjson", bytes);
    expect(read.items).toEqual([]);
    expect(complaints(read)).toEqual([expect.stringContaining(message)]);
  });
});

describe("folders and names", () => {
  test("a folder of every kind, in the order of names", async () => {
    const folder = folderOf({
      "2.ndjson": `${payload({ order_id: "2" })}\n?\n`,
      "1.json": payload({ order_id: "1" }),
      "3.csv": "order_id\n3\n",
      "4.jsonl": payload({ order_id: "4" }),
      "5.curl": `curl -d '${payload({ order_id: "5" })}' x`,
      "README.md": "# About",
      README: "About",
      ".hidden.json": "?",
      ".editor": "?",
      "readme.json": payload({ order_id: "6" }),
      "notes.txt": "?",
      "sub/1.json": payload(),
    });
    symlinkSync(join(folder, "1.json"), join(folder, "6.json"));
    const read = await readAll(folder);
    expect(orders(read)).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(read.items.map((item) => item.origin)).toEqual([
      "1.json",
      "2.ndjson:1",
      "3.csv:2",
      "4.jsonl:1",
      "5.curl:1",
      "readme.json",
    ]);
    expect(complaints(read).map((line) => line.slice(line.lastIndexOf("/") + 1))).toEqual([
      ".hidden.json: It is a hidden file and was not read; name it as a separate source.",
      expect.stringMatching(/^2\.ndjson:2: /),
      "6.json: It is a symbolic link, which is not followed; name the file itself.",
      expect.stringMatching(/^notes\.txt: Its name does not say/),
      expect.stringMatching(/^sub: It is a folder inside a folder/),
    ]);
  });

  test.runIf(process.platform === "linux")("a name that is not UTF-8 is told", async () => {
    const folder = folderOf({ "a.json": payload({ order_id: "1" }) });
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/z`), Buffer.from([0xe9]), Buffer.from(".json")]),
      payload(),
    );
    const read = await readAll(folder);
    expect(orders(read)).toEqual(["1"]);
    expect(complaints(read)).toEqual([
      expect.stringMatching(/z\ufffd\.json: Its name is not valid UTF-8 and it was not read; rename it\.$/),
    ]);
  });

  test("a folder without payloads", async () => {
    await expect(readAll(folderOf({ ".x": "" }))).rejects.toMatchObject({ code: "usage" });
  });

  test("files of one name are told apart by their paths", async () => {
    const folder = folderOf({ "a/x.json": payload(), "b/x.json": payload() });
    const { items } = await readAll([join(folder, "a"), join(folder, "b/x.json")]);
    expect(items.map((item) => item.origin)).toEqual([join(folder, "a/x.json"), join(folder, "b/x.json")]);
  });

  test("what is named may be a link; a pipe that nobody writes to is empty, a device is refused", async () => {
    const folder = folderOf({ "real.json": payload() });
    symlinkSync(join(folder, "real.json"), join(folder, "link.json"));
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    expect((await readAll(join(folder, "link.json"))).items).toHaveLength(1);
    expect(complaints(await readAll(join(folder, "pipe.json")))).toEqual([`pipe.json: ${IS_EMPTY}`]);
    const fault = { code: "bad_input", message: expect.stringContaining("not a regular file") };
    await expect(readAll("/dev/zero")).rejects.toMatchObject(fault);
  });

  test("a saved payload by its name, unless a file has that name", async () => {
    const folder = folderOf({
      "repeat-buyer.json": JSON.stringify({ name: "repeat-buyer", request: PAYLOAD }),
    });
    const saved = { payloadPath: (name: string) => join(folder, `${name}.json`) };
    const { items } = await readAll("repeat-buyer", { places: saved });
    expect(items).toMatchObject([{ key: "repeat-buyer", origin: "repeat-buyer.json" }]);
  });

  test.each(["../repeat-buyer", "..", "a/../../b", "nothing", "", "a\0b", "x".repeat(5000)])(
    "never looks for a saved payload of a name such as %j outside of its folder",
    async (word) => {
      const asked: string[] = [];
      const folder = folderOf({});
      mkdirSync(join(folder, "inside"));
      writeFileSync(join(folder, "repeat-buyer.json"), payload());
      const payloadPath = (name: string): string => {
        asked.push(name);
        return join(folder, "inside", `${name}.json`);
      };
      // ".." is the folder above, which a user may name like any other; it holds no payloads of ours.
      await readAll(word, { places: { payloadPath } }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: expect.stringMatching(/^(usage|bad_input)$/) });
      });
      expect(asked.filter((name) => name.includes("/"))).toEqual([]);
    },
  );

  test("every source is looked for before the first item", async () => {
    const folder = folderOf({ "a.json": payload() });
    const reading = readSources([join(folder, "a.json"), join(folder, "b.json")], places(), {
      strict: false,
    });
    await expect(reading.lines[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("there is no such file or folder"),
    });
  });

  test("standard input that is not there, or twice", async () => {
    await expect(readAll("-")).rejects.toMatchObject({ code: "usage" });
    await expect(readAll(["-", "-"], { places: { stdin: each([]) } })).rejects.toMatchObject({
      code: "usage",
    });
    await expect(readAll([])).rejects.toMatchObject({ code: "usage" });
    expect(complaints(await readAll("-", { places: { stdin: each([]) } }))).toEqual([`stdin: ${IS_EMPTY}`]);
  });
});

describe("keys", () => {
  test("name, order id or place, and a number for the second of a kind", async () => {
    const named = (name: string): string => JSON.stringify({ name, request: PAYLOAD });
    const lines = [
      payload(),
      payload(),
      named("n"),
      named("n#2"),
      named("n"),
      named(""),
      '{"operation":"payment"}',
      '{"operation":"payment"}',
      payload(),
    ];
    const { items } = await readFile("k.ndjson", lines.join("\n"));
    expect(items.map((item) => item.key)).toEqual([
      "a-1",
      "a-1#2",
      "n",
      "n#2",
      "n#3",
      "a-1#3",
      "k.ndjson:7",
      "k.ndjson:8",
      "a-1#4",
    ]);
  });
});

describe("the history and earlier runs", () => {
  const entry = (id: string, order_id: string, recommendation: Recommendation | null): HistoryEntry =>
    ({ id, request: { ...PAYLOAD, order_id }, result: recommendation && { recommendation } }) as HistoryEntry;

  test("the history, with the verdict of then", async () => {
    const filters: string[] = [];
    const history = (filter: string) => {
      filters.push(filter);
      return each([entry("h1", "a", "pass"), entry("h2", "a", null), entry("h3", "b", "block")]);
    };
    const { items } = await readAll("history:verdict:block", { places: { history } });
    expect(filters).toEqual(["verdict:block"]);
    expect(items.map(({ key, origin, was }) => [key, origin, was])).toEqual([
      ["a", "history:h1", "pass"],
      ["a#2", "history:h2", null],
      ["b", "history:h3", "block"],
    ]);
  });

  test("a run, with its keys and what its payloads expected", async () => {
    const row = (seq: number, key: string, recommendation: Recommendation | null): RunRow =>
      ({
        seq,
        key,
        origin: `day.csv:${seq}`,
        request: PAYLOAD,
        expect: "pass",
        tags: ["t"],
        result: recommendation && { recommendation },
      }) as never;
    const run = () => each([row(2, "a-1#2", "pass"), row(1, "a-1", null)]);
    const { items } = await readAll("run:last", { places: { run } });
    expect(items).toEqual([
      {
        seq: 1,
        key: "a-1#2",
        origin: "day.csv:2",
        request: PAYLOAD,
        expect: "pass",
        tags: ["t"],
        was: "pass",
      },
      { seq: 2, key: "a-1", origin: "day.csv:1", request: PAYLOAD, expect: "pass", tags: ["t"], was: null },
    ]);
  });

  test("what may not be sent any more is told", async () => {
    const history = () =>
      each([{ id: "h1", request: { amount: "12" }, result: null } as unknown as HistoryEntry]);
    const read = await readAll("history:", { places: { history } });
    expect(complaints(read)).toEqual([expect.stringContaining("history:h1: amount must be a whole number")]);
  });
});

describe("progress", () => {
  const drain = async (reading: SourceReading): Promise<number[]> => {
    const shares = [reading.fraction()!];
    for await (const batch of reading.batches) {
      expect(batch.length).toBeGreaterThan(0);
      shares.push(reading.fraction()!);
    }
    return [...shares, reading.fraction()!];
  };

  test("grows with the bytes of all files, to 1", async () => {
    const folder = folderOf({ "a.ndjson": `${payload()}\n`.repeat(2000), "b.json": payload(), "c.gz": "?" });
    const shares = await drain(readSources([folder], places(), { strict: false }));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(new Set(shares).size).toBeGreaterThan(2);
  });

  test("grows with the entries of the history, whose number is known before the first", async () => {
    const entries = ["h1", "h2"].map(
      (id) => ({ id, request: PAYLOAD, result: null }) as unknown as HistoryEntry,
    );
    const history = (_: string, onCount: (count: number) => void) => {
      onCount(entries.length);
      return each(entries);
    };
    const shares = await drain(readSources(["history:"], { ...places(), history }, { strict: false }));
    expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  });

  test("is unknown where nobody can know it", () => {
    for (const source of ["-", "history:", "run:last"]) {
      expect(readSources(["a.json", source], places(), { strict: false }).fraction()).toBeNull();
    }
  });
});

test.skipIf(process.platform !== "linux")("a disk that fails is no bad input", async () => {
  // The first page of a process is never there: reading it is an error of the device.
  const file = { path: "/proc/self/mem", label: "old.json", bytes: 1, named: true };
  const { signal } = new AbortController();
  await expect(Array.fromAsync(fileChunks(file, signal))).rejects.toMatchObject({
    code: "storage",
    message: expect.stringMatching(/^old\.json could not be read or saved because the disk reported/),
  });
});
