// Bad input: one clear sentence on stderr, the right exit code, and nothing half-written.

import { createReadStream, existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOO_LARGE } from "#src/contract/text/document-limit.ts";
import { forbidWriting } from "../storage/read-only-folder.ts";
import { inProcessHome, type InProcessHome, type Printed } from "./in-process.ts";
import { PROGRAM, testHomeOfTests } from "./verdict-process.ts";

const GOOD = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };

describe("bad input", () => {
  const home = testHomeOfTests();
  let inside: InProcessHome;
  beforeAll(() => {
    inside = inProcessHome();
  });
  afterAll(() => {
    inside.remove();
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

  it.runIf(process.platform === "linux")("a replay stops at a line that is too long", async () => {
    const huge = join(inside.folder, "huge.ndjson");
    writeFileSync(huge, "");
    truncateSync(huge, 8 * 1024 ** 3);
    for (const words of [`replay ${huge} --dry-run`, "replay - --dry-run"]) {
      const ran = await inside.runFrom(createReadStream(huge), words);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("1 file was rejected")]);
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

  it("the sandbox without a credential: exit 3, naming it and the way to another service", async () => {
    const ran = await home.run(["check", "-"], { input: JSON.stringify(GOOD) });
    expect(ran.code).toBe(3);
    oneSentence(ran);
    expect(ran.stderr).toMatch(/sandbox.*verdict project register --wait.*verdict init.*another service/);
  });

  it("a read-only home: exit 74", async () => {
    const folder = join(home.folder, "readonly");
    mkdirSync(folder);
    forbidWriting(folder);
    const ran = await home.run(`profile add x --base-url https://risk.example.com --home ${folder}`);
    expect(ran.code).toBe(74);
    oneSentence(ran);
  });

  it("a folder of temporary files below a file: the tour ends with 74", async () => {
    const tour = await home.run("tour", { env: { TMPDIR: join(PROGRAM, "below") } });
    expect(tour.code).toBe(74);
    oneSentence(tour);
  });
});
