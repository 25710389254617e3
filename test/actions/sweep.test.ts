// The sweep as a use case: over a real sandbox without a trace, and as real checks behind a typed name.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { paymentTemplates } from "#src/actions/check/payment-templates.ts";
import { mostSent, sweep, type SweepEvent, type SweepInput } from "#src/actions/check/sweep.ts";
import { whatIf } from "#src/actions/check/what-if.ts";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { createSandboxAdmin } from "#src/client/sandbox-admin.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { readSweepValues, sweptField } from "#src/actions/check/sweep-values.ts";
import { Secret } from "#src/contract/secret.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

import { loadStarter } from "../rules/sample.ts";
import { answered, TEST_SECRET } from "../console/test-context.ts";
import { makeProject, startSandbox, type SandboxUnderTest } from "../sandbox/sandbox-under-test.ts";
import { checking, PROJECT, type Checking } from "../state/checking.ts";

const REQUEST: CheckRequest = {
  operation: "payment",
  order_id: "o-1",
  amount: 12_000,
  currency: 978,
  payer: { payer_ip: "91.198.36.14", payer_id: "p-1" },
};
const SIGNAL = new AbortController().signal;

/** The project that the sandbox knows. */
const SHOP = "shop/medium";

let desk: Checking;
const input = (field: string, values: string, change: Partial<SweepInput> = {}): SweepInput => {
  const swept = sweptField(field);
  return {
    request: REQUEST,
    project: SHOP,
    field: swept.path,
    values: readSweepValues(swept, values, 24),
    confirmed: null,
    ...change,
  };
};
const run = (
  context: SandboxContext,
  wanted: SweepInput,
  onEvent: (event: SweepEvent) => void = () => undefined,
  signal: AbortSignal = SIGNAL,
) => sweep(context, wanted, signal, onEvent);

const entries = async (): Promise<unknown[]> => Array.fromAsync((await desk.context.history()).entries());

afterEach(() => desk.remove());

describe("on the sandbox", () => {
  let sandbox: SandboxUnderTest;
  let context: SandboxContext;
  beforeEach(async () => {
    sandbox = await startSandbox({ ruleSet: await loadStarter() });
    const { projectId } = await makeProject(sandbox, await sandbox.company());
    desk = await checking({ now: Date.now });
    const vault = await desk.context.vault();
    await vault.put({
      kind: "project_credential",
      profile: desk.context.profile.name,
      projectKey: SHOP,
      projectId: projectId!,
      keyId: "key-2",
      algorithm: "hmac-sha256",
      baseUrl: desk.context.addresses().baseUrl,
      secret: new Secret(TEST_SECRET),
    });
    const admin = createSandboxAdmin(sandbox);
    context = { ...desk.context, sandbox: () => ({ admin }) };
  });

  it("finds the amount at which it tips to the cent, with the rule, and leaves no trace", async () => {
    const events: SweepEvent[] = [];
    const before = await sandbox.status();
    const result = await run(context, input("amount", "1000..5000000"), (event) => void events.push(event));
    expect(
      result.stretches.map(({ from, to, exact }) => [from.value, to.value, from.verdict, exact]),
    ).toEqual([
      [1_000, 25_000, "pass", true],
      [25_001, 1_000_000, "3ds_or_block", true],
      [1_000_001, 5_000_000, "block", true],
    ]);
    expect(result.stretches[1]!.gained).toContain("AMOUNT_OVER_SCA");
    expect(result.stretches[2]!.from.codes![0]).toBe("AMOUNT_LIMIT");
    expect(result).toMatchObject({ real: false, stopped: null, asked: events.length, project: SHOP });
    expect(await sandbox.status()).toMatchObject({ decisions: before.decisions, requests: before.requests });
    expect(await entries()).toEqual([]);
  });

  it("tells what the sandbox would refuse, and asks nothing that cannot be sent", async () => {
    const result = await run(context, input("card.bin_card", "999998..1000001"));
    expect(result.points.map(({ value, verdict }) => [value, verdict])).toEqual([
      [999_998, "pass"],
      [999_999, "pass"],
      [1_000_000, "refused"],
      [1_000_001, "refused"],
    ]);
    expect(result.asked).toBe(2);
    const { operation: _, ...without } = REQUEST;
    const refused = await run(context, input("currency", "EUR", { request: without }));
    expect(refused.points[0]).toMatchObject({
      verdict: "refused",
      reason: expect.stringContaining("operation is required"),
    });
  });

  it("is cancelled between two values, and gives what it has", async () => {
    const controller = new AbortController();
    const stop = ({ done }: SweepEvent): void => {
      if (done === 3) controller.abort();
    };
    const result = await run(context, input("amount", "1000..5000000"), stop, controller.signal);
    expect(result.points).toHaveLength(3);
    expect(result.stopped).toBe("It was cancelled.");
  });

  it("answers each template as it says, when nothing was sent before", async () => {
    for (const { name, expect: expected, request } of paymentTemplates(Date.now())) {
      const { verdict } = await whatIf(context, {
        request: { ...request, order_id: `t-${name}` },
        project: SHOP,
      });
      if (expected !== null) expect([name, verdict]).toEqual([name, expected]);
    }
  });
});

