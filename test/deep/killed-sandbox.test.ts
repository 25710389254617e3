// A sandbox that is killed again and again in the middle of its work: whatever it answered it remembers.

import { once } from "node:events";
import { expect, test } from "vitest";
import {
  call,
  CHECK,
  makeProject,
  registration,
  send,
  signedCall,
  temporaryFolder,
  type Answer,
  type Sending,
} from "../sandbox/sandbox-under-test.ts";
import { startSandboxProcess } from "./sandbox-process.ts";

const ROUNDS = 12;
const CALLERS = 16;

test(`in ${ROUNDS} kills no answered check is forgotten: not its count, not its signature, not its reasons`, async () => {
  const dir = await temporaryFolder();
  let sandbox = await startSandboxProcess(dir);
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  /** Of this sandbox's whole life. */
  let answeredOnce = 0;
  let interrupted = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    const answered: { readonly sent: Sending; readonly answer: Answer }[] = [];
    const merchants: string[] = [];
    const state = { over: false };
    const caller = async (number: number): Promise<void> => {
      for (let turn = 0; !state.over; turn += 1) {
        const sent = signedCall(sandbox.port, "check", project, {
          ...CHECK,
          order_id: `order-${round}-${number}-${turn}`,
        });
        answered.push({ sent, answer: await send(sandbox.port, sent) });
      }
    };
    const registrar = async (): Promise<void> => {
      for (let turn = 0; !state.over; turn += 1) {
        const merchant = `m-${round}-${turn}`;
        const { status } = await call(sandbox, "register", company, registration(merchant));
        expect(status).toBe(200);
        merchants.push(merchant);
      }
    };
    const callers = [...Array.from({ length: CALLERS }, (_, number) => caller(number)), registrar()];
    const settled = Promise.allSettled(callers);
    // At spread moments: from the first answers of a round to several hundred of them.
    const target = 3 + ((round * 37) % 300);
    while (answered.length < target) await new Promise((resolve) => setTimeout(resolve, 1));
    const gone = once(sandbox.child, "exit");
    sandbox.child.kill("SIGKILL");
    await gone;
    state.over = true;
    interrupted += (await settled).filter(({ status }) => status === "rejected").length;
    answeredOnce += answered.length;

    sandbox = await startSandboxProcess(dir);
    for (const { sent, answer } of answered) {
      expect(answer.status).toBe(200);
      expect((await sandbox.explanation(answer)).message).toBe(answer.body["message"]);
      const replayed = await send(sandbox.port, sent);
      expect([replayed.status, replayed.body["error"]]).toEqual([401, "unauthorized"]);
    }
    for (const merchant of merchants) {
      const again = await call(sandbox, "register", company, registration(merchant));
      expect([merchant, again.status]).toEqual([merchant, 409]);
    }
    const { decisions } = await sandbox.status();
    expect(decisions).toBeGreaterThanOrEqual(answeredOnce);
    // Decided but cut before the answer left: at most one a caller and round.
    expect(decisions).toBeLessThanOrEqual(answeredOnce + interrupted);
    const last = await call(sandbox, "check", project, { ...CHECK, order_id: `after-${round}` });
    expect((await sandbox.explanation(last)).counters).toContainEqual(
      expect.objectContaining({ value: decisions + 1 }),
    );
    answeredOnce += 1;
  }
  process.stdout.write(`${ROUNDS} kills, ${answeredOnce} answered checks, ${interrupted} calls cut\n`);
  expect(interrupted).toBeGreaterThan(ROUNDS);
});
