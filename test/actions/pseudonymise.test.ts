// Payments with stand-ins: rules decide about them as about the originals, and nobody is in them.

import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { pseudonymise, type PseudonymiseInput } from "#src/actions/rules/pseudonymise.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { loadStarter, MINUTE, NOON, payment } from "../rules/sample.ts";
import { intent } from "../storage/entries.ts";
import { bench, changedRules, inputOf, type Bench } from "./backtest-bench.ts";
import { differenceOf, labelledDay } from "./pseudonyms.ts";

const starter = await loadStarter();

interface Envelope {
  readonly name?: string;
  readonly at?: string;
  readonly tags?: readonly string[];
  readonly outcome?: string;
  readonly request: CheckRequest;
}

/** Writes stand-ins of a source beside it, and what came of it. */
async function replaced(
  { context }: Bench,
  source: string,
  change: Partial<PseudonymiseInput> = {},
  beside: string = source,
) {
  const { current: _, proposed: __, ...transactions } = inputOf(starter, { sources: [source] });
  const input = {
    ...transactions,
    ruleSet: starter,
    keyFile: `${beside}.key`,
    out: `${beside}.out`,
    ...change,
  };
  const done = await pseudonymise(context, input, new AbortController().signal, () => undefined);
  return { ...done, ...input, text: existsSync(input.out) ? readFileSync(input.out, "utf8") : null };
}

function envelopes(text: string | null): Envelope[] {
  return text!
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Envelope);
}

