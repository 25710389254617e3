// verdict payload import and its maps: what is shown, asked, written and said.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inProcessHome, type InProcessHome } from "./in-process.ts";

const HEADER = "Order,Total,Cur,When,Mail,fraud";
const ROWS = [
  "o-1,57.16,EUR,2026-01-15 12:00,ann@example.com,1",
  "o-2,12,JPY,2026-01-15 12:01,bob@example.com,0",
  "o-3,1.234,EUR,2026-01-15 12:02,eve@example.com,0",
];
const MAPS = [
  "--map",
  "Order=order_id",
  "--map",
  "Total=amount:major",
  "--map",
  "Cur=currency",
  "--map",
  "When=at:Europe/Kyiv",
  "--map",
  "Mail=payer.email",
  "--map",
  "fraud=outcome:1=fraud,0=good",
];

describe("payload import", () => {
  let home: InProcessHome;
  let folder: string;
  let count = 0;

  const given = (text: string | Uint8Array, name: string = "orders.csv"): string => {
    const path = join(folder, `${++count}`);
    mkdirSync(path);
    writeFileSync(join(path, name), text);
    return join(path, name);
  };
  const out = (name: string): string => join(folder, name);
  const lines = (path: string): unknown[] =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);

  beforeAll(() => {
    home = inProcessHome();
    folder = join(home.folder, "given");
    mkdirSync(folder);
  });
  afterAll(() => home.remove());

  test("shows the first rows masked, writes a private file, and says what was not taken", async () => {
    const file = given([HEADER, ...ROWS].join("\n"));
    const path = out("day.ndjson");
    const { code, stdout, stderr } = await home.run([
      "payload",
      "import",
      file,
      ...MAPS,
      "--output",
      path,
      "--yes",
    ]);
    expect(code).toBe(2);
    expect(stdout).toContain("57.16 EUR");
    expect(stdout).toContain("orders.csv:4: amount must be written such as 57.16");
    expect(stdout).toContain("2 payments written to");
    expect(`${stdout}${stderr}`).not.toContain("ann@example.com");
    expect(stderr).toContain("1 line was rejected and not written; correct what is wrong");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(lines(path)).toEqual([
      {
        at: "2026-01-15T10:00:00.000Z",
        outcome: "fraud",
        request: { order_id: "o-1", amount: 5716, currency: 978, payer: { email: "ann@example.com" } },
      },
      {
        at: "2026-01-15T10:01:00.000Z",
        outcome: "good",
        request: { order_id: "o-2", amount: 12, currency: 392, payer: { email: "bob@example.com" } },
      },
    ]);
    const again = await home.run(["payload", "import", file, ...MAPS, "--output", path, "--yes"]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("exists already") });
  });

  test("writes nothing without a question that is answered, and nothing when no row can be taken", async () => {
    const file = given([HEADER, ...ROWS].join("\n"));
    const path = out("unasked.ndjson");
    const unasked = await home.run(["payload", "import", file, ...MAPS, "--output", path]);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes") });
    const bad = given([HEADER, ...Array.from({ length: 30 }, () => ROWS[2])].join("\n"));
    const none = await home.run(["payload", "import", bad, ...MAPS, "--output", path, "--yes"]);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "Nothing was written, because 30 rows could not be read as payments: orders.csv:2: ",
      ),
    });
    const more = ["--output", path, "--rejects", out("tried.rejects"), "--try"];
    const tried = await home.run(["payload", "import", file, ...MAPS, ...more]);
    expect(tried.stdout).toMatch(/Rejected lines: [^]*Nothing was written/);
    expect([path, out("tried.rejects")].filter((each) => existsSync(each))).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.includes(".tmp"))).toEqual([]);
  });

  test("leaves nothing when it is stopped, though nobody reads standard input", async () => {
    const file = given([HEADER, ...Array.from({ length: 30 }, () => ROWS[0])].join("\n"));
    for (const files of [[file], [file, "-"]]) {
      const words = ["payload", "import", ...files, ...MAPS, "--output", out("stopped.ndjson"), "--yes"];
      expect(await home.run(words, "", "The first payments")).toMatchObject({
        code: 130,
        stderr: "Stopped; nothing was written.\n",
      });
    }
    expect(readdirSync(folder).filter((name) => name.includes("stopped"))).toEqual([]);
  });

  test("sets aside what was not taken, and ends well then", async () => {
    const file = given([HEADER, ...ROWS].join("\n"));
    const rejects = out("rejects.ndjson");
    const words = [
      "payload",
      "import",
      file,
      ...MAPS,
      "--output",
      out("some.ndjson"),
      "--yes",
      "--rejects",
      rejects,
      "--json",
    ];
    const { code, stdout } = await home.run(words);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 1,
      payments: 2,
      not_taken: 1,
      first: [
        { place: "orders.csv:2", payload: { request: { payer: { email: "********" } } } },
        { place: "orders.csv:3" },
      ],
      rejected: [{ origin: "orders.csv:4", message: expect.any(String) }],
    });
    expect(lines(rejects)).toMatchObject([{ origin: "orders.csv:4" }]);
  });

  test("counts labels and rows that a filter left out, and says how an amount was taken", async () => {
    const file = given(
      ["order_id,amount,currency,state", "a,57,EUR,won", "b,5,EUR,lost", "c,5,EUR,x"].join("\n"),
    );
    const words = ["payload", "import", file, "--map", "state=outcome:lost=chargeback,empty=good,*="];
    const tried = await home.run([...words, "--only", "state=won,lost", "--try"]);
    expect(tried.code).toBe(0);
    expect(tried.stdout).toContain("Labels of these: 1 chargeback, 1 without a label.");
    expect(tried.stdout).toContain("1 row left out by --only.");
    expect(tried.stderr).toContain('"amount" is taken in minor units, 57 as 0.57 EUR.');
    const said = await home.run([...words, "--map", "amount=amount:minor", "--json", "--try"]);
    expect(said.stderr).toBe("");
    expect(JSON.parse(said.stdout)).toMatchObject({
      left_out: 0,
      labels: { fraud: 0, chargeback: 1, refund: 0, good: 0 },
    });
  });

  test("shows no personal data in names and tags, whatever characters it has", async () => {
    const file = given(
      [
        "name,tags,order_id,amount,currency,card.holder",
        '"for ""O\\\'Brien"", x","""O\\\'Brien""",o,1,EUR,"""O\\\'Brien"""',
        'n,",",p,1,EUR,","',
      ].join("\n"),
    );
    const { code, stdout } = await home.run(["payload", "import", file, "--try"]);
    expect(code).toBe(0);
    expect(stdout).toContain("holder hidden");
    expect(stdout).not.toContain("Brien");
  });

  test("reads standard input and packed files alike", async () => {
    const text = "order_id,amount,currency,operation\no,1,EUR,payment\n";
    const [piped, packed] = [out("piped.ndjson"), out("packed.ndjson")];
    expect((await home.run(`payload import - --yes --output ${piped}`, text)).code).toBe(0);
    expect(lines(piped)).toEqual([
      { request: { order_id: "o", amount: 1, currency: 978, operation: "payment" } },
    ]);
    const file = given(gzipSync(text), "orders.csv.gz");
    expect((await home.run(["payload", "import", file, "--yes", "--output", packed])).code).toBe(0);
    expect(lines(packed)).toEqual(lines(piped));
  });

  test("keeps a map in a new file, and uses it", async () => {
    const file = given([HEADER, ...ROWS].join("\n"));
    const map = out("shop.json");
    const to = (name: string): string[] => [
      "--output",
      out(name),
      "--yes",
      "--rejects",
      out(`${name}.rejects`),
    ];
    const save = ["payload", "import", file, ...MAPS, "--save-map", map];
    expect((await home.run([...save, ...to("kept.ndjson")])).code).toBe(0);
    const used = await home.run(["payload", "import", file, "--with", map, ...to("again.ndjson")]);
    expect(used.code, used.stderr).toBe(0);
    expect(readFileSync(out("again.ndjson"), "utf8")).toBe(readFileSync(out("kept.ndjson"), "utf8"));
    expect(JSON.parse(readFileSync(map, "utf8"))).toMatchObject({
      map: MAPS.filter((word) => word !== "--map"),
    });
    const other = await home.run([...save, ...to("other.ndjson")]);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("exists already") });
    expect(existsSync(out("other.ndjson"))).toBe(false);
    for (const secret of [
      ["--set", "description=4111111111111111"],
      ["--set", "payer.number_phone=4111111111111111"],
      ["--ignore", "4111111111111111"],
      ["--ignore", "4111,1111,1111,1111"],
    ]) {
      const saved = [...secret, "--save-map", out("card.json")];
      const refused = await home.run(["payload", "import", file, ...MAPS, ...saved, ...to("card.ndjson")]);
      expect(refused, secret.join(" ")).toEqual({
        code: 2,
        stdout: "",
        stderr: "The map holds a full card number, which never belongs here; take it out.\n",
      });
      expect([existsSync(out("card.json")), existsSync(out("card.ndjson"))]).toEqual([false, false]);
    }
  });

  test("guesses a map, which is used after it was read", async () => {
    const file = given([HEADER, ...ROWS].join("\n"));
    const map = out("guessed.json");
    const unknown = await home.run(["payload", "import", file, "--try"]);
    expect(unknown.stderr).toContain("--guess prints a first map");
    const saved = await home.run(["payload", "import", file, "--guess", "--save-map", map]);
    expect(saved).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining(`--with ${map} --try`),
    });
    const printed = await home.run(["payload", "import", file, "--guess"]);
    expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(readFileSync(map, "utf8")));
    const tried = await home.run(["payload", "import", file, "--with", map, "--try"]);
    expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining("57.16 EUR") });
    expect(await home.run(["payload", "import", file, "--guess", "--try"])).toMatchObject({ code: 2 });
  });

  test.each(["[]", "{", '{"map":"a=tags"}', '{"map":[1]}', '{"maps":[]}', '{"ignoreOthers":1}'])(
    "takes %s for no map",
    async (text) => {
      const map = given(text, "map.json");
      const ran = await home.run(["payload", "import", given(HEADER), "--with", map, "--try"]);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("map.json") });
    },
  );

  test("fills a template, and wants the unused columns named", async () => {
    const template = given(
      '{"operation":"payment","order_id":"{{n}}","amount":"{{sum:major}}","currency":978}',
      "one.json",
    );
    const file = given("n,sum,note\no-1,5.5,x\n");
    const path = out("filled.ndjson");
    const words = ["payload", "import", file, "--template", template, "--output", path, "--yes"];
    expect(await home.run(words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--ignore note or"),
    });
    expect((await home.run([...words, "--ignore", "note"])).code).toBe(0);
    expect(lines(path)).toEqual([
      { request: { operation: "payment", order_id: "o-1", amount: 550, currency: 978 } },
    ]);
  });

  test("never repeats a card number, whatever column it stands in", async () => {
    const numbers = ["4111111111111111", "4111 1111 1111 1111", "5555-5555-5555-4444"];
    const file = given(["n,x", ...numbers.map((number, index) => `o-${index},${number}`), "o-9,"].join("\n"));
    for (const target of [
      "tags",
      "name",
      "description",
      "amount",
      "at",
      "outcome",
      "card.cin_card",
      "card.holder",
    ]) {
      const words = ["payload", "import", file, "--map", "n=order_id", "--map", `x=${target}`];
      const path = out(`${target}.ndjson`);
      const { stdout, stderr } = await home.run([...words, "--output", path, "--yes"]);
      expect(readFileSync(path, "utf8"), target).toBe('{"request":{"order_id":"o-9"}}\n');
      expect(`${stdout}${stderr}`, target).not.toMatch(/4111|5555/);
    }
  });

  test("imports what replay and back-test take, with its outcomes", async () => {
    const file = given([HEADER, ...ROWS.slice(0, 2)].join("\n"));
    const path = out("judged.ndjson");
    const words = [
      "payload",
      "import",
      file,
      ...MAPS,
      "--set",
      "operation=payment",
      "--output",
      path,
      "--yes",
    ];
    expect((await home.run(words)).code).toBe(0);
    const dry = await home.run(["replay", path, "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("2 checks would be sent") });
    const tested = await home.run(["rules", "backtest", "starter", "--against", "starter", "--over", path]);
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining("2 ") });
  });
});
