// Hidden and obeyed characters: whatever the service or a file says, no command prints a character that hides, moves or reorders.

import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOutput } from "#src/cli/output.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { answer, type HostileService, startHostileService } from "../client/hostile-service.ts";
import { homeOfTests, inProcessHome, pointAt } from "./in-process.ts";
import { HIDDEN, MORE, STRINGS } from "./naughty-strings.ts";
import { answer as answered } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";

const SAYS_PASS = /✔ PASS/;

// oxlint-disable-next-line no-control-regex
const OUR_COLOUR = /\x1b\[(?:1|7|22|27|3[0-9]|9[0-7])m/g;

function expectVisible(text: string, about: string): void {
  expect(HIDDEN.exec(text)?.[0], JSON.stringify(about)).toBeUndefined();
}

let service: HostileService;
const home = homeOfTests();
beforeAll(async () => {
  service = await startHostileService([]);
  await pointAt(home, service.url);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

test("there are hundreds of strings, and most that matter are among them", () => {
  expect(STRINGS.length).toBeGreaterThan(450);
  expect(STRINGS.filter((text) => HIDDEN.test(text)).length).toBeGreaterThan(30);
});

const CHECK = ["check", "--set", "order_id=A-1", "--set", "amount=1"];

test("check: the service's code, message, slug and fields", async () => {
  for (const [index, text] of STRINGS.entries()) {
    const bodies = [
      answer(200, JSON.stringify({ status: "success", code: text, message: text })),
      answer(200, JSON.stringify({ status: "success", code: "block", message: text })),
      answer(400, JSON.stringify({ error: text, message: text })),
      answer(400, JSON.stringify({ error: "invalid_request", fields: [{ path: text, message: text }] })),
      answer(200, JSON.stringify({ status: text, code: "pass" })),
    ];
    service.play(bodies[index % bodies.length]!);
    const { code, stdout, stderr } = await home.run(CHECK);
    expect([5, 7, 10], JSON.stringify(text)).toContain(code);
    expectVisible(stdout + stderr, text);
    expect(stdout.split("\n")[0]).not.toMatch(SAYS_PASS);
    // A badge beside what would not have been seen, and each line in its place.
    if (code === 10) {
      expect(stdout.includes("⚠")).toBe(HIDDEN.test(text) || text.includes("\n") || text.includes("⚠"));
      expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(6);
    }
  }
});

test("credential and register: the service's message", async () => {
  for (const [index, text] of STRINGS.entries()) {
    service.play(answer(200, JSON.stringify({ status: "pending", message: text })));
    const words = ["--merchant-id", `m-${index}`, "--risk-level", "low"];
    const asked = await home.run(["credential", ...words]);
    expect(asked.code).toBe(7);
    expectVisible(asked.stdout + asked.stderr, text);
    if (index % 10 !== 0) continue;
    service.play(answer(200, JSON.stringify({ status: "success", message: text })));
    const made = await home.run(["register", ...words, "--name", "M", "--currency", "UAH"]);
    // A lone surrogate cannot be sent in JSON, so that such an answer is none.
    expect([0, 7]).toContain(made.code);
    expectVisible(made.stdout + made.stderr, text);
  }
});

function entry(text: string, index: number): HistoryEntry {
  return {
    id: `n${String(index).padStart(6, "0")}`,
    at: 1_700_000_000_000 + index,
    profile: "test",
    project: text,
    request: {
      order_id: text,
      description: text,
      terminal_id: text,
      payer: { email: text, payer_id: text },
      card: { holder: text },
      amount: 1,
    },
    result: answered({ recommendation: "block", message: text }),
    finalAction: "block",
    repeats: index % 50 !== 7 ? null : `n${String(index - 1).padStart(6, "0")}`,
    warnings: [text],
    explanation: null,
    note: null,
  };
}

test("history: list, one entry, and exact data in JSON", async () => {
  const inside = inProcessHome();
  await pointAt(inside, service.url);
  const history = historyIn(join(inside.folder, "data"));
  // What holds card data is refused by the store, as it should be.
  const kept: HistoryEntry[] = [];
  for (const [index, text] of STRINGS.entries()) {
    const made = entry(text, index);
    const stored = await history.intend({ ...made, result: null }).then(
      () => true,
      () => false,
    );
    if (!stored) continue;
    await history.settle(made);
    kept.push(made);
  }
  await history.close();
  expect(kept.length).toBeGreaterThan(STRINGS.length - 20);

  const list = await inside.run(["history", "--limit", "1000"]);
  expect(list.code).toBe(0);
  expectVisible(list.stdout + list.stderr, "the list");
  expect(list.stdout.trimEnd().split("\n")).toHaveLength(kept.length + 1);

  const json = await inside.run(["history", "--limit", "1000", "--json"]);
  expectVisible(json.stdout, "the list as JSON");
  const rows = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const byId = new Map(rows.map((row) => [row["id"], row]));
  for (const { id, request } of kept) {
    expect(byId.get(id)).toMatchObject({ message: request.order_id, order_id: request.order_id });
  }
  for (const [index, { id, request }] of kept.entries()) {
    if (index % 10 !== 0 && !HIDDEN.test(request.order_id!)) continue;
    const shown = await inside.run(["history", "show", id]);
    expectVisible(shown.stdout + shown.stderr, request.order_id!);
    expect(shown.stdout.split("\n")[0]).toContain(VERDICTS.block.word);
    const exact = await inside.run(["history", "show", id, "--json"]);
    expectVisible(exact.stdout, request.order_id!);
    expect((JSON.parse(exact.stdout) as { request: unknown }).request).toEqual(request);
  }
  inside.remove();
});

test("words of the command line come back visible, whatever they are", async () => {
  for (const [index, text] of STRINGS.entries()) {
    const commands = [
      ["history", "show", text],
      ["history", "--where", text],
      ["vault", "show", text],
      ["profile", "show", text],
      ["profile", "add", text, "--base-url", text],
      ["check", "--set", text],
      ["check", "--set", `order_id=${text}`, "--dry-run"],
      ["check", "--again", text],
      ["credential", "--merchant-id", "m", "--risk-level", text],
      [`--${text}`],
      ["projects", "--profile", text],
    ];
    // All of them for what hides; two for what is merely odd, so that each command meets each kind.
    const chosen = HIDDEN.test(text)
      ? commands
      : [0, 5].map((step) => commands[(index + step) % commands.length]!);
    for (const words of chosen) {
      const { stdout, stderr } = await home.run(words);
      expectVisible(stdout + stderr, words.join(" "));
    }
  }
});

test("projects: what was registered is shown visibly", async () => {
  for (const text of MORE) {
    service.play(answer(200, '{"status":"success"}'));
    await home.run([
      "register",
      "--merchant-id",
      text,
      "--name",
      text,
      "--currency",
      "UAH",
      "--risk-level",
      "low",
    ]);
  }
  for (const words of [
    ["projects"],
    ["projects", "--json"],
    ["vault", "list"],
    ["vault", "list", "--json"],
  ]) {
    const { code, stdout, stderr } = await home.run(words);
    expect(code).toBe(0);
    expectVisible(stdout + stderr, words.join(" "));
  }
});

test("the guard below holds where somebody forgot to make a text safe, and lets our own colours pass", () => {
  const written: string[] = [];
  const stream = (isTTY: boolean): NodeJS.WriteStream =>
    ({
      isTTY,
      columns: 80,
      write: (text: string) => written.push(text) > 0,
    }) as unknown as NodeJS.WriteStream;
  const env = { TERM: "xterm", LANG: "C.UTF-8" };
  for (const isTTY of [false, true]) {
    const output = createOutput(stream(isTTY), stream(false), env);
    for (const text of STRINGS) {
      written.length = 0;
      output.line(text);
      output.complain(text);
      output.prompt(text);
      output.json({ text });
      // Our own colour is all that can get through, and only where colours are written at all.
      const bare = isTTY ? written.join("").replaceAll(OUR_COLOUR, "") : written.join("");
      expectVisible(bare, text);
    }
  }
  const output = createOutput(stream(true), stream(true), env);
  written.length = 0;
  for (const role of ["pass", "live", "heading", "quiet"] as const)
    output.line(output.style.paint(role, "word"));
  expect(written).toEqual([
    "\x1b[1m\x1b[32mword\x1b[39m\x1b[22m\n",
    "\x1b[1m\x1b[41m\x1b[97mword\x1b[39m\x1b[49m\x1b[22m\n",
    "\x1b[1mword\x1b[22m\n",
    "word\n",
  ]);
  written.length = 0;
  output.line("\x1b[8mconceal\x1b[5mblink\x1b[38;5;1mx\x1b[9mstruck");
  expect(written[0]).toBe("\\x1b[8mconceal\\x1b[5mblink\\x1b[38;5;1mx\\x1b[9mstruck\n");
});
