// Bad input: one clear sentence on stderr, the right exit code, and nothing half-written.

import { createServer } from "node:net";
import { chmodSync, createReadStream, existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_EMPTY } from "#src/replay/sources/source-text.ts";
import { TOO_LARGE } from "#src/contract/text/document-limit.ts";
import { answer, startHostileService } from "../client/hostile-service.ts";
import { inProcessHome, pointAt, type InProcessHome, type Printed } from "./in-process.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const GOOD = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };

describe("bad input", () => {
  let home: TestHome;
  let inside: InProcessHome;
  beforeAll(() => {
    home = testHome();
    inside = inProcessHome();
  });
  afterAll(async () => {
    inside.remove();
    await home.remove();
  });

  const oneSentence = (ran: Pick<Printed, "stdout" | "stderr">): void => {
    expect(ran.stdout).toBe("");
    expect(ran.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(ran.stderr).toMatch(/^\S.*\.\s*$/);
    expect(ran.stderr).not.toMatch(/\bat .*:\d+:\d+|node:|Error:/);
  };

  it.each([
    ["not JSON", "{nonsense", "Line 1"],
    ["an empty file", "", "empty"],
    ["a list", "[1]", "a list"],
    ["duplicate keys", '{"amount":1,"amount":2}', "amount"],
    ["a text where an integer belongs", JSON.stringify({ ...GOOD, amount: "12" }), "amount"],
    ["1e3 where an integer belongs", '{"operation":"payment","amount":1e3}', "amount"],
    ["an integer that no double holds", '{"operation":"payment","amount":9007199254740993}', "amount"],
    ["a currency of four digits", JSON.stringify({ ...GOOD, currency: 1000 }), "urrency"],
    [
      "a full card number",
      JSON.stringify({ ...GOOD, description: "card 4111 1111 1111 1111" }),
      "full card number",
    ],
    ["a card verification value", JSON.stringify({ ...GOOD, card: { cvv: "123" } }), "cvv"],
    ["__proto__", '{"__proto__":{"amount":1}}', "__proto__"],
  ])("%s: exit 2, and nothing is written", async (_what, text, named) => {
    const ran = await inside.run(["check", "-"], text);
    expect(ran.code).toBe(2);
    oneSentence(ran);
    expect(ran.stderr).toContain(named);
    expect(ran.stderr).not.toContain("4111");
    expect(existsSync(join(inside.folder, "data", "history"))).toBe(false);
  });

  it.each([
    ['"s3cret-s3cret"', "in quotation marks"],
    ["'s3cret-s3cret'", "in quotation marks"],
    ["SECRET=s3cret", "begins with a name"],
    ["SHOP_API_KEY=s3cret", "begins with a name"],
    ["token:s3cret", "begins with a name"],
    ["s3cret s3cret", "holds a blank"],
    ["s3cret\r\ns3cret", "holds a line end"],
  ])("the pasted secret %j is refused: %s", async (secret, why) => {
    const words = "vault add --key-id k --company-id c --secret-stdin";
    const ran = await inside.run(words, secret);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(ran.stderr).not.toContain("s3cret");
  });

  it.runIf(process.platform === "linux").each([
    ["check FILE --dry-run", "/proc/self/mem", "cannot be read"],
    ["payload save one FILE", "/proc/self/mem", "cannot be read"],
    ["rules check FILE", "/proc/self/mem", "cannot be read"],
    ["demo FILE", "/proc/self/mem", "cannot be read"],
    ["vault import FILE", "/proc/self/mem", "cannot be read"],
    ["check FILE --dry-run", "/dev/zero", "is neither a file nor a pipe"],
    ["rules check FILE", "/dev/zero", "is neither a file nor a pipe"],
    ["demo FILE", "/dev/zero", "is neither a file nor a pipe"],
    ["vault import FILE", "/dev/zero", "is neither a file nor a pipe"],
    ["profile add x --base-url https://h.example --ca FILE", "/dev/zero", "is not a regular file"],
    ["check FILE --dry-run", "HUGE", TOO_LARGE],
    ["check - --dry-run", "HUGE", TOO_LARGE],
    ["payload save one FILE", "HUGE", TOO_LARGE],
    ["rules check FILE", "HUGE", TOO_LARGE],
    ["demo FILE", "HUGE", TOO_LARGE],
    ["vault import FILE", "HUGE", TOO_LARGE],
    [
      "profile add x --base-url https://h.example --ca FILE",
      "HUGE",
      "is not a regular file of at most 1 MiB",
    ],
    ...["/dev/zero", "HUGE"].flatMap((file) => {
      const why = file === "HUGE" ? TOO_LARGE : "is neither a file nor a pipe";
      return [
        ["payload import HUGE --with FILE", file, why],
        ["payload import HUGE --template FILE --try", file, why],
        ["recipe infer --request FILE --secret-stdin", file, why],
        ["recipe test FILE", file, why],
        ["sign --set order_id=a --recipe FILE", file, why],
        ["rules use FILE", file, why],
        ["rules backtest FILE --over HUGE", file, why],
        ["serve --ephemeral --port 0 --recipe FILE", file, why],
      ];
    }),
    ["payload import FILE --try", "HUGE", "save it as UTF-8"],
    ["payload import FILE --try", "/dev/zero", "is not a regular file"],
    ["rules backtest starter --over HUGE --labels FILE", "HUGE", "save it as UTF-8"],
    ["rules backtest starter --over HUGE --labels FILE", "/dev/zero", "is not a regular file"],
  ] as [string, string, string][])("%s of %s is refused", async (words, file, why) => {
    const huge = join(inside.folder, "huge.yaml");
    writeFileSync(huge, "");
    // Of holes, which take no room.
    truncateSync(huge, 8 * 1024 ** 3);
    const line = words.replace("FILE", file).replaceAll("HUGE", huge);
    const ran = await inside.runFrom(line.includes(" - ") ? createReadStream(huge) : Readable.from([]), line);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(why)]);
    oneSentence(ran);
  });

  it.each([
    ["rules check FILE", '"verdict rules print starter" prints a whole one'],
    ["check FILE", "give a check request as JSON."],
    ["payload import FILE", IS_EMPTY],
    ["check nothing.json", '"verdict payload list" shows them.'],
    ["payload import FILE --data FILE", "remove --data."],
  ])("%s of an empty file says what to do", async (words, remedy) => {
    const empty = join(inside.folder, "empty.json");
    writeFileSync(empty, "");
    const ran = await inside.run(words.replaceAll("FILE", empty));
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(remedy)]);
  });

  it.runIf(process.platform === "linux")("a replay stops at a line that is too long", async () => {
    const huge = join(inside.folder, "huge.ndjson");
    writeFileSync(huge, "");
    truncateSync(huge, 8 * 1024 ** 3);
    for (const words of [`replay ${huge} --dry-run`, "replay - --dry-run"]) {
      const ran = await inside.runFrom(createReadStream(huge), words);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("1 line was rejected")]);
    }
  });

  it.runIf(process.platform === "linux")("a sandbox takes no huge file of rules", async () => {
    const huge = join(home.folder, "huge.yaml");
    writeFileSync(huge, "");
    truncateSync(huge, 8 * 1024 ** 3);
    const ran = await home.run(`serve --ephemeral --port 0 --admin-port 0 --rules ${huge}`);
    expect([ran.code, ran.stderr]).toEqual([74, expect.stringContaining("is larger than 5 MiB")]);
    oneSentence(ran);
  });

  it("takes a secret that ends with the filling of Base64", async () => {
    const words = "vault add --key-id k --company-id c --secret-stdin";
    expect((await inside.run(words, "KEYSECRET=")).code).toBe(0);
  });

  it.each([
    "vault list --secret=S3CRET",
    "vault --passphrase=S3CRET list",
    "--token=S3CRET vault list",
    "--token=S3CRET",
    "vault list -sS3CRET",
    "vault list --api-key=S3CRET",
    "vault passphrase --secret-stdin=S3CRET",
    "profile add x --base-url https://h.example --secret=it's_S3CRET",
    "vault add --merchant-id m --risk-level low --key-id k --project-id p --secret-stdin S3CRET",
    "vault export f --secret-stdin S3CRET",
    "sandbox status --admin-token=S3CRET",
    "sandbox status --admin https://u:S3CRET@localhost:1",
    "sandbox status --admin http://u:S3@S3CRET@localhost:1",
    "profile add x --base-url https://u:S3CRET@h.example",
    "profile add x --base-url https://h.example --proxy http://u:S3CRET@h:1",
    "check - --set secret=S3CRET --dry-run",
  ])("%s: the secret is not repeated", async (words) => {
    const ran = await inside.run(words, JSON.stringify(GOOD));
    expect(ran.stdout + ran.stderr).not.toMatch(/S3/);
    const option = /(?<=^| )--(?:secret|token|passphrase|api-key|admin-token)(?==)/.exec(words)?.[0];
    if (option !== undefined) expect(ran.stderr).toContain(`"${option}`);
  });

  it.each([
    "profile add p4111111111111111 --base-url https://check.example",
    "profile add shop --base-url https://check.example/4111111111111111",
    "profile add shop --base-url https://check.example --projects-url https://check.example/4111/1111/1111/1111",
    "vault add --key-id 4111111111111111 --company-id c --secret-stdin",
    "vault add --key-id k --company-id 4111111111111111 --secret-stdin",
    "vault add --merchant-id 4111111111111111 --risk-level low --key-id k --project-id p --secret-stdin",
    "vault add --merchant-id m --risk-level low --key-id k --project-id 4111.1111.1111.1111 --secret-stdin",
  ])("%s: a card number has no place there, and nothing is kept", async (words) => {
    const ran = await inside.run(words, "9f".repeat(32));
    expect(ran.code).toBe(2);
    oneSentence(ran);
    expect(ran.stderr).toContain("card number");
    expect(ran.stderr).not.toContain("4111");
    for (const list of ["vault list --json", "profile list --json"]) {
      expect((await inside.run(list)).stdout).not.toMatch(/4111|"shop"/);
    }
  });

  it("a file that is not there: exit 2", async () => {
    const ran = await home.run(["check", "missing.json"]);
    expect(ran.code).toBe(2);
    oneSentence(ran);
    expect(ran.stderr).toContain("no such file");
  });

  it.each([
    ["nothere.ndjson", "nothere.ndjson is not there"],
    ["./no/such/folder", "folder is not there"],
    ["/dev/zero", "not a regular file"],
  ])(
    "a source of a replay that cannot be read, %s: exit 2 before a credential is asked for",
    async (source, named) => {
      const ran = await inside.run(["replay", source]);
      expect(ran.code).toBe(2);
      oneSentence(ran);
      expect(ran.stderr).toContain(named);
    },
  );

  it("a field that does not exist: exit 2", async () => {
    const ran = await inside.run(["check", "--set", "payer.mail=a@b.example"]);
    expect(ran.code).toBe(2);
    oneSentence(ran);
    expect(ran.stderr).toContain("payer.email");
  });

  it("several wrong fields: the first with its cause, the others by name", async () => {
    const wrong = {
      ...GOOD,
      operation: 1,
      amount: "12",
      description: 3,
      terminal_id: 4,
      payer: { email: 5 },
    };
    const ran = await inside.run(["check", "-"], JSON.stringify(wrong));
    expect(ran.code).toBe(2);
    oneSentence(ran);
    expect(ran.stderr).toMatch(/operation must be a text, not a number; also wrong: amount, /);
    expect(ran.stderr).toMatch(/ and 1 more\.\n$/);
  });

  it.each([
    [["check", "-"], `${JSON.stringify(GOOD)}\n${JSON.stringify(GOOD)}\n`, '"verdict replay"'],
    [["check", "-", "--set", "amount=120.00"], JSON.stringify(GOOD), "minor units"],
    [
      ["profile", "add", "slow", "--base-url", "http://127.0.0.1:9", "--deadline", "500ms"],
      "",
      "--deadline takes whole seconds from 1 to 300",
    ],
  ] as const)("%j: exit 2, naming the way out", async (words, input, named) => {
    const ran = await inside.run(words, input);
    expect(ran.code).toBe(2);
    oneSentence(ran);
    expect(ran.stderr).toContain(named);
  });

  it.each([
    ["vault add --merchant-id m", "--key-id <id> is missing"],
    [
      "project register",
      "--merchant-id <id>, --name <name>, --currency <code> and --risk-level <level> are missing",
    ],
    ["register --name M --risk-level low", "--merchant-id <id> and --currency <code> are missing"],
    ["history export --output f", "--format <kind> is missing"],
  ])(
    "%s: the options that are missing are all named, with the help of that command",
    async (words, named) => {
      const ran = await inside.run(words);
      expect(ran.code).toBe(2);
      oneSentence(ran);
      expect(ran.stderr).toMatch(new RegExp(`^${named}; "verdict [a-z ]+ --help"`));
    },
  );

  it("an unknown word: exit 2 with a suggestion", async () => {
    const ran = await inside.run(["chekc"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('Unknown command "chekc". Did you mean "verdict check"?');
  });

  it("the console without a terminal: exit 2", async () => {
    expect((await home.run([])).code).toBe(2);
  });

  it("a profile without a credential: exit 3", async () => {
    await inside.run(["profile", "add", "far", "--base-url", "http://127.0.0.1:9"]);
    const ran = await inside.run(["check", "-", "--profile", "far"], JSON.stringify(GOOD));
    expect(ran.code).toBe(3);
    oneSentence(ran);
    expect(ran.stderr).toContain("verdict project register");
  });

  it("the sandbox without a credential: exit 3, naming it and the way to another service", async () => {
    const ran = await home.run(["check", "-"], { input: JSON.stringify(GOOD) });
    expect(ran.code).toBe(3);
    oneSentence(ran);
    expect(ran.stderr).toMatch(/sandbox.*verdict project register --wait.*verdict init.*another service/);
  });

  it("no integration key: exit 3", async () => {
    const ran = await inside.run([
      "register",
      "--profile",
      "far",
      "--merchant-id",
      "m",
      "--name",
      "M",
      "--currency",
      "EUR",
      "--risk-level",
      "low",
    ]);
    expect(ran.code).toBe(3);
    oneSentence(ran);
    expect(ran.stderr).toContain("verdict vault add");
  });

  it("an unreachable address: exit 4 after three attempts, the row says not sent", async () => {
    const free = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, "127.0.0.1", () => {
        const { port } = probe.address() as { port: number };
        probe.close(() => resolve(port));
      });
    });
    await home.run(["profile", "add", "gone", "--base-url", `http://127.0.0.1:${free}`]);
    const added = await home.run(
      "vault add --profile gone --merchant-id m --risk-level low --key-id hmac-sha256-k --project-id p --secret-stdin",
      { input: "c0ffee" },
    );
    expect(added.code).toBe(0);
    const ran = await home.run(["check", "-", "--profile", "gone", "--json"], {
      input: JSON.stringify(GOOD),
    });
    expect(ran.code).toBe(4);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      outcome: "not_sent",
      attempts: 3,
      recommendation: null,
      final_action: null,
    });
    // The object has no place for the cause.
    expect(ran.stderr).toMatch(/^(?:Try \d of 3 in [\d.]+ s\.\n){2}The check was not sent to .*\.\n$/);
  });

  it("a credential of a project that was not registered here: that is said, as its name may be mistyped", async () => {
    const service = await startHostileService([answer(404, "{}")]);
    await pointAt(inside, service.url, [], "away");
    const ran = await inside.run("project credential --merchant-id mistyped --risk-level low");
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain(
      'mistyped/low was not registered from here in the profile away; "verdict project list"',
    );
    await inside.run("profile use sandbox");
    await service[Symbol.asyncDispose]();
  });

  it("plain http to another machine is refused before anything is stored", async () => {
    const ran = await inside.run(["profile", "add", "open", "--base-url", "http://risk.example.com"]);
    expect(ran.code).toBe(2);
    oneSentence(ran);
    expect(ran.stderr).toContain("https");
  });

  it("a home that cannot be written: exit 74, nothing half-written", async () => {
    const blocked = join(home.folder, "blocked");
    writeFileSync(blocked, "a file where a folder belongs");
    const ran = await home.run([
      "profile",
      "add",
      "x",
      "--base-url",
      "https://risk.example.com",
      "--home",
      blocked,
    ]);
    expect(ran.code).toBe(74);
    oneSentence(ran);
  });

  it.runIf(process.getuid?.() !== 0)("a read-only home: exit 74", async () => {
    const folder = join(home.folder, "readonly");
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    const ran = await home.run([
      "profile",
      "add",
      "x",
      "--base-url",
      "https://risk.example.com",
      "--home",
      folder,
    ]);
    expect(ran.code).toBe(74);
    oneSentence(ran);
  });

  it("a home below a file: every command says so with exit 74", async () => {
    const blocked = join(home.folder, "blocked", "below");
    for (const words of [
      "sandbox clock",
      "register --merchant-id m --name M --currency EUR --risk-level low",
    ]) {
      const ran = await home.run(`${words} --home ${blocked}`);
      expect(ran.code, words).toBe(74);
      oneSentence(ran);
    }
    const tour = await home.run("tour", { env: { TMPDIR: blocked } });
    expect(tour.code).toBe(74);
    oneSentence(tour);
  });

  it("an empty --home is no folder: exit 2", async () => {
    const ran = await inside.run(["projects", "--home", ""]);
    expect(ran.code).toBe(2);
    oneSentence(ran);
  });

  it("the profile in use is not removed, so that nothing falls back to the sandbox unseen", async () => {
    await inside.run(["profile", "add", "used", "--base-url", "https://risk.example.com"]);
    await inside.run(["profile", "use", "used"]);
    const ran = await inside.run(["profile", "remove", "used", "--yes"]);
    expect(ran.code).toBe(2);
    oneSentence(ran);
    await inside.run(["profile", "use", "sandbox"]);
  });

  it("a time that is no time: exit 2", async () => {
    const ran = await inside.run(["sandbox", "clock", "set", "1"]);
    expect(ran.code).toBe(2);
    oneSentence(ran);
  });

  it("a secret on the command line is not possible", async () => {
    const ran = await inside.run("vault add --key-id k --company-id c --secret s");
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain("saved");
  });

  it("a secret with a line break inside is refused", async () => {
    const ran = await inside.run(
      ["vault", "add", "--key-id", "k", "--company-id", "c", "--secret-stdin"],
      "abc\ndef\n",
    );
    expect(ran.code).toBe(2);
    oneSentence(ran);
  });
});
