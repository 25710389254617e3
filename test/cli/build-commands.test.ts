// Whatever a service, a payload, a rule, a deck or a file name says, no line of any command is obeyed by a build server.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answer, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { BUILD_COMMANDS, obeyedLines } from "./build-server.ts";
import { homeOfTests, pointAt } from "./in-process.ts";

let service: HostileService;
const home = homeOfTests();
let rules: string;

beforeAll(async () => {
  service = await startHostileService([]);
  await pointAt(home, service.url);
  rules = readFileSync(new URL("../../examples/rules.yaml", import.meta.url), "utf8");
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

/** The files of a folder and what is in them. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));

// One of each form: the guard has all of them in a test of its own.
test.each([0, 3, 4, 6, 8].map((index) => [BUILD_COMMANDS[index]!, index] as const))(
  "%j",
  async (text, index) => {
    const folder = join(home.folder, `case-${index}`);
    const out = join(folder, "out");
    mkdirSync(out, { recursive: true });
    const [payments, payment, ruleFile, deck] = [
      "payments.ndjson",
      "payment.json",
      "rules.yaml",
      "deck.yaml",
    ].map((name) => join(folder, name));
    const request = {
      operation: "payment",
      order_id: text,
      amount: 2_000_000,
      currency: 980,
      terminal_id: text,
      description: text,
      payer: { payer_id: text },
      card: { holder: text },
    };
    const item = {
      request,
      expect: "pass",
      name: text,
      tags: [text],
      at: "2026-01-01T10:00:00Z",
      outcome: "good",
    };
    writeFileSync(payments!, `${JSON.stringify(item)}\n${JSON.stringify({ [text]: text })}\n`);
    writeFileSync(payment!, JSON.stringify(request));
    writeFileSync(
      ruleFile!,
      rules.replaceAll("{money} is an expensive order", JSON.stringify(text).slice(1, -1)),
    );
    writeFileSync(deck!, JSON.stringify({ title: text, [text]: text, steps: [{ say: text }] }));
    service.play(answer(200, JSON.stringify({ status: "success", code: "block", message: text })));
    const reports = ["junit", "json", "md", "html"].flatMap((kind) => [
      "--report",
      `${kind}=${join(out, kind)}`,
    ]);
    const replay = ["replay", payments!, "--rejects", join(out, "rejects")];
    const commands: readonly (readonly string[])[] = [
      ["check", "--set", `order_id=${text}`, "--set", "amount=1"],
      ["check", "--set", `order_id=${text}`, "--set", "amount=1", "--dry-run"],
      [...replay, ...reports, "--max-flips", "0", "--golden", join(out, "golden"), "--update"],
      ["replay", payments!, "--rejects", join(out, "more"), "--json"],
      ["replay", payments!, "--dry-run"],
      ["compare", "last", "last"],
      ["runs", "list"],
      ["runs", "show", "last"],
      ["runs", "export", "last"],
      ["history"],
      ["history", "--json"],
      ["history", "--fields", "order_id,message"],
      ["history", "--fields", "order_id,message", "--json"],
      ["history", "show", "last"],
      ["history", "export", "--format", "csv"],
      ["history", "export", "--format", "json"],
      ["history", "--where", `order="${text}"`],
      ["label", "set", text, "fraud"],
      ["label", "list"],
      ["sweep", payment!, "--field", "description", "--list", text],
      ["payload", "import", payments!, "--try", "--ignore-others"],
      ["payload", "save", text, payments!],
      ["rules", "check", ruleFile!],
      ["rules", "list", ruleFile!],
      [
        "rules",
        "backtest",
        "starter",
        "--against",
        ruleFile!,
        "--over",
        payments!,
        "--rows",
        join(out, "rows.csv"),
      ],
      ["demo", deck!],
      ["demo", text],
      ["profile", "show", text],
      ["recipe", "show", text],
      [`--${text}`],
    ];
    for (const words of commands) {
      const { stdout, stderr } = await home.run(words);
      expect(obeyedLines(stdout + stderr), words.join(" ")).toEqual([]);
    }
    // They were shown: a command that refuses all of them proves nothing.
    const shown = await home.run(["history", "--fields", "order_id,message"]);
    expect(shown.stdout).toMatch(/\\x(?:3a:|23#)|\\n::/);
    expect(filesOf(out).length).toBeGreaterThanOrEqual(8);
    for (const written of filesOf(out)) expect(obeyedLines(written)).toEqual([]);
  },
);

test("annotations are the only lines that a build server obeys", async () => {
  service.play(answer(200, '{"status":"success","code":"block","message":"::add-mask::PASS"}'));
  const payments = join(home.folder, "annotated.ndjson");
  const request = { operation: "payment", order_id: "::add-mask::x", amount: 1, currency: 980 };
  writeFileSync(payments, JSON.stringify({ request, expect: "pass" }));
  const { stdout, stderr } = await home.run(["replay", payments, "--annotate", "github"]);
  expect(obeyedLines(stderr)).toEqual([]);
  expect(obeyedLines(stdout)).toEqual([expect.stringMatching(/^::error file=[^:]*,title=[^:]*::/)]);
});