describe("pseudonymise", () => {
  it.each(RISK_LEVELS)(
    "leaves verdict, score and hits of 500 payments as they were on %s",
    async (riskLevel) => {
      const used = bench(starter);
      const source = labelledDay(used, 500);
      const { out, total, equal, differing } = await replaced(used, source, { riskLevel });
      expect({ total, equal, differing }).toEqual({ total: 500, equal: 500, differing: [] });
      // Not by its own word: a back-test reads each file by itself.
      expect(await differenceOf(used, [source, out], { riskLevel })).toEqual([]);
    },
  );

  it("has no mailbox, holder, address, number, payer or order of the source in it", async () => {
    const used = bench(starter);
    const source = labelledDay(used, 500);
    const { text } = await replaced(used, source);
    const fixed = new Set(["TEST", "CARD HOLDER"]);
    const canaries = envelopes(readFileSync(source, "utf8")).flatMap(
      ({ request: { order_id, payer, card } }) => [order_id!, card!.holder!, ...Object.values(payer!)],
    );
    const words = new Set(text!.toLowerCase().match(/"[^"]*"/g));
    const kept = canaries.filter((value) => value.length > 1 && words.has(`"${value.toLowerCase()}"`));
    expect(kept.filter((value) => !fixed.has(value))).toEqual([]);
    const long = [...new Set(canaries)].filter((value) => value.length > 8 && !fixed.has(value));
    expect(long.filter((value) => text!.toLowerCase().includes(value.toLowerCase()))).toEqual([]);
  });

  it("keeps time, amount, tags and outcome, and leaves out names and tags that repeat a value", async () => {
    const used = bench(starter);
    const request = payment();
    const source = used.file([
      {
        name: "order-1 of Olena",
        tags: ["vip", "for-OLENA@example.com"],
        at: "2026-03-16T12:00:00Z",
        outcome: "good",
        request,
      },
    ]);
    const [written] = envelopes((await replaced(used, source)).text);
    expect(Object.keys(written!)).toEqual(["at", "tags", "outcome", "request"]);
    expect(written).toMatchObject({ tags: ["vip"], at: "2026-03-16T12:00:00.000Z", outcome: "good" });
    expect(written!.request).toMatchObject({ amount: 12_000, currency: 980, operation: "payment" });
  });

  it.each([
    "380501234567",
    "050-123-45-67",
    "Olena-Kovalenko",
    "kovalenko",
    "olena.k",
    "OLÉNA",
    "for order 1 of shop",
  ])("leaves the tag %s out, however it spells who paid", async (tag) => {
    const used = bench(starter);
    const request = payment({
      request: { order_id: "order-1" },
      payer: { email: "o.kovalenko@example.com", number_phone: "+380501234567" },
      card: { holder: "OLENA KOVALENKO" },
    });
    // A service of one's own may have more fields, of any type.
    Object.assign(request.payer!, { age: 41, more: { x: 1 }, vip: null });
    const source = used.file([{ tags: [tag, "vip", "--", "ko"], request }]);
    const [written] = envelopes((await replaced(used, source)).text);
    expect(written!.tags).toEqual(["vip", "--", "ko"]);
  });

  it("takes payments of the history, gives those without a time one, and leaves repeats out", async () => {
    const used = bench(starter, [
      { profile: "sandbox", key: "shop/high", projectId: "p-1", riskLevel: "high" },
    ]);
    await used.remember(
      [0, 1, 2].map((n) =>
        intent(`e${n}`, { at: NOON + n * MINUTE, request: payment({ request: { order_id: `o-${n}` } }) }),
      ),
    );
    const place = used.file([]);
    expect(await replaced(used, "history:", {}, place)).toMatchObject({ total: 3, equal: 3, untimed: 0 });
    const source = used.file([payment(), payment({ request: { order_id: "o-2" } })]);
    const { text, untimed } = await replaced(used, source);
    expect(untimed).toBe(2);
    expect(envelopes(text).map(({ at }) => at)).toEqual([
      "2026-03-16T12:00:00.000Z",
      "2026-03-16T12:01:00.000Z",
    ]);
    const twice = used.file(
      [0, 10].map((s) => ({ at: new Date(NOON + s * 1_000).toISOString(), request: payment() })),
    );
    expect(await replaced(used, twice)).toMatchObject({ total: 1, repeats: 1, written: true });
  });

  it("writes nothing where a rule sees a difference, and names the rule", async () => {
    const used = bench(starter);
    const source = labelledDay(used, 500);
    const prefixes: RuleSet = await changedRules(
      'when: holder_oddity() != ""',
      'when: holder_oddity() != "" || payer.payer_id.startsWith("c-00000")',
    );
    const { written, differing, total, equal, out } = await replaced(used, source, { ruleSet: prefixes });
    expect(written).toBe(false);
    expect(differing.map(({ code }) => code)).toEqual(["HOLDER_ANOMALY"]);
    expect(equal).toBe(total - differing[0]!.count);
    expect(readdirSync(dirname(out)).filter((name) => name.includes(".out"))).toEqual([]);
  });

  it("writes nothing where the file would be read with another unit of amounts", async () => {
    const used = bench(starter, [{ profile: "other", key: "shop/low", projectId: "p-1", riskLevel: "low" }]);
    await used.remember([
      intent("e1", { at: NOON, profile: "other", project: "shop/low", request: payment() }),
    ]);
    const done = await replaced(used, "history:", { unitOf: () => "major" }, used.file([]));
    expect(done).toMatchObject({ total: 1, equal: 0, written: false });
    expect(done.differing.map(({ code }) => code)).toContain("amount");
  });

  it("keeps what the lists of the rules name, so that they see it again", async () => {
    const used = bench(starter);
    const source = labelledDay(used, 500);
    const [first] = envelopes(readFileSync(source, "utf8"));
    const { email, payer_ip } = first!.request.payer!;
    const ruleSet = await changedRules(
      "blocked: []",
      `blocked: [{ email: "${email}" }, { ip: "${payer_ip}" }]`,
    );
    const { text, equal } = await replaced(used, source, { ruleSet });
    expect(equal).toBe(500);
    expect(envelopes(text)[0]!.request.payer).toMatchObject({ email, payer_ip });
  });

  it("makes a private key where there is none, and with it the same stand-ins again", async () => {
    const used = bench(starter);
    const [source, keyFile] = [used.file([payment()]), `${used.file([])}.key`];
    const first = await replaced(used, source, { keyFile });
    expect(first.isNewKey).toBe(true);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(statSync(first.out).mode & 0o777).toBe(0o600);
    const again = await replaced(used, source, { keyFile }, `${source}.2`);
    expect(again).toMatchObject({ isNewKey: false, text: first.text });
    expect((await replaced(used, source, {}, `${source}.3`)).text).not.toBe(first.text);
    await expect(replaced(used, source, { keyFile })).rejects.toThrow("is not overwritten");
  });

  it.each([
    ["others may read it", "x".repeat(40), 0o644, "may be read by other accounts"],
    ["it is short", "x".repeat(31), 0o600, "has 31 bytes and needs 32"],
    ["it is one character", "x".repeat(64), 0o600, "repeats a few characters"],
    ["it is one word", "secret".repeat(8), 0o600, "repeats a few characters"],
  ])("refuses a key when %s", async (_, content, mode, sentence) => {
    const used = bench(starter);
    const source = used.file([payment()]);
    writeFileSync(`${source}.key`, content);
    chmodSync(`${source}.key`, mode);
    await expect(replaced(used, source)).rejects.toThrow(sentence);
    expect(existsSync(`${source}.out`)).toBe(false);
  });
});