describe("on any other profile", () => {
  const TEST: Partial<Profile> = {
    name: "acme",
    environment: "TEST",
    baseUrl: "https://risk.acme.example",
    projectsUrl: "https://risk.acme.example",
  };
  let sent: CheckRequest[];
  const open = async (profile: Partial<Profile> = {}): Promise<void> => {
    sent = [];
    desk = await checking(
      {
        check: (body) => {
          sent.push(body);
          return answered((body.amount ?? 0) > 700 ? "block" : "pass");
        },
      },
      true,
      { ...TEST, ...profile },
    );
    Object.assign(desk.context, { sleep: () => Promise.resolve() });
  };

  it.each([null, "", "ACME", "sandbox"])("sends nothing when the name is %j", async (confirmed) => {
    await open();
    await expect(
      run(desk.context, input("amount", "1..1000", { project: PROJECT, confirmed })),
    ).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/up to 60 real checks.*acme/),
    });
    expect(sent).toEqual([]);
  });

  it("sends nothing through a read-only profile, whatever was typed", async () => {
    await open({ readOnly: true });
    await expect(
      run(desk.context, input("amount", "1..1000", { project: PROJECT, confirmed: "acme" })),
    ).rejects.toMatchObject({
      code: "read_only",
    });
    expect(sent).toEqual([]);
  });

  it("sends real checks, each with an order id of its own, and records them", async () => {
    await open();
    const result = await run(
      desk.context,
      input("amount", "1..1000", { project: PROJECT, confirmed: "acme" }),
    );
    expect(result.stretches.map(({ from, exact }) => [from.value, from.verdict, exact])).toEqual([
      [1, "pass", true],
      [701, "block", true],
    ]);
    expect(result).toMatchObject({ real: true, asked: sent.length });
    expect(sent.length).toBeLessThanOrEqual(mostSent(result.values));
    expect(new Set(sent.map(({ order_id }) => order_id)).size).toBe(sent.length);
    expect(await entries()).toHaveLength(sent.length);
  });

  it("leaves a service alone that gives no verdicts", async () => {
    await open();
    desk.answers.check = () => answered(null, { outcome: "unknown", explanation: "No answer." });
    const result = await run(
      desk.context,
      input("currency", "UAH,EUR,USD,GBP,PLN,JPY", { project: PROJECT, confirmed: "acme" }),
    );
    expect(result.asked).toBe(3);
    expect(result.stopped).toContain("3 values in a row");
  });

  it("refuses a list that is longer than what it sends at most", async () => {
    await open();
    const values = Array.from({ length: 61 }, (_, index) => index + 1).join(",");
    await expect(
      run(desk.context, input("amount", values, { project: PROJECT, confirmed: "acme" })),
    ).rejects.toThrow("the limit for a service that counts them is 60");
    expect(sent).toEqual([]);
  });
});

describe("what is asked for in words", () => {
  beforeEach(async () => {
    desk = await checking();
  });
  it.each([
    ["amount", "5..1", "from a smaller number"],
    ["amount", "a..b", "must be a whole number"],
    ["amount", "1..2..3", "is not a valid range"],
    ["description", "4111 1111 1111 1111", "full card number"],
    ["currency", "EUR,nonsense", "currency must be"],
    ["currency", ",", "The list is empty"],
  ])("%s %s is refused: %s", (field, values, sentence) => {
    expect(() => input(field, values)).toThrow(sentence);
  });
  it("knows fields by their last part alone", () => {
    expect(sweptField("bin_card").path).toBe("card.bin_card");
    expect(() => sweptField("nothing")).toThrow('There is no field "nothing"');
  });
});
