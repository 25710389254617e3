// The shipped rules, weight by weight and limit by limit: the table that the sandbox is described by.

import { expect, test } from "vitest";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { loadStarter } from "./sample.ts";

/** Score on medium, or the effect; what it is compared with on low, medium and high. */
type Row = readonly [weight: number | "block" | "allow" | "3ds", limits?: readonly [number, number, number]];

const TABLE: Readonly<Record<string, Row>> = {
  LIST_BLOCK: ["block"],
  LIST_ALLOW: ["allow"],
  LIST_3DS: ["3ds"],
  CARD_EXPIRED: ["block"],
  EXPIRY_IMPLAUSIBLE: [30, [15, 15, 15]],
  CARD_VELOCITY_1H: [35, [5, 3, 2]],
  CARD_VELOCITY_24H: ["block", [23, 15, 9]],
  CARD_VELOCITY_30D: [15, [15, 10, 6]],
  IP_VELOCITY_1H: [15, [8, 5, 3]],
  IP_VELOCITY_24H: [15, [15, 10, 6]],
  EMAIL_VELOCITY_1H: [15, [8, 5, 3]],
  PAYER_FREQ_90M: [15, [8, 5, 3]],
  CARDS_PER_PAYER_24H: [35, [6, 4, 3]],
  CARDS_PER_IP_1H: [50, [6, 4, 3]],
  CARDS_PER_EMAIL_24H: [20, [6, 4, 3]],
  PAYERS_PER_CARD_7D: [40, [3, 2, 2]],
  HOLDERS_PER_CARD: [15, [2, 1, 1]],
  CARDS_PER_HOLDER_24H: [5, [6, 4, 3]],
  BIN_BURST: [35, [9, 6, 4]],
  MICRO_AMOUNT_BURST: [40, [5, 3, 2]],
  AMOUNT_OVER_SCA: [10, [500, 250, 100]],
  AMOUNT_NEEDS_3DS: ["3ds", [500, 250, 100]],
  AMOUNT_LIMIT: ["block"],
  AMOUNT_LARGE: [2, [200, 200, 200]],
  AMOUNT_VS_HISTORY: [35, [6, 4, 3]],
  AMOUNT_ABOVE_USUAL: [1, [2, 2, 2]],
  NEW_CARD_NEW_NETWORK: [35, [2, 1.5, 1]],
  SPEND_VELOCITY_24H: [20, [7500, 5000, 3000]],
  ROUND_AMOUNT: [5, [100, 100, 100]],
  MONOTONE_SEQUENCE: [15, [5, 4, 3]],
  DUPLICATE_ORDER: [15],
  DISPOSABLE_EMAIL: [60],
  EMAIL_LOCAL_RANDOM: [10, [80, 60, 40]],
  IP_BOGON: [30],
  IP_SUBNET_VELOCITY: [15, [30, 20, 12]],
  PHONE_IMPOSSIBLE: [15],
  HOLDER_ANOMALY: [15],
  TEST_BIN: ["block"],
  BIN_UNKNOWN_SCHEME: [15],
  CURRENCY_NOT_PROJECT: [10],
  TERMINAL_SPIKE: [15, [45, 30, 18]],
};

/** Parameters that say from where on a rule hits. */
const LIMITS = ["limit", "years", "factor", "floor", "length", "step"];

test("every starter rule has the weight and the limits of the table, and there is no other", async () => {
  const { rules } = await loadStarter();
  const shipped = rules.map(({ code, effect, weights, params }): readonly [string, Row] => {
    const limits = (["low", "medium", "high"] as const).map((level) => {
      const names = code === "TERMINAL_SPIKE" ? ["floor"] : LIMITS;
      return Number(params[level][names.find((name) => name in params[level]) ?? ""]);
    }) as [number, number, number];
    const weight = weights === null ? (effect as "block") : weights.medium;
    return [code, Number.isNaN(limits[0]) ? [weight] : [weight, limits]];
  });
  expect(Object.fromEntries(shipped)).toEqual(TABLE);
});

test("a weight is the same on every risk level, but for that of a large amount", async () => {
  for (const { code, weights } of (await loadStarter()).rules) {
    if (weights === null) continue;
    const { low, medium, high } = weights;
    expect([low, medium, high], code).toEqual(
      code === "AMOUNT_OVER_SCA" ? [5, 10, 20] : [medium, medium, medium],
    );
  }
});

test("the rules that only rank never decide: all of their points are less than a step of any other score", async () => {
  const { rules, thresholds } = await loadStarter();
  const step = 5;
  const ranking = rules.filter(({ weights }) => weights !== null && weights.medium < step);
  expect(ranking.map(({ code }) => code)).toEqual(["AMOUNT_LARGE", "AMOUNT_ABOVE_USUAL"]);
  for (const level of RISK_LEVELS) {
    const sum = ranking.reduce((points, { weights }) => points + weights![level], 0);
    expect(sum).toBeLessThan(step);
    const others = rules.flatMap((rule) => (ranking.includes(rule) ? [] : (rule.weights?.[level] ?? [])));
    const { threeDs, block } = thresholds[level];
    expect([...others, threeDs, block].filter((points) => points % step !== 0)).toEqual([]);
  }
});

test("what was decided about single rules: a test card is a note, amounts over the tier need 3-D Secure", async () => {
  const { rules } = await loadStarter();
  expect(rules.filter(({ mode }) => mode !== "live").map(({ code, mode }) => [code, mode])).toEqual([
    ["TEST_BIN", "shadow"],
  ]);
  const history = rules.find(({ code }) => code === "AMOUNT_VS_HISTORY")!;
  expect(Number(history.params.medium["earlier"])).toBe(5);
  const windows = Object.fromEntries(
    rules.flatMap(({ code, counters }) => counters.slice(0, 1).map(({ window }) => [code, window])),
  );
  expect(windows).toMatchObject({
    CARD_VELOCITY_1H: "1h",
    CARD_VELOCITY_24H: "24h",
    CARD_VELOCITY_30D: "3d",
    IP_VELOCITY_1H: "1h",
    IP_VELOCITY_24H: "24h",
    IP_SUBNET_VELOCITY: "1h",
    EMAIL_VELOCITY_1H: "1h",
    PAYER_FREQ_90M: "90m",
    CARDS_PER_PAYER_24H: "24h",
    CARDS_PER_IP_1H: "1h",
    CARDS_PER_EMAIL_24H: "24h",
    PAYERS_PER_CARD_7D: "7d",
    CARDS_PER_HOLDER_24H: "24h",
    BIN_BURST: "15m",
    MICRO_AMOUNT_BURST: "1h",
    AMOUNT_VS_HISTORY: "60d",
    NEW_CARD_NEW_NETWORK: "60d",
    SPEND_VELOCITY_24H: "24h",
    MONOTONE_SEQUENCE: "1h",
  });
});
