// What-if and sweeps in the console: who may ask, what is said, and what stands between a sweep and a service that counts.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "#src/app/context.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import type { WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { createSweeps, type Sweeps } from "#src/state/check/sweeps.ts";
import { createWhatIf, type WhatIfView } from "#src/state/check/what-if.ts";
import { openPage } from "#src/state/session.ts";
import { supposing } from "../console/supposing.ts";
import { answered } from "../console/test-context.ts";
import { checking, type Checking } from "./checking.ts";
import { agree, submit } from "./answers.ts";

let desk: Checking;
let whatIf: WhatIfView;
let sweeps: Sweeps;
let asked: CheckRequest[];

async function open(profile: Parameters<typeof checking>[2] = {}): Promise<void> {
  asked = [];
  desk = await checking({}, true, profile);
  const admin: Pick<SandboxAdmin, "whatIf"> = {
    whatIf: (_project, request): Promise<WhatIf> => {
      asked.push(request);
      return Promise.resolve(supposing(request));
    },
  };
  const context = { ...desk.context, sandbox: () => ({ admin }) } as unknown as Context;
  whatIf = createWhatIf(context, desk.session, desk.composer);
  sweeps = createSweeps(context, desk.session, desk.composer);
}
afterEach(() => desk.remove());

const page = () => openPage(desk.session.store.getState());
const ended = async (field: string): Promise<void> => {
  await expect.poll(() => sweeps.store.getState()).toMatchObject({ progress: null, result: { field } });
};

describe("on the sandbox", () => {
  beforeEach(() => open());

  it("asks what would be said to exactly what is composed", async () => {
    expect(whatIf.disabled).toBeNull();
    const request = desk.composer.toRequest();
    await whatIf.show(request);
    expect(asked).toEqual([request]);
    expect(page()?.store).toBe(desk.composer.store);
    expect(desk.composer.draft().predicted).toBe("pass");
    desk.composer.freshOrder();
    expect(desk.composer.draft().predicted).toBeNull();
    expect(desk.checks.store.getState().entries).toEqual([]);
    desk.session.closePage(page()!);
    expect(page()).toBeUndefined();
  });

  it("sweeps a field that is named, and the next one by a key", async () => {
    sweeps.ask();
    expect(desk.session.store.getState().prompt!.initial).toMatch(/^amount \d+\.\.\d+$/);
    await submit(desk.session, "amount 1000..500000");
    await ended("amount");
    const { result } = sweeps.store.getState();
    expect(page()?.store).toBe(sweeps.store);
    expect(result!.stretches.map(({ from, exact }) => [from.value, from.verdict, exact])).toEqual([
      [1_000, "pass", true],
      [25_001, "3ds_or_block", true],
      [200_000, "block", true],
    ]);
    sweeps.next();
    await ended("currency");
    expect(desk.checks.store.getState().entries).toEqual([]);
  });

  it("asks again for what it cannot read, as it was typed", async () => {
    sweeps.ask();
    await submit(desk.session, "amont 1..2");
    expect(desk.said().at(-1)).toContain('There is no field "amont"');
    expect(desk.session.store.getState().prompt!.initial).toBe("amont 1..2");
    await submit(desk.session, "description");
    expect(desk.said().at(-1)).toContain("Add the values of Description");
    expect(asked).toEqual([]);
  });

  it("takes typical values for a field that is named alone", async () => {
    sweeps.ask();
    await submit(desk.session, "number_phone");
    await ended("payer.number_phone");
    expect(sweeps.store.getState().result!.points.length).toBeGreaterThan(1);
  });
});

describe("on any other profile", () => {
  const ACME = {
    name: "acme",
    environment: "TEST",
    baseUrl: "https://a.example",
    projectsUrl: "https://a.example",
  } as const;
  const fill = (): void =>
    void desk.composer.pasteJson('{"operation":"payment","order_id":"o","amount":1,"currency":978}');

  it("says why nobody can be asked, and asks nobody", async () => {
    await open(ACME);
    expect(whatIf.disabled).toContain("Only the sandbox");
    await whatIf.show(desk.composer.toRequest());
    expect(asked).toEqual([]);
    expect(page()).toBeUndefined();
  });

  it.each(["TEST", "LIVE"] as const)(
    "starts a sweep on %s only when the profile's name is typed",
    async (environment) => {
      await open({ ...ACME, environment });
      const sent: CheckRequest[] = [];
      desk.answers.check = (body) => {
        sent.push(body);
        return answered("pass");
      };
      Object.assign(desk.context, { sleep: () => Promise.resolve() });
      fill();
      sweeps.ask();
      await submit(desk.session, "currency EUR,USD");
      await expect.poll(() => desk.session.store.getState().dialog).not.toBeNull();
      const dialog = desk.session.store.getState().dialog!;
      expect(dialog).toMatchObject({ typed: "acme", text: expect.stringContaining("up to 2 real checks") });
      expect(sent).toEqual([]);
      await agree(desk.session);
      await expect.poll(() => sweeps.store.getState().result?.asked).toBe(2);
      expect(sent.map(({ currency }) => currency)).toEqual([978, 840]);
    },
  );
});
