// Documents that nobody should trust, at every door through which a document comes in: each is refused in one sentence.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readPayload } from "#src/contract/fields/payload.ts";
import { homeOfTests, pointAt, type Printed } from "./in-process.ts";

const GOOD = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };
const json = (change: object): string => JSON.stringify({ ...GOOD, ...change });
const withAmount = (token: string): string =>
  `{"operation":"payment","order_id":"o-1","amount":${token},"currency":980}`;
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** What it is, the bytes, and what the sentence about it names. */
const BAD: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ["more than 64 KiB", json({ description: "x".repeat(66_000) }), /65536|64 KiB/],
  ["more than 5 MiB", json({ description: "x".repeat(5 * 1024 * 1024) }), /5 MiB|64 KiB|65536/],
  ["lists and objects 17 deep", `{"description":${nested(16)}}`, /16/],
  [
    "two byte order marks",
    Buffer.concat([BOM, BOM, Buffer.from(json({}))]),
    /byte order mark|Line 1|\\ufeff|begins/,
  ],
  [
    "no UTF-8",
    Buffer.concat([Buffer.from('{"order_id":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    /UTF-8/,
  ],
  ["UTF-16", Buffer.from(json({}), "utf16le"), /UTF-|NUL|x00/],
  ["half a surrogate pair", '{"order_id":"\\ud800"}', /surrogate|pair/],
  ["a key twice", '{"amount":1,"amount":2}', /amount/],
  ["a key twice, once in an escape", '{"amount":1,"\\u0061mount":2}', /amount/],
  ["__proto__", '{"__proto__":{"amount":1}}', /__proto__/],
  ["constructor, deep inside", json({ payer: { constructor: 1 } }), /constructor/],
  ["prototype", '{"prototype":{}}', /prototype/],
  ["an integer beyond 2^53", withAmount("9007199254740993"), /9007199254740993|amount/],
  ["an integer as 1e3", withAmount("1e3"), /amount/],
  ["an integer as 12.0", withAmount("12.0"), /amount/],
  ["an integer as text", withAmount('"12"'), /amount/],
  ["an integer as -0", withAmount("-0"), /amount/],
  ["an integer beyond any double", withAmount("1e400"), /1e400|number|amount/],
  ["a full card number", json({ description: "4111 1111 1111 1111" }), /card number/],
  ["a card verification value", json({ card: { cvv: "123" } }), /cvv/],
  ["nothing", "", /empty/],
  ["NUL bytes", "\0\0\0\0", /NUL|text|Line 1/],
  ["a comment", `// hi\n${json({})}`, /Line 1|line 1|no payload|nothing|neither/i],
  ["two documents", `${json({})} ${json({})}`, /Line 1|line 1|1:/],
];

/** The doors: each is given the file, and the same bytes as standard input. */
const DOORS: readonly (readonly [string, (file: string) => readonly string[]])[] = [
  ["check FILE", (file) => ["check", file, "--dry-run"]],
  ["check -", () => ["check", "-", "--dry-run"]],
  ["sign FILE", (file) => ["sign", file]],
  ["payload save FILE", (file) => ["payload", "save", "bad", file]],
  ["payload save -", () => ["payload", "save", "bad", "-"]],
  ["sweep FILE", (file) => ["sweep", file, "--field", "amount", "--range", "1..9"]],
  ["replay FILE", (file) => ["replay", file, "--dry-run"]],
  ["replay -", () => ["replay", "-", "--dry-run"]],
];

describe("a document", () => {
  const home = homeOfTests();
  let folder: string;
  beforeAll(async () => {
    folder = join(home.folder, "documents");
    mkdirSync(folder);
    await pointAt(home, "http://127.0.0.1:9");
  });

  const isRefused = ({ code, stdout, stderr }: Printed, door: string, names: RegExp): void => {
    const said = stdout + stderr;
    expect(code, `${door}: ${said}`).toBe(2);
    expect(said, door).toMatch(names);
    expect(said, door).not.toMatch(/\n\s+at |node:|Error:/);
    expect(said, door).not.toContain("4111 1111");
    expect(said.length, door).toBeLessThan(2_000);
    if (!door.startsWith("replay")) expect(stderr.trimEnd().split("\n"), door).toHaveLength(1);
  };

  it.each(BAD)("%s is refused at every door, and nothing is kept of it", async (_, text, names) => {
    const file = join(folder, "bad.json");
    writeFileSync(file, text);
    for (const [door, words] of DOORS) {
      // One object a line is what two documents are to a replay.
      if (door.startsWith("replay") && _ === "two documents") continue;
      isRefused(await home.run(words(file), text as string), door, names);
    }
    expect(() => readPayload(Buffer.from(text as string), "The text", [], 0)).toThrow(names);
    expect(readdirSync(join(home.folder, "data")).filter((name) => /payloads|runs/.test(name))).toEqual([]);
  });

  it("takes one byte order mark, 64 KiB to the byte, and depth 16", async () => {
    const good = [
      Buffer.concat([BOM, Buffer.from(json({}))]),
      json({}).padEnd(64 * 1024),
      `{"order_id":"x","payer":{},"z":${nested(14)}}`,
    ];
    for (const [index, text] of good.entries()) {
      const file = join(folder, `good-${index}.json`);
      writeFileSync(file, text);
      const { code, stderr } = await home.run(["check", file, "--dry-run"]);
      expect(code, stderr).toBe(0);
    }
  });

  it("lists the keys that nobody knows", async () => {
    const { stdout, stderr } = await home.run(
      ["check", "-", "--dry-run"],
      json({ colour: 1, payer: { mail: "x" } }),
    );
    expect(stdout + stderr).toContain("colour");
    expect(stdout + stderr).toContain("payer.mail");
  });

  it.skipIf(process.platform === "win32").each(["fifo", "folder", "device", "nothing", "socket of nobody"])(
    "that is a %s is refused at once",
    async (what) => {
      const path = what === "device" ? "/dev/zero" : join(folder, what.replaceAll(" ", "-"));
      if (what === "fifo") execFileSync("mkfifo", [path]);
      if (what === "folder") mkdirSync(path);
      if (what === "socket of nobody") symlinkSync("/nowhere/at/all", path);
      for (const [door, words] of DOORS.filter(([name]) => name.endsWith("FILE"))) {
        if (what === "folder" && door === "replay FILE") continue;
        const { code, stdout, stderr } = await home.run(words(path));
        expect(code, `${door}: ${stdout}${stderr}`).toBe(2);
        // A replay reads a pipe as a source, which holds nothing, and sums up.
        const sentences = what === "fifo" && door === "replay FILE" ? 2 : 1;
        expect(stderr.trimEnd().split("\n"), door).toHaveLength(sentences);
      }
    },
  );
});
