// The tour in the README, command by command: what it shows is what the program prints.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FULL } from "./main-job-payment.ts";
import { testHome } from "./verdict-process.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The payment that the tour sends. */
const PAYLOAD = { ...FULL, order_id: "o-1041", card: { ...FULL.card, cin_card: 42 } };

interface Step {
  readonly words: readonly string[];
  readonly printed: string;
}

/** Said on standard error where it is no terminal. */
const WITHOUT_TERMINAL: Readonly<Record<string, RegExp>> = {
  register: /^Waiting \d s before the credential is asked for; its window closes in 23 h 59 min\.\n$/,
  check: /^Profile: sandbox \(SANDBOX\)\.\n$/,
};

it("prints what the README shows, but for ids, times and latencies", async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  writeFileSync(join(home.folder, "payload.json"), JSON.stringify(PAYLOAD));
  const steps = stepsOf(README);
  expect(steps).toHaveLength(4);
  for (const { words, printed } of steps) {
    const { code, stdout, stderr } = await home.run(words);
    expect(stderr).toMatch(WITHOUT_TERMINAL[words[0]!] ?? /^$/);
    const shown = printed.includes("\nexit ") ? `${stdout}exit ${code}` : stdout;
    expect(withoutChance(shown)).toBe(withoutChance(printed));
  }
});

function stepsOf(text: string): Step[] {
  const tour = /## A tour in ten lines\n\n```\n([^]*?)```/.exec(text)?.[1] ?? "";
  return tour
    .split(/^\$ verdict /m)
    .slice(1)
    .map((part) => {
      const [line = "", ...printed] = part.split("\n");
      return { words: wordsOf(line.replace(/; echo "exit \$\?"$/, "")), printed: printed.join("\n") };
    });
}

/** As a shell splits them, with quotes of both kinds. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  );
}

function withoutChance(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")
    .replaceAll(/[\d.]+ ms/g, "LATENCY")
    .replaceAll(/\b(hmac-sha256-|prj-)?[0-9a-z]{16,20}\b/g, "ID")
    .replaceAll(/ +/g, " ")
    .trim();
}
